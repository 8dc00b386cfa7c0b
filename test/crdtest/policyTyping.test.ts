import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { caseLenses } from '../../server/src/features/lenses/testLenses.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { debugPage } from '../../server/src/features/views/debugPage.ts';
import { emptyListing } from '../../server/src/workspace/files.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

const policyUri = 'file:///w/replicas.yaml';
const testsUri = 'file:///w/replicas.crdtest.yaml';
const policy = readFileSync('examples/tests/replicas.yaml', 'utf8');
const tests = readFileSync('examples/tests/replicas.crdtest.yaml', 'utf8');

function opened(texts: Readonly<Record<string, string>>): Snapshot {
  const files = Object.entries(texts).map(([uri, text]) => ({ uri, text }));
  return { ...snapshotOf(files), builtin: builtinFile() };
}

function said(snapshot: Snapshot): string[] {
  return diagnose(snapshot, testsUri).map(({ code, message, range }) => {
    return `${code} at ${sourceFile(testsUri, tests).text.slice(range.start, range.end)}: ${message}`;
  });
}

const usual = opened({ [policyUri]: policy, [testsUri]: tests });

test('tests of policies are run while they are typed, and again when their policy changes', () => {
  assert.deepEqual(said(usual), []);
  const stricter = policy.replace('most: "5"', 'most: "2"');
  assert.notEqual(stricter, policy);
  const messages = said(withOpen(usual, sourceFile(policyUri, stricter)));
  assert.deepEqual(messages.slice(0, 2), [
    "test/failed at three replicas are few enough: Unexpected denial: ValidatingAdmissionPolicy 'replicas' with binding 'replicas' denied request: at most 2 replicas in shop",
    'test/failed at nine are too many: Expected denial did not come: by replicas as Forbidden: at most 5 replicas in shop',
  ]);
  assert.deepEqual(said(withOpen(withOpen(usual, sourceFile(policyUri, stricter)), sourceFile(policyUri, policy))), []);
});

test('a policy that the API server refuses is said at its name', () => {
  const broken = policy.replace('int(params.data.most)', 'int(params.data.most');
  const [first] = said(withOpen(usual, sourceFile(policyUri, broken)));
  assert.match(
    first ?? '',
    /^test\/failed at replicas\.yaml: ValidatingAdmissionPolicy replicas is refused: spec\.variables\[0\]\.expression: Invalid value/,
  );
});

test('nothing is run where the policy is elsewhere, or the built-in kinds are not read yet', () => {
  const failing = tests.replace('spec.replicas: 9', 'spec.replicas: 1');
  assert.notEqual(failing, tests);
  assert.equal(said(opened({ [policyUri]: policy, [testsUri]: failing })).length, 1);
  assert.deepEqual(said(opened({ [testsUri]: failing })), []);
  assert.deepEqual(said({ ...opened({ [policyUri]: policy, [testsUri]: failing }), builtin: undefined }), []);
});

test('each case has its lenses, and says how it stands', () => {
  const titles = caseLenses(usual, testsUri).map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 5), ['Run all', '7 passed', 'Run', 'Debug', 'passed']);
});

test('what a case evaluates is a page', async () => {
  const file = sourceFile(testsUri, tests);
  const read = async (uri: string) => (uri === policyUri ? new TextEncoder().encode(policy) : undefined);
  const files = { ...nodeFiles, read, expand: async () => ({ ...emptyListing, uris: [policyUri] }) };
  const page = await debugPage(usual, files, file, '0/cases/1');
  assert.match(page?.source ?? '', /\*\*passed\*\*/);
  assert.match(page?.source ?? '', /denied request: at most 5 replicas in shop/);
  assert.match(page?.source ?? '', /replicas spec\.validations\[0\]\.expression`: `false`/);
  assert.match(page?.source ?? '', /object\.spec\.replicas.*9/);
});
