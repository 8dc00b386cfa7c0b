import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** Reads contents out of a repository through one `git cat-file` that stays. */
export interface ObjectReader {
  read(name: string, mostBytes: number): Promise<Uint8Array | 'too-large' | undefined>;
  close(): void;
}

/** What git is given of the environment: no hook's repository, no locks, no questions, no fetching of missing objects. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY, ...rest } = process.env;
  return {
    ...rest,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
  };
}

interface Asked {
  readonly mostBytes: number;
  readonly answer: (bytes: Uint8Array | 'too-large' | undefined) => void;
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly asked: Asked[];
}

/** How long the process waits for the next question; on some systems it keeps files open that others want to replace. */
const idleMs = 60_000;

export function objectReader(root: string): ObjectReader {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  const close = () => {
    clearTimeout(idle);
    running?.child.stdin.end();
    running = undefined;
  };
  const start = (): Running => {
    const started = startReader(root, () => {
      if (running === started) running = undefined;
    });
    return started;
  };
  const read: ObjectReader['read'] = (name, mostBytes) => {
    // The protocol is lines: a name that holds one is none.
    if (name.includes('\n')) return Promise.resolve(undefined);
    running ??= start();
    const { child, asked } = running;
    clearTimeout(idle);
    idle = setTimeout(close, idleMs).unref();
    return new Promise((answer) => {
      asked.push({ mostBytes, answer });
      child.stdin.write(`${name}\n`);
    });
  };
  return { read, close };
}

function startReader(root: string, ended: () => void): Running {
  const child = spawn('git', ['-C', root, 'cat-file', '--batch'], { env: gitEnvironment(), windowsHide: true });
  const asked: Asked[] = [];
  const take = answerReader(asked);
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
  return { child, asked };
}

/** Takes the output apart: a line with name, type and size, then so many bytes and a line's end; or `… missing`. */
function answerReader(asked: Asked[]): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let held = 0;
  let wanted = 0;
  return (chunk) => {
    pending.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const all = pending.length === 1 ? pending[0]! : Buffer.concat(pending);
      const rest = takeAnswer(all, asked);
      pending = [rest.buffer];
      held = rest.buffer.length;
      wanted = rest.wanted;
      if (rest.wanted > 0) break;
    }
  };
}

/** Answers the first question if its answer is all there; else says how many bytes it takes. */
function takeAnswer(buffer: Buffer, asked: Asked[]): { buffer: Buffer; wanted: number } {
  const lineEnd = buffer.indexOf(10);
  if (lineEnd === -1) return { buffer, wanted: buffer.length + 1 };
  const [, type, size] = buffer.toString('latin1', 0, lineEnd).match(/ (\w+) (\d+)$/) ?? [];
  if (size === undefined) {
    asked.shift()?.answer(undefined);
    return { buffer: buffer.subarray(lineEnd + 1), wanted: 0 };
  }
  const end = lineEnd + 1 + Number(size);
  if (buffer.length <= end) return { buffer, wanted: end + 1 };
  const question = asked.shift();
  const tooLarge = question !== undefined && Number(size) > question.mostBytes;
  const bytes = type === 'blob' ? Uint8Array.from(buffer.subarray(lineEnd + 1, end)) : undefined;
  question?.answer(tooLarge ? 'too-large' : bytes);
  return { buffer: buffer.subarray(end + 1), wanted: 0 };
}
