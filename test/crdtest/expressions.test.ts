import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { coverageLog } from '../../server/src/crdtest/coverage.ts';
import { coverageText } from '../../server/src/crdtest/coverageText.ts';
import { evaluatedOnce } from '../../server/src/crdtest/evaluateRun.ts';
import { changesFor, editsOf } from '../../server/src/crdtest/expecting.ts';
import { runFile, type TestResult } from '../../server/src/crdtest/runFile.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import { caseLenses } from '../../server/src/features/lenses/testLenses.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { debugPage } from '../../server/src/features/views/debugPage.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { editedText } from '../../server/src/rules/fixing/fixes.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

// What expressions come to is recorded from Kubernetes (test/conformance/cases/hosts). Here it is how cases say it.

const uri = 'file:///w/access.crdtest.yaml';
const objectsUri = 'file:///w/access.yaml';
const objects = readFileSync('examples/tests/access.yaml', 'utf8');
const example = readFileSync('examples/tests/access.crdtest.yaml', 'utf8');

const real = (name: string) => pathToFileURL(path.resolve('examples/tests', name)).href;

async function run(text: string, coverage = coverageLog()): Promise<TestResult[]> {
  const results: TestResult[] = [];
  const around = { files: nodeFiles, uri: real('access.crdtest.yaml'), definitions: new Map() };
  const options = { ...around, usual: [newestVersion], wanted: () => true, coverage };
  for await (const result of runFile(sourceFile(around.uri, text), options)) results.push(result);
  return results;
}

const head = 'expressions: access.yaml\ncases:\n';

async function failuresOf(written: string): Promise<readonly string[]> {
  const results = await run(`${head}  - name: a\n    ${written}\n`);
  return results.flatMap(({ failures }) => failures ?? []);
}

test('the cases of the example pass, and try every expression', async () => {
  const coverage = coverageLog();
  const results = await run(example, coverage);
  assert.ok(results.length > 12);
  assert.deepEqual(
    results.filter(({ failures }) => failures?.length !== 0).map(({ name, failures }) => ({ name, failures })),
    [],
  );
  const covered = coverageText(coverage.all(), (one) => path.basename(one));
  assert.match(covered, /^AuthenticationConfiguration: 100% covered: rules 7\/7$/m);
  const few = coverageLog();
  await run(example.replace(/ {2}- name: which requests[\s\S]*?\n\n/, ''), few);
  assert.match(
    coverageText(few.all(), (one) => path.basename(one)),
    /access\.yaml:\d+: has\(request\.resourceAttributes\): never evaluated/,
  );
});

test('a case that fails says what came', async () => {
  const cases: readonly (readonly [written: string, failures: readonly string[]])[] = [
    [
      'claims: {sub: jane, hd: example.com}\n    value: {username: jane}',
      ['username: expected "jane", is "people:jane"'],
    ],
    ['claims: {sub: jane, hd: example.com}\n    value: {groups: [a]}', ['groups: expected ["a"], is nothing']],
    ['claims: {sub: jane, hd: example.com}\n    error: never', ['expected error did not come: … never …']],
    [
      'claims: {sub: jane, hd: x}',
      [
        "unexpected error: oidc: error evaluating claim validation expression: validation expression 'claims.hd == 'example.com'' failed: only people of example.com come in [expression/error]",
      ],
    ],
    ['request: {nonResourceAttributes: {path: /}}', ['expected true, is false']],
    [
      'device: {driver: gpu.example.com}\n    evaluate: spec.selectors[0]\n    cost: 1',
      ['there is no expression at spec.selectors[0]'],
    ],
    ['device: {driver: gpu.example.com}\n    evaluate: spec.selectors[0].cel\n    cost: 1', ['costs 4, more than 1']],
    ['device: {driver: a}\n    of: small', ['there is no object small in the files that `expressions` names']],
    ['user: {username: jane}', ['nothing is asked about `user`']],
    ['user: {username: jane}\n    evaluate: jwt[0]', ['jwt[0] is asked about `claims`, not `user`']],
  ];
  for (const [written, failures] of cases) assert.deepEqual(await failuresOf(written), failures, written);
});

