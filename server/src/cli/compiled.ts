import { isAscii } from 'node:buffer';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { stampOf } from '../files/answers.ts';
import { readRegularNow } from '../files/read.ts';
import { keepSealed, unsealed } from './sealed.ts';

/** What runs most often, or has to answer at once. Each uses other code, and where it has kept none begins with that of `check`. */
const commands = ['check', 'serve', 'server', 'test'];

/** How long those of them run that go on running before their code is kept: by then they have compiled what a session needs. */
const secondsOf: ReadonlyMap<string, number> = new Map([
  ['serve', 5],
  ['server', 30],
]);

/** Flags of V8 that a run changes as it goes, by name. */
type Flags = Readonly<Record<string, number>>;

// A heap may grow to 1.6 times of what is in use before it is collected, instead of to four times: half the memory over
// many CRDs, in the same time. A check keeps nearly all that it has read until it ends, and has less work with 2.5 times.
const usualGrowth = { 'heap-growing-percent': 60 };
const growthOf: ReadonlyMap<string, Flags> = new Map([['check', { 'heap-growing-percent': 150 }]]);

// While a program that goes on running is made, nearly all that is made stays. A young generation that is doubled for that, as it
// usually is, is room that nothing needs afterwards.
const [usualYoung, keptYoung] = [{ 'semi-space-growth-factor': 2 }, { 'semi-space-growth-factor': 1 }];

/** By the version of Node: how often something has to have run before V8 optimizes it, usually and in short runs. */
const optimizing: ReadonlyMap<string, readonly [Flags, Flags]> = new Map([
  ['20', [{ 'interrupt-budget': 67_584 }, { 'interrupt-budget': 300_000 }]],
  ['22', [{ 'invocation-count-for-turbofan': 3_000 }, { 'invocation-count-for-turbofan': 12_000 }]],
]);
const [usualOptimizing, lateOptimizing] = optimizing.get(process.versions.node.split('.')[0]!) ?? [{}, {}];

/** Shorter runs end before most of what V8 optimizes has paid for itself. */
const shortSeconds = 5;

const usual: Flags = { ...usualGrowth, ...usualYoung, ...usualOptimizing };

/** The flags that a command begins with. One that is not soon over goes on with the usual ones. */
export function firstFlagsOf(command: string): Flags {
  const flags = { ...usual, ...growthOf.get(command) };
  return secondsOf.has(command) ? flags : { ...flags, ...lateOptimizing };
}

/** Of Electron nobody promises that its flags can be set by now. */
export function setFlags(flags: Flags): void {
  if (process.versions.electron) return;
  for (const [name, value] of Object.entries(flags)) setFlagsFromString(`--${name}=${value}`);
}

/** What the program reads beside the engine and its parts, which a browser runs too. */
const needsNode: ReadonlySet<string> = new Set(['./commands.cjs']);

/** A script, and where what V8 makes of it is kept. */
interface Compiled {
  readonly script: Script;
  readonly stamp: string;
  readonly file: string;
  /** How much of that was taken up: nothing of what this run has compiled anew. */
  readonly bytes: number;
}

/**
 * The first session of a server may have judged nothing: by so much the code of a later one has to be larger to be kept in
 * its place.
 */
const worthMore = 1.1;

/** Of one script, and of what V8 makes of it. */
const mostCodeBytes = 64_000_000;

/**
 * The scripts that this program is built into. Compiling them takes longer than most runs do, so what V8 made of them is
 * kept, and taken up by the next run. Kept code is run as it is: it is taken only from a place that nobody but the user
 * may write to, and only whole and of this very file.
 */
export class Program {
  private readonly folder: string;
  private readonly keptIn: string | undefined;
  private readonly command: string;
  /** What may be kept of this run: what it has compiled anew, and all of a program that goes on running. */
  private scripts: Compiled[] = [];
  private isGoingToKeep = false;
  private flags: Flags;

  constructor(folder: string, keptIn: string | undefined, command: string) {
    this.folder = folder;
    this.keptIn = keptIn;
    this.command = command;
    this.flags = firstFlagsOf(command);
    if (!secondsOf.has(command)) this.beLongLater();
  }

  private beLongLater(): void {
    const beLong = () => {
      this.flags = { ...this.flags, ...usualOptimizing };
      setFlags(this.flags);
    };
    setTimeout(beLong, shortSeconds * 1000).unref();
  }

