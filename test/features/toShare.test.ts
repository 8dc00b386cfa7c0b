import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toShare } from '../../server/src/features/views/toShare.ts';
import { fragmentOf, playOf } from '../../server/src/share/link.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { versionedCrd } from '../support/versionedCrd.ts';

const uri = 'file:///home/jane/secret-project/gear.yaml';
const gear = 'apiVersion: example.com/v1\nkind: Gear\nmetadata: {name: one}\nspec: {teeth: 7}\n';
const other = versionedCrd().replaceAll('Gear', 'Other').replaceAll('gear', 'other');

function over(text: string, crds = `${versionedCrd()}---\n${other}`): Snapshot {
  return withOpen(withOpen(emptySnapshot, sourceFile('file:///crds.yaml', crds)), sourceFile(uri, text));
}

test('a link to the playground holds a file and the CRDs of its resources, and no more', async () => {
  const { files, problem } = toShare(over(gear), uri, 'gear.yaml');
  assert.equal(problem, undefined);
  assert.deepEqual(
    files.map(({ name }) => name),
    ['gear.yaml', 'crds/gears.example.com.yaml'],
  );
  assert.equal(files[0]!.text, gear);
  assert.match(files[1]!.text, /kind: Gear/);
  assert.doesNotMatch(JSON.stringify(files), /Other|jane|secret-project/);
  assert.deepEqual((await playOf(await fragmentOf({ files }))).files, files);
});

test('a file that holds its CRD is held once', () => {
  const both = `${versionedCrd()}---\n${gear}`;
  assert.deepEqual(toShare(over(both, ''), uri, 'gear.yaml').files, [{ name: 'gear.yaml', text: both }]);
});

test('a file with a Secret is not put into a link, nor is one that is not known', () => {
  const secret = `${gear}---\napiVersion: v1\nkind: Secret\nmetadata: {name: a}\nstringData: {password: hunter2}\n`;
  assert.deepEqual(toShare(over(secret), uri, 'gear.yaml'), { files: [], problem: 'gear.yaml holds a Secret' });
  assert.equal(toShare(over(gear), 'file:///x.yaml', 'x.yaml').problem, 'x.yaml is not a file of manifests');
});
