import { createHash } from 'node:crypto';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { ruleOf } from '../rules/model/registry.ts';
import { refusedFirst, type Says } from '../rules/model/says.ts';

/** What is said of a finding, and where. */
interface About {
  readonly file: string;
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

/**
 * What tells a finding from others, wherever it is in its file. It is the same in all files that an object was rendered to:
 * the object, the path in it, the code and the message tell it; of what has no name, the file and the line.
 */
export function fingerprintOf({ file, code, message, source }: About, place: string | undefined): string {
  const what = place === undefined ? [file, code, message, source.trim()] : [place, code, message];
  return createHash('sha256').update(what.join('\0')).digest('hex').slice(0, 40);
}

type Caused = Said & Pick<About, 'source'> & { readonly fingerprint: string; readonly firstLine?: number };

/** A manifest in a chart is judged as it is, and as it is rendered with one set of values or another. */
function wordsOf({ message, says: { under } }: Said): string {
  return under ? under.words.replaceAll('\n', ' ') : message;
}

/** A value that turns on one of many charts in a chart is another for each of them. */
function withoutCharts(said: Said): string {
  return said.says.under?.isOfManyCharts ? wordsOf(said) : said.message;
}

/**
 * Findings with the same cause are shown to a person once: those of one object, those that hold for every object of a kind,
 * and those about a rule that several CRDs take from one Go type.
 */
function causeOf(caused: Caused): string {
  const { code, message, source, fingerprint, says } = caused;
  if (ruleOf(code)?.ofRule) return [code, message, source.trim()].join('\0');
  if (ruleOf(code)?.ofHelpers) return `${code} ${says.failed?.cause ?? message}`;
  return ruleOf(code)?.ofKind ? `${code} ${wordsOf(caused)}` : fingerprint;
}

/** A finding, and the other files that have the same. */
export interface Cause {
  readonly first: Place;
  readonly others: Set<string>;
}

/** A finding that was shown, and the other files that have it, or what is shown with it. */
export interface Copied extends Cause {
  /** Whether all of them are in copies of the same object. */
  readonly isOfOne: boolean;
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
}

/** What an object that was rendered to many files has in each of them is shown once, and what all of a kind have. */
export class Causes {
  private readonly all = new Map<string, Cause>();

  /** Whether a finding is shown; otherwise its file is kept with the one that is. */
  isFirst(report: Place & Caused): boolean {
    const { file, line, column, code } = report;
    const cause = causeOf(report);
    const known = this.all.get(cause);
    if (!known) this.all.set(cause, { first: { file, line, column, code }, others: new Set() });
    else if (known.first.file !== file) known.others.add(file);
    return !known || (known.first.file === file && !ruleOf(code)?.ofKind);
  }

