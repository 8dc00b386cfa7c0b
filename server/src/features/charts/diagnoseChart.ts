import { memo } from '../../base/memo.ts';
import { linesAround, type Range } from '../../base/text.ts';
import { isMap, valueAt } from '../../base/value.ts';
import { isNotes, printedNothing } from '../../helm/judgedText.ts';
import { type Assumption, isPair, samples } from '../../helm/made.ts';
import { keyOfAll } from '../../helm/reach.ts';
import { madeUpRelease } from '../../helm/render.ts';
import { isBeforeKnown } from '../../kubernetes/releases/all.ts';
import { goneKinds } from '../../kubernetes/releases/goneKinds.ts';
import { type Diagnostic, fieldsMissing } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { Says } from '../../rules/model/says.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor, isServedByAll } from '../../workspace/charts/cluster.ts';
import { assumptionText, type MadeFile, madeFile } from '../../workspace/charts/madeFile.ts';
import { type FailedTemplate, type MadeOfTemplate, renderingsOf } from '../../workspace/charts/renderings.ts';
import { ownValues, type TurnedOn, type ValueSet } from '../../workspace/charts/valueSets.ts';
import { isChartTemplate } from '../../workspace/fileNames.ts';
import { isKubernetesGroup } from '../../workspace/kinds.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import type { ChartPlace, RenderedPlaces } from '../../workspace/projections/chart.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { readableValue } from '../../yaml/value.ts';
import { asNotes } from '../problems/asNotes.ts';
import { diagnose } from '../problems/diagnose.ts';
import { nameIn, placeAt } from '../problems/objectAt.ts';
import { printedBehindBlanks, twoAt } from './behindBlanks.ts';
import { isOfChoice } from './choice.ts';
import { ofFailure } from './failures.ts';
import { asNote, type ChartFinding, inRealFile, isPartlyKnown, ofCluster, underSet, withSet } from './finding.ts';
import { ofTwo, wordsOfIndent } from './fixIndent.ts';
import { chartsAround, isOfEmptyValue, isToReplace, openValue } from './leftOpen.ts';
import { isLeftToCluster } from './leftToCluster.ts';
import { printedTogether, type Together } from './printedTogether.ts';
import { toldInValues } from './toldInValues.ts';
import { ofWholeChart } from './wholeChart.ts';

export type { ChartFinding };

/** Everything that is found in what a chart's templates come to, at the places that it comes from. */
function findingsOfChart(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const { names } = renderingsOf(chart, clusterFor(snapshot, chart.root));
  const found = names.flatMap((name) => findingsOfTemplate(snapshot, chart, name));
  return [...told(snapshot, chart, [...ofWholeChart(snapshot, chart), ...found])];
}

/** Whether a file is a template that is rendered. */
export function isRendered(snapshot: Snapshot, chart: ChartFolder, uri: string): boolean {
  return renderingsOf(chart, clusterFor(snapshot, chart.root)).nameOf(uri) !== undefined;
}

/** What is found in one file of a chart: of a template that is rendered, in what that alone comes to. */
export function findingsIn(snapshot: Snapshot, chart: ChartFolder, uri: string): Diagnostic[] {
  const name = renderingsOf(chart, clusterFor(snapshot, chart.root)).nameOf(uri);
  const all = name === undefined ? foundInChart(snapshot, chart) : findingsOfTemplate(snapshot, chart, name);
  return all.filter((one) => one.uri === uri).map(({ diagnostic }) => diagnostic);
}

export const foundInChart = memo(findingsOfChart);

export function findingsOfTemplate(snapshot: Snapshot, chart: ChartFolder, name: string): ChartFinding[] {
  return ofTemplate(snapshot, chart, name).map((one) => inRealFile(snapshot, one));
}

function ofTemplate(snapshot: Snapshot, chart: ChartFolder, name: string): ChartFinding[] {
  const { made, failed } = renderingsOf(chart, clusterFor(snapshot, chart.root)).madeOf(name);
  // What Helm prints for people is no manifest.
  const judged = isNotes(name) ? [] : made.map((one) => inMade(snapshot, madeFile(chart, one)));
  const byId = new Map<string, FoundInMade>();
  for (const one of [...judged, ...judged.flatMap((unread) => readWithOpen(snapshot, chart, unread))])
    for (const finding of one.found) if (isSure(finding, one, chart)) firstOrFewer(byId, finding, one);
  const remade = new Remade(snapshot, chart);
  const found = [...byId].flatMap(([id, one]) => shortened(remade, chart, one, id));
  const failures = failed.filter((one) => !isOfMissing(chart, one.failure) && !isSaidBefore(failed, one));
  const broken = brokenByTwo(snapshot, chart, judged);
  return distinct([...failures.flatMap((one) => ofFailure(snapshot, chart, one)), ...found, ...broken]);
}

