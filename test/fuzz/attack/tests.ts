// Files of tests and configs that are there to end, hang or mislead a run: deep, wide, with names that JavaScript knows,
// patches of places that are not there, paths and globs that lead anywhere. Whatever stands beside them says what it says
// alone.
import { documentRun } from '../../../server/src/crdtest/documentRun.ts';
import { readEnvtestSuite, runEnvtestCase } from '../../../server/src/crdtest/envtestSuite.ts';
import { runFile } from '../../../server/src/crdtest/runFile.ts';
import { diagnose } from '../../../server/src/features/problems/diagnose.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { ruleTitles } from '../../../server/src/rules/model/registry.ts';
import { type Config, layersFor, loadConfigs } from '../../../server/src/workspace/config.ts';
import { indexDefinitions } from '../../../server/src/workspace/definitions.ts';
import { emptyListing, type Files } from '../../../server/src/workspace/files.ts';
import { settingsTable } from '../../../server/src/workspace/settings.ts';
import { emptySnapshot, withDisk, withOpen } from '../../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../../server/src/workspace/sourceFile.ts';
import { homesIn, namedByFiles } from '../../../server/src/workspace/sources/named.ts';
import { valueOf } from '../../../server/src/yaml/value.ts';
import { boxCrd } from '../../support/boxCrd.ts';
import type { Random } from '../../support/random.ts';
import type { Attack, Attacked } from './part.ts';

const crd = boxCrd(
  `
          type: object
          properties:
            size: {type: integer, minimum: 1, default: 3}
            names: {type: array, maxItems: 20, items: {type: string, maxLength: 9}, x-kubernetes-validations: [{rule: 'self.all(x, self.exists_one(y, x == y))'}]}
            any: {x-kubernetes-preserve-unknown-fields: true, type: object}
            status: {type: object, properties: {ready: {type: boolean}}}`,
  '      subresources: {status: {}}\n',
);
const crdFile = sourceFile('file:///w/crd.yaml', crd);
const crdValue = crdFile.manifests[0]!.value;
const definitions = indexDefinitions([crdFile]);
const box = 'apiVersion: example.com/v1, kind: Box, metadata: {name: a, namespace: b}';
const table = settingsTable(ruleTitles);

const disk: Readonly<Record<string, string>> = {
  'file:///w/crd.yaml': crd,
  'file:///w/box.yaml': `{${box}}`,
  'file:///w/list.yaml': '[1, 2]',
  'file:///w/broken.yaml': '{[',
  'file:///w/deep.yaml': `{${box}, any: ${'{a: '.repeat(9000)}1${'}'.repeat(9000)}}`,
  'file:///etc/passwd': `{${box}}`,
};

/** Files in memory; what is asked for outside of the workspace is noted. */
function memory(outside: (uri: string) => void): Files {
  const startOf = (pattern: string, folder = 'file:///w') =>
    new URL(pattern.replace(/[^/]*[*?].*$/s, '').replaceAll('%', '%25') || '.', `${folder}/`).href.replace(/\/$/, '');
  const files: Files = {
    list: async () => emptyListing,
    entries: async () => [],
    startOf,
    isInside: async (uri, folder) =>
      (uri === folder || uri.startsWith(`${folder}/`)) &&
      Object.keys(disk).some((one) => `${one}/`.startsWith(`${uri}/`)),
    read: async (uri) => {
      if (!uri.startsWith('file:///w/')) outside(uri);
      return disk[uri] === undefined ? undefined : new TextEncoder().encode(disk[uri]);
    },
    expand: async (pattern, folder) => {
      const start = startOf(pattern, folder);
      const uris = Object.keys(disk).filter((uri) => (/[*?]/.test(pattern) ? uri.startsWith(start) : uri === start));
      return { ...emptyListing, uris };
    },
  };
  return namedByFiles(files, homesIn(files, { folders: ['file:///w'], named: [], repository: true }));
}