  /** Runs a module, and gives what it exports. */
  load(name: string): unknown {
    const file = path.join(this.folder, name);
    const outside = createRequire(file);
    const inside = (wanted: string) => {
      if (!wanted.endsWith('.cjs')) return outside(wanted);
      return needsNode.has(wanted) ? this.load(wanted) : this.runScript(wanted);
    };
    const module = { exports: {} };
    const asFunction = (text: string) => `(function (exports, require, module, __filename, __dirname) {${text}\n})`;
    const made = this.compiled(file, asFunction).runInThisContext();
    this.making(() => made.call(module.exports, module.exports, inside, module, file, this.folder));
    return module.exports;
  }

  /** Runs a script that the module requires. Its text is compiled as it was read, so that it is in memory once. */
  private runScript(name: string): void {
    const script = this.compiled(path.join(this.folder, name), (text) => text);
    this.making(() => script.runInThisContext());
  }

  /** Runs what makes a part of the program. It may itself read others. */
  private making(run: () => void): void {
    const before = this.flags;
    if (secondsOf.has(this.command)) this.flags = { ...before, ...keptYoung };
    setFlags(this.flags);
    run();
    this.flags = before;
    setFlags(before);
  }

  /** What is kept under some flags is taken up under these alone: while code is made or kept, all commands have the same. */
  private underUsualFlags<Result>(make: () => Result): Result {
    setFlags(usual);
    const made = make();
    setFlags(this.flags);
    return made;
  }

  private compiled(file: string, scriptOf: (text: string) => string): Script {
    return this.underUsualFlags(() => this.compiledNow(file, scriptOf));
  }

  private compiledNow(file: string, scriptOf: (text: string) => string): Script {
    const stamp = stampOf(file);
    const source = readRegularNow(file, mostCodeBytes);
    if (!(source instanceof Buffer) || !stamp)
      throw new Error(`${file} cannot be read: this installation is not complete`);
    const place = this.placeFor(file, this.command);
    const own = keptCode(place, stamp);
    const cachedData = own ?? keptCode(this.placeFor(file, 'check'), stamp);
    const script = new Script(scriptOf(textOf(source)), { filename: file, ...(cachedData ? { cachedData } : {}) });
    const bytes = own && !script.cachedDataRejected ? own.length : 0;
    if (place !== undefined && (bytes === 0 || secondsOf.has(this.command))) {
      this.scripts.push({ script, stamp, file: place, bytes });
      this.keepLater();
    }
    return script;
  }

  /** Where what a command has compiled of a script is kept; undefined where it is not. */
  private placeFor(file: string, command: string): string | undefined {
    if (this.keptIn === undefined || !commands.includes(command)) return undefined;
    return path.join(
      this.keptIn,
      `${path.basename(file, '.cjs')}-${command}-${process.arch}-${cachedDataVersionTag()}`,
    );
  }

  /** The scripts that were compiled in this run although their code could have been kept. */
  get compiledAnew(): string[] {
    return this.scripts.filter(({ bytes }) => bytes === 0).map(({ file }) => path.basename(file));
  }

  /** Runs a command, and keeps what was compiled for the next run at its end. */
  async keepingCode(run: () => Promise<unknown>): Promise<void> {
    await run();
    // The language server only begins then.
    if (this.command !== 'server') await this.keepCode();
  }

  /** Of what goes on running, keeps what was compiled some time after it was read: what is called seldom may be read late. */
  private keepLater(): void {
    const seconds = secondsOf.get(this.command);
    if (seconds === undefined || this.isGoingToKeep) return;
    this.isGoingToKeep = true;
    const keep = () => {
      this.isGoingToKeep = false;
      void this.keepCode();
    };
    setTimeout(keep, seconds * 1000).unref();
  }

  /** Keeps what was compiled. */
  async keepCode(): Promise<void> {
    const { scripts } = this;
    this.scripts = [];
    for (const { script, stamp, file, bytes } of scripts) {
      const code = this.underUsualFlags(() => script.createCachedData());
      if (code.length > worthMore * bytes) await keepSealed(file, stamp, code, mostCodeBytes);
    }
  }
}

/** The scripts that we build have nothing but ASCII, which is read in a third of the time. */
const textOf = (source: Buffer) => (isAscii(source) ? source.toString('latin1') : source.toString('utf8'));

const keptCode = (file: string | undefined, stamp: string) =>
  file === undefined ? undefined : unsealed(file, stamp, mostCodeBytes);
