/** The Applications that an ApplicationSet makes, as far as that takes no cluster. */
import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import { isMap, isString, listAt, valueAt } from '../../base/value.ts';
import type { AppAt } from './applications.ts';
import type { Delivery } from './index.ts';
import type { Delivered } from './objects.ts';
import type { SetAt } from './setAt.ts';
import { patternsIn } from './setFiles.ts';
import { kindsIn, parametersOfGenerator } from './setGenerators.ts';
import { type Parameters, templated } from './setTemplates.ts';

/** Applications of one set. */
const mostMade = 300;

/** The field of a set that changes what its template makes. */
export const templatePatch = 'templatePatch';

/** What a set makes, and the generators that are left out since only a cluster, or a file elsewhere, has what they need. */
export interface MadeOfSet {
  readonly apps: readonly AppAt[];
  readonly leftOut: readonly string[];
}

export function madeOfSet(delivery: Delivery, one: Delivered): MadeOfSet {
  return made(one, delivery);
}

/** The Applications that an object is, or makes. */
export function applicationsOf(delivery: Delivery, one: Delivered): readonly AppAt[] {
  if (one.kind === 'Application') return [{ of: one, name: one.name, spec: ['spec'] }];
  return one.kind === 'ApplicationSet' ? madeOfSet(delivery, one).apps : [];
}

const made = memo((one: Delivered, delivery: Delivery): MadeOfSet => {
  const isGo = valueAt(one.manifest.value, ['spec', 'goTemplate']) === true;
  const isStrict = listAt(one.manifest.value, ['spec', 'goTemplateOptions']).includes('missingkey=error');
  const generators = listAt(one.manifest.value, ['spec', 'generators']);
  const { patterns } = delivery.disk.setFiles;
  const isRead = (patternsIn(generators) ?? []).every((pattern) => patterns.has(pattern));
  const set: SetAt = { delivery, one, isGo, isStrict, isRead };
  const all: Parameters[] = [];
  const leftOut: string[] = [];
  // What a patch makes of the template is not known.
  if ((valueAt(one.manifest.value, ['spec', templatePatch]) ?? '') !== '')
    return { apps: [], leftOut: [templatePatch] };
  for (const generator of generators) {
    const found = parametersOfGenerator(set, generator);
    if (found) append(all, found);
    else append(leftOut, kindsIn(generator));
  }
  const apps = all.slice(0, mostMade).flatMap((parameters, i) => appOf(set, parameters, i) ?? []);
  return { apps, leftOut };
});

/** The set with its template filled in, in which the Application is. */
function appOf({ one, isGo, isStrict }: SetAt, parameters: Parameters, nth: number): AppAt | undefined {
  const template = valueAt(one.manifest.value, ['spec', 'template']);
  const filled = template === undefined ? undefined : templated(template, parameters, { isGo, isStrict });
  const spec = one.manifest.value.get('spec');
  const name = filled && valueAt(filled, ['metadata', 'name']);
  if (!filled || !isMap(spec) || !isString(name)) return undefined;
  const value = new Map(one.manifest.value).set('spec', new Map(spec).set('template', filled));
  const { role, document, at, apiVersion, kind } = one.manifest;
  const of: Delivered = {
    ...one,
    manifest: { role, document, at, apiVersion, kind, value },
    variant: String(nth),
    variantOf: one,
    shown: `Application ${name}`,
  };
  return { of, name, spec: ['spec', 'template', 'spec'] };
}
