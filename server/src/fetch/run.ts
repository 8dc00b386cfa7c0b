import { spawn } from 'node:child_process';
import { endWithUs, programInPath } from '../programs/programs.ts';
import { FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import { type FetchLimits, fetchLimits } from './fetching.ts';

export interface Ran {
  readonly ok: boolean;
  /** The exit code; undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly output: Buffer;
  /** What it said beside its output; the beginning, if that was much. */
  readonly errors: string;
}

/** A program said more than is taken of it. */
export class TooMuch extends FetchFailure {}

const mostErrors = 20_000;

/**
 * Runs one of the user's own programs, without a shell and without anything to read from: it cannot ask for passwords.
 * It ends with what is asked for, when that takes too long, when it says too much, or when the user has had enough.
 */
export async function run(
  name: string,
  args: readonly string[],
  { signal, say }: Pick<FetchTools, 'signal' | 'say'>,
  limits: FetchLimits = fetchLimits,
): Promise<Ran> {
  const program = programInPath(name);
  if (program === undefined) throw new FetchFailure(`${name} was not found in PATH`);
  say(`running ${[name, ...args].join(' ')}`);
  return await ranToItsEnd({ name, program, args }, signal, limits);
}

/** A run of a program that is known to be there. */
export interface Run {
  /** What it is called in messages. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** What it reads; without it there is nothing. */
  readonly input?: string;
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
}

/** Runs it within limits, until its end or until nobody wants it any more. */
export async function ranToItsEnd(
  { name, program, args, input, folder, environment }: Run,
  signal: AbortSignal,
  limits: Pick<FetchLimits, 'milliseconds' | 'bytes'>,
): Promise<Ran> {
  return await new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
      cwd: folder,
      env: environment,
    });
    endWithUs(child);
    // It may end without reading all.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    const fail = (why: string, Failure = FetchFailure) => {
      child.kill('SIGKILL');
      // What it started may hold the pipes open.
      for (const pipe of [child.stdout!, child.stderr!]) pipe.destroy();
      clearTimeout(timer);
      reject(new Failure(why));
    };
    const timer = setTimeout(
      () => fail(`${name} did not answer within ${limits.milliseconds / 1000} seconds`),
      limits.milliseconds,
    );
    const cancel = () => fail('cancelled');
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    const chunks: Buffer[] = [];
    let [bytes, errors] = [0, ''];
    child.stdout!.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.bytes) fail(`${name} answered with more than ${limits.bytes} bytes`, TooMuch);
      else chunks.push(chunk);
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      if (errors.length < mostErrors) errors += chunk.toString('utf8');
    });
    child.on('error', (error) => fail(`${name} cannot be run: ${error.message}`));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve({
        ok: code === 0,
        code: code ?? undefined,
        output: Buffer.concat(chunks),
        errors: errors.slice(0, mostErrors),
      });
    });
  });
}

/** The line of a program's complaints that says most: its last one. */
export function lastLine(errors: string): string {
  return errors.trimEnd().split('\n').at(-1)?.trim() || 'it gave no reason';
}