/** Whether what a template wants may be in a chart that is not here: its templates and values are not known. */
function isOfMissing({ read }: ChartFolder, { isUnparsed, isWished }: FailedTemplate['failure']): boolean {
  return read.missing.length > 0 && !isWished && isUnparsed !== true;
}

/**
 * What holds with other values as well is said with those; what a chart wants is wanted of each who uses it. What the text of a template
 * is to blame for is said once.
 */
function isSaidBefore(all: readonly FailedTemplate[], { failure, set }: FailedTemplate): boolean {
  const first = all.find((one) => one.failure.message === failure.message)!;
  return first.set !== set && !failure.isWished && (set.use !== undefined || isOfAnyValues(failure));
}

function isOfAnyValues({ isUnparsed, template }: FailedTemplate['failure']): boolean {
  return isUnparsed === true || template !== undefined;
}

/** Of several renderings in which the same is found, that with the fewest assumptions tells best when it is. */
function firstOrFewer(byId: Map<string, FoundInMade>, finding: ChartFinding, one: FoundInMade): void {
  const known = byId.get(idOf(finding))?.file.made.assumptions.length ?? Number.POSITIVE_INFINITY;
  if (one.file.made.assumptions.length < known) byId.set(idOf(finding), one);
}

/** The finding with no more assumptions than it takes; none where that is several guesses, which nobody made together. */
function shortened(remade: Remade, chart: ChartFolder, first: FoundInMade, id: string): ChartFinding[] {
  const best = new Shortening(remade, chart, id).shortest(first);
  const { assumptions } = best.file.made;
  if (!isTold(assumptions) || (hasGuess(assumptions) && !isOfText(first.found.find((one) => idOf(one) === id)!)))
    return [];
  const finding = best.found.find((one) => idOf(one) === id)!;
  if (isOfMadeUpPair(finding, assumptions, chart)) return [];
  const isTwice = ruleOf(finding.diagnostic.code)?.ofDuplicate === true;
  if (isTwice && isOfChoice(finding, assumptions, chart.fileAt(finding.uri)?.text ?? '')) return [];
  const open = best.file.made.set.use === undefined ? openValue(chart, finding) : undefined;
  const told = underValues(finding, best.file.made, chart);
  if (isOfOldCluster(remade.snapshot, assumptions)) return [{ ...finding, diagnostic: asNote(told, ofOldCluster) }];
  if (open === undefined && isLeftToCluster(chart, finding))
    return [{ ...finding, diagnostic: asNote(told, ofCluster) }];
  if (open === undefined) return [{ ...finding, diagnostic: told }];
  const isToBe = isToReplace(chart, finding.uri, open.split('.')) ? 'is to be replaced' : 'is empty';
  return [{ ...finding, diagnostic: asNote(told, `\`${open}\` ${isToBe} in values.yaml`) }];
}

/** Values that are left empty in one template, of which each is the reason why something cannot be read. */
const mostOpened = 4;

/** What cannot be read for want of a value that the chart leaves empty is judged with one: `image: {{ .repo }}:{{ .tag }}`. */
function readWithOpen(snapshot: Snapshot, chart: ChartFolder, first: FoundInMade): FoundInMade[] {
  if (first.file.made.set.use !== undefined) return [];
  let read = first;
  for (let nth = 0; nth < mostOpened; nth++) {
    const opened = read.found.flatMap((one) => (ruleOf(one.diagnostic.code)?.ofText ? openPaths(chart, one) : []));
    if (opened.length === 0) break;
    const assumptions = [...read.file.made.assumptions, ...opened.map(asText)];
    const made = renderingsOf(chart, clusterFor(snapshot, chart.root)).withAssumptions(read.file.made, assumptions);
    if (!made || made.rendered.text === read.file.made.rendered.text) break;
    read = inMade(snapshot, madeFile(chart, made));
  }
  return read === first ? [] : [read];
}

