import type { Pieces } from '../base/pieces.ts';
import type { Matcher } from './regexp.ts';

// What a pattern says of a text of which only pieces are known, by a walk through all states that RE2's program may be in.
// Where something is not known the walk is generous once, to see that nothing can match, and strict once, to see that
// something does. https://swtch.com/~rsc/regexp/regexp2.html

/** One instruction of a program, as re2js has it. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  /** The other way on, or what an assertion demands. */
  readonly arg: number;
  matchRune(rune: number): boolean;
}

interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

const newline = 10;

const alternative = new Set([1, 2]);
const [capture, assertion, fail, match, nop] = [3, 4, 5, 6, 7];
const [anyRune, notNewline] = [10, 11];
const oneRune = new Set([8, 9, anyRune, notNewline]);

// What an assertion demands, as bits.
const [beginLine, endLine, beginText, endText, wordBoundary, noWordBoundary] = [1, 2, 4, 8, 16, 32];

/** Whether the pattern is found in the text; undefined where that depends on what is not known, or nobody can say. */
export function matchesPieces({ regexp }: Matcher, pieces: Pieces): boolean | undefined {
  const program = regexp.re2().prog as unknown as Program;
  if (!program.inst.every(isUnderstood)) return undefined;
  if (isFoundInside(program, pieces)) return true;
  return mayBeFound(program, pieces) ? undefined : false;
}

function isUnderstood({ op }: Instruction): boolean {
  return alternative.has(op) || oneRune.has(op) || [capture, assertion, fail, match, nop].includes(op);
}

/** The places in a program that a walk has come to, before the next character. */
class Walk {
  private states = new Set<number>();
  found = false;
  private readonly program: Program;

  constructor(program: Program) {
    this.program = program;
  }

  /** A match may begin here, or what is under way go on; `holds` are the assertions that hold here. */
  arrive(holds: number): void {
    const before = this.states;
    this.states = new Set();
    for (const state of [this.program.start, ...before]) this.add(state, holds);
  }

  private add(first: number, holds: number): void {
    const waiting = [first];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (this.states.has(state)) continue;
      const { op, out, arg } = this.program.inst[state]!;
      if (op !== assertion) this.states.add(state);
      if (op === match) this.found = true;
      else if (alternative.has(op)) waiting.push(out, arg);
      else if (op === capture || op === nop || (op === assertion && (arg & ~holds) === 0)) waiting.push(out);
    }
  }

  read(rune: number): void {
    this.leave((one) => {
      if (one.op === anyRune) return true;
      return one.op === notNewline ? rune !== newline : one.matchRune(rune);
    });
  }

  /** Any characters, or none; `holds` are the assertions that may hold between them. */
  skip(holds: number): void {
    for (let before = -1; this.states.size > before; ) {
      before = this.states.size;
      const here = this.states;
      this.leave(() => true);
      for (const state of here) this.states.add(state);
      const all = [...this.states];
      this.states = new Set();
      for (const state of [this.program.start, ...all]) this.add(state, holds);
    }
  }

  private leave(takes: (one: Instruction) => boolean): void {
    const next = new Set<number>();
    for (const state of this.states) {
      const one = this.program.inst[state]!;
      if (oneRune.has(one.op) && takes(one)) next.add(one.out);
    }
    this.states = next;
  }
}

/** Whether a match is inside one of the pieces, whatever is around it. */
function isFoundInside(program: Program, pieces: Pieces): boolean {
  return pieces.some((piece, i) => {
    const runes = runesOf(piece);
    const walk = new Walk(program);
    for (let at = 0; at <= runes.length && !walk.found; at++) {
      const before = at > 0 ? runes[at - 1] : i === 0 ? 'none' : 'unknown';
      const after = at < runes.length ? runes[at] : i === pieces.length - 1 ? 'none' : 'unknown';
      walk.arrive(before === 'unknown' || after === 'unknown' ? surely(before!, after!) : between(before!, after!));
      if (at < runes.length) walk.read(runes[at]!);
    }
    return walk.found;
  });
}

function mayBeFound(program: Program, pieces: Pieces): boolean {
  const all = pieces.map(runesOf);
  const walk = new Walk(program);
  for (const [i, runes] of all.entries()) {
    const isFirst = all.slice(0, i).every(({ length }) => length === 0);
    const isLast = all.slice(i + 1).every(({ length }) => length === 0);
    for (let at = 0; at <= runes.length && !walk.found; at++) {
      const isGapBefore = at === 0 && i > 0;
      const isGapAfter = at === runes.length && i < all.length - 1;
      const before = at > 0 ? runes[at - 1]! : 'none';
      const after = at < runes.length ? runes[at]! : 'none';
      const mayBegin = isFirst && at === 0;
      const mayEnd = isLast && at === runes.length;
      walk.arrive(isGapBefore || isGapAfter ? maybe(mayBegin, mayEnd) : between(before, after));
      if (isGapAfter) walk.skip(maybe(mayBegin, mayEnd));
      else if (at < runes.length) walk.read(runes[at]!);
    }
  }
  return walk.found;
}

type Beside = number | 'none' | 'unknown';

/** The assertions that hold between two characters. */
function between(before: Beside, after: Beside): number {
  const begins = before === 'none' ? beginLine | beginText : before === newline ? beginLine : 0;
  const ends = after === 'none' ? endLine | endText : after === newline ? endLine : 0;
  return begins | ends | (isWord(before) === isWord(after) ? noWordBoundary : wordBoundary);
}

/** Those that hold whatever the character is that is not known. */
function surely(before: Beside, after: Beside): number {
  const begins = before === 'unknown' ? 0 : between(before, newline) & (beginLine | beginText);
  const ends = after === 'unknown' ? 0 : between(newline, after) & (endLine | endText);
  return begins | ends;
}

/** Those that may hold where nobody knows what is there. */
function maybe(mayBegin: boolean, mayEnd: boolean): number {
  return beginLine | endLine | wordBoundary | noWordBoundary | (mayBegin ? beginText : 0) | (mayEnd ? endText : 0);
}

function isWord(beside: Beside): boolean {
  return typeof beside === 'number' && /\w/.test(String.fromCodePoint(beside));
}

function runesOf(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}