const names = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a',
    'size',
    'names',
    'any',
    'status',
    'metadata',
    'spec',
  ],
  ...['', ' ', '\u0000', '\ud800', '~', '<<', '*', '..', '/', '-', 'null', '0', '-1', '1e999', 'x'.repeat(3000), '😀'],
];
const paths = [
  ...[
    'size',
    'names[0]',
    'names[99999999999999999999]',
    'names[0][1].a',
    'any.a.b',
    'any[3]',
    '[0]',
    'a..b',
    'a.',
    '.a',
  ],
  ...['metadata.name', 'metadata.labels.__proto__', '__proto__.x', 'constructor.prototype.x', `${'any.'.repeat(700)}a`],
  ...['kind', 'apiVersion', 'names[00]', 'names[-1]', `any${'[0]'.repeat(600)}`],
];
const pointers = [
  ...['', '/', '/-', '/spec', '/spec/versions/99', '/spec/versions/-', '/spec/versions/-1', '/spec/versions/0/name'],
  ...[
    '/spec/versions/0/schema',
    '/spec/names',
    '/metadata/name',
    '/a/b/c',
    'spec',
    '//',
    '/__proto__/a',
    '/~0~1',
    '/spec/scope',
  ],
  `/spec/versions/${'9'.repeat(400)}`,
  '/a'.repeat(5000),
];
const places = [
  ...[
    'crd.yaml',
    './crd.yaml',
    '../w/crd.yaml',
    '**/*.yaml',
    '*',
    '/**/*.yaml',
    '/etc/passwd',
    '../etc/passwd',
    '../../..',
  ],
  ...[
    '/proc/self/pagemap',
    'a\u0000b',
    'x'.repeat(5000),
    '%',
    '%2e%2e/etc/passwd',
    '?',
    '',
    '.',
    'box.yaml',
    'deep.yaml',
  ],
  ...['list.yaml', 'broken.yaml', 'https://example.com/a.yaml', '~/a.yaml'],
];

const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\x7f');

/** What makes the whole document one that cannot be read is rare, for nothing of it is run then. */
function scalar(random: Random): string {
  if (random.chance(0.004)) return random.pick(['1e400', '.nan', '*a', '!!binary YQ', '&a x', '!x y']);
  return random.pick([
    ...['null', 'true', '0', '1', '-1', '1.5', '9223372036854775807', '9223372036854775808', '~', '""'],
    ...[quoted(random.pick(names)), quoted(random.pick(paths)), '2020-01-01', '!!binary YQ=='],
  ]);
}

/** A value in flow style: plain, nested, deep or wide. */
function value(random: Random, levels = 3): string {
  const kind = random.next();
  if (levels === 0 || kind < 0.45) return scalar(random);
  if (kind < 0.02 + 0.45) {
    const depth = random.pick([100, 480, 600, random.chance(0.02) ? 9000 : 520]);
    const [open, close] = random.pick([
      ['{a: ', '}'],
      ['[', ']'],
      ['{__proto__: ', '}'],
    ]);
    return open!.repeat(depth) + scalar(random) + close!.repeat(depth);
  }
  if (kind < 0.49) return `[${`${scalar(random)}, `.repeat(random.pick([10, 100, 2000]))}]`;
  const inner = Array.from({ length: random.below(4) }, () => value(random, levels - 1));
  return kind < 0.6 ? `[${inner.join(', ')}]` : map(random, inner);
}

function map(random: Random, inner: readonly string[], keys: readonly string[] = names): string {
  return `{${inner.map((one) => `? ${quoted(random.pick(keys))} : ${one}`).join(', ')}}`;
}

const patch = (random: Random) => map(random, values(random), [...paths, ...names]);
const values = (random: Random, most = 4) => Array.from({ length: random.below(most) }, () => value(random));

function object(random: Random): string {
  const kind = random.next();
  if (kind < 0.2) return quoted(random.pick(places));
  if (kind < 0.3) return `{file: ${quoted(random.pick(places))}, with: ${patch(random)}}`;
  if (kind < 0.7) return `{${random.chance(0.02) ? 'base: none, ' : ''}with: ${patch(random)}}`;
  return kind < 0.98 ? `{${box}, any: ${value(random)}}` : value(random);
}

const oneError = (random: Random) =>
  random.pick([
    'and more',
    quoted(random.pick(names)),
    '{field: size}',
    '{code: cr/x}',
    random.chance(0.1) ? value(random) : 'a',
  ]);
const errors = (random: Random) => `[${Array.from({ length: random.below(4) }, () => oneError(random)).join(', ')}]`;

