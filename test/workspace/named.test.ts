import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { emptyListing, type Files } from '../../server/src/workspace/files.ts';
import { homesIn, mostFolders, namedByFiles } from '../../server/src/workspace/sources/named.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

// What files of the workspace name never lies outside of it, wherever patterns and links lead.

const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-named-')));
after(() => rmSync(top, { recursive: true, force: true }));
const put = (name: string, text = 'a: 1\n') => {
  mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
  writeFileSync(path.join(top, name), text);
};
put('work/repo/.git/HEAD');
put('work/repo/crds/a.yaml');
put('work/repo/tests/b.yaml');
put('work/outside/secret.yaml');
put('shared/c.yaml');
const link = (to: string, name: string) => symlinkSync(to, path.join(top, 'work/repo', name));
link('../outside', 'out');
link('../../outside/secret.yaml', 'tests/link.yaml');
link('crds/a.yaml', 'inside.yaml');
link('/nowhere/at/all.yaml', 'dangling.yaml');
link('/proc/self/pagemap', 'pagemap.yaml');
link('loop.yaml', 'loop.yaml');

const uriOf = (name: string) => pathToFileURL(path.join(top, name)).href;

/** What a pattern of a file in work/repo/tests finds, from the top; or why it finds nothing. */
async function found(pattern: string, options: Partial<Parameters<typeof homesIn>[1]> = {}) {
  const homes = homesIn(nodeFiles, { folders: [], named: [], repository: true, ...options });
  const { uris, refused } = await namedByFiles(nodeFiles, homes).expand(pattern, uriOf('work/repo/tests'), 100);
  return refused ?? uris.map((uri) => path.relative(top, fileURLToPath(uri)));
}

const outside = (pattern: string) =>
  `${pattern} is not in the workspace; only settings of your own and the command line can name other places`;

test('patterns stay in the repository of the file that has them', async () => {
  assert.deepEqual(await found('../crds/*.yaml'), ['work/repo/crds/a.yaml']);
  assert.deepEqual(await found('b.yaml'), ['work/repo/tests/b.yaml']);
  assert.deepEqual(await found(path.join(top, 'work/repo/crds/a.yaml')), ['work/repo/crds/a.yaml']);
  assert.deepEqual(await found('../none/*.yaml'), []);
  for (const pattern of [
    '/**/*.yaml',
    '/proc/self/pagemap',
    '/dev/zero',
    '/',
    '../../outside/secret.yaml',
    '../../**/*.yaml',
    '../../../../../../../../etc/passwd',
    '../out/secret.yaml',
    '../out/*.yaml',
    '../out',
    '/none/at/all',
  ])
    assert.equal(await found(pattern), outside(pattern));
});

test('links among what is found are followed only where they stay inside', async () => {
  assert.deepEqual(await found('../inside.yaml'), ['work/repo/inside.yaml']);
  assert.equal(await found('../pagemap.yaml'), outside('../pagemap.yaml'));
  assert.match(
    String(await found('*.yaml')),
    /link\.yaml is a link that leads out of the workspace, and was not read$/,
  );
  assert.equal(await found('link.yaml'), outside('link.yaml'));
  assert.deepEqual(await found('../dangling.yaml'), []);
  assert.deepEqual(await found('../loop.yaml'), []);
});

test('names that no file can have find nothing', async () => {
  for (const pattern of ['a\0b', 'a\0*', 'x'.repeat(300), `${'x/'.repeat(2000)}y`, '%', '%2e%2e/x', '\ud800'])
    assert.equal(typeof (await found(pattern)), 'object', JSON.stringify(pattern.slice(0, 20)));
  assert.equal(await found('x'.repeat(5000)), 'a path of 5000 characters is not looked for');
});

test('other places count where the user names them', async () => {
  const named = [uriOf('shared')];
  assert.deepEqual(await found('../../../shared/c.yaml', { named }), ['shared/c.yaml']);
  assert.equal(typeof (await found('../../outside/secret.yaml', { named })), 'string');
  // All folders of a workspace belong to it.
  const folders = [uriOf('work/repo'), uriOf('work/outside')];
  assert.deepEqual(await found('../../outside/*.yaml', { folders }), ['work/outside/secret.yaml']);
});

test('without a repository it is the folder that is worked in, or else that of the file', async () => {
  put('loose/tests/d.yaml');
  put('loose/e.yaml');
  const of = async (otherwise?: string) => {
    const homes = homesIn(nodeFiles, { folders: [], named: [], repository: true, ...(otherwise && { otherwise }) });
    const listing = await namedByFiles(nodeFiles, homes).expand('../e.yaml', uriOf('loose/tests'), 9);
    return listing.uris.length;
  };
  assert.deepEqual([await of(uriOf('loose')), await of(), await of(uriOf('shared'))], [1, 0, 0]);
});

test('all patterns together look into so many folders and no more', async () => {
  let looked = 0;
  const endless: Files = {
    ...nodeFiles,
    isInside: async () => true,
    expand: async (_pattern, _folder, _most, walk) => {
      for (; walk!.folders > 0 && looked % 15_000 !== 14_999; walk!.folders--) looked++;
      looked++;
      walk!.folders--;
      return emptyListing;
    },
  };
  const files = namedByFiles(endless, async () => ['file:///a']);
  assert.equal((await files.expand('a', 'file:///a', 9)).refused, undefined);
  for (let i = 0; i < 3; i++)
    assert.equal((await files.expand('b', 'file:///a', 9)).refused, 'b leads through more than 20,000 folders');
  assert.ok(looked <= mostFolders + 3, String(looked));
});

test('a walk counts folders, and a hundred names as one more', async () => {
  for (let i = 0; i < 20; i++) put(`walk/f${i}/a.yaml`);
  for (let i = 0; i < 250; i++) put(`walk/f0/b${i}`);
  const walk = { folders: 1000 };
  const { uris } = await nodeFiles.expand('**/*.yaml', uriOf('walk'), 1000, walk);
  assert.deepEqual([uris.length, walk.folders], [20, 1000 - 21 - 2]);
  const cut = await nodeFiles.expand('**/*.yaml', uriOf('walk'), 1000, { folders: 3 });
  assert.deepEqual(cut.notes, [`${path.join(top, 'walk')} has too many folders; the rest were not looked into`]);
});
