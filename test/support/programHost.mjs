// Runs the built program again and again in one process, as test/support/program.ts asks. Every run loads the program anew,
// so that nothing is left of the run before, and is over when there is nothing left to wait for, as a process would be.
// node programHost.mjs PROGRAM FOLDER: requests are read from the folder, replies written there.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Readable } from 'node:stream';
import vm from 'node:vm';

const [, , program, folder] = process.argv;
// Not through what takes compiled code from an earlier run.
const main = path.join(path.dirname(program), 'program.cjs');
const require = createRequire(main);
// Compiled once.
const text = readFileSync(main, 'utf8');
const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
  filename: main,
});
const nap = new Int32Array(new SharedArrayBuffer(4));
const parent = process.ppid;
let printed;

for (const name of ['stdout', 'stderr']) {
  process[name].write = (chunk, encoding, done) => {
    printed.push([name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')]);
    const after = typeof encoding === 'function' ? encoding : done;
    if (after) process.nextTick(after);
    return true;
  };
}
process.on('beforeExit', (status) => {
  reply({ status });
  next();
});
process.on('exit', (status) => reply({ status, hasEnded: true }));
next();

function next() {
  const request = path.join(folder, 'request');
  while (!existsSync(request)) {
    // Whoever asked has ended.
    if (process.ppid !== parent) process.reallyExit(0);
    Atomics.wait(nap, 0, 0, 1);
  }
  const { args, cwd, env, input } = JSON.parse(readFileSync(request, 'utf8'));
  rmSync(request);
  printed = [];
  process.exitCode = undefined;
  process.chdir(cwd);
  process.env = env;
  process.argv = [process.execPath, program, ...args];
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  process.stdout.removeAllListeners('error');
  // What waits keeps the process from ending, even where the program has nothing to wait for.
  setImmediate(() => {
    const module = { exports: {} };
    script.runInThisContext()(module.exports, require, module, main, path.dirname(main));
    void module.exports.run();
  });
}

function reply(more) {
  if (printed === undefined) return;
  writeFileSync(path.join(folder, 'written'), JSON.stringify({ ...more, printed }));
  printed = undefined;
  renameSync(path.join(folder, 'written'), path.join(folder, 'reply'));
}
