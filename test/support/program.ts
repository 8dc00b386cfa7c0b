import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The built program. */
export const program = path.resolve('dist/server/main.cjs');

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs it in a folder, without a terminal. A process is started for the first run only, since starting one takes longer
 * than most runs do: see programHost.mjs.
 */
export function runProgram(cwd: string, args: readonly string[], input = '', env = process.env): Ran {
  const reply = ask({ cwd, args, input, env });
  while (!existsSync(reply)) Atomics.wait(nap, 0, 0, 1);
  return answerIn(reply);
}

/** The same, for tests that answer what the program asks of them meanwhile. */
export async function running(cwd: string, args: readonly string[], env = process.env): Promise<Ran> {
  const reply = ask({ cwd, args, input: '', env });
  while (!existsSync(reply)) await setTimeout(2);
  return answerIn(reply);
}

interface Run {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly env: NodeJS.ProcessEnv;
}

const nap = new Int32Array(new SharedArrayBuffer(4));
/** Where the process that runs the program reads requests. */
let place: string | undefined;

/** Asks for a run; gives the file that the reply is going to be in. */
function ask({ cwd, ...run }: Run): string {
  place ??= started();
  writeFileSync(path.join(place, 'asked'), JSON.stringify({ cwd: path.resolve(cwd), ...run }));
  renameSync(path.join(place, 'asked'), path.join(place, 'request'));
  return path.join(place, 'reply');
}

function started(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-program-'));
  const child = spawn(process.execPath, [path.resolve('test/support/programHost.mjs'), program, folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.unref();
  process.once('exit', () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function answerIn(reply: string): Ran {
  const { status, printed, hasEnded } = JSON.parse(readFileSync(reply, 'utf8'));
  rmSync(reply);
  if (hasEnded) place = undefined;
  const all: readonly [stream: string, text: string][] = printed;
  const textOf = (name: string) => all.flatMap(([stream, text]) => (stream === name ? text : [])).join('');
  return { status, stdout: textOf('stdout'), stderr: textOf('stderr') };
}