/** What cannot be read once a value has two entries, of which the chart has fewer: blanks are put before the first line alone. */
function brokenByTwo(snapshot: Snapshot, chart: ChartFolder, judged: readonly FoundInMade[]): ChartFinding[] {
  const readable = judged.filter(({ file: { made }, found }) => made.set.use === undefined && !found.some(isUnread));
  const renderings = readable.slice(0, mostRenderedWithTwo).map(({ file }) => file.made);
  const file = renderings[0]?.rendered.file;
  if (!file) return [];
  const unread = judged.flatMap(({ found }) => found.filter((one) => isUnread(one) && one.uri === file.id));
  const isKnown = ({ start, end }: Range) =>
    unread.some(({ diagnostic: { range } }) => start <= range.start && range.start < end);
  return printedBehindBlanks(file.text).flatMap(({ path, range }): ChartFinding[] => {
    if (isKnown(range)) return [];
    const two = twoAt(chart, chartsAround(chart, file.id), path);
    for (const made of two ? renderings : []) {
      const more = [...made.assumptions, two!];
      const again = renderingsOf(chart, clusterFor(snapshot, chart.root)).withAssumptions(made, more);
      const { source } = again ? madeFile(chart, again) : {};
      const all = source ? diagnose(withOpen(snapshot, source), source.uri) : [];
      const broken = all.find((diagnostic) => isUnread({ diagnostic }));
      if (!again || !broken) continue;
      const diagnostic: Diagnostic = { ...broken, message: ofTwo, range, related: [], key: { of: 'file' } };
      const told = underValues({ uri: file.id, diagnostic }, again, chart);
      return [{ uri: file.id, diagnostic: isOfOldCluster(snapshot, more) ? asNote(told, ofOldCluster) : told }];
    }
    return [];
  });
}

/** A template may print nothing with the chart's own values. */
const mostRenderedWithTwo = 4;

function isUnread({ diagnostic: { code } }: Pick<ChartFinding, 'diagnostic'>): boolean {
  return ruleOf(code)?.ofText === true;
}

function asText(path: readonly string[]): Assumption {
  return { kind: 'value', isGuess: false, isTaken: false, path, make: samples.text, shown: 'something' };
}

/** The ways to the value that a finding is about, if the chart leaves that empty, in the values of each chart around the file. */
function openPaths(chart: ChartFolder, finding: ChartFinding): (readonly string[])[] {
  const open = openValue(chart, finding)?.split('.');
  if (open === undefined || open.at(-1)?.endsWith('[]')) return [];
  const names = chartsAround(chart, finding.uri);
  return open[0] === 'global'
    ? [open]
    : [[], ...names.map((_, i) => names.slice(0, i + 1))].map((way) => [...way, ...open]);
}

/** Nobody makes several guesses together, or takes away what is there. */
function isTold(assumptions: readonly Assumption[]): boolean {
  const made = assumptions.filter((one) => one.kind === 'value');
  return made.filter(({ isGuess }) => isGuess).length <= 1 && !made.some(({ isTaken }) => isTaken);
}

/**
 * Two values that do not go together are a mistake of whoever gives both, or one to a map that has the other already, which a template
 * only prints.
 */
