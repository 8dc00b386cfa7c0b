import { type Value, valueAt } from '../../server/src/base/value.ts';
import { entriesOf, isJsonObject, plainValue, readJson } from '../../server/src/gostd/json.ts';
import type { Plain } from './normal.ts';
import type { Request } from './protocol.ts';

/** A request over HTTP to which we say something else than the API server. */
export interface Difference {
  readonly request: Request;
  readonly ours: Plain;
  readonly theirs: Plain;
  readonly rows: readonly string[];
}

interface Class {
  readonly why: string;
  holds(difference: Difference): boolean;
}

const classes: readonly Class[] = [
  {
    why: 'a body of no kind and version that is served is refused in other words',
    holds: ({ request, ours, theirs }) => isForeign(request) && isRefused(ours) && isRefused(theirs),
  },
  {
    why: 'a body that names its kind twice, in whatever case, is described by the other one',
    holds: ({ request }) => kindsIn(request) > 1,
  },
  {
    why: 'names such as "." are no part of a path',
    holds: ({ request }) => ['.', '..'].includes(String(member(request, 'old', 'metadata', 'name'))),
  },
  {
    why: 'the uid is another than that of the stored object, which a question does not tell',
    holds: ({ theirs }) => codeOf(theirs) === 409 && messageOf(theirs).includes('Precondition failed: UID'),
  },
  {
    why: 'the rules cost too much: chance decides where they end',
    holds: ({ ours, theirs }) =>
      [ours, theirs].every((answer) => /running out of cost budget/.test(JSON.stringify(answer))),
  },
  {
    why: 'chance decides which of the dearest rules are said to contribute to the cost',
    holds: ({ rows }) => rows.every((row) => /contributed to estimated rule cost total/.test(row)),
  },
  {
    why: 'chance decides which of several embedded objects is named that cannot be decoded',
    holds: ({ ours, theirs }) => [ours, theirs].every((answer) => codeOf(answer) === 400 && isOfEmbedded(answer)),
  },
];

/** Why an answer may differ; undefined where it must not. */
export function explanation(difference: Difference): string | undefined {
  return classes.find(({ holds }) => holds(difference))?.why;
}

function member(request: Request, name: string, ...path: string[]): Value | undefined {
  const read = readJson(request.raw(name) ?? 'null');
  return 'error' in read ? undefined : valueAt(plainValue(read.json), path);
}

function isForeign(request: Request): boolean {
  if (request.raw('obj') === undefined) return false;
  const group = member(request, 'crd', 'spec', 'group');
  const [kind, apiVersion] = ['kind', 'apiVersion'].map((name) => member(request, 'obj', name));
  const versions = member(request, 'crd', 'spec', 'versions');
  const served = Array.isArray(versions) ? versions.map((version) => `${group}/${valueAt(version, ['name'])}`) : [];
  return kind !== member(request, 'crd', 'spec', 'names', 'kind') || !served.includes(String(apiVersion));
}

function kindsIn(request: Request): number {
  const read = readJson(request.raw('obj') ?? 'null');
  if ('error' in read || !isJsonObject(read.json)) return 0;
  return [...entriesOf(read.json)].filter(([name]) => name.toLowerCase() === 'kind').length;
}

function codeOf(answer: Plain): Plain | undefined {
  return typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined;
}

function messageOf(answer: Plain): string {
  return typeof answer === 'object' && answer !== null && 'message' in answer ? String(answer.message) : '';
}

function isOfEmbedded(answer: Plain): boolean {
  return /cannot be handled as a \S+: \S+: Invalid value: /.test(messageOf(answer));
}

function isRefused(answer: Plain): boolean {
  return [400, 422].includes(Number(codeOf(answer)));
}
