import type { JsonMap } from './json.ts';

// Events have two APIs over the same objects, which give some of their fields other names.

const newNames: readonly (readonly [old: string, now: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];

const toNew = new Map(newNames);
const toOld = new Map(newNames.map(([old, now]) => [now, old] as const));

/** The group under whose name events are kept. */
export const eventsGroup = 'events.k8s.io';

/** An event as one of its APIs has it. */
export function eventAs(apiVersion: string, event: JsonMap): JsonMap {
  if (event.apiVersion === apiVersion) return event;
  const names = apiVersion === 'v1' ? toOld : toNew;
  const renamed = Object.entries(event).map(([name, value]) => [names.get(name) ?? name, value] as const);
  return { ...Object.fromEntries(renamed), apiVersion };
}