function isOfMadeUpPair(
  { uri, diagnostic: { code, message, range } }: ChartFinding,
  assumptions: readonly Assumption[],
  chart: ChartFolder,
): boolean {
  const made = assumptions.filter((one) => one.kind === 'value').length;
  if (!isChartTemplate(uri) && isOfServiceType(message, assumptions)) return true;
  if (ruleOf(code)?.ofPair !== true || made === 0) return false;
  const text = chart.fileAt(uri)?.text ?? '';
  const isPrinted = linesAround(text, { start: range.start, end: range.start }).includes('{{');
  return (made > 1 && / when `/.test(message)) || (isPrinted && / to \w{1,20} and `\w{1,60}` to /.test(message));
}

/** A value that the chart has, and that does not go with the type of Service that is made up: whoever gives that gives the other. */
function isOfServiceType(message: string, assumptions: readonly Assumption[]): boolean {
  const types = assumptions.flatMap((one) =>
    one.kind === 'value' ? (/^"(\w{1,40})"$/.exec(one.shown)?.[1] ?? []) : [],
  );
  return types.some((type) => message.includes(` for ${type} services`));
}

function hasGuess(assumptions: readonly Assumption[]): boolean {
  return assumptions.some((one) => one.kind === 'value' && one.isGuess);
}

/** What is wrong with the text of a template, its keys and versions, is so whatever a value is that nobody has given yet. */
function isOfText({ diagnostic: { code } }: ChartFinding): boolean {
  return code.startsWith('yaml/') || ruleOf(code)?.ofKey === true || ruleOf(code)?.ofVersion === true;
}

/**
 * What is found in one template with fewer assumptions: many findings are shortened in the same way. What a rendering comes to is large,
 * and kept only where it is told.
 */
class Remade {
  readonly snapshot: Snapshot;
  private readonly chart: ChartFolder;
  private readonly ids = new Map<string, ReadonlySet<string>>();
  private readonly told = new Map<string, FoundInMade | undefined>();
  private latest: { readonly key: string; readonly found: FoundInMade | undefined } | undefined;

  constructor(snapshot: Snapshot, chart: ChartFolder) {
    this.snapshot = snapshot;
    this.chart = chart;
  }

  /** Whether something is found with other assumptions. */
  has({ made }: MadeFile, assumptions: readonly Assumption[], id: string): boolean {
    const key = this.keyOf(made, assumptions);
    const known = this.ids.get(key);
    if (known) return known.has(id);
    const found = this.make(made, assumptions);
    this.latest = { key, found };
    const ids = new Set(found?.found.map(idOf));
    this.ids.set(key, ids);
    return ids.has(id);
  }

  with({ made }: MadeFile, assumptions: readonly Assumption[]): FoundInMade | undefined {
    const key = this.keyOf(made, assumptions);
    if (!this.told.has(key)) {
      const isLatest = this.latest?.key === key;
      this.told.set(key, isLatest ? this.latest?.found : this.make(made, assumptions));
    }
    return this.told.get(key);
  }

  private make(made: MadeOfTemplate, assumptions: readonly Assumption[]): FoundInMade | undefined {
    const { snapshot, chart } = this;
    const remade = renderingsOf(chart, clusterFor(snapshot, chart.root)).withAssumptions(made, assumptions);
    return remade && inMade(snapshot, madeFile(chart, remade));
  }

  private readonly sets = new Map<ValueSet, number>();

  private keyOf({ set }: MadeOfTemplate, assumptions: readonly Assumption[]): string {
    const nth = this.sets.get(set) ?? this.sets.size;
    this.sets.set(set, nth);
    return `${nth} ${keyOfAll(assumptions)}`;
  }
}

class Shortening {
  private readonly remade: Remade;
  private readonly chart: ChartFolder;
  private readonly id: string;

  constructor(remade: Remade, chart: ChartFolder, id: string) {
    this.remade = remade;
    this.chart = chart;
    this.id = id;
  }

  shortest(first: FoundInMade): FoundInMade {
    const { assumptions } = first.file.made;
    if (assumptions.length === 0) return first;
    const { memory } = this.chart;
    const { uri, diagnostic } = first.found.find((one) => idOf(one) === this.id)!;
    // Where it is moves with each key.
    const key = [uri, diagnostic.code, diagnostic.about?.words ?? diagnostic.message].join('\0');
    const known = memory.fewestFor(key);
    const fewest = known && this.remade.has(first.file, known, this.id) ? known : this.search(first);
    memory.keepFewest(key, fewest);
    return (fewest === assumptions ? undefined : this.remade.with(first.file, fewest)) ?? first;
  }

  private search({ file }: FoundInMade): readonly Assumption[] {
    let best = file.made.assumptions;
    for (let size = best.length; size >= 1; size >>= 1) {
      for (let at = 0; at < best.length; ) {
        const fewer = best.filter((_, i) => i < at || i >= at + size);
        if (this.remade.has(file, fewer, this.id)) best = fewer;
        else at += size;
      }
    }
    return best;
  }
}

/** What is found in one rendering. */
interface FoundInMade {
  readonly file: MadeFile;
  readonly found: readonly ChartFinding[];
}

/**
 * Values that are made up turn things on, and leave the rest as it is: what is missing then may be what whoever turns them
 * on has to give as well. It is the template's fault if no template ever says it.
 */
function isSure(finding: ChartFinding, { file }: FoundInMade, chart: ChartFolder): boolean {
  const { diagnostic } = finding;
  const { set, assumptions } = file.made;
  // What is for another version of Kubernetes is not to blame for what this one has not.
  const isOfCluster = ruleOf(diagnostic.code)?.ofVersion || ruleOf(diagnostic.code)?.ofWarnings;
  if (assumptions.some(isOtherCluster) && isOfCluster) return false;
  if (set.use === undefined && isTooLongByRelease(diagnostic)) return false;
  if (set.use === undefined && diagnostic.code.startsWith('yaml/') && printedNothing.test(file.source.text))
    return false;
  if (set.assumed.length === 0 && !assumptions.some(isMadeUp)) return true;
  if (isOfEmptyValue(finding, chart)) return false;
  if (keysNamed(finding, file).some((key) => isPrinted(chart, finding.uri, key))) return false;
  const missing = missingKeys(diagnostic);
  const templates = chart.files.filter(({ path }) => path.includes('templates/'));
  return missing.length === 0 || !templates.some(({ text }) => missing.some((key) => text.includes(`${key}:`)));
}

/** Words in what a rule says that may be keys, and that the object does not have where the rule is asked. */
function keysNamed({ diagnostic }: ChartFinding, { source }: MadeFile): string[] {
  const { code, message, about } = diagnostic;
  if (!ruleOf(code)?.ofEvaluation || !about?.whole) return [];
  const at = documentAt(source.stream, about.whole.start);
  const object = at && valueAt(readableValue(at.document), about.path);
  return isMap(object) ? message.split(/\W+/).filter((word) => /^[a-z]\w{2,80}$/.test(word) && !object.has(word)) : [];
}

/** Whether a template prints a key with some values. */
function isPrinted(chart: ChartFolder, uri: string, key: string): boolean {
  const lines = chart.fileAt(uri)?.text.split('\n') ?? [];
  return lines.some((line) => line.trimStart().startsWith(`${key}:`));
}

/** Whether a text fits with the name of another release than the one that is made up. */
function isTooLongByRelease({ message, place }: Diagnostic): boolean {
  const [, text] = /"([^"]{1,300})": must be no more than/.exec(message) ?? [];
  const [, most] = /(?:": |\[)must be no more than (\d{1,4}) (?:characters|bytes)/.exec(message) ?? [];
  const name = text ?? (place === undefined ? '' : nameIn(place));
  return most !== undefined && name.replace(madeUpRelease, 'a').length <= Number(most);
}

/** Whether nobody knows that it is ever so: a CRD may well be installed, but values and older clusters are made up. */
function isMadeUp(one: Assumption): boolean {
  return one.kind === 'value' || isOtherCluster(one);
}

function isOtherCluster(one: Assumption): boolean {
  if (one.kind === 'served') return !one.isServed || isKubernetesGroup(splitApiVersion(one.apiVersion).group);
  return one.kind === 'kubernetes';
}

const ofOldCluster = 'for a Kubernetes that is older than those that are known here';

/** Whether it takes a Kubernetes that is older than each that is known: by its number, or by what none or all of them serve. */
function isOfOldCluster(snapshot: Snapshot, assumptions: readonly Assumption[]): boolean {
  return assumptions.some((one) => {
    if (one.kind === 'kubernetes') return isBeforeKnown(one.version);
    if (one.kind !== 'served') return false;
    return one.isServed ? goneApis.has(one.apiVersion) : isServedByAll(snapshot, one.apiVersion);
  });
}

/** What no release that is known serves, with its kinds: `policy/v1beta1`, `policy/v1beta1/PodSecurityPolicy`. */
const goneApis: ReadonlySet<string> = new Set(
  Array.from(goneKinds.keys()).flatMap((key) => [key, key.slice(0, key.lastIndexOf('/'))]),
);

/** The keys of which an object lacks at least one, as the message names them. */
function missingKeys(diagnostic: Diagnostic): string[] {
  const { code, message, about } = diagnostic;
  const asked = /`([\w]+)` or `([\w]+)` must be specified/.exec(message);
  if (asked) return [asked[1]!, asked[2]!];
  const oneOf = message.indexOf('must specify one of: ');
  if (oneOf !== -1) return Array.from(message.slice(oneOf).matchAll(/`(\w+)`/g), ([, key]) => key!);
  if (!ruleOf(code)?.ofMissing) return [];
  const last = about?.path.findLast((step) => typeof step === 'string');
  const named = fieldsMissing(diagnostic).map((one) => one.slice(one.lastIndexOf('.') + 1));
  return [...named, ...(typeof last === 'string' ? [last] : [])];
}

function inMade(snapshot: Snapshot, file: MadeFile): FoundInMade {
  const { source, places } = file;
  const { diagnostics } = asNotes(diagnose(withOpen(snapshot, source), source.uri), source.uri);
  const together = printedTogether(file, diagnostics);
  const found = diagnostics.flatMap((diagnostic): ChartFinding[] => {
    if (ruleOf(diagnostic.code)?.ofFiles) return [];
    const printed = together.get(diagnostic);
    const [first, ...others] = placesToBlame(file, diagnostic, printed);
    if (!first || (first.how === 'unknown' && !isOfPair(file, diagnostic))) return [];
    const related = [
      ...others.map(({ place }) => ({
        ...place,
        message: place.value ? `from \`${place.value.join('.')}\`` : 'printed here',
      })),
      ...diagnostic.related.flatMap((one) => relatedIn(one, source.uri, places)),
    ].filter((one) => one.uri !== first.place.uri || one.range.start !== first.place.range.start);
    const { uri, range } = first.place;
    const place = placeAt(source, diagnostic.range.start);
    const message = wordsOfPair(file, diagnostic, first.place) ?? withoutNumber(diagnostic);
    const says = {
      ...diagnostic.says,
      ...printedBy(places, diagnostic, uri),
      ...(printed && { printedAt: `${printed.action.uri}#${printed.action.range.start}` }),
    };
    const more = { ...(place !== undefined && { place }), message, says };
    return [{ uri, diagnostic: { ...diagnostic, ...more, range, related, key: { of: 'file' } } }];
  });
  return { file, found: withoutConsequences(found) };
}

