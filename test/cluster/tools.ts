import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { programInPath } from '../../server/src/programs/programs.ts';

const kubectlHome = path.resolve('test/cluster/kubectl');

/** The folder of a real kubectl: the one in PATH, or one that is built here; undefined where there is neither. */
export function kubectlFolder(): string | undefined {
  const installed = programInPath('kubectl');
  if (installed !== undefined) return path.dirname(installed);
  const binary = path.join(kubectlHome, 'bin/kubectl');
  if (existsSync(binary)) return path.dirname(binary);
  mkdirSync(path.dirname(binary), { recursive: true });
  console.error('building kubectl, which takes some minutes the first time …');
  const build = spawnSync('go', ['build', '-o', binary, '.'], {
    cwd: kubectlHome,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return build.status === 0 ? path.dirname(binary) : undefined;
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program, without waiting for ever. */
export function ran(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Ran {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 400_000,
    maxBuffer: 256_000_000,
  });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

/** Runs the built command line. */
export function kubeCrd(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Ran {
  return ran(process.execPath, [path.resolve('dist/server/main.cjs'), ...args], cwd, env);
}
