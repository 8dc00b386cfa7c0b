/** A regular file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
}

/** What a reader of an archive does with its files. */
export interface TarVisitor {
  /** Whether the content of a file is wanted; it is passed over otherwise. */
  wants(entry: TarEntry): boolean;
  take(entry: TarEntry, content: Uint8Array): void;
}

const block = 512;

/** Longer names, and larger tables of attributes, do not occur in files that we read. */
const mostHeader = 65_536;

/** Reads an archive piece by piece; nothing of it is kept but the file that is being read. */
export interface TarReader {
  push(chunk: Uint8Array): void;
  /** How many entries there were so far, of any kind. */
  readonly entries: number;
  /** Whether the archive has ended by its own word. */
  readonly ended: boolean;
  /** What is wrong with it, if its headers make no sense. */
  readonly broken: string | undefined;
  /** Whether the last file is whole. */
  readonly whole: boolean;
}

/** What the content that comes next is. */
interface Part {
  readonly use: 'name' | 'attributes' | 'file' | 'nothing';
  readonly entry: TarEntry;
  /** How much of it, and of what fills up its last block, is still to come. */
  left: number;
  fill: number;
  readonly pieces: Uint8Array[];
}

export function tarReader(visitor: TarVisitor): TarReader {
  let header = new Uint8Array(block);
  let held = 0;
  let part: Part | undefined;
  let longName: string | undefined;
  const state = { entries: 0, ended: false, broken: undefined as string | undefined, whole: true };

  const finish = (done: Part) => {
    if (done.use === 'file') visitor.take(done.entry, joined(done.pieces));
    if (done.use === 'name') longName = textOf(joined(done.pieces));
    if (done.use === 'attributes') longName = pathAttribute(textOf(joined(done.pieces))) ?? longName;
  };
  const begin = () => {
    if (header.every((byte) => byte === 0)) {
      state.ended = true;
      return;
    }
    if (!hasItsSum(header)) {
      state.broken = 'it is not a tar archive, or it is damaged';
      return;
    }
    state.entries++;
    part = partOf(header, longName, visitor);
    if (part.use === 'file' || part.use === 'nothing') longName = undefined;
    if (part.left === 0) {
      finish(part);
      part = undefined;
    }
  };
  const takePart = (chunk: Uint8Array, now: Part): number => {
    const wanted = Math.min(now.left, chunk.length);
    // The chunk's memory may be used again.
    if (wanted > 0 && now.use !== 'nothing') now.pieces.push(chunk.slice(0, wanted));
    now.left -= wanted;
    if (now.left > 0) return wanted;
    const filler = Math.min(now.fill, chunk.length - wanted);
    now.fill -= filler;
    if (now.fill === 0) {
      finish(now);
      part = undefined;
    }
    return wanted + filler;
  };
  const takeHeader = (chunk: Uint8Array): number => {
    const wanted = Math.min(block - held, chunk.length);
    header.set(chunk.subarray(0, wanted), held);
    held += wanted;
    if (held === block) {
      begin();
      header = new Uint8Array(block);
      held = 0;
    }
    return wanted;
  };
  return {
    push: (chunk) => {
      for (let at = 0; at < chunk.length && !state.ended && state.broken === undefined; ) {
        const rest = chunk.subarray(at);
        at += part ? takePart(rest, part) : takeHeader(rest);
      }
      state.whole = part === undefined && held === 0;
    },
    get entries() {
      return state.entries;
    },
    get ended() {
      return state.ended;
    },
    get broken() {
      return state.broken;
    },
    get whole() {
      return state.whole;
    },
  };
}

function partOf(header: Uint8Array, longName: string | undefined, visitor: TarVisitor): Part {
  const size = numberAt(header, 124, 12);
  const type = String.fromCharCode(header[156]!);
  const entry = { name: longName ?? nameOf(header), size };
  const fill = (block - (size % block)) % block;
  const use = useOf(type, entry, visitor);
  return { use, entry, left: size, fill, pieces: [] };
}

/** Links and devices are passed over like files that nobody wants. */
function useOf(type: string, entry: TarEntry, visitor: TarVisitor): Part['use'] {
  if (type === 'L') return entry.size <= mostHeader ? 'name' : 'nothing';
  if (type === 'x') return entry.size <= mostHeader ? 'attributes' : 'nothing';
  const isFile = (type === '0' || type === '\0' || type === '7') && !entry.name.endsWith('/');
  return isFile && visitor.wants(entry) ? 'file' : 'nothing';
}

function nameOf(header: Uint8Array): string {
  const name = fieldAt(header, 0, 100);
  const isUstar = fieldAt(header, 257, 6) === 'ustar';
  const prefix = isUstar ? fieldAt(header, 345, 155) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function fieldAt(header: Uint8Array, start: number, length: number): string {
  return textOf(header.subarray(start, start + length));
}

/** Text up to the first zero. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end));
}

/** Octal digits, or, with the first bit set, the number itself. */
function numberAt(header: Uint8Array, start: number, length: number): number {
  const bytes = header.subarray(start, start + length);
  if (((bytes[0] ?? 0) & 0x80) === 0) return Number.parseInt(textOf(bytes).trim() || '0', 8) || 0;
  return bytes.subarray(1).reduce((number, byte) => number * 256 + byte, 0);
}

/** A header's own sum, counted with blanks in its place. */
function hasItsSum(header: Uint8Array): boolean {
  const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0);
  return sum === numberAt(header, 148, 8);
}

/** The `path` of a table of attributes, whose rows are `LENGTH NAME=VALUE` and a line feed. */
function pathAttribute(table: string): string | undefined {
  const row = table.split('\n').find((one) => / path=/.test(one));
  return row?.slice(row.indexOf('=') + 1);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
