// What a change cannot touch is not tested again by `npm run check`: a test file that passed is run anew when something
// that it is built of, or that it read when it ran (see readBy.mjs), is not as it was.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup.mjs';

const file = path.join(root, 'node_modules/.cache/kube-crd/tests.json');
/** What every test rests on: the packages, and what runs tests. */
const always = [
  'package-lock.json',
  ...['unit', 'reporter', 'readBy', 'unchanged', 'build'].map((name) => `scripts/${name}.mjs`),
];

/** What passed before, by test file: { [file]: { built: digest, reads: { [note]: digest } } }. */
function earlier(kept) {
  if (!existsSync(kept)) return {};
  const { node, tests } = JSON.parse(readFileSync(kept, 'utf8'));
  return node === process.version ? tests : {};
}

/** Of one run of the quick gate. */
export class Unchanged {
  #kept;
  #passed;
  #digests = new Map();
  #started = Date.now();
  #inputs = {};
  #folder;

  constructor(kept = file) {
    this.#kept = kept;
    this.#passed = earlier(kept);
  }

  /** esbuild's, for all test files: they are built after this has begun. */
  set inputs(inputs) {
    this.#inputs = inputs;
  }

  /** Whether a test file passed when all that it rests on was as it is now. */
  has(test) {
    const before = this.#passed[test];
    return (
      before !== undefined &&
      before.built === this.#builtOf(test) &&
      Object.entries(before.reads).every(([note, digest]) => this.#digestOf(note) === digest)
    );
  }

  /** What a run of tests gets, so that it writes down what it reads. */
  get environment() {
    this.#folder ??= mkdtempSync(path.join(os.tmpdir(), 'kube-crd-reads-'));
    const loader = pathToFileURL(path.join(root, 'scripts/readBy.mjs')).href;
    return { READS_IN: this.#folder, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${loader}`.trim() };
  }

  /** Keeps what passed: for each process of tests the test files in it. */
  keep(processes) {
    for (const [name, tests] of processes) {
      const notes = path.join(this.#folder, name.split(path.sep).join('~'));
      const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n') : [];
      const hasPassed = lines.includes('exit 0') && !lines.some((line) => line.startsWith('any '));
      const reads = lines.filter((line) => line !== 'exit 0').sort();
      for (const test of tests) {
        if (hasPassed && !this.#hasMoved(test, reads))
          this.#passed[test] = {
            built: this.#builtOf(test),
            reads: Object.fromEntries(reads.map((note) => [note, this.#digestOf(note)])),
          };
        else delete this.#passed[test];
      }
    }
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(path.dirname(this.#kept), { recursive: true });
    writeFileSync(this.#kept, JSON.stringify({ node: process.version, tests: this.#passed }));
  }

  #builtOf(test) {
    return sha(
      this.#sourcesOf(test)
        .map((file) => `${file} ${this.#digestOf(`file ${file}`)}`)
        .join('\n'),
    );
  }

  /** Everything that a test file imports, and what all rest on. */
  #sourcesOf(test) {
    const found = new Set(always);
    const visit = (file) => {
      if (found.has(file)) return;
      found.add(file);
      for (const { path: imported, external } of this.#inputs[file]?.imports ?? []) if (!external) visit(imported);
    };
    visit(test);
    return [...found].sort();
  }

  /** Whether somebody wrote while the tests ran: then it is open what they have seen. What is built is built by this run. */
  #hasMoved(test, reads) {
    const files = [...this.#sourcesOf(test), ...reads.flatMap((note) => /^file (.*)/.exec(note)?.[1] ?? [])];
    const written = files.filter((file) => !file.startsWith('dist/'));
    return written.some((file) => (statOf(path.join(root, file))?.mtimeMs ?? 0) > this.#started);
  }

  #digestOf(note) {
    if (!this.#digests.has(note)) this.#digests.set(note, digestOf(note));
    return this.#digests.get(note);
  }
}

const sha = (content) => createHash('sha256').update(content).digest('base64').slice(0, 22);

function digestOf(note) {
  const [what] = note.split(' ', 1);
  const place = path.join(root, note.slice(what.length + 1));
  const found = statOf(place);
  const kind = !found ? 'nothing' : found.isDirectory() ? 'folder' : 'file';
  if (what === 'kind' || kind === 'nothing' || (what === 'file') !== (kind === 'file')) return kind;
  if (what === 'file') return sha(readFileSync(place));
  return sha(what === 'names' ? readdirSync(place).sort().join('\n') : treeText(place));
}

function statOf(place) {
  try {
    return statSync(place, { throwIfNoEntry: false });
  } catch (error) {
    // Below a file there is nothing.
    if (error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The files below a folder with what is in them, tools left out. */
function treeText(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', '.git', 'dist', 'tools'].includes(name))
    .map((entry) => {
      const place = path.join(folder, entry.name);
      return `${entry.name} ${entry.isDirectory() ? sha(treeText(place)) : entry.isFile() ? sha(readFileSync(place)) : ''}`;
    })
    .sort()
    .join('\n');
}
