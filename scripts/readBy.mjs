// Loaded before a test, and before every Node program that it starts: writes down what of the repository each of them
// reads, so that scripts/unchanged.mjs can tell a test that has nothing new to say. One line for each thing that is read:
//   file PATH · kind PATH (whether something is there) · names PATH (of a folder) · tree PATH (all of it)
// and `any` where a program that is not Node's may have read anything; the test's own process ends with `exit CODE`.
// READS_IN is the folder for these notes; a test puts its own file there into READS_TO, which all that it starts inherit.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const root = path.resolve(fileURLToPath(import.meta.url), '../..');
const folder = process.env.READS_IN;
const built = path.join(root, 'dist/test') + path.sep;
const main = process.argv[1] === undefined ? '' : path.resolve(process.argv[1]);
if (folder !== undefined && main.startsWith(built) && isMainThread) {
  const name = path.relative(built, main).split(path.sep).slice(1).join('~');
  process.env.READS_TO = path.join(folder, name);
}

function watch(file) {
  const said = new Set();
  // What is written down here is not read by the test.
  const { appendFileSync } = fs;
  const say = (what) => {
    if (said.has(what)) return;
    said.add(what);
    appendFileSync(file, `${what}\n`);
  };
  const note = (what, place) => {
    const inside = insideOf(place);
    if (inside !== undefined) say(`${what} ${inside}`);
  };
  if (isMainThread && main.startsWith(built)) process.on('exit', (code) => say(`exit ${code}`));
  else if (main !== '') note('file', main);

  const content = (place) => note('file', place);
  const kind = (place) => note('kind', place);
  const names = (place, options) => note(options?.recursive ? 'tree' : 'names', place);
  const tree = (place) => note('tree', place);
  const readers = {
    ...of(content, 'readFile', 'readFileSync', 'open', 'openSync', 'createReadStream', 'copyFile', 'copyFileSync'),
    ...of(kind, 'exists', 'existsSync', 'stat', 'statSync', 'lstat', 'lstatSync', 'access', 'accessSync'),
    ...of(kind, 'realpath', 'realpathSync', 'readlink', 'readlinkSync'),
    ...of(names, 'readdir', 'readdirSync', 'opendir', 'opendirSync'),
    ...of(tree, 'cp', 'cpSync'),
  };
  for (const [name, seen] of Object.entries(readers)) {
    for (const where of [fs, fs.promises]) if (typeof where[name] === 'function') wrap(where, name, seen);
  }
  const environment = { READS_IN: folder, READS_TO: file, NODE_OPTIONS: process.env.NODE_OPTIONS };
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'fork', 'exec', 'execSync'])
    wrap(childProcess, name, (...args) => started(say, environment, name, args));
  syncBuiltinESMExports();
}

const of = (seen, ...names) => Object.fromEntries(names.map((name) => [name, seen]));

function wrap(where, name, seen) {
  const real = where[name];
  const wrapped = function (...args) {
    return real.apply(this, seen(...args) ?? args);
  };
  // Such as fs.realpath.native and what util.promisify looks for.
  where[name] = Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(real));
}

/** The path from the root, of what lies in the repository and is not a tool of its. */
function insideOf(place) {
  if (place instanceof URL && place.protocol === 'file:') return insideOf(fileURLToPath(place));
  if (Buffer.isBuffer(place)) return insideOf(place.toString());
  if (typeof place !== 'string') return undefined;
  const inside = path.relative(root, path.resolve(place));
  if (inside.startsWith('..') || path.isAbsolute(inside)) return undefined;
  return /^(node_modules|dist.test)([\\/]|$)/.test(inside) ? undefined : inside.split(path.sep).join('/');
}

/**
 * A program of Node's writes its own notes, also where it is given an environment of its own: gives the arguments with
 * which it does.
 */
function started(say, environment, name, args) {
  const isOptions = (arg) => typeof arg === 'object' && arg !== null && !Array.isArray(arg);
  const options = args.find(isOptions);
  noteProgram(say, name, args, options);
  if (!options?.env) return undefined;
  const given = options.env.NODE_OPTIONS ?? '';
  const ours = given.includes('readBy.mjs') ? given : `${given} ${environment.NODE_OPTIONS}`;
  const env = { ...environment, ...options.env, NODE_OPTIONS: ours.trim() };
  return args.map((arg) => (arg === options ? { ...options, env } : arg));
}

/** A program that is not Node's may read anything in the repository, unless it is pointed elsewhere, or only says what it is. */
function noteProgram(say, name, args, options) {
  const [command, given] = name === 'fork' ? [process.execPath] : args;
  const words = Array.isArray(given) ? given.map(String) : [];
  const cwd = options?.cwd instanceof URL ? fileURLToPath(options.cwd) : (options?.cwd ?? '.');
  const isElsewhere = (place) => path.isAbsolute(place) && insideOf(place) === undefined;
  const pointsElsewhere = words.some(isElsewhere) && !words.some((word) => path.isAbsolute(word) && !isElsewhere(word));
  const saysItself = words.length === 1 && /^(--)?version$/.test(words[0]);
  if (command === process.execPath || isElsewhere(String(command)) || pointsElsewhere || saysItself) return;
  if (insideOf(cwd) !== undefined) say(`any ${[command, ...words].join(' ').slice(0, 100)}`);
}

// Last, when all of the above is there.
if (process.env.READS_TO !== undefined) watch(process.env.READS_TO);
