import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Archive } from './entries.ts';

// The program as one file for those who have no Node: docs/decisions/0026 says why Bun makes it. What it is made with and of
// is pinned in scripts/release/tools.

/** One executable: the system, as krew and the Go world call it, and the package that it is made of. */
interface Target {
  readonly platform: Archive['platform'];
  readonly arch: Archive['arch'];
  readonly made: string;
}

/** Processors of the last fifteen years: those in clusters of build machines are not the newest. */
const targets: readonly Target[] = [
  { platform: 'linux', arch: 'amd64', made: 'linux-x64-baseline' },
  { platform: 'linux', arch: 'arm64', made: 'linux-aarch64' },
  { platform: 'darwin', arch: 'amd64', made: 'darwin-x64-baseline' },
  { platform: 'darwin', arch: 'arm64', made: 'darwin-aarch64' },
  { platform: 'windows', arch: 'amd64', made: 'windows-x64-baseline' },
  { platform: 'windows', arch: 'arm64', made: 'windows-aarch64' },
];

export interface Executable extends Target {
  /** The archive that is published. */
  readonly archive: string;
  /** The file in it. */
  readonly bin: string;
}

const tools = path.resolve('scripts/release/tools');
const script = path.resolve('dist/executable/kube-crd.cjs');

/**
 * What a project's folder holds is never run: neither its settings of Bun, which may name a program, nor its variables.
 */
const closed = ['dotenv', 'bunfig', 'tsconfig', 'package-json'].map((one) => `--no-compile-autoload-${one}`);

/** Makes an archive for each system in a folder, and gives the executable for this one. */
export function makeExecutables(version: string, to: string): { own: string; all: readonly Executable[] } {
  execFileSync('npm', ['ci', '--force', '--ignore-scripts', '--loglevel=error'], { cwd: tools, stdio: 'inherit' });
  execFileSync(process.execPath, ['scripts/build.mjs', '--executable'], { stdio: 'inherit' });
  let own: string | undefined;
  const all = targets.map((target) => {
    const bin = target.platform === 'windows' ? 'kube-crd.exe' : 'kube-crd';
    const file = path.resolve('dist/executable', `${target.platform}-${target.arch}`, bin);
    compile(target, file);
    if (isHere(target)) own = file;
    const archive = path.join(to, `kube-crd-${version}-${target.platform}-${target.arch}.tar.gz`);
    pack(file, archive);
    return { ...target, archive, bin };
  });
  if (own === undefined) throw new Error(`there is no executable for ${process.platform} on ${process.arch} to try`);
  return { own, all };
}

/** Whether an executable runs on this machine. */
function isHere({ platform, arch }: Target): boolean {
  const own = { platform: process.platform === 'win32' ? 'windows' : process.platform, arch: process.arch };
  return platform === own.platform && arch === (own.arch === 'x64' ? 'amd64' : own.arch);
}

function bunOf(made: string): string {
  const folder = path.join(tools, 'node_modules/@oven', `bun-${made}`, 'bin');
  return path.join(folder, existsSync(path.join(folder, 'bun.exe')) ? 'bun.exe' : 'bun');
}

function compile({ made }: Target, file: string): void {
  const here = targets.find(isHere);
  if (!here) throw new Error(`executables are not made on ${process.platform} with ${process.arch}`);
  mkdirSync(path.dirname(file), { recursive: true });
  execFileSync(
    bunOf(here.made),
    [
      ...['build', '--compile', '--bytecode', ...closed, script],
      ...['--target', `bun-${made}`, '--compile-executable-path', bunOf(made), '--outfile', file],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
}

/** The archive of an executable and the licences of what is in it; the same bytes whoever makes it. */
function pack(file: string, archive: string): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-archive-'));
  try {
    copyFileSync(file, path.join(folder, path.basename(file)));
    copyFileSync('LICENSE', path.join(folder, 'LICENSE'));
    writeFileSync(path.join(folder, 'NOTICES.txt'), `${readFileSync('dist/NOTICES.txt', 'utf8')}\n${bunsNotice()}`);
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    execFileSync('tar', [
      '--create',
      '--gzip',
      `--file=${archive}`,
      ...same,
      `--directory=${folder}`,
      ...readdirSync(folder),
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bunsNotice(): string {
  const { dependencies } = JSON.parse(readFileSync(path.join(tools, 'package.json'), 'utf8'));
  const [version] = Object.values(dependencies);
  return `Bun ${version}
The executable contains Bun, under the MIT licence, which contains WebKit's JavaScriptCore, under the GNU Library General
Public License, version 2, and other libraries. Their sources, their licences, and how to link them anew are at
https://github.com/oven-sh/bun and https://bun.com/docs/project/license. A program's own script, which is in the executable
unchanged, is published as the npm package kube-crd.
`;
}