function hostileCase(random: Random): string {
  const verb = random.pick(['create', 'create', 'update', 'status', 'rule']);
  const parts: string[] = [];
  if (verb === 'create') parts.push(`create: ${object(random)}`);
  else if (verb === 'rule') {
    const rule = random.pick(['names.x-kubernetes-validations[0]', 'x-kubernetes-validations[9]', random.pick(paths)]);
    parts.push(`rule: ${quoted(rule)}`, `self: ${value(random)}`);
    if (random.chance(0.3)) parts.push(`cost: ${random.chance(0.9) ? random.below(100) : scalar(random)}`);
  } else {
    parts.push(`${verb}: {from: ${random.chance(0.7) ? '{}' : object(random)}, to: ${object(random)}}`);
    if (random.chance(0.4)) parts.push(`crd: ${patch(random)}`);
  }
  // What has no meaning is said, and then nothing is run: mostly it has one.
  const isRule = verb === 'rule' && random.chance(0.95);
  if (!isRule && random.chance(0.3)) parts.push(`errors: ${errors(random)}`);
  if (!isRule && random.chance(0.3))
    parts.push(`${random.pick(['stored', 'exactly'])}: ${map(random, values(random))}`);
  if (!isRule && random.chance(0.2))
    parts.push(`each: [${[1, ...values(random)].map(() => patch(random)).join(', ')}]`);
  if (random.chance(0.02)) parts.push(`${quoted(random.pick(names))}: ${value(random)}`);
  return `{name: ${random.chance(0.98) ? 'hostile' : value(random)}, ${parts.join(', ')}}`;
}

const good = (name: string) => [
  `{name: ${name} accepted, create: {}, stored: {size: 3}}`,
  `{name: ${name} refused, create: {with: {size: 0}}, errors: [{field: size}]}`,
  `{name: ${name} rule, rule: 'names.x-kubernetes-validations[0]', self: [a, a], expect: false}`,
];
const head = `bases: {box: {${box}}}\n`;

function testFile(random: Random): string {
  const hostile = Array.from({ length: 1 + random.below(2) }, () => hostileCase(random));
  const crdOf = random.chance(0.8) ? '{kind: Box}' : random.chance(0.8) ? quoted(random.pick(places)) : value(random);
  const cases = [...good('before'), ...hostile, ...good('after')].map((one) => `  - ${one}\n`).join('');
  const beside = good('beside').map((one) => `  - ${one}\n`);
  return `crd: ${crdOf}\n${head}cases:\n${cases}---\ncrd: {kind: Box}\n${head}cases:\n${beside.join('')}`;
}

const usual = [newestVersion];

/** Runs a file; says whether its hostile cases were run. */
async function attackFile(text: string, failed: Attacked['failed']): Promise<boolean> {
  const outside = (uri: string) => failed(`${uri} was read by\n${text}`);
  const file = sourceFile('file:///w/a.crdtest.yaml', text);
  const options = { files: memory(outside), uri: file.uri, definitions, usual, wanted: () => true };
  const said = new Map<string, readonly string[] | undefined>();
  for await (const { name, failures } of runFile(file, options)) said.set(name, failures);
  const parts = file.stream.documents.map(({ document }) => document);
  // What cannot be read is said, and the other document is run all the same.
  const isRun = said.has('before accepted');
  const isSaid = said.has('the file is a test') || said.has('the file can be read');
  const cannot = (said.get('the CRD can be tested') ?? []).length > 0;
  if (!isRun && !isSaid) failed(`nothing is said of\n${text}`);
  for (const name of ['before', 'after', 'beside']) {
    const isExpected =
      name === 'beside' ? !file.template && parts.length > 1 && !parts[1]!.readerError : isRun && !cannot;
    for (const what of ['accepted', 'refused', 'rule']) {
      const failures = said.get(`${name} ${what}`);
      if (isExpected && failures?.length !== 0)
        failed(`${name} ${what}: ${failures?.join('; ')}\n${text.slice(0, 3000)}`);
    }
  }
  return isRun && !cannot;
}

/** The same file in an editor. */
function attackEditor(text: string): void {
  const file = sourceFile('file:///w/a.crdtest.yaml', text);
  const snapshot = withOpen(withDisk(emptySnapshot, crdFile.uri, crdFile), file);
  diagnose(snapshot, file.uri);
  for (const { document } of file.stream.documents) documentRun(document, file.uri, definitions, newestVersion);
}

