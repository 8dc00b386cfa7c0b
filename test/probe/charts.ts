// Mistakes in charts: one token of a template, or one value, is changed so that what the chart renders becomes wrong. The
// finding has to be at that token. Whether a rendering is wrong is decided without the way back to where it came from.
import type { Range } from '../../server/src/base/text.ts';
import { isMap, unknownMark, type Value } from '../../server/src/base/value.ts';
import { findingsOfTemplate } from '../../server/src/features/charts/diagnoseChart.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { type ChartFile, yamlOf } from '../../server/src/helm/chart.ts';
import { ChartError } from '../../server/src/helm/chartError.ts';
import { isFailure, prepare } from '../../server/src/helm/render.ts';
import type { Diagnostic } from '../../server/src/rules/model/diagnostic.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import type { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { clusterFor } from '../../server/src/workspace/charts/cluster.ts';
import { madeFile } from '../../server/src/workspace/charts/madeFile.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { rangeOf } from '../../server/src/yaml/place.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import type { Random } from '../support/random.ts';

export type MistakeKind = 'key in a template' | 'literal in a template' | 'value';

/** A token of a file, and what is put in its place. */
export interface Mistake {
  readonly kind: MistakeKind;
  readonly file: ChartFile;
  readonly range: Range;
  readonly text: string;
}

/**
 * `harmless`: nothing that is rendered became wrong; `refused`: Helm itself says why it renders nothing; `lacking`: nothing is
 * said of a key that is misspelled, only that the right one is missing, which has no place of its own.
 */
export type Outcome = 'right' | 'missed' | 'elsewhere' | 'harmless' | 'refused' | 'lacking';

export interface Judged {
  readonly mistake: Mistake;
  readonly outcome: Outcome;
  readonly about: string;
}

/** Tokens of a chart that can be made wrong: keys and plain values that are written in templates, and those of values.yaml. */
export function mistakesIn(chart: ChartFolder, random: Random): Mistake[] {
  const own = chart.files.filter(({ id }) => !id.includes('!/'));
  const templates = own.filter(({ path }) => /(?:^|\/)templates\/[^.]+\.(?:ya?ml|tpl)$/.test(path));
  const values = own.filter(({ path }) => path === 'values.yaml');
  return [...templates.flatMap((file) => inTemplate(file)), ...values.flatMap((file) => inValues(file, random))];
}

const line = /^([ \t]*(?:- )*)([A-Za-z]\w+):(?: +([A-Za-z0-9][\w./-]*))?[ \t]*$/gm;

function inTemplate(file: ChartFile): Mistake[] {
  const comments = [...file.text.matchAll(/\{\{-?\s*\/\*[\s\S]*?\*\/\s*-?\}\}/g)];
  const isComment = (at: number) => comments.some((one) => at >= one.index && at < one.index + one[0].length);
  return [...file.text.matchAll(line)].flatMap((match): Mistake[] => {
    const [whole, before, key, value] = match as unknown as [string, string, string, string | undefined];
    if (isComment(match.index)) return [];
    const at = match.index + before.length;
    const ofKey = {
      kind: 'key in a template',
      file,
      range: { start: at, end: at + key.length },
      text: `${key}z`,
    } as const;
    if (value === undefined) return [ofKey];
    const start = match.index + whole.indexOf(value, before.length + key.length + 1);
    const range = { start, end: start + value.length };
    return [
      ofKey,
      { kind: 'literal in a template', file, range, text: /^(?:\d|true$|false$)/.test(value) ? 'Wrong' : '12' },
    ];
  });
}

function inValues(file: ChartFile, random: Random): Mistake[] {
  return yamlOf(file).documents.flatMap(({ document, start }) => {
    const all: Mistake[] = [];
    const walk = (value: Value, path: readonly string[]) => {
      if (isMap(value)) for (const [key, inner] of value) walk(inner, [...path, key]);
      const text = wrongFor(value, random);
      const range = text === undefined ? undefined : rangeOf(document, path, 'value');
      if (!range || text === undefined) return;
      const moved = { start: range.start + start, end: range.end + start };
      if (file.text.slice(moved.start, moved.end).includes('\n')) return;
      all.push({ kind: 'value', file, range: moved, text });
    };
    walk(valueOf(document) ?? null, []);
    return all;
  });
}

/** A value of another type, or a text that is in no list of them; conditions take it for the same. */
function wrongFor(value: Value, random: Random): string | undefined {
  if (typeof value === 'string' && value !== '') return random.pick(['Wrong', '[wrong]', '{wrong: true}']);
  if (value === true || (typeof value !== 'object' && Number(value) > 0)) return random.pick(['Wrong', '[wrong]']);
  return undefined;
}

/** What is said of what a template renders, as if that were a file that somebody wrote. */
function wrongIn(snapshot: Snapshot, chart: ChartFolder, name: string): Map<string, string> {
  const { made } = renderingsOf(chart, clusterFor(snapshot, chart.root)).madeOf(name);
  const found = made.flatMap((one) => {
    const { source } = madeFile(chart, one);
    return diagnose(withOpen(snapshot, source), source.uri)
      .filter(isCounted)
      .map((one) => [wordsOf(one), source.text.slice(one.range.start, one.range.end)] as const);
  });
  return new Map(found);
}

