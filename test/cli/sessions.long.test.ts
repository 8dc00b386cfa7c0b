import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

// Each heading of test/cli/sessions/*.md is a folder and what is typed in it. A fence such as `yaml NAME` is a file; in a
// `console` fence, lines after `$` are run by a shell, and the output follows, with the exit code in brackets unless it
// is 0. `npm run unit -- --update sessions` writes what is printed now: read the difference before it is kept.

interface Step {
  readonly command: string;
  readonly output: string;
}

// `npm run release` plays them with the single executable.
const executable = process.env.KUBE_CRD_PROGRAM;
const program = executable ?? path.resolve('dist/server/main.cjs');
/** What a shell runs for the program at a place. */
const called = (file: string) => (executable ? `'${file}'` : `'${process.execPath}' '${file}'`);
// The first run keeps what it has compiled for all others.
const cache = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-cache-'));
after(() => rmSync(cache, { recursive: true }));
const fence = /^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm;

for (const name of readdirSync('test/cli/sessions').filter((one) => one.endsWith('.md'))) {
  const file = `test/cli/sessions/${name}`;
  for (const section of readFileSync(file, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)) {
    const heading = section.slice(3, section.indexOf('\n'));
    test(`${name} › ${heading}`, { skip: process.platform === 'win32' }, () => {
      const now = played(section);
      if (process.env.UPDATE)
        writeFileSync(
          file,
          readFileSync(file, 'utf8').replace(section, () => now),
        );
      else assert.equal(now, section);
    });
  }
}

/** The section with the output that its commands give. */
function played(section: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-session-'));
  const bin = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-bin-'));
  writeFileSync(path.join(bin, 'kube-crd'), `#!/bin/sh\nexec ${called(program)} "$@"\n`, { mode: 0o755 });
  // As kubectl finds its plugins.
  mkdirSync(path.join(bin, 'plugin'));
  symlinkSync(program, path.join(bin, 'plugin/kubectl-crd'));
  writeFileSync(
    path.join(bin, 'kubectl-crd'),
    `#!/bin/sh\nexec ${called(path.join(bin, 'plugin/kubectl-crd'))} "$@"\n`,
    { mode: 0o755 },
  );
  try {
    return section.replace(fence, (whole, language: string, info: string, text: string) => {
      if (language === 'console')
        return `\`\`\`console\n${stepsOf(text)
          .map((step) => run(step, folder, bin))
          .join('')}\`\`\``;
      mkdirSync(path.dirname(path.join(folder, info)), { recursive: true });
      if (info !== '') writeFileSync(path.join(folder, info), text);
      return whole;
    });
  } finally {
    for (const one of [folder, bin]) rmSync(one, { recursive: true });
  }
}

function stepsOf(text: string): Step[] {
  return text
    .split(/^(?=\$ )/m)
    .map((part) => ({ command: part.slice(2, part.indexOf('\n')), output: part.slice(part.indexOf('\n') + 1) }));
}

function run({ command }: Step, cwd: string, bin: string): string {
  const git = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const env = {
    ...process.env,
    ...git,
    PATH: `${bin}${path.delimiter}${process.env.PATH}`,
    NO_COLOR: '1',
    KUBE_CRD_CACHE: cache,
    NODE_DISABLE_COMPILE_CACHE: '',
  };
  const { status, stdout } = spawnSync('sh', ['-c', `exec 2>&1\n${command}`], { cwd, env, encoding: 'utf8' });
  const output = stdout.replace(/\(\d+\.\d s\)/g, '(… s)');
  const shown = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  return `$ ${command}\n${shown}${status === 0 ? '' : `[${status}]\n`}`;
}