function attackImport(random: Random, failed: Attacked['failed']): void {
  const operation = () => {
    const op = random.pick(['add', 'remove', 'replace', 'move', 'test', '', '__proto__']);
    return `{op: ${quoted(op)}, path: ${quoted(random.pick(pointers))}, value: ${value(random)}}`;
  };
  const operations = () => `[${Array.from({ length: random.below(3) }, operation).join(', ')}]`;
  const text = (of: string) => quoted(random.chance(0.9) ? of : value(random));
  const one = `{name: hostile, initial: ${text(`{${box}, any: ${value(random)}}`)}, updated: ${text(`{${box}, status: ${value(random)}}`)}, expected: ${text(value(random))}, initialCRDPatches: ${operations()}, updatedCRDPatches: ${random.chance(0.9) ? operations() : value(random)}}`;
  const right = (name: string) => `{name: ${name}, initial: ${quoted(`{${box}, size: 1}`)}}`;
  const list = `[${right('before')}, ${one}, ${right('after')}]`;
  const whole = `{crdName: boxes.example.com, tests: {onCreate: ${list}, onUpdate: [${one}]}}`;
  const [placed] = sourceFile('file:///w/suite.yaml', whole).stream.documents;
  // It may look like a template.
  if (!placed) return;
  const suite = readEnvtestSuite(placed.document);
  if (!suite && valueOf(placed.document) !== undefined) failed(`not a suite:\n${whole}`);
  for (const each of suite?.cases ?? []) {
    const failures = runEnvtestCase(each, crdValue, newestVersion);
    if (each.name !== 'hostile' && failures.length > 0) failed(`${each.name}: ${failures.join('; ')}\n${whole}`);
  }
}

async function attackConfig(random: Random): Promise<void> {
  const settings = [...Object.keys(table), ...names];
  const globs = () =>
    `[${Array.from({ length: random.below(4) }, () => (random.chance(0.9) ? quoted(random.pick([...places, '**/'.repeat(300), '*a'.repeat(500)])) : value(random))).join(', ')}]`;
  const chosen = () => `? ${quoted(random.pick(settings))} : ${random.chance(0.5) ? globs() : value(random)}`;
  const override = () => `{files: ${globs()}, ${chosen()}}`;
  const overrides = `overrides: [${Array.from({ length: random.below(4) }, override).join(', ')}]`;
  const text = `{${[chosen(), chosen(), overrides].join(', ')}}`;
  const files = { read: async () => new TextEncoder().encode(text) } as unknown as Files;
  const { configs } = await loadConfigs(files, ['file:///w/.kube-crd.yaml'], { table, trusted: random.chance(0.5) });
  for (const config of configs.values()) usedFor(config);
}

function usedFor(config: Config): void {
  for (const path of ['a.yaml', `${'a/'.repeat(100)}${'a'.repeat(200)}.yaml`, '%zz/__proto__'])
    layersFor(config, `file:///w/${path}`);
}

/** Seconds of CPU after which something small has taken too long. */
const patience = 2;

/** Every fourth is a config or an imported suite, every tenth is opened in an editor too. */
export const attackTests: Attack = async ({ cases, random, failed }) => {
  const counts = { files: 0, 'of them run': 0, imports: 0, configs: 0, 'slowest in ms': 0 };
  const guarded = async (text: string, run: () => Promise<void> | void) => {
    const began = process.cpuUsage();
    try {
      await run();
    } catch (error) {
      failed(`${error instanceof Error ? error.stack : error}\n${text.slice(0, 3000)}`);
    }
    const { user } = process.cpuUsage(began);
    counts['slowest in ms'] = Math.max(counts['slowest in ms'], Math.round(user / 1000));
    if (user > patience * 1e6) failed(`${(user / 1e6).toFixed(1)} s for\n${text.slice(0, 3000)}`);
  };
  for (let i = 0; i < cases; i++) {
    const kind = i % 8;
    if (kind === 3) {
      counts.imports++;
      await guarded('an imported suite', () => attackImport(random, failed));
    } else if (kind === 7) {
      counts.configs++;
      await guarded('a config', () => attackConfig(random));
    } else {
      counts.files++;
      const text = testFile(random);
      await guarded(text, async () => {
        if (await attackFile(text, failed)) counts['of them run']++;
      });
      if (i % 10 === 0) await guarded(text, () => attackEditor(text));
    }
  }
  return counts;
};