  /** For each finding that was shown, the files that are not named with it. */
  copied(repeats: Repeats): Copied[] {
    const byShown = new Map<unknown, Cause[]>();
    for (const cause of this.all.values()) {
      if (cause.others.size === 0) continue;
      const shown = repeats.shownAt(cause.first) ?? cause;
      const known = byShown.get(shown);
      if (known) known.push(cause);
      else byShown.set(shown, [cause]);
    }
    return [...byShown.values()].map((all) => together(all, repeats.shownAt(all[0]!.first)));
  }
}

function together(all: readonly Cause[], shown: Repeated | undefined): Copied {
  const own = all[0]!.first;
  const first = shown?.first ?? own;
  const others = new Set(all.flatMap((one) => [...one.others]));
  others.delete(first.file);
  for (const place of shown?.elsewhere ?? []) others.delete(place.slice(0, place.lastIndexOf(':')));
  return { first, others, isOfOne: all.length === 1 && sameTellers.every((key) => first[key] === own[key]) };
}

const sameTellers = ['file', 'line', 'column', 'code'] as const;

/** A finding that was shown, other places with the same finding, and how many more there are at its own. */
export interface Repeated {
  readonly first: Place;
  /** Other lines of its file. */
  readonly lines: Set<number>;
  /** Where lines of other files have the same, as `file:line`. */
  readonly elsewhere: Set<string>;
  /** Rules that failed as well. */
  rules: number;
  /** The same of other values that a template prints there. */
  values: number;
  /** More keys that the same action of a template prints into that map. */
  keys: number;
}

type Said = Pick<About, 'file' | 'code' | 'message'> & { readonly says: Says };

/** Rules that read the same missing field at one place have one cause. */
function missingKeyIn({ code, says }: Said): string | undefined {
  const isOfObject = ruleOf(code)?.ofEvaluation === true && refusedFirst(says) === '"object"';
  return isOfObject ? says.missingKey : undefined;
}

/**
 * What several findings at one place come of, other than a key that rules miss: what a rule costs by itself and of the whole, and a value
 * that is refused, or a field that is missing, for more than one reason.
 */
function causesAt({ code, says }: Said): string[] {
  if (ruleOf(code)?.ofCost) return ['cost'];
  const [missing, ...others] = says.required ?? [];
  const isExplained = missing !== undefined && others.length === 0 && says.error?.isBare !== true;
  if (isExplained && /^[\w-]{1,60}$/.test(missing)) return [`${missing}: Required value`];
  return refusedText(says) ?? [];
}

/** The text that is refused, where the message begins with it and gives a reason. */
function refusedText(says: Says): [text: string] | undefined {
  const shown = says.error?.detail === undefined ? undefined : refusedFirst(says);
  return shown !== undefined && /^"(?:[^"\\]|\\.){1,300}"$/.test(shown) ? [shown] : undefined;
}

/**
 * A line of a template that is rendered with one value after the other, or for one release after the other, has one mistake: the same
 * rule at the same place, whichever value it names and whichever item of a list that comes to. What names keys is of those.
 */
