/**
 * Where what a template works with comes from. It costs next to nothing while a template runs: how the parts of a text were
 * put together is only worked out for the texts that somebody asks about.
 */

import { movedRange } from '../base/text.ts';

/** A range of a template file. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** What a part of a text, or another value, comes from. */
export type Leaf = Written | ValuePlace | Computed;

/** A part of a text with one origin. */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly leaf: Leaf;
  /** Where in the leaf's own text the run begins; undefined where it is not that text to the letter. */
  readonly offset: number | undefined;
  /** The innermost action that printed it, where one did. */
  readonly action?: Place | undefined;
  /** The outermost one. */
  readonly outer?: Place | undefined;
}

export interface From {
  /** Whether another run may give something else in some part of it, as with what is random. */
  readonly isUnknown: boolean;
  /** The parts of a text of this length, in order and without gaps; of another value, one run. */
  runs(length: number): readonly Run[];
}

/** Text of a template, or of a constant in it, as it is written. */
export class Written implements From {
  readonly kind = 'written';
  readonly isUnknown = false;
  readonly place: Place;
  /** Whether the text is that of the place to the letter. */
  private readonly exact: boolean;

  constructor(place: Place, exact = true) {
    this.place = place;
    this.exact = exact;
  }

  runs(length: number): readonly Run[] {
    return oneRun(this, length, this.exact ? 0 : undefined);
  }
}

/** A value in a file of values, also one that is not there, by the keys that lead to it. */
export class ValuePlace implements From {
  readonly kind = 'value';
  readonly isUnknown = false;
  /** Which file of values; what that means is known to who made it. */
  readonly source: string;
  readonly parent: ValuePlace | undefined;
  readonly key: string | number;
  /** Whether nothing is written there: a key that was looked for, or one that others fill in. */
  readonly isMissing: boolean;
  /** Whether it is the key that leads to the value. */
  readonly isKey: boolean;

  constructor(source: string, parent: ValuePlace | undefined, key: string | number, isMissing = false, isKey = false) {
    this.source = source;
    this.parent = parent;
    this.key = key;
    this.isMissing = isMissing;
    this.isKey = isKey;
  }

  /** The key instead of the value. */
  get asKey(): ValuePlace {
    return new ValuePlace(this.source, this.parent, this.key, this.isMissing, true);
  }

  get path(): (string | number)[] {
    const steps: (string | number)[] = [];
    for (let at: ValuePlace | undefined = this; at?.parent; at = at.parent) steps.push(at.key);
    return steps.reverse();
  }

  /** The place of what is below it. */
  child(key: string | number, isMissing = false): ValuePlace {
    return new ValuePlace(this.source, this, key, isMissing);
  }

  runs(length: number): readonly Run[] {
    return oneRun(this, length, 0);
  }
}

/** A call that comes to yes or no. */
export interface Called {
  readonly name: string;
  readonly args: readonly { readonly value: unknown; readonly from: From }[];
}

/** What a call came to, and what went in. */
export class Computed implements From {
  readonly kind = 'computed';
  /** The function that was called, and with what, where that says all about the value. */
  called: Called | undefined;
  /** The call; undefined where the engine itself made the value, such as the name of a release. */
  readonly place: Place | undefined;
  readonly of: readonly From[];
  readonly isUnknown: boolean;

  constructor(place: Place | undefined, of: readonly From[] = [], isUnknown = of.some((one) => one.isUnknown)) {
    this.place = place;
    this.of = of;
    this.isUnknown = isUnknown;
  }

  runs(length: number): readonly Run[] {
    return oneRun(this, length, undefined);
  }
}

function oneRun(leaf: Leaf, length: number, offset: number | undefined): readonly Run[] {
  return [{ start: 0, end: length, leaf, offset }];
}

/** A part of a text that is put together, and the action that printed it. */
export interface Part {
  readonly text: string;
  readonly from: From;
  readonly action?: Place | undefined;
}

