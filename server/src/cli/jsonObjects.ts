import { isString, valueAt } from '../base/value.ts';
import { textOf } from '../workspace/scan.ts';
import { jsonObject } from '../workspace/sources/json.ts';

// Finds the objects in JSON of any size: those in the `items` of a list, in an array, or one after the other. Only so much is
// held as one object may have, so that a dump of a whole cluster takes no more memory than that.

const [quote, backslash, open, close, openList, closeList, comma] = [...'"\\{}[],'].map((c) => c.charCodeAt(0));

/** Those of JSON, and the mark that some programs begin a text with. */
const blanks: ReadonlySet<number> = new Set([...' \t\r\n'].map((one) => one.charCodeAt(0)).concat(0xef, 0xbb, 0xbf));

export class JsonObjects {
  /** Objects of more bytes than that are left out, and counted. */
  private readonly mostBytes: number;
  tooLarge = 0;
  private depth = 0;
  /** How deep the braces are within which objects are taken: of the text, of an array, or of `items`. */
  private level = 0;
  private inText = false;
  private escaped = false;
  /** The last text at depth 1 of the root: the key, when a colon follows. */
  private key = '';
  private readsKey = false;
  private taking: Uint8Array[] | undefined;
  private taken = 0;
  /**
   * What has `items` at its root: a list, or an object that happens to have them, which only its end tells, since its metadata
   * may come last. What is larger than any object is a list.
   */
  private root: { readonly pieces: Uint8Array[]; bytes: number; readonly items: Uint8Array[] } | undefined;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Whether the text is of objects and lists alone, and ended where one did. */
  get isWhole(): boolean {
    return this.depth === 0 && !this.inText && !this.isOther && this.hasAny;
  }

  /** Something beside objects and lists. */
  private isOther = false;
  private hasAny = false;

  /** The objects that end in a piece, each as its bytes. */
  *in(piece: Uint8Array): Generator<Uint8Array> {
    let from = this.taking ? 0 : -1;
    let rootFrom = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!;
      if (this.inText) {
        this.textByte(byte);
        continue;
      }
      if (byte === quote) {
        this.isOther ||= this.depth === 0;
        this.inText = true;
        this.readsKey = this.depth === 1 && this.level === 0;
        this.key = this.readsKey ? '' : this.key;
      } else if (byte === open || byte === openList) {
        if (this.isItems(byte)) {
          if (this.depth === 1 && !this.root && this.taken <= this.mostBytes) {
            this.root = { pieces: this.taking ?? [], bytes: this.taken, items: [] };
            rootFrom = from;
          }
          this.level = this.depth + 1;
          this.taking = undefined;
        } else if (byte === open && this.depth === this.level && !this.taking) {
          this.taking = [];
          this.taken = 0;
          from = at;
        }
        this.depth++;
        this.hasAny = true;
      } else if (byte === close || byte === closeList) {
        this.depth--;
        if (this.depth < this.level) this.level = 0;
        if (byte === close && this.taking && this.depth === this.level) {
          const whole = this.end(piece.subarray(from, at + 1));
          if (whole && this.root) this.root.items.push(whole);
          else if (whole) yield whole;
        } else if (this.root && this.depth === 0) {
          this.keepRoot(piece.subarray(rootFrom, at + 1));
          yield* this.endRoot();
        }
      } else if (byte === comma) this.key = '';
      else if (this.depth === 0 && !blanks.has(byte)) this.isOther = true;
    }
    if (this.taking) this.keep(piece.subarray(from));
    if (this.root) this.keepRoot(piece.subarray(rootFrom));
    if (this.root && this.root.bytes > this.mostBytes) yield* this.rest();
  }

  /** The objects of a list that is cut off, or too large to be anything else. */
  *rest(): Generator<Uint8Array> {
    const { items } = this.root ?? { items: [] };
    this.root = undefined;
    yield* items;
  }

  private keepRoot(bytes: Uint8Array): void {
    this.root!.bytes += bytes.length;
    if (this.root!.bytes <= this.mostBytes) this.root!.pieces.push(new Uint8Array(bytes));
  }

  /** The metadata of a list has no name. */
  private *endRoot(): Generator<Uint8Array> {
    const { pieces, bytes } = this.root!;
    const whole = bytes <= this.mostBytes ? Buffer.concat(pieces) : undefined;
    const name = whole && valueAt(jsonObject(textOf(whole) ?? ''), ['metadata', 'name']);
    if (!whole || !isString(name) || name === '') yield* this.rest();
    else {
      this.root = undefined;
      yield whole;
    }
  }

  private textByte(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === backslash) this.escaped = true;
    else if (byte === quote) {
      this.inText = false;
      this.readsKey = false;
      return;
    }
    if (this.readsKey && this.key.length <= longestKey) this.key += String.fromCharCode(byte);
  }

  /** An array of objects: the text itself, or the root's `items`. */
  private isItems(byte: number): boolean {
    if (byte !== openList || this.level !== 0) return false;
    return this.depth === 0 || (this.depth === 1 && this.key === 'items');
  }

  /** A piece is written over by the next, so it is copied. */
  private keep(bytes: Uint8Array): void {
    this.taken += bytes.length;
    if (this.taken <= this.mostBytes) this.taking!.push(new Uint8Array(bytes));
    else this.taking = [];
  }

  /** Undefined where it is too large. */
  private end(last: Uint8Array): Uint8Array | undefined {
    this.keep(last);
    const whole = this.taken <= this.mostBytes ? Buffer.concat(this.taking!) : undefined;
    this.taking = undefined;
    if (!whole) this.tooLarge++;
    return whole;
  }
}

const longestKey = 'items'.length;
