import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Build, build, type Files, type FileText, newSession, rangeIn } from '../../server/src/kustomize/build.ts';
import { kustomizeGenerator } from '../fuzz/generators/kustomize.ts';
import { type Random, seeded } from '../support/random.ts';

// What is built again after an edit, from what was kept of the builds before, is what is built of the same files for the first
// time: values, origins, errors, notes.

const trees = Number(process.env.TREES ?? (process.env.QUICK === '1' ? 20 : 100));
const edits = 12;

type Texts = Map<string, FileText>;

function filesIn(texts: Texts): Files {
  const folders = new Set<string>(['/']);
  for (const path of texts.keys())
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  return { file: (path) => texts.get(path), isFolder: (path) => folders.has(path) };
}

function shown({ resources, error, leftOut, notes, pieces }: Build) {
  const sorted = notes.map((note) => JSON.stringify(note)).sort();
  const begins = new Set<string>();
  JSON.stringify([resources, error, leftOut, notes], (_, value) => {
    if (value?.piece > 0) begins.add(`${value.file} ${value.piece} ${rangeIn(pieces, value).start - value.from}`);
    return typeof value === 'bigint' ? 0 : value;
  });
  return { resources, error, leftOut, notes: sorted, begins };
}

/** The text with another word, another line, or without one. */
function edited(random: Random, text: string): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at]!;
  const words = [...line.matchAll(/[\w.-]+/g)];
  const way = random.below(10);
  if (way === 0) return [...lines.slice(0, at), ...lines.slice(at + 1)].join('\n');
  if (way === 1) return [...lines.slice(0, at), line, ...lines.slice(at)].join('\n');
  if (words.length === 0) return text;
  // Mostly the last word of a line: what is there is a value.
  const word = random.chance(0.8) ? words.at(-1)! : random.pick(words);
  const other = random.chance(0.3) ? random.pick(['1', 'a', '"x"', 'base', 'name']) : `${word[0]}${random.below(10)}`;
  lines[at] = line.slice(0, word.index) + other + line.slice(word.index + word[0].length);
  return lines.join('\n');
}

/** Trees that can be built; of the made ones few can, and most have fields with which all is built anew. */
function* treesToEdit(random: Random): Iterable<Record<string, string>> {
  for (let i = 0; i < trees; i++) yield steady(random);
  for (let made = 0; made < trees; ) {
    const { files } = kustomizeGenerator.generate(random) as unknown as { files: Record<string, string> };
    const texts: Texts = new Map(Object.entries(files).map(([path, text]) => [path, { text }]));
    if (build(filesIn(texts), '/overlay', { session: newSession() }).error) continue;
    made++;
    yield files;
  }
}

const fields = [
  'namePrefix: a-',
  'namespace: there',
  'commonAnnotations: {stage: one}',
  'labels: [{pairs: {team: shop}, includeSelectors: true}]',
  'images: [{name: example.com/app, newTag: "2"}]',
  'replicas: [{name: app, count: 3}]',
  'configMapGenerator: [{name: made, literals: [a=1]}]',
  'sortOptions: {order: legacy}',
  'patches: [{path: patch.yaml}]',
  'patches: [{target: {kind: Deployment}, patch: "[{op: add, path: /metadata/labels, value: {x: y}}]"}]',
  'patches: [{target: {kind: Service}, patch: "[{op: copy, from: /spec/type, path: /metadata/name}]"}]',
  'patches: [{target: {kind: Deployment}, patch: "{apiVersion: v1, kind: x, metadata: {name: x}, spec: {paused: true}}"}]',
];

const app = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
spec:
  replicas: 2
  template:
    metadata:
      labels: {app: app}
    spec:
      containers:
      - name: app
        image: example.com/app:1
        envFrom: [{configMapRef: {name: settings}}, {configMapRef: {name: made}}]
`;
const others = `apiVersion: v1
kind: Service
metadata:
  name: app
spec:
  type: ClusterIP
  selector: {app: app}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  level: info
`;
const patch = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app
spec:
  template:
    spec:
      containers:
      - name: app
        args: [a, b]
`;

function steady(random: Random): Record<string, string> {
  const some = (count: number) => {
    const chosen = Array.from({ length: count }, () => random.pick(fields));
    // A field may be there once.
    return [...new Map(chosen.map((field) => [field.split(':')[0], field])).values()].join('\n');
  };
  return {
    '/base/kustomization.yaml': `resources: [app.yaml, others.yaml]\n${some(2)}\n`,
    '/base/app.yaml': app,
    '/base/others.yaml': others,
    '/base/patch.yaml': patch,
    '/middle/kustomization.yaml': `resources: [../base]\n${some(2)}\n`,
    '/middle/patch.yaml': patch,
    '/overlay/kustomization.yaml': `resources: [../middle]\n${some(4)}\n`,
    '/overlay/patch.yaml': patch.replace('args: [a, b]', 'image: other'),
  };
}

test('what is built again after edits is what is built of the same files anew', () => {
  const random = seeded(39);
  let [compared, whole] = [0, 0];
  for (const files of treesToEdit(random)) {
    const texts: Texts = new Map(Object.entries(files).map(([path, text]) => [path, { text }]));
    const session = newSession();
    build(filesIn(texts), '/overlay', { session });
    for (let k = 0; k < edits; k++) {
      const path = random.pick([...texts.keys()]);
      const before = texts.get(path)!;
      texts.set(path, { text: edited(random, before.text) });
      const again = build(filesIn(texts), '/overlay', { session });
      const anew = build(filesIn(texts), '/overlay', { session: newSession() });
      const where = () =>
        `edit ${k} in ${path}:\n${JSON.stringify(Object.fromEntries(texts), undefined, 1)}\n${before.text}`;
      assert.deepEqual(shown(again), shown(anew), where());
      compared++;
      if (again.error === undefined) whole++;
      // A tree that cannot be built says little.
      else texts.set(path, before);
    }
  }
  assert.ok(compared >= trees * edits && whole > compared / 3, `${whole} of ${compared} could be built`);
});
