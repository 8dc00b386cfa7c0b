// Hostile documents: manifests with pieces of each other, of YAML and of what has hurt before in places where nobody
// would put them; and random edits, after which everything must be as if the text had been opened as it is.

import type { Range } from '../../../server/src/base/text.ts';
import type { CelType } from '../../../server/src/cel/types.ts';
import { diagnose } from '../../../server/src/features/problems/diagnose.ts';
import { defaultSettings } from '../../../server/src/workspace/settings.ts';
import {
  emptySnapshot,
  type Snapshot,
  settingsOf,
  withBaseline,
  withOpen,
} from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import type { Random } from '../../support/random.ts';
import { baselineOf, sharedFile } from '../../support/workspace.ts';
import type { Attack } from './part.ts';
import { failuresOf, type Request, requests } from './requests.ts';

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
    '# kube-crd: kubernetes 1.33\n',
    '\n# kube-crd: ignore\n',
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

interface Asked {
  readonly asked?: Readonly<Record<string, Request>>;
  /** What is known beside the text. */
  readonly around?: Snapshot;
}

/** What is otherwise after an edit than if the text had been opened as it is. */
export function differencesAfter(
  before: Snapshot,
  text: string,
  offset: number,
  { asked = requests, around = withCrds }: Asked = {},
): string[] {
  const now = opened(before, text);
  const fresh = opened(around, text);
  return Object.entries(asked)
    .filter(([, request]) => shown(request(now, hostileUri, offset)) !== shown(request(fresh, hostileUri, offset)))
    .map(([name]) => name);
}

function shown(answer: unknown): string {
  const plain = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    // Types know the lists and maps of them, which know these types.
    if (isCelType(value)) return value.text;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  };
  return JSON.stringify(answer, plain) ?? 'undefined';
}

function isCelType(value: unknown): value is CelType {
  return typeof value === 'object' && value !== null && 'accepts' in value && 'text' in value && 'params' in value;
}

const names = Object.keys(requests);

/** Some requests only, and other ones each time: over many texts that asks more than all of them over few. */
function someRequests(random: Random, always: readonly string[], more: number): Readonly<Record<string, Request>> {
  const chosen = [...always, ...Array.from({ length: more }, () => random.pick(names))];
  return Object.fromEntries(chosen.map((name) => [name, requests[name]!]));
}

/** Mostly of the small ones, which are quick. */
const randomBase = (random: Random) => random.pick(random.chance(0.7) ? bases.slice(5) : bases);

const longest = 1e6;

const isWithin = ({ start, end }: Range, text: string) => 0 <= start && start <= end && end <= text.length;

/** Hostile documents, each opened and asked about. */
export const attackDocuments: Attack = ({ cases, random, failed }) => {
  let asked = 0;
  for (let i = 0; i < cases; i++) {
    let text = randomBase(random);
    for (let edits = 1 + random.below(6); edits > 0; edits--) text = edited(text, randomEdit(random, text));
    const chosen = someRequests(random, ['diagnose'], 4);
    const start = process.cpuUsage();
    const snapshot = opened(withCrds, text);
    const found = failuresOf(snapshot, hostileUri, random.below(text.length + 1), { asked: chosen });
    if (process.cpuUsage(start).user > longest) found.push(`more than ${longest / 1e6} s of CPU`);
    const outside = diagnose(snapshot, hostileUri).find(({ range }) => !isWithin(range, text));
    if (outside) found.push(`${outside.code} is said outside of the text`);
    for (const one of found) failed(`${one}\n${text}`);
    asked += Object.keys(chosen).length;
  }
  return { documents: cases, requests: asked };
};

const versions = ['1.31', '1.34', '1.37', '1.33..1.35'];
const severities = ['off', 'hint', 'error'] as const;

/** Other settings, or another commit to compare with: what a person changes beside the text. */
function changedAround(random: Random, around: Snapshot, text: string): Snapshot {
  if (random.chance(0.5)) {
    const rules = new Map([
      [random.pick(['cr/unknown-field', 'lint/rule-message', 'crd/cost']), random.pick(severities)],
    ]);
    return { ...around, settings: settingsOf({ ...defaultSettings, kubernetesVersion: random.pick(versions), rules }) };
  }
  const committed = random.chance(0.3) ? undefined : random.pick([text, randomBase(random)]);
  const baseline = committed === undefined ? undefined : baselineOf(hostileUri, committed);
  return withBaseline(around, hostileUri, baseline);
}

/** The same text as on another system. */
const withOtherBreaks = (text: string) =>
  text.includes('\r') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');

const editsPerSession = 20;

/** Edits of one text after the other, as they are typed; a tenth of the cases, since each is asked about twice. */
export const attackEdits: Attack = ({ cases, random, failed }) => {
  const sessions = Math.ceil(cases / 10 / editsPerSession);
  for (let i = 0; i < sessions; i++) {
    let text = random.chance(0.2) ? `${randomBase(random)}---\n${randomBase(random)}` : randomBase(random);
    if (random.chance(0.2)) text = withOtherBreaks(text);
    let around = withCrds;
    let snapshot = opened(around, text);
    for (let edits = 0; edits < editsPerSession; edits++) {
      if (random.chance(0.1)) {
        around = changedAround(random, around, text);
        const { settings, baselines } = around;
        snapshot = { ...snapshot, settings, baselines };
      }
      const edit = randomEdit(random, text);
      text = random.chance(0.02) ? withOtherBreaks(text) : edited(text, edit);
      const offset = Math.min(text.length, edit.start + edit.text.length);
      const chosen = someRequests(random, ['diagnose', 'complete', 'colors'], 2);
      const other = differencesAfter(snapshot, text, offset, { asked: chosen, around });
      if (other.length > 0) failed(`after an edit ${other.join(', ')} of this text differ from opening it:\n${text}`);
      snapshot = opened(snapshot, text);
    }
  }
  return { edits: sessions * editsPerSession };
};
