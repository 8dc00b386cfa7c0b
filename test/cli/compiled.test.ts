import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { compiledFolder } from '../../server/src/cli/cacheFolder.ts';
import { Program } from '../../server/src/cli/compiled.ts';
import { seeded } from '../support/random.ts';

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-compiled-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** A program of two scripts, which says a word; what it has compiled is kept in `kept`. */
function programIn(name: string, word: string): string {
  const folder = path.join(home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'engine.cjs'), `globalThis.kubeCrdSays = '${word}';`);
  writeFileSync(
    path.join(folder, 'program.cjs'),
    `require('./engine.cjs'); exports.said = kubeCrdSays + require('node:os').EOL;`,
  );
  return folder;
}

function run(folder: string, command = 'check'): { readonly program: Program; readonly said: string } {
  const program = new Program(folder, path.join(folder, 'kept'), command);
  const { said } = program.load('program.cjs') as { said: string };
  return { program, said: said.trim() };
}

function keptFiles(folder: string): string[] {
  return readdirSync(path.join(folder, 'kept')).map((name) => path.join(folder, 'kept', name));
}

async function keptBy(folder: string): Promise<string[]> {
  await run(folder).program.keepCode();
  return keptFiles(folder);
}

test('what a run has compiled is taken up by the next', async () => {
  const folder = programIn('twice', 'hällo → 👋');
  assert.equal(run(folder).program.compiledAnew.length, 2);
  assert.equal((await keptBy(folder)).length, 2);
  const again = run(folder);
  assert.deepEqual(again.program.compiledAnew, []);
  assert.equal(again.said, 'hällo → 👋');
});

test('other text of the same length is compiled anew', async () => {
  const folder = programIn('other', 'hello');
  await keptBy(folder);
  programIn('other', 'jelly');
  const { program, said } = run(folder);
  assert.equal(said, 'jelly');
  // Both files were written.
  assert.equal(program.compiledAnew.length, 2);
});

test('where there is none of its own, a server begins with the code of check, and then keeps its own', async () => {
  const folder = programIn('begins', 'hello');
  await keptBy(folder);
  const first = run(folder, 'serve');
  assert.equal(first.program.compiledAnew.length, 2);
  await first.program.keepCode();
  assert.equal(keptFiles(folder).length, 4);
  assert.deepEqual(run(folder, 'serve').program.compiledAnew, []);
});

test('commands that seldom run take up what check has kept, and keep nothing', async () => {
  const folder = programIn('seldom', 'hello');
  assert.deepEqual(run(folder, 'get').program.compiledAnew, []);
  const files = await keptBy(folder);
  await run(folder, 'get').program.keepCode();
  assert.deepEqual(keptFiles(folder), files);
});

test('a server keeps its code when it ends, and the language server not before it has run', async () => {
  const folder = programIn('serving', 'hello');
  await run(folder, 'serve').program.keepingCode(async () => {});
  assert.deepEqual(run(folder, 'serve').program.compiledAnew, []);
  await run(folder, 'server').program.keepingCode(async () => {});
  assert.equal(run(folder, 'server').program.compiledAnew.length, 2);
});

test('a server keeps its code again once it is worth more than what it took up', async () => {
  const folder = programIn('again', 'hello');
  const sum = Array.from({ length: 400 }, (_, i) => `total += ${i} * total`).join('; ');
  const text = `exports.said = 'hello'; exports.judge = () => { let total = 1; ${sum}; return total; };`;
  writeFileSync(path.join(folder, 'program.cjs'), text);
  const keptAfter = async (isJudging: boolean): Promise<Buffer> => {
    const program = new Program(folder, path.join(folder, 'kept'), 'serve');
    const { judge } = program.load('program.cjs') as { judge: () => number };
    if (isJudging) judge();
    await program.keepCode();
    return readFileSync(keptFiles(folder)[0]!);
  };
  const atFirst = await keptAfter(false);
  assert.deepEqual(await keptAfter(false), atFirst);
  const judged = await keptAfter(true);
  assert.ok(judged.length > 1.1 * atFirst.length, `${judged.length} after ${atFirst.length}`);
  assert.deepEqual(await keptAfter(false), judged);
});

test('what a server reads late is kept as well', async (context) => {
  const due: (() => void)[] = [];
  context.mock.method(globalThis, 'setTimeout', (keep: () => void) => {
    due.push(keep);
    return { unref: () => {} };
  });
  const folder = programIn('late', 'hello');
  writeFileSync(path.join(folder, 'late.cjs'), `globalThis.kubeCrdLate = 'late';`);
  const text = `require('./engine.cjs'); exports.said = 'hello'; exports.more = () => require('./late.cjs');`;
  writeFileSync(path.join(folder, 'program.cjs'), text);
  const program = new Program(folder, path.join(folder, 'kept'), 'server');
  const { more } = program.load('program.cjs') as { more: () => void };
  due.splice(0).forEach((keep) => {
    keep();
  });
  const isKept = async (name: string) => {
    while (!readdirSync(folder).includes('kept') || !keptFiles(folder).some((file) => file.includes(`/${name}-`)))
      await new Promise((resolve) => setImmediate(resolve));
  };
  await isKept('program');
  more();
  assert.equal(due.length, 1);
  due[0]!();
  await isKept('late');
});

