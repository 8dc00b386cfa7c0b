import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { isOurs } from '../files/folders.ts';
import { readRegularNow } from '../files/read.ts';
import { NotWritten, writeWhole } from '../files/write.ts';

/** What runs most often, or has to answer at once. Each uses other code; the rest begins with that of `check`. */
const commands = ['check', 'serve', 'server', 'test'];

/** How long those of them run that go on running before their code is kept: by then they have compiled what a session needs. */
const secondsOf: ReadonlyMap<string, number> = new Map([
  ['serve', 5],
  ['server', 30],
]);

/** Of one script, and of what V8 makes of it. */
const mostCodeBytes = 64_000_000;

/**
 * The scripts that this program is built into. Compiling them takes longer than most runs do, so what V8 made of them is
 * kept, and taken up by the next run. Kept code is run as it is: it is taken only from a place that nobody but the user
 * may write to, and only whole and of this very text.
 */
export class Program {
  private readonly folder: string;
  private readonly keptIn: string | undefined;
  private readonly command: string;
  private readonly modules = new Map<string, unknown>();
  /** What was compiled in this run, with the file for it. */
  private fresh: { readonly script: Script; readonly source: Buffer; readonly file: string }[] = [];

  constructor(folder: string, keptIn: string | undefined, command: string) {
    this.folder = folder;
    this.keptIn = keptIn;
    this.command = command;
  }

  /** Runs a script once, and gives what it exports. */
  load(name: string): unknown {
    if (this.modules.has(name)) return this.modules.get(name);
    const file = path.join(this.folder, name);
    const outside = createRequire(file);
    const inside = (wanted: string) =>
      wanted.endsWith('.cjs') ? this.load(wanted.slice('./'.length)) : outside(wanted);
    const module = { exports: {} };
    this.modules.set(name, module.exports);
    this.compiled(file).runInThisContext().call(module.exports, module.exports, inside, module, file, this.folder);
    this.modules.set(name, module.exports);
    return module.exports;
  }

  private compiled(file: string): Script {
    const source = readRegularNow(file, mostCodeBytes);
    if (!(source instanceof Buffer)) throw new Error(`${file} cannot be read: this installation is not complete`);
    const kept = this.keptIn && path.join(this.keptIn, this.nameFor(file));
    const cachedData = kept ? keptCode(kept, source) : undefined;
    const text = `(function (exports, require, module, __filename, __dirname) {${textOf(source)}\n})`;
    const script = new Script(text, { filename: file, ...(cachedData ? { cachedData } : {}) });
    if (kept && commands.includes(this.command) && (!cachedData || script.cachedDataRejected))
      this.fresh.push({ script, source, file: kept });
    return script;
  }

  private nameFor(file: string): string {
    const command = commands.includes(this.command) ? this.command : 'check';
    return `${path.basename(file, '.cjs')}-${command}-${process.arch}-${cachedDataVersionTag()}`;
  }

  /** The scripts that were compiled in this run although their code could have been kept. */
  get compiledAnew(): string[] {
    return this.fresh.map(({ file }) => path.basename(file));
  }

  /** Runs a command, and keeps what was compiled for the next run: at its end, or while a server runs. */
  async keepingCode(run: () => Promise<unknown>): Promise<void> {
    const seconds = secondsOf.get(this.command);
    if (seconds !== undefined) setTimeout(() => void this.keepCode(), seconds * 1000).unref();
    await run();
    // The language server only begins then.
    if (this.command !== 'server') await this.keepCode();
  }

  /** Where a file cannot be written, or its folder is another's, the next run compiles as well. */
  async keepCode(): Promise<void> {
    const fresh = this.fresh;
    this.fresh = [];
    for (const { script, source, file } of fresh) {
      const folder = path.dirname(file);
      if (isOurs(folder) === false) return;
      const code = script.createCachedData();
      const whole = Buffer.concat([sealOf(source, code), code]);
      await writeWhole(file, whole, folder, { isSecret: true }).catch((error) => {
        if (!(error instanceof NotWritten)) throw error;
      });
    }
  }
}

/** The scripts that we build have nothing but ASCII, which is read in a third of the time. */
const textOf = (source: Buffer) => (isAscii(source) ? source.toString('latin1') : source.toString('utf8'));

const sealLength = 32;

function sealOf(source: Uint8Array, code: Uint8Array): Buffer {
  return createHash('sha256').update(source).update(code).digest();
}

function keptCode(file: string, source: Buffer): Buffer | undefined {
  if (![path.dirname(file), file].every(isOurs)) return undefined;
  const whole = readRegularNow(file, mostCodeBytes);
  if (!(whole instanceof Buffer) || whole.length < sealLength) return undefined;
  const code = whole.subarray(sealLength);
  return sealOf(source, code).equals(whole.subarray(0, sealLength)) ? code : undefined;
}