function causeInTemplate(said: Said): string | undefined {
  const { file, code, says } = said;
  if (!`/${file}`.includes('/templates/')) return undefined;
  if (refusedText(says)) return `any value\0${code}`;
  const words = wordsOf(said).replaceAll(/\[\d+\]/g, '[]');
  return [code, ruleOf(code)?.ofKey ? words : words.replace(/^([^"]*)"(?:[^"\\]|\\.){0,300}"/, '$1""')].join('\0');
}

/** What a helper prints for several templates with values that nobody wrote: the helper asks for them, and is the one place to mend. */
function causeInHelper({ code, says }: Said): string | undefined {
  return says.printedBy !== undefined && says.under?.isMadeUp ? `in a helper\0${code}\0${says.printedBy}` : undefined;
}

/** Keys that one action of a template prints into a map that knows none of them, or has them already. */
function causeInAction({ code, says }: Said): string | undefined {
  return says.printedAt === undefined ? undefined : ['printed at', code, says.printedAt].join('\0');
}

/** Keys of one map that are given again. */
interface GivenAgain {
  readonly from: number;
  readonly to: number;
  readonly shown: Repeated;
}

/**
 * Whether two keys come of one mistake: an item of a list that does not begin, so that its keys are those of the one before, a key for
 * each branch of a condition, or lines that a template prints again. What is in the value of a key that is given again is another.
 */
function areOne(one: GivenAgain, { from, to }: Omit<GivenAgain, 'shown'>): boolean {
  if (one.to === to) return false;
  if (one.from === one.to && from === to) return true;
  const [first, second] = one.from < from ? [one, { from, to }] : [{ from, to }, one];
  return first.from === second.from || (second.from < first.to && first.to < second.to);
}

const bySeverity: readonly Diagnostic['severity'][] = ['error', 'warning', 'information', 'hint'];

/** With the most severe finding of each place first: it is the one that is shown where several have one cause. */
export function severestFirst<One extends Place & { readonly severity: Diagnostic['severity'] }>(
  all: readonly One[],
): One[] {
  const places = new Map<string, One[]>();
  for (const one of all) {
    const place = [one.file, one.line, one.column].join('\0');
    const known = places.get(place);
    if (known) known.push(one);
    else places.set(place, [one]);
  }
  const rank = ({ severity }: One) => bySeverity.indexOf(severity);
  return [...places.values()].flatMap((at) => at.toSorted((a, b) => rank(a) - rank(b)));
}

/**
 * What is the same in messages of one mistake: whichever item of a list it is in, whichever line of a document, whichever
 * Kustomization of Flux applies it; and wherever a value of another type is than is wanted, as where a whole file has `yes` for
 * texts.
 */
function alike({ code, message, source, says }: Said & { readonly source: string }): string {
  const { boolean, wanted } = says.mistyped ?? {};
  if (boolean !== undefined) return `Expected ${wanted}, found a boolean`;
  // Rules of one schema that read the same field have one cause, whatever else each of them asks for.
  if (says.unread !== undefined) return `without ${says.unread}`;
  if (ruleOf(code)?.ofOneMarker) return says.marker ?? message;
  // An object in another version than the stored one is to be written in that, whichever fields it loses now.
  if (ruleOf(code)?.ofStorage) return message.replace(/^`[^`]{1,1000}` /, '');
  if (ruleOf(code)?.ofCost) return message.replace(/ \(spec\.validation\.[^ ]{1,2000}\.rule\)/, () => source.trim());
  // What goes wrong with values that are made up comes of turning something on, whichever of its values meets it first.
  const madeUp = says.under?.isMadeUp ? refusedFirst(says) : undefined;
  if (madeUp !== undefined && says.error?.detail !== undefined) return message.replace(madeUp, '');
  const words = ruleOf(code)?.ofItems ? message.replace(/^(?:"[^"]{0,200}"|\S{1,200}) /, '') : message;
  return words
    .replace(/ \(spec\.[^ ]{1,2000}\)/, (way) => fieldIn(ruleOf(code)?.ofJunctor ? way.split(junctor)[0]! : way))
    .replace(/^line \d+: /, '')
    .replace(/\bKustomization [\w./-]{1,300} is\b/, 'Kustomization is')
    .replaceAll(/\[\d+\]/g, '[]');
}

const junctor = /\.(?:(?:allOf|anyOf|oneOf)\[|not\b)/;

/** Of the way to a place in a CRD's schema, the field: what a CRD repeats, as it does a Pod's template, has its mistakes in each place. */
function fieldIn(way: string): string {
  return way.slice(Math.max(0, way.lastIndexOf('.properties[')));
}

function unrepeated(first: Place): Repeated {
  return { first, lines: new Set(), elsewhere: new Set(), rules: 0, values: 0, keys: 0 };
}

function addPlace({ first, lines, elsewhere }: Repeated, { file, line }: Pick<Place, 'file' | 'line'>): void {
  if (file !== first.file) elsewhere.add(`${file}:${line}`);
  else if (line !== first.line) lines.add(line);
}

/** What is in the same line is another key that the same action prints. */
function addKey(shown: Repeated, place: Pick<Place, 'file' | 'line'>): void {
  if (place.file === shown.first.file && place.line === shown.first.line) shown.keys += 1;
  else addPlace(shown, place);
}

/** Findings of one file that say the same are shown once, at the first place, and those of equal lines of other files with them. */
export class Repeats {
  private readonly all = new Map<string, Repeated>();
  private readonly ofLines = new Map<string, Repeated>();
  private readonly places = new Set<string>();
  private readonly mistyped = new Set<string>();
  private readonly causes = new Map<string, Repeated>();
  private readonly ofActions = new Map<string, Repeated>();
  private readonly mistypedFields = new Set<string>();
  private readonly givenAgain = new Map<string, GivenAgain[]>();
  private readonly byPlace = new Map<string, Repeated>();

  /** What is shown of a place, or with which other place it is. */
  shownAt({ file, line, column }: Place): Repeated | undefined {
    return this.byPlace.get([file, line, column].join('\0'));
  }

  isFirst(report: Place & Caused): boolean {
    const { file, line, column, code, source, says } = report;
    const place = [file, line, column].join('\0');
    const said = [place, code, says.failed?.words ?? wordsOf(report)].join('\0');
    // Of a value of another type the server goes on to say what else that is not.
    if (this.mistyped.has(place) || this.places.has(said)) return false;
    this.places.add(said);
    if (ruleOf(code)?.ofType) this.mistyped.add(place);
    if (this.isInMistyped(report)) return false;
    const same = alike(report);
    const key = [file, code, same].join('\0');
    const byAction = causeInAction(report);
    const withAction = byAction === undefined ? undefined : this.ofActions.get(byAction);
    const known = this.all.get(key) ?? this.ofOneMistake(report) ?? withAction;
    if (known && known === withAction) addKey(known, report);
    else if (known) addPlace(known, report);
    const missing = missingKeyIn(report);
    const causes = (missing === undefined ? causesAt(report) : [missing]).map((cause) => `${place}\0${cause}`);
    const inTemplate = causeInTemplate(report);
    if (inTemplate !== undefined) causes.push(`${place}\0${inTemplate}`);
    const before = causes.map((cause) => this.causes.get(cause)).find((one) => one !== undefined);
    if (before && missing !== undefined) before.rules += 1;
    const ofOtherValue = inTemplate !== undefined && before === this.causes.get(causes.at(-1)!);
    if (ofOtherValue && before && missing === undefined) before.values += 1;
    const copied =
      causeInHelper(report) ?? [code, alike({ ...report, message: withoutCharts(report) }), source.trim()].join('\0');
    const copy = known || before ? undefined : this.ofLines.get(copied);
    if (copy) addPlace(copy, report);
    const repeated = known ?? before ?? copy ?? unrepeated({ file, line, column, code });
    if (!this.byPlace.has(place)) this.byPlace.set(place, repeated);
    for (const cause of causes) if (!this.causes.has(cause)) this.causes.set(cause, repeated);
    if (byAction !== undefined && !withAction) this.ofActions.set(byAction, repeated);
    this.keepGivenAgain(report, repeated);
    if (known || before) return false;
    this.all.set(key, repeated);
    if (!copy) this.ofLines.set(copied, repeated);
    return copy === undefined;
  }

  /** What was shown of another key that is given again for the same reason. */
  private ofOneMistake({ file, line, firstLine }: Place & Caused): Repeated | undefined {
    if (firstLine === undefined) return undefined;
    return this.givenAgain.get(file)?.find((one) => areOne(one, { from: firstLine, to: line }))?.shown;
  }

  private keepGivenAgain({ file, line, firstLine }: Place & Caused, shown: Repeated): void {
    if (firstLine === undefined) return;
    const one = { from: firstLine, to: line, shown };
    const known = this.givenAgain.get(file);
    if (known) known.push(one);
    else this.givenAgain.set(file, [one]);
  }

  /** What is in a value of another type has no place: `unknown field "spec.list[0].name"` behind a list where a map is wanted. */
  private isInMistyped({ file, code, says }: Said): boolean {
    const typed = says.mistyped?.field;
    if (typed !== undefined) this.mistypedFields.add(`${file}\0${typed}`);
    const field = ruleOf(code)?.ofKey ? says.unknown?.field : undefined;
    for (let at = field ?? ''; at !== ''; at = at.slice(0, Math.max(0, at.search(/(?:\.[^.[]*|\[\d*\])$/))))
      if (this.mistypedFields.has(`${file}\0${at}`)) return true;
    return false;
  }

  values(): Iterable<Repeated> {
    return new Set(this.all.values());
  }
}

/** What is listed in one line at the end of a run, by its rule. */
export class Lists<One extends { readonly code: string; readonly listed?: string }> {
  private readonly all = new Map<string, One[]>();

  /** Whether a finding is one of those. */
  takes(report: One): boolean {
    if (report.listed === undefined) return false;
    const known = this.all.get(report.code);
    if (known) known.push(report);
    else this.all.set(report.code, [report]);
    return true;
  }

  values(): Iterable<readonly One[]> {
    return this.all.values();
  }
}