test('code that was changed in any way is not run', async () => {
  const folder = programIn('changed', 'hello');
  const files = await keptBy(folder);
  const whole = files.map((file) => readFileSync(file));
  const { below } = seeded(7);
  for (let i = 0; i < 300; i++) {
    const which = below(files.length);
    const bytes = Buffer.from(whole[which]!);
    const changes = [
      () => bytes.subarray(0, below(bytes.length)),
      () => Buffer.concat([bytes, Buffer.from([below(256)])]),
      () => whole[1 - which]!,
      () => {
        const at = below(bytes.length);
        bytes[at] = bytes[at]! ^ (1 + below(255));
        return bytes;
      },
    ];
    writeFileSync(files[which]!, changes[below(changes.length)]!());
    const { program, said } = run(folder);
    assert.equal(said, 'hello');
    assert.equal(program.compiledAnew.length, 1);
    writeFileSync(files[which]!, whole[which]!);
  }
});

const ofOthers = {
  skip: process.platform === 'win32' && 'there the system says who may write to the folder of a user',
};

test('code is not taken from where others may write, and not kept there', ofOthers, async () => {
  const folder = programIn('open', 'hello');
  const [first = ''] = await keptBy(folder);
  chmodSync(first, 0o622);
  assert.equal(run(folder).program.compiledAnew.length, 1);
  chmodSync(first, 0o600);
  chmodSync(path.join(folder, 'kept'), 0o777);
  const { program } = run(folder);
  assert.equal(program.compiledAnew.length, 2);
  rmSync(first);
  await program.keepCode();
  assert.equal(keptFiles(folder).length, 1);
});

test('a link in place of kept code is not followed', ofOthers, async () => {
  const folder = programIn('link', 'hello');
  const [first = ''] = await keptBy(folder);
  const elsewhere = path.join(folder, 'elsewhere');
  writeFileSync(elsewhere, readFileSync(first), { mode: 0o600 });
  rmSync(first);
  symlinkSync(elsewhere, first);
  assert.equal(run(folder).program.compiledAnew.length, 1);
});

test('where nothing can be kept, a run says what it has to say', async () => {
  const folder = programIn('nowhere', 'hello');
  writeFileSync(path.join(folder, 'kept'), 'a file');
  const { program, said } = run(folder);
  await program.keepCode();
  assert.equal(said, 'hello');
});

test('the program keeps its code in the cache of the user, and only where that is not off', () => {
  const cache = path.join(home, 'cache');
  const byDefault = { NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '' };
  const env = (more: object) => ({ ...process.env, KUBE_CRD_CACHE: cache, ...byDefault, ...more });
  const file = path.join(home, 'map.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  const check = (more = {}) =>
    spawnSync(process.execPath, [path.resolve('dist/server/main.cjs'), 'check', file], { env: env(more) }).status;
  assert.equal(check({ NODE_DISABLE_COMPILE_CACHE: '1' }), 0);
  assert.deepEqual(readdirSync(home).includes('cache'), false);
  assert.equal(check(), 0);
  const kept = () =>
    readdirSync(path.join(cache, 'compiled')).map((name) => statSync(path.join(cache, 'compiled', name)));
  const first = kept().map(({ ino }) => ino);
  assert.equal(first.length, 4);
  assert.equal(check(), 0);
  // Code that was refused would have been written anew.
  assert.deepEqual(
    kept().map(({ ino }) => ino),
    first,
  );
});

test('all commands keep code under the same flags, whatever their heaps may grow to', async () => {
  const folder = programIn('flags', 'hello');
  await keptBy(folder);
  await run(folder, 'serve').program.keepCode();
  const tags = keptFiles(folder).map((file) => file.split('-').at(-1));
  assert.deepEqual([tags.length, new Set(tags).size], [4, 1]);
});

test('of Node a small run loads only what it uses', () => {
  const file = path.join(home, 'small.yaml');
  writeFileSync(file, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
  const loaded = path.join(home, 'loaded.cjs');
  writeFileSync(loaded, "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')));");
  const { stderr } = spawnSync(
    process.execPath,
    ['--require', loaded, path.resolve('dist/server/main.cjs'), 'check', file],
    { encoding: 'utf8' },
  );
  const modules = stderr.split('\n');
  assert.ok(modules.includes('NativeModule vm'));
  const seldom = ['http', 'https', 'readline', 'tls'].map((name) => `NativeModule ${name}`);
  assert.deepEqual(
    modules.filter((name) => seldom.includes(name)),
    [],
  );
});

test('what tells Node where to keep compiled code tells this program as well', () => {
  const folder = compiledFolder({ NODE_COMPILE_CACHE: home, KUBE_CRD_CACHE: '/elsewhere' });
  assert.equal(folder, path.join(home, 'kube-crd'));
  assert.equal(compiledFolder({ NODE_COMPILE_CACHE: home, NODE_DISABLE_COMPILE_CACHE: '1' }), undefined);
  assert.equal(compiledFolder({ NODE_COMPILE_CACHE: 'not/absolute' }), undefined);
});