/** The helper that made a text of what one template gave it. */
function printedBy(places: RenderedPlaces, { range }: Diagnostic, uri: string): Says {
  const by = isChartTemplate(uri) ? places.printedBy(range) : undefined;
  return by && by.uri !== uri ? { printedBy: `${by.uri}#${by.range.start}` } : {};
}

/** Which line of what is rendered it is tells nobody anything. */
function withoutNumber({ code, message }: Diagnostic): string {
  return ruleOf(code)?.numbered ? message.replace(/^line \d+: /, '') : message;
}

/** A key that a helper prints once more is told where the template has it before: elsewhere the helper may be right. */
export function placesToBlame(
  file: MadeFile,
  diagnostic: Diagnostic,
  printed?: Together,
): ReturnType<RenderedPlaces['written']> {
  const found = placesInChart(file, diagnostic);
  if (isOfPair(file, diagnostic)) return found.toReversed();
  const action = printed?.isMisplaced ? printed.action : actionOfWhole(file, diagnostic);
  if (action && found[0]?.how !== 'unknown') return [{ place: action, how: 'computed' }, ...found];
  const [again] = found;
  if (!again || !ruleOf(diagnostic.code)?.ofDuplicate) return found;
  const own = file.made.rendered.file.id;
  const [before] = diagnostic.related.flatMap((one) => file.places.written(one.range));
  // What two actions print of one helper or value is right there.
  const isTwice = before?.place.uri === again.place.uri && before.place.range.start === again.place.range.start;
  if (isTwice && printed?.action.uri === own) return [{ place: printed.action, how: 'computed' }, ...found];
  if (again.place.value) return found;
  return again.place.uri !== own && before?.place.uri === own && !before.place.value ? [before, again] : found;
}