test('what means nothing is said', async () => {
  const cases: readonly (readonly [written: string, message: RegExp])[] = [
    ['value: true', /expected one of `claims`, `user`, `request`, `device`/],
    ['claims: {}\n    device: {}', /not both `claims` and `device`/],
    ['claims: []', /expected `claims` to be a map/],
    ['claims: {}\n    create: {}', /`create` has no meaning here/],
    ['claims: {}\n    value: a\n    error: b', /an expression that fails has no value/],
    ['claims: {}\n    each: []', /expected `each` to have rows/],
    ['claims: {}\n    each: [{spec.a: 1}]', /expected a path that begins with `claims`/],
    ['claims: {}\n    cost: much', /expected `cost` to be a whole number/],
  ];
  for (const [written, message] of cases) assert.match((await failuresOf(written)).join('\n'), message, written);
  const [none] = await run('expressions: none.yaml\ncases: [{name: a, claims: {}}]\n');
  assert.deepEqual(none?.failures, ['no file is found at none.yaml']);
});

test('what comes is written into cases that fail', async () => {
  const text = `${head}  - name: a
    evaluate: jwt[0].claimMappings.groups
    each:
      - {claims.roles: "a,b", value: [c]}
      - {claims.roles: [a]}
      - {claims.roles: "a", error: never}
`;
  let now = text;
  for (const { run: ran } of await run(text)) {
    const all = [...ran!.expressions!.asked.values()].map((each) => evaluatedOnce(ran!.one, each).result.answer);
    const { document } = sourceFile(uri, now).stream.documents[0]!;
    const changes = changesFor(ran!.one, all, document);
    assert.ok(typeof changes !== 'string');
    for (const change of changes)
      now = editedText(now, editsOf(sourceFile(uri, now).stream.documents[0]!.document, change));
  }
  const results = await run(now);
  assert.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
    now,
  );
  assert.match(now, /value: \[a, b\]/);
  assert.match(now, /error: .*no such overload/);
});

// In the editor

function opened(tests: string, others = objects): Snapshot {
  const all = [
    { uri: objectsUri, text: others },
    { uri, text: tests },
  ];
  return { ...snapshotOf(all), builtin: builtinFile() };
}

function said(snapshot: Snapshot): string[] {
  return diagnose(snapshot, uri).map(({ code, message }) => `${code}: ${message}`);
}

test('cases are run while they are typed, and again when their expressions change', () => {
  const usual = opened(example);
  assert.deepEqual(said(usual), []);
  const stricter = objects.replace("'people:' + claims.sub", 'claims.sub');
  const changed = withOpen(usual, sourceFile(objectsUri, stricter));
  assert.deepEqual(said(changed), ['test/failed: Username: expected "people:jane", is "jane"']);
  assert.deepEqual(said(withOpen(changed, sourceFile(objectsUri, objects))), []);
  const wrong = objects.replace('claims.sub', 'claim.sub');
  assert.match(said(opened(example, wrong)).join('\n'), /AuthenticationConfiguration is refused: jwt\[0\]/);
});

test('lines above cases say how they stand, and their page shows the parts of expressions', async () => {
  const snapshot = opened(example);
  const titles = caseLenses(snapshot, uri).map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 5), ['Run all', '15 passed', 'Run', 'Debug', 'passed']);
  const file = sourceFile(real('access.crdtest.yaml'), example);
  const page = (await debugPage(snapshot, nodeFiles, file, '0/cases/5'))?.source ?? '';
  assert.match(page, /no such key: memory/);
  assert.match(page, /spec\.selectors\[1\]\.cel\.expression/);
  assert.match(page, /Kubernetes 1\.\d+: \*\*passed\*\*/);
});

test('places and names of objects are completed, and keys by their schema', () => {
  const offered = (written: string) => {
    const text = `${head}  - name: a\n    ${written}\n`;
    return complete(opened(text.replace('$0', '')), uri, text.indexOf('$0')).map(({ label }) => label);
  };
  const places = offered('evaluate: $0');
  assert.deepEqual(places.slice(0, 3), [
    'jwt[0]',
    'jwt[0].claimValidationRules[0].expression',
    'jwt[0].claimMappings.username.expression',
  ]);
  assert.ok(places.includes('authorizers[0]') && places.includes('spec.selectors[1].cel.expression'));
  assert.deepEqual(offered('of: $0'), ['large-gpus']);
  const keys = offered('cl$0');
  assert.ok(keys.includes('claims') && !keys.includes('create'), keys.join());
  assert.ok(offered('request: {re$0}').includes('resourceAttributes'));
});