/** Errors and warnings about what is known of an object. */
function isCounted({ code, severity, message }: Diagnostic): boolean {
  if (ruleOf(code)?.ofFiles || code === 'file/not-judged' || isOfUnknown(message)) return false;
  return severity === 'error' || severity === 'warning';
}

/** Keys that nobody knows may be the same; Go's quotes show their mark by its code. */
function isOfUnknown(message: string): boolean {
  return message.includes(unknownMark) || message.includes('\\ue000');
}

function wordsOf({ code, about, message }: Diagnostic): string {
  return `${code} ${about?.words ?? message}`;
}

export class ChartProbe {
  private readonly snapshot: Snapshot;
  private readonly chart: ChartFolder;
  private readonly texts: ReadonlyMap<string, string | undefined>;
  private readonly before = new Map<string, ReadonlyMap<string, string>>();

  constructor(snapshot: Snapshot, chart: ChartFolder) {
    this.snapshot = snapshot;
    this.chart = chart;
    this.texts = this.textsOf(chart);
  }

  /** What each template comes to with the chart's own values; undefined where that fails. */
  private textsOf({ chart, root }: ChartFolder): ReadonlyMap<string, string | undefined> {
    if (chart instanceof ChartError) return new Map();
    const frame = prepare(chart, clusterFor(this.snapshot, root));
    return new Map(
      frame.names.map((name) => {
        const result = frame.render(name);
        return [name, isFailure(result) ? undefined : result.text];
      }),
    );
  }

  private wrongBefore(name: string): ReadonlyMap<string, string> {
    const known = this.before.get(name) ?? wrongIn(this.snapshot, this.chart, name);
    this.before.set(name, known);
    return known;
  }

  judge(mistake: Mistake): Judged {
    const { file, range, text } = mistake;
    const changed = file.text.slice(0, range.start) + text + file.text.slice(range.end);
    const chart = this.chart.withOpen(new Map([[file.id, changed]]));
    if (chart.chart instanceof ChartError) return this.outcome(mistake, 'refused', chart.chart.message);
    const texts = this.textsOf(chart);
    const names = [...texts.keys()].filter((name) => texts.get(name) !== this.texts.get(name));
    if (names.some((name) => texts.get(name) === undefined)) return this.outcome(mistake, 'refused', '');
    for (const name of names.filter((one) => !one.endsWith('NOTES.txt'))) {
      const known = this.wrongBefore(name);
      const fresh = [...wrongIn(this.snapshot, chart, name)].filter(([words]) => !known.has(words));
      if (fresh.length === 0) continue;
      const isOfKey = mistake.kind !== 'key in a template' || fresh.some(([, place]) => place === mistake.text);
      const words = new Set(fresh.map(([words]) => words));
      return isOfKey ? this.placed(mistake, chart, name, words) : this.outcome(mistake, 'lacking', '');
    }
    return this.outcome(mistake, 'harmless', '');
  }

  private placed(mistake: Mistake, chart: ChartFolder, name: string, fresh: ReadonlySet<string>): Judged {
    const { file, range, text } = mistake;
    const end = range.start + text.length;
    const all = findingsOfTemplate(this.snapshot, chart, name).filter(({ diagnostic }) =>
      fresh.has(wordsOf(diagnostic)),
    );
    const isThere = all.some(
      ({ uri, diagnostic }) => uri === file.id && diagnostic.range.start < end && diagnostic.range.end > range.start,
    );
    const places = all.map(({ uri, diagnostic: { code, range: at } }) => {
      const shown = chart.fileAt(uri)?.text.slice(at.start, at.end) ?? '';
      return `${code} at ${uri.slice(chart.root.length + 1)} ${JSON.stringify(shown.slice(0, 70))}`;
    });
    const about = `${name}: ${[...fresh].map((one) => one.slice(0, 150)).join(' | ')}\n      found: ${places.join(' | ')}`;
    if (isThere) return this.outcome(mistake, 'right', about);
    return this.outcome(
      mistake,
      all.length > 0 ? 'elsewhere' : 'missed',
      `${about}\n      printed at: ${usesOf(mistake, chart)}`,
    );
  }

  private outcome(mistake: Mistake, outcome: Outcome, about: string): Judged {
    return { mistake, outcome, about };
  }
}

/** The first lines of templates that name the key of a value, for whoever looks into what went wrong. */
function usesOf({ kind, file, range }: Mistake, chart: ChartFolder): string {
  const key = /([\w-]+)"?:\s*$/.exec(file.text.slice(0, range.start))?.[1];
  if (kind !== 'value' || key === undefined) return '';
  const lines = chart.files.filter(({ path }) => path.startsWith('templates/')).flatMap(({ text }) => text.split('\n'));
  return lines
    .filter((one) => one.includes(key))
    .slice(0, 3)
    .join(' ⏎ ');
}
