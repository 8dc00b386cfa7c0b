import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { answered } from '../files/answers.ts';
import { endWithUs } from '../programs/programs.ts';
import { gitArguments, gitEnvironment, gitProgram } from './program.ts';

/** Reads contents out of a repository through one `git cat-file` that stays. */
export interface ObjectReader {
  read(name: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined>;
  close(): void;
}

/** A question to a process that stays, and what becomes of its answer. */
interface Asked {
  readonly answer: (found: Found | undefined) => void;
}

/** What git has under a name; its bytes where they were asked for. */
interface Found {
  readonly type: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly asked: Asked[];
  /** Ends it, and answers what it was asked. */
  giveUp(): void;
}

/** How long the processes wait for the next question; on some systems they keep files open that others want to replace. */
const idleMs = 60_000;

/** One process tells sizes, another contents: what is too large is never sent. */
export function objectReader(root: string, patience: number): ObjectReader {
  const sizes = conversation(root, 'sizes', patience);
  const contents = conversation(root, 'contents', patience);
  return {
    read: async (name, mostBytes) => {
      // The protocol is lines: a name that holds one is none.
      if (/[\n\0]/.test(name)) return undefined;
      const known = await sizes.ask(name);
      // What is named by its hash, or by that of a commit, stays as it is; what is not there may be fetched.
      const isFixed = known !== undefined && /^[0-9a-f]{40,64}(:|$)/.test(name);
      if (!isFixed) answered(known, (found) => found && `${found.type} ${found.size}`, 'object', root, name);
      if (known?.type !== 'blob') return undefined;
      return known.size > mostBytes ? 'too-large' : (await contents.ask(name))?.bytes;
    },
    close: () => {
      sizes.close();
      contents.close();
    },
  };
}

interface Conversation {
  ask(name: string): Promise<Found | undefined>;
  close(): void;
}

function conversation(root: string, wanted: 'sizes' | 'contents', patience: number): Conversation {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    running?.child.stdin.end();
    running = undefined;
  };
  const start = (): Running => {
    const started = startGit(root, wanted, () => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const ask = (name: string) => {
    running ??= start();
    const { child, asked, giveUp } = running;
    clearTimeout(idle);
    idle = setTimeout(close, idleMs).unref();
    return new Promise<Found | undefined>((resolve) => {
      // A question keeps the process going until it is answered; a git that waits for one does not.
      const hung = setTimeout(giveUp, patience);
      const answer = (found: Found | undefined) => {
        clearTimeout(hung);
        resolve(found);
      };
      asked.push({ answer });
      child.stdin.write(`${name}\n`);
    });
  };
  return { ask, close };
}

function startGit(root: string, wanted: 'sizes' | 'contents', ended: () => void): Running {
  const args = gitArguments(root, ['cat-file', wanted === 'sizes' ? '--batch-check' : '--batch']);
  const child = spawn(gitProgram(), args, { env: gitEnvironment(), windowsHide: true });
  endWithUs(child);
  const asked: Asked[] = [];
  const take = answerReader(asked, wanted === 'contents');
  child.stdout.on('data', take);
  // Without git, or when it ends early, nothing is known of any content.
  const over = () => {
    ended();
    for (const { answer } of asked.splice(0)) answer(undefined);
  };
  child.on('error', over);
  child.on('close', over);
  child.stdin.on('error', over);
  child.stderr.resume();
  child.unref();
  const giveUp = () => {
    child.kill('SIGKILL');
    over();
  };
  return { child, asked, giveUp };
}

/** Takes the output apart: a line with name, type and size, and for contents so many bytes and a line's end; or `… missing`. */
function answerReader(asked: Asked[], withBytes: boolean): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let held = 0;
  let wanted = 0;
  return (chunk) => {
    pending.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const all = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      const rest = takeAnswer(all, asked, withBytes);
      pending = [rest.buffer];
      held = rest.buffer.length;
      wanted = rest.wanted;
      if (rest.wanted > 0) break;
    }
  };
}

/** Answers the first question if its answer is all there; else says how many bytes it takes. */
function takeAnswer(buffer: Buffer, asked: Asked[], withBytes: boolean): { buffer: Buffer; wanted: number } {
  const lineEnd = buffer.indexOf(10);
  if (lineEnd === -1) return { buffer, wanted: buffer.length + 1 };
  const [, type, digits] = buffer.toString('latin1', 0, lineEnd).match(/ (\w+) (\d+)$/) ?? [];
  const start = lineEnd + 1;
  if (type === undefined || digits === undefined) {
    asked.shift()?.answer(undefined);
    return { buffer: buffer.subarray(start), wanted: 0 };
  }
  const size = Number(digits);
  if (!withBytes) {
    asked.shift()?.answer({ type, size, bytes: nothing });
    return { buffer: buffer.subarray(start), wanted: 0 };
  }
  const end = start + size;
  if (buffer.length <= end) return { buffer, wanted: end + 1 };
  asked.shift()?.answer({ type, size, bytes: Uint8Array.from(buffer.subarray(start, end)) });
  return { buffer: buffer.subarray(end + 1), wanted: 0 };
}

const nothing = new Uint8Array();