/** What cannot be read of a map or list of values is the fault of the action that prints it: it is read where it is written. */
function actionOfWhole({ places }: MadeFile, { code, range }: Diagnostic): ChartPlace | undefined {
  return ruleOf(code)?.followed === true && places.isOfWhole(range) ? places.printingAction(range) : undefined;
}

/** What can be read with one key or item, and not with two, is the fault of the action that prints them. */
function isOfPair({ made }: MadeFile, { code }: Diagnostic): boolean {
  return ruleOf(code)?.followed === true && made.assumptions.some(isPair);
}

function wordsOfPair(file: MadeFile, diagnostic: Diagnostic, { uri, range }: ChartPlace): string | undefined {
  const template = file.made.rendered.file;
  return isOfPair(file, diagnostic) && uri === template.id ? wordsOfIndent(template.text, range) : undefined;
}

/** What is wrong with a map or a list is said at its key, but where all of it is one value, at that. */
function placesInChart(
  { source, places }: MadeFile,
  { range, about }: Diagnostic,
): ReturnType<RenderedPlaces['written']> {
  const at = about?.whole && documentAt(source.stream, about.whole.start);
  const levelsAt = (offset: number) => pathAt(at!.document, offset - at!.start).path.length - about!.path.length;
  return (at && places.ofWhole(about!.whole!, levelsAt)) ?? places.written(range);
}

