import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

// Not bundled: it knows the repository by where it lies.
const { Unchanged } = await import(pathToFileURL(path.resolve('scripts/unchanged.mjs')).href);

/** What a program that reads in the repository is seen to read. */
function notesOf(script: string): string[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-notes-'));
  try {
    const notes = path.join(folder, 'notes');
    writeFileSync(path.join(folder, 'script.mjs'), script);
    const env = { ...process.env, READS_TO: notes, NODE_OPTIONS: `--import ${path.resolve('scripts/readBy.mjs')}` };
    const { status, stderr } = spawnSync(process.execPath, [path.join(folder, 'script.mjs')], {
      env,
      encoding: 'utf8',
    });
    equal(status, 0, stderr);
    return readFileSync(notes, 'utf8').trim().split('\n').sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('what a test reads is seen, in the processes that it starts as well', () => {
  const notes = notesOf(`
    import { spawnSync } from 'node:child_process';
    import { existsSync, readdirSync, readFileSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    readFileSync('package.json');
    await readFile(new URL('file://' + process.cwd() + '/tsconfig.json'));
    existsSync('no-such-file');
    readdirSync('docs');
    readFileSync(process.execPath.replace(/.*/, process.argv[1]));
    existsSync('node_modules/yaml');
    spawnSync('git', ['--version']);
    spawnSync('git', ['-C', '/', 'status']);
    const read = 'require("fs").readFileSync("LICENSE")';
    spawnSync(process.execPath, ['-e', read], { env: {} });
  `);
  deepEqual(notes, ['file LICENSE', 'file package.json', 'file tsconfig.json', 'kind no-such-file', 'names docs']);
});

test('another program may read anything in the repository', () => {
  const notes = notesOf(
    `import { execFileSync } from 'node:child_process'; execFileSync('git', ['rev-parse', 'HEAD']);`,
  );
  deepEqual(notes, ['any git rev-parse HEAD']);
});

test('a test is run again when what it is built of or has read is not as it was', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-unchanged-'));
  try {
    const place = (name: string) => path.relative(process.cwd(), path.join(folder, name));
    const write = (name: string, text: string) => {
      writeFileSync(path.join(folder, name), text);
      // As long ago as what is not being edited meanwhile.
      utimesSync(path.join(folder, name), 1, 1);
    };
    const one = place('one.test.ts');
    const kept = path.join(folder, 'kept.json');
    const fresh = () => {
      const unchanged = new Unchanged(kept);
      unchanged.inputs = { [one]: { imports: [{ path: place('imported.ts') }, { path: 'yaml', external: true }] } };
      return unchanged;
    };
    const runs = (...notes: string[]) => {
      const unchanged = fresh();
      writeFileSync(path.join(unchanged.environment.READS_IN, 'one.mjs'), `${notes.join('\n')}\n`);
      unchanged.keep(new Map([['one.mjs', [one]]]));
    };
    write('one.test.ts', 'test');
    write('imported.ts', 'imported');
    write('read.md', 'read');
    const passed = ['exit 0', `file ${place('read.md')}`, `kind ${place('new')}`];

    equal(fresh().has(one), false);
    runs(...passed);
    equal(fresh().has(one), true);

    write('imported.ts', 'other');
    equal(fresh().has(one), false);
    write('imported.ts', 'imported');
    equal(fresh().has(one), true);
    write('read.md', 'other');
    equal(fresh().has(one), false);
    write('read.md', 'read');
    write('new', '');
    equal(fresh().has(one), false);
    rmSync(path.join(folder, 'new'));
    equal(fresh().has(one), true);

    runs('exit 1', ...passed.slice(1));
    equal(fresh().has(one), false);
    runs(...passed, 'any git status');
    equal(fresh().has(one), false);
    runs(...passed);
    equal(fresh().has(one), true);
    // Written while the tests ran.
    const unchanged = fresh();
    writeFileSync(path.join(unchanged.environment.READS_IN, 'one.mjs'), `${passed.join('\n')}\n`);
    utimesSync(path.join(folder, 'read.md'), Date.now() / 1000 + 10, Date.now() / 1000 + 10);
    unchanged.keep(new Map([['one.mjs', [one]]]));
    equal(fresh().has(one), false);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
