import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCli } from '../../server/src/cli/main.ts';
import { type Fence, parseMarkdown } from '../support/markdown.ts';

// Each Markdown file here is a repository as people have them: its README.md says how they are written.

const folder = 'test/repositories';
const root = process.cwd();
// The program's data is beside it where it is built.
Object.assign(globalThis, { __dirname: path.join(root, 'server/data') });

for (const name of readdirSync(folder).filter((one) => one.endsWith('.md') && one !== 'README.md')) {
  const file = path.join(root, folder, name);
  const text = readFileSync(file, 'utf8');
  const fences = parseMarkdown(text).flatMap((section) => section.fences);
  const commands = fences.filter(({ info }) => info === 'console');
  test(name, async (t) => {
    assert.ok(commands.length > 0, 'a repository without a command expects nothing');
    const place = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-repository-'));
    t.after(() => rmSync(place, { recursive: true }));
    for (const fence of fences) if (fence.info !== 'console') writeFiles(place, fence);
    for (const { text: expected } of commands) {
      const now = await printed(t, place, expected.slice(0, expected.indexOf('\n')));
      if (process.env.UPDATE)
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(expected, () => now),
        );
      else assert.equal(now, expected);
    }
  });
}

/**
 * `yaml NAME`, with `x10` behind it for as many copies: in files where the name holds `$i`, otherwise in one. `link NAME` is a link to
 * what it holds.
 */
function writeFiles(place: string, { info, text }: Fence): void {
  const [what, name = '', times = 'x1'] = info.split(' ');
  assert.ok(name !== '', `a fence without a name: ${info}`);
  if (what === 'link') {
    mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    symlinkSync(text.trim(), path.join(place, name));
    return;
  }
  const copies = Array.from({ length: Number(times.slice(1)) }, (_, i) => {
    // `$id` is a keyword of schemas.
    return { name: name.replaceAll('$i', String(i)), text: text.replaceAll(/\$i(?!d\b)/g, String(i)) };
  });
  for (const file of new Set(copies.map((one) => one.name))) {
    const full = path.join(place, file);
    mkdirSync(path.dirname(full), { recursive: true });
    const own = copies.filter((one) => one.name === file);
    writeFileSync(full, own.map((one) => one.text).join(''));
    if (text.startsWith('#!')) chmodSync(full, 0o755);
  }
}

/** What a line such as `$ kube-crd check` prints in a folder, with the exit code in brackets unless it is 0. */
async function printed(t: TestContext, place: string, line: string): Promise<string> {
  const [dollar, program, ...args] = line.split(' ');
  assert.deepEqual([dollar, program], ['$', 'kube-crd'], line);
  let output = '';
  for (const stream of ['stdout', 'stderr'] as const) {
    const write = process[stream].write.bind(process[stream]);
    t.mock.method(process[stream], 'write', (chunk: string | Uint8Array) => {
      // The test runner writes bytes.
      if (typeof chunk !== 'string') return write(chunk);
      output += chunk;
      return true;
    });
  }
  try {
    const code = await inFolder(place, () => runCli(args));
    const shown = output.replace(/\(\d+\.\d s\)/g, '(… s)').replaceAll(place, '…');
    return `${line}\n${shown}${code === 0 ? '' : `[${code}]\n`}`;
  } finally {
    t.mock.restoreAll();
  }
}

/** What this machine's programs have fetched is not there. */
async function inFolder<T>(place: string, run: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  const caches = ['GOMODCACHE', 'HELM_REPOSITORY_CACHE', 'KUBE_CRD_CACHE'];
  for (const one of caches) process.env[one] = path.join(place, 'nothing');
  process.chdir(place);
  try {
    return await run();
  } finally {
    process.chdir(root);
    process.env = before;
  }
}