/** A text that is put together from others. */
export class Joined implements From {
  readonly isUnknown: boolean;
  private readonly parts: readonly Part[];
  private known: readonly Run[] | undefined;

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.isUnknown = parts.some(({ from }) => from.isUnknown);
  }

  runs(): readonly Run[] {
    this.known ??= joinedRuns(this.parts);
    return this.known;
  }

  /** What nothing is printed of, where that is all of the text. */
  get ofNothing(): ValuePlace | undefined {
    const from = this.parts.findLast(({ action }) => action)?.from;
    return from instanceof Joined ? from.ofNothing : from instanceof ValuePlace ? from : undefined;
  }
}

function joinedRuns(parts: readonly Part[]): Run[] {
  const runs: Run[] = [];
  let at = 0;
  for (const { text, from, action } of parts) {
    if (text === '') continue;
    for (const run of fitting(from, text.length)) {
      const { leaf, offset } = run;
      const { start, end } = movedRange(run, at);
      // Written out, since spreading takes most of the time of a chart that prints files of some megabytes.
      const [inner, outer] = [run.action ?? action, action ?? run.outer];
      runs.push({ start, end, leaf, offset, action: inner, outer });
    }
    at += text.length;
  }
  return runs;
}

/** Runs that are as long as the text: where a text was made of what another one stood for, they are of that as a whole. */
function fitting(from: From, length: number): readonly Run[] {
  const runs = from.runs(length);
  if (runs.at(-1)?.end === length) return runs;
  return oneRun(wholeLeaf(runs, from), length, undefined);
}

/** What all of a text comes from: of several parts, none is more to blame than the others. */
function wholeLeaf(runs: readonly Run[], from: From): Leaf {
  const [first] = runs;
  if (!first) return new Computed(undefined, [from]);
  if (runs.every(({ leaf }) => leaf === first.leaf)) return first.leaf;
  const place = runs.map(({ leaf, action }) => (leaf.kind === 'value' ? action : leaf.place)).find((one) => one);
  return place ? new Computed(place, [from]) : first.leaf;
}

/** Worked out of others when somebody asks. */
export class Later implements From {
  readonly isUnknown: boolean;
  private make: (() => From) | undefined;
  private made: From | undefined;

  constructor(of: readonly From[], make: () => From) {
    this.isUnknown = of.some((one) => one.isUnknown);
    this.make = make;
  }

  runs(length: number): readonly Run[] {
    this.made ??= this.make?.();
    this.make = undefined;
    return this.made?.runs(length) ?? [];
  }
}

/** A part of a text with runs, as a part of another one. */
export function sliceOf(text: string, from: From, start: number, end = text.length): Part {
  return { text: text.slice(start, end), from: new Later([from], () => new Cut(from.runs(text.length), start, end)) };
}

class Cut implements From {
  readonly isUnknown: boolean;
  private readonly all: readonly Run[];

  constructor(all: readonly Run[], start: number, end: number) {
    const inside = all.slice(firstAfter(all, start), firstAfter(all, end - 1) + 1);
    this.all = inside.map((run) => cutRun(run, start, end)).filter((run) => run.end > run.start);
    this.isUnknown = this.all.some(({ leaf }) => leaf.isUnknown);
  }

  runs(): readonly Run[] {
    return this.all;
  }
}

function cutRun(run: Run, start: number, end: number): Run {
  const from = Math.max(run.start, start);
  const offset = run.offset === undefined ? undefined : run.offset + from - run.start;
  const { leaf, action, outer } = run;
  return { start: from - start, end: Math.min(run.end, end) - start, leaf, offset, action, outer };
}

/** The run that holds an offset, by its index; that of the last one for what is beyond. */
export function firstAfter(runs: readonly Run[], offset: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return Math.max(low, 0);
}

/** The same origin for a text that is not the one there to the letter, such as a key or what is quoted. */
export function loosely(from: From): From {
  return new Loose(from);
}

class Loose implements From {
  readonly isUnknown: boolean;
  private readonly of: From;

  constructor(of: From) {
    this.of = of;
    this.isUnknown = of.isUnknown;
  }

  runs(length: number): readonly Run[] {
    return oneRun(wholeLeaf(this.of.runs(1), this.of), length, undefined);
  }
}