/** Where a text cannot be read, what comes behind the first reason mostly follows from it. */
function withoutConsequences(all: readonly ChartFinding[]): readonly ChartFinding[] {
  const isFollowed = ({ diagnostic }: ChartFinding) => ruleOf(diagnostic.code)?.followed === true;
  const first = all.find(isFollowed);
  return first ? all.filter((one) => one === first || !isFollowed(one)) : all;
}

function relatedIn(one: Diagnostic['related'][number], made: string, places: RenderedPlaces): Diagnostic['related'] {
  if (one.uri !== made) return [one];
  const [at] = places.written(one.range);
  return at ? [{ message: one.message, uri: at.place.uri, range: at.place.range }] : [];
}

/** Other charts that are turned on and have nothing to do with a finding, of which each is named. */
const mostNamed = 3;

/** What is made up in a set of values, for what is found in a chart in the chart: many others that are turned on are counted. */
function namedOf({ assumed, turnedOn = [] }: ValueSet, names: readonly string[]): readonly string[] {
  const others = turnedOn.filter((one) => !isOnWay(one, names));
  if (others.length <= mostNamed) return assumed;
  const onWay = turnedOn.filter((one) => isOnWay(one, names));
  return [...onWay.map(({ text }) => text), `${others.length} other charts turned on`];
}

function isOnWay(one: TurnedOn, names: readonly string[]): boolean {
  return one.names.every((name, i) => names[i] === name);
}

/** Whether charts that have nothing to do with a finding are counted. */
function isCounted({ turnedOn = [] }: ValueSet, names: readonly string[]): boolean {
  return turnedOn.filter((one) => !isOnWay(one, names)).length > mostNamed;
}

/** What holds only for values that nobody wrote is no more than a warning, and says which. */
function underValues({ diagnostic, uri }: ChartFinding, made: MadeOfTemplate, chart: ChartFolder): Diagnostic {
  const { set, assumptions } = made;
  const assumed = [...namedOf(set, chartsAround(chart, uri)), ...assumptions.map(assumptionText)];
  // What is said of a kind has nothing to do with values.
  if ((assumed.length === 0 && set.name === ownValues) || ruleOf(diagnostic.code)?.onceInFile) return diagnostic;
  const under = assumed.length > 0 ? `With ${assumed.join(', ')}` : withSet(set);
  const isMade = set.assumed.length > 0 || isPartlyKnown(set) || assumptions.some(isMadeUp);
  const severity = isMade && diagnostic.severity === 'error' ? 'warning' : diagnostic.severity;
  const isSet = assumed.length === 0;
  const isOfManyCharts = isCounted(set, chartsAround(chart, uri));
  const says = {
    ...diagnostic.says,
    ...(isSet
      ? underSet(diagnostic.message, set)
      : { under: { words: diagnostic.message, isMadeUp: isMade, isOfManyCharts } }),
  };
  return { ...diagnostic, severity, says, message: `${diagnostic.message}\n(${under})` };
}

/** What is told of what was found in a chart, in the files that it comes from. */
export function told(snapshot: Snapshot, chart: ChartFolder, found: readonly ChartFinding[]): readonly ChartFinding[] {
  // Several texts of values may come to one place.
  return toldInValues(distinct(found.map((one) => inRealFile(snapshot, one))), chart);
}

/** The same thing is found under several values, and in what several templates include. */
function distinct(all: readonly ChartFinding[]): ChartFinding[] {
  const seen = new Map<string, ChartFinding>();
  for (const one of all) {
    const id = idOf(one);
    if (!seen.has(id)) seen.set(id, one);
  }
  return [...seen.values()];
}

function idOf({ uri, diagnostic: { code, range, about, message } }: ChartFinding): string {
  return [uri, code, range.start, range.end, about?.words ?? message].join('\0');
}
