// Hostile documents: manifests with pieces of each other, of YAML and of what has hurt before in places where nobody
// would put them; and random edits, after which everything must be as if the text had been opened as it is.
import { emptySnapshot, type Snapshot, withOpen } from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import type { Random } from '../../support/random.ts';
import { sharedFile } from '../../support/workspace.ts';
import { requests } from './requests.ts';

const pieces = [
  ...[
    '__proto__',
    'constructor',
    'toString: 1',
    'hasOwnProperty',
    '&a ',
    '*a',
    '<<: *a',
    '!!binary ',
    '!!set ',
    '? ',
    ': ',
  ],
  ...[
    '\t',
    '\r',
    '\u2028',
    '\ufeff',
    '\0',
    '\ud800',
    '😀',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '#',
    '- ',
    '|2\n',
    '>-\n',
    '"',
    "'",
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ', ',
    '0.0',
    '-0.0',
    '.nan',
    '9223372036854775808',
    '1e999',
    'null',
    '~',
    '0o17',
    '2020-01-01',
  ],
  ...[
    'x-kubernetes-validations:',
    '- rule: "self.all(x, x > 0)"',
    'rule: self.',
    'default: {a: 1}',
    'pattern: "("',
    'enum: [a, a]',
  ],
  ...[
    'type: object',
    'properties:',
    'items: {}',
    'allOf: [{}]',
    'x-kubernetes-list-type: map',
    'kind: List',
    'apiVersion: v1',
  ],
  ...[
    'metadata: {name: [a]}',
    'labels: {a: 1}',
    'status: {}',
    'spec: []',
    'format: duration',
    '${1:a}',
    '![a](b)',
    '[a](command:b)',
  ],
];

export const bases: readonly string[] = [
  ...['gizmos', 'gauges', 'widgets', 'gadgets', 'rosters'].map(sharedFile),
  'apiVersion: example.com/v1\nkind: Gizmo\nmetadata: {name: a}\nspec:\n  size: 30\n  tags: [a, b]\n',
  'apiVersion: example.com/v1\nkind: Gauge\nmetadata: {name: a}\nspec: {low: 3, high: 1}\n',
  'apiVersion: example.com/v1\nkind: Roster\nmetadata: {name: a}\nspec: {size: 10}\n',
];

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function randomEdit(random: Random, text: string): Edit {
  const start = random.below(text.length + 1);
  const removed = random.chance(0.5) ? random.below(random.chance(0.1) ? 200 : 12) : 0;
  const other = random.pick(bases);
  const from = random.below(other.length);
  const put = random.chance(0.2) ? other.slice(from, from + random.below(120)) : random.pick(pieces);
  return { start, end: Math.min(text.length, start + removed), text: random.chance(0.2) ? '' : put };
}

export const edited = (text: string, { start, end, text: put }: Edit) => text.slice(0, start) + put + text.slice(end);

const crdUris = bases.slice(0, 5).map((_, i) => `file:///crd${i}.yaml`);

/** The CRDs of all kinds, open. */
export const withCrds: Snapshot = crdUris.reduce(
  (snapshot, uri, i) => withOpen(snapshot, sourceFile(uri, bases[i]!)),
  emptySnapshot,
);

export const hostileUri = 'file:///hostile.yaml';

export function opened(snapshot: Snapshot, text: string): Snapshot {
  const previous = snapshot.open.get(hostileUri);
  return withOpen(snapshot, sourceFile(hostileUri, text, previous ? { previous } : {}));
}

/** What is otherwise after an edit than if the text had been opened as it is. */
export function differencesAfter(before: Snapshot, text: string, offset: number): string[] {
  const now = opened(before, text);
  const fresh = opened(withCrds, text);
  return Object.entries(requests)
    .filter(([, request]) => shown(request(now, hostileUri, offset)) !== shown(request(fresh, hostileUri, offset)))
    .map(([name]) => name);
}

function shown(answer: unknown): string {
  const plain = (_: string, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Map || value instanceof Set ? [...value] : value;
  return JSON.stringify(answer, plain) ?? 'undefined';
}
