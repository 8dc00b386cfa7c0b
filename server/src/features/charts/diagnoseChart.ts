import { memo } from '../../base/memo.ts';
import { linesAround, movedRange, type Range } from '../../base/text.ts';
import { isList, isMap, type Value, valueAt } from '../../base/value.ts';
import { kubeVersionOf, wantsOtherKubernetes } from '../../helm/capabilities.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import { ChartError } from '../../helm/chartError.ts';
import { isNotes } from '../../helm/judgedText.ts';
import { type Assumption, samples } from '../../helm/made.ts';
import { keyOfAll } from '../../helm/reach.ts';
import { madeUpRelease } from '../../helm/render.ts';
import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { assumptionText, type MadeFile, madeFile } from '../../workspace/charts/madeFile.ts';
import { type FailedTemplate, type MadeOfTemplate, renderingsOf } from '../../workspace/charts/renderings.ts';
import { ownValues, type ValueSet } from '../../workspace/charts/valueSets.ts';
import { isKubernetesGroup } from '../../workspace/kinds.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import { type ChartPlace, placeInFile, type RenderedPlaces } from '../../workspace/projections/chart.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { asNotes } from '../problems/asNotes.ts';
import { diagnose } from '../problems/diagnose.ts';
import { nameIn, placeAt } from '../problems/objectAt.ts';
import { type ChartFinding, inRealFile, isPartlyKnown, ofCode, placeOfUse, withSet } from './finding.ts';
import { isLeftToGive } from './leftToGive.ts';
import { findingsOfSchemas } from './schemas.ts';
import { toldInValues } from './toldInValues.ts';

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
  return distinct([...failures.flatMap((one) => ofFailure(snapshot, chart, one)), ...found]);
}

/** Whether what a template wants may be in a chart that is not here: its templates and values are not known. */
function isOfMissing({ read }: ChartFolder, { message, isWished }: FailedTemplate['failure']): boolean {
  return read.missing.length > 0 && !isWished && !message.startsWith('parse error');
}

/** What holds with other values as well is said with those; what a chart wants is wanted of each who uses it. */
function isSaidBefore(all: readonly FailedTemplate[], { failure, set }: FailedTemplate): boolean {
  const first = all.find((one) => one.failure.message === failure.message)!;
  return set.use !== undefined && !failure.isWished && first.set !== set;
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
  if (isOfMadeUpPair(finding, assumptions)) return [];
  const open = best.file.made.set.use === undefined ? openValue(chart, finding) : undefined;
  const told = underValues(finding.diagnostic, best.file.made);
  return [{ ...finding, diagnostic: open === undefined ? told : whereOpen(told, open) }];
}

/** Values that are left empty in one template, of which each is the reason why something cannot be read. */
const mostOpened = 4;

/** What cannot be read for want of a value that the chart leaves empty is judged with one: `image: {{ .repo }}:{{ .tag }}`. */
function readWithOpen(snapshot: Snapshot, chart: ChartFolder, first: FoundInMade): FoundInMade[] {
  if (first.file.made.set.use !== undefined) return [];
  let read = first;
  for (let nth = 0; nth < mostOpened; nth++) {
    const opened = read.found.flatMap((one) => (one.diagnostic.code === 'yaml/syntax' ? openPaths(chart, one) : []));
    if (opened.length === 0) break;
    const assumptions = [...read.file.made.assumptions, ...opened.map(asText)];
    const made = renderingsOf(chart, clusterFor(snapshot, chart.root)).withAssumptions(read.file.made, assumptions);
    if (!made || made.rendered.text === read.file.made.rendered.text) break;
    read = inMade(snapshot, madeFile(chart, made));
  }
  return read === first ? [] : [read];
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

/** Whether a file has the values of the chart, or of one in it. */
function isOwnValues(chart: ChartFolder, uri: string): boolean {
  return /^(?:charts\/[^/]+\/)*values\.yaml$/.test(chart.fileAt(uri)?.path ?? '');
}

/** The names of the charts in a chart that lead to a file. */
function chartsAround(chart: ChartFolder, uri: string): string[] {
  const parts = `/${chart.fileAt(uri)?.path ?? ''}`.split('/charts/').slice(1);
  return parts.map((part) => part.split('/')[0]!);
}

/** The value that a text in a template takes and that the chart's own file leaves empty, for whoever installs it to give. */
function openValue(chart: ChartFolder, { uri, diagnostic }: ChartFinding): string | undefined {
  const { code, range } = diagnostic;
  const text = chart.fileAt(uri)?.text;
  if (text === undefined || ruleOf(code)?.ofKey) return undefined;
  if (isOwnValues(chart, uri)) return emptyKey.exec(linesAround(text, { start: range.start, end: range.start }))?.[1];
  if (!uri.includes('/templates/')) return undefined;
  // `{{ .Values.name }}-pod` has the place of what is written there.
  const first = linesAround(text, { start: range.start, end: range.start });
  const line = `${first}${lineOfBlock(first, text.slice(range.start, range.start + longestBelow))}`;
  const named = valuesIn(line);
  // `{{ .Values.repository }}:{{ .Values.tag }}` is nothing but a colon.
  if (code.startsWith('yaml/') && !/\}\}:\s?\{\{|\bprintf "[^"]{0,60}:%s"/.test(line)) return undefined;
  const wanted = new Set(missingSteps(diagnostic));
  const missing = wanted.size === 0 ? [] : valuesCalled(text, wanted);
  const inVariables = Array.from(line.matchAll(/(\$\w{1,100})\.([\w.]{1,200})/g), ([, name, rest]) =>
    valueOfVariable(text, name!).map((path) => `${path}.${rest}`),
  );
  const inTexts = Array.from(line.matchAll(/\{\{-? ?(\$\w{1,100}) [|}]/g), ([, name]) => valuesOfText(text, name!));
  const isOpen = (path: string) => isOpenAround(chart, uri, path.split('.'));
  return (
    [...named, ...inVariables.flat(), ...inTexts.flat()].find(isOpen) ??
    missing.find((path) => isOpenAround(chart, uri, path.split('.'), isEmpty)) ??
    valuesOfHelpers(chart, line).find((path) => wanted.has(path.slice(path.lastIndexOf('.') + 1)) && isOpen(path)) ??
    openInDict(chart, text.slice(0, range.start), line) ??
    openInWith(chart, uri, text.slice(0, range.start), line) ??
    openInMap(chart, uri, text.slice(0, range.start), line, diagnostic) ??
    openInItems(chart, uri, text.slice(0, range.start), line) ??
    openListBelow(chart, uri, text.slice(range.start, range.start + longestBelow), line)
  );
}

/** `provider: {{ .provider }}` in what is rendered for each item of a list of values, which leaves that empty in all of them. */
function openInItems(chart: ChartFolder, uri: string, before: string, line: string): string | undefined {
  const actions = before.split('{{').slice(1);
  const path = actions.map(valuesRanged).findLast((one) => one !== undefined);
  const names = Array.from(line.matchAll(/[{( ]\.([a-z]\w{0,100})\b(?!\.)/gi), ([, name]) => name!);
  if (path === undefined || names.length === 0) return undefined;
  const name = names.find((one) => isOpenAround(chart, uri, path.split('.'), (items) => isOpenInAll(items, one)));
  return name === undefined ? undefined : `${path}[].${name}`;
}

/** `printf "%s:%s" .repo .tag` in a helper that gets `(dict "tag" .Values.image.tag)`, which the chart leaves empty. */
function openInDict(chart: ChartFolder, before: string, line: string): string | undefined {
  const helper = before.slice(before.lastIndexOf('define "') + 8).split('"')[0]!;
  if (!before.includes('define "')) return undefined;
  const names = new Set(Array.from(line.matchAll(/[{( ]\.([a-z]\w{0,100})\b(?!\.)/gi), ([, name]) => name!));
  const callers = names.size === 0 ? [] : chart.files.filter(({ text }) => text.includes(`include "${helper}"`));
  for (const { id, text } of callers) {
    for (const [, name, path] of text.matchAll(/"(\w{1,100})" \$?\.Values\.([\w.]{1,200})/g))
      if (names.has(name!) && isOpenAround(chart, id, path!.split('.'))) return path;
  }
  return undefined;
}

/** `bucket: {{ .bucket }}` in what is rendered with a map of values, which leaves that empty. */
function openInWith(chart: ChartFolder, uri: string, before: string, line: string): string | undefined {
  const path = mapOfWith(before);
  const names = Array.from(line.matchAll(/[{( ]\.([a-z]\w{0,100})\b(?!\.)/gi), ([, name]) => name!);
  return path && names.map((name) => `${path}.${name}`).find((one) => isOpenAround(chart, uri, one.split('.')));
}

/** The map of values for which what is below is rendered. */
function mapOfWith(before: string): string | undefined {
  const actions = before.split('{{').slice(1);
  return actions
    .map((one) => /^-? ?with \.Values\.([\w.]{1,200}) ?-?\}\}/.exec(one)?.[1])
    .findLast((one) => one !== undefined);
}

/** `{{ toYaml .Values.nfs }}`: a map of values as it is, in which a text is empty. */
function openInMap(
  chart: ChartFolder,
  uri: string,
  before: string,
  line: string,
  { about }: Diagnostic,
): string | undefined {
  const printed = /\btoYaml (?:\$?\.Values\.([\w.]{1,200})|\.) ?[|})]/.exec(line);
  const map = printed && (printed[1] ?? mapOfWith(before));
  const name = about?.path.at(-1);
  if (!map || typeof name !== 'string') return undefined;
  const isWritten = !isOpenAround(chart, uri, map.split('.'), (value) => !isMap(value) || value.get(name) !== '');
  return isWritten && isOpenAround(chart, uri, [...map.split('.'), name]) ? `${map}.${name}` : undefined;
}

function isOpenInAll(items: Value, name: string): boolean {
  const all = isList(items) ? items : isMap(items) ? [...items.values()] : [''];
  const isSaid = all.length === 0 || all.some((item) => isMap(item) && item.has(name));
  return isSaid && all.every((item) => isMap(item) && [undefined, null, ''].includes(item.get(name) as string));
}

/** A list of which nothing is written but what is rendered for each item of an empty list of values. */
function openListBelow(chart: ChartFolder, uri: string, below: string, line: string): string | undefined {
  if (!line.trimEnd().endsWith(':')) return undefined;
  const behind = below.split('\n').slice(1);
  const isSkipped = (one: string) => one === '' || one.startsWith('#') || /^\{\{-? ?\$\w{1,60} ?:=/.test(one);
  const next = behind.map((one) => one.trim()).find((one) => !isSkipped(one)) ?? '';
  const path = next.startsWith('{{') ? valuesRanged(next.slice(2)) : undefined;
  return path !== undefined && isOpenAround(chart, uri, path.split('.'), isEmpty) ? path : undefined;
}

/** What the action at the beginning of a text is for each of: `- range $i, $one := .Values.steps }}`. */
function valuesRanged(text: string): string | undefined {
  const end = text.indexOf('}}');
  const words = text
    .slice(0, Math.max(0, end))
    .split(/\s/)
    .filter((word) => word !== '' && word !== '-');
  const path = words[0] === 'range' ? /^\$?\.Values\.([\w.]{1,200})$/.exec(words.at(-1)!)?.[1] : undefined;
  return words.length === 2 || words.at(-2) === ':=' ? path : undefined;
}

/** How far below a key its list is looked for, in characters. */
const longestBelow = 2000;

/** A line of values that gives none, or a blank as base64, as charts have it in place of a certificate. */
const emptyKey = /^ *(\w[\w-]{0,100}): *(?:""|''|\[\]|\{\}|~|null|["']?(?:Cg==|Cgo=|DQo=|IA==)["']?) *(?:#.*)?\r?$/;

/** The values that helpers in a line read: `{{ include "shop.provider" . }}`, also below those that these begin with. */
function valuesOfHelpers(chart: ChartFolder, line: string): string[] {
  const names = Array.from(line.matchAll(/\b(?:include|template) "([\w.-]{1,100})"/g), ([, name]) => name!);
  const helpers = chart.files.filter(({ path }) => path.endsWith('.tpl'));
  const bodies = names.flatMap((name) =>
    helpers.flatMap(({ text }) => text.split(`define "${name}"`)[1]?.split('define "')[0] ?? []),
  );
  return bodies.flatMap((body) => {
    const values = valuesIn(body);
    const names = Array.from(body.matchAll(/[ (]\.([a-z]\w{0,100})(?![\w.])/g), ([, name]) => name!);
    return [...values, ...values.flatMap((path) => names.map((name) => `${path}.${name}`))];
  });
}

/** The line of a text in a block that is right below its key: `key: |-`. */
function lineOfBlock(line: string, behind: string): string {
  return /: *[|>][-+\d]* *$/.test(line) ? `\n${behind.split('\n')[1] ?? ''}` : '';
}

/** The values in a text that a template makes and keeps in a variable: `$name := printf "%s-%s" "a" .Values.step`. */
function valuesOfText(text: string, name: string): string[] {
  const said = text.indexOf(`${name} := printf `);
  return said === -1 ? [] : valuesIn(text.slice(said, said + 400).split(/\}\}|\n/)[0]!);
}

/** The value that a template keeps in a variable: `$ingress := .Values.ingress`. */
function valueOfVariable(text: string, name: string): string[] {
  const said = text.indexOf(`${name} := `);
  const path = said === -1 ? null : /^\$?\.Values\.([\w.]{1,200})/.exec(text.slice(said + name.length + 4, said + 400));
  return path ? [path[1]!] : [];
}

type IsNone = (value: Value) => boolean;

function isLeftOpen(chart: ChartFolder, home: string, path: readonly string[], isNone: IsNone): boolean {
  const file = chart.files.find((one) => one.path === `${home}${ownValues}`);
  if (!file) return true;
  const all = yamlOf(file).documents.map(({ document }) => valueAt(valueOf(document), path));
  return all.every((value) => value === undefined || value === null || value === '' || isNone(value));
}

/** Whether a chart leaves a value open that a template in it takes, and so do the charts around that one. */
function isOpenAround(chart: ChartFolder, uri: string, path: readonly string[], isNone: IsNone = () => false): boolean {
  const names = chartsAround(chart, uri);
  const homes = ['', ...names.map((_, i) => `charts/${names.slice(0, i + 1).join('/charts/')}/`)];
  const isOpen = homes.every((home, i) => isLeftOpen(chart, home, [...names.slice(i), ...path], isNone));
  // What is global has the same way in the values of each chart around it.
  return isOpen && (path[0] !== 'global' || homes.every((home) => isLeftOpen(chart, home, path, isNone)));
}

const isEmpty = (value: Value) => (isList(value) && value.length === 0) || (isMap(value) && value.size === 0);

/** The last two steps to each field that is missing: what leaves out one of them leaves out the field. */
function missingSteps({ code, message }: Diagnostic): string[] {
  if (!ruleOf(code)?.ofMissing) return [];
  const said = /^([\w.,[\] -]{1,1000}): Required value/.exec(message)?.[1]?.split(', ') ?? [];
  return said.flatMap((field) =>
    field
      .split('.')
      .slice(1)
      .slice(-2)
      .map((step) => step.replace(/\[.*/, '')),
  );
}

/** The values that a text takes. */
function valuesIn(text: string): string[] {
  return Array.from(text.matchAll(/\.Values\.([\w.]{1,200})/g), ([, path]) => path!);
}

/** Those whose last name is one of these. */
function valuesCalled(text: string, names: ReadonlySet<string>): string[] {
  return valuesIn(text).filter((path) => names.has(path.slice(path.lastIndexOf('.') + 1)));
}

/** As of a value that a template wants: it is for whoever installs the chart. */
function whereOpen(diagnostic: Diagnostic, path: string): Diagnostic {
  return {
    ...diagnostic,
    severity: 'information',
    message: `${diagnostic.message}\n(\`${path}\` is empty in values.yaml)`,
  };
}

/** Nobody makes several guesses together, or takes away what is there. */
function isTold(assumptions: readonly Assumption[]): boolean {
  const made = assumptions.filter((one) => one.kind === 'value');
  return made.filter(({ isGuess }) => isGuess).length <= 1 && !made.some(({ isTaken }) => isTaken);
}

/** Two values that do not go together are a mistake of whoever gives both. */
function isOfMadeUpPair({ diagnostic }: ChartFinding, assumptions: readonly Assumption[]): boolean {
  const isOfPair = ruleOf(diagnostic.code)?.ofPair === true && / when `/.test(diagnostic.message);
  return isOfPair && assumptions.filter((one) => one.kind === 'value').length > 1;
}

function hasGuess(assumptions: readonly Assumption[]): boolean {
  return assumptions.some((one) => one.kind === 'value' && one.isGuess);
}

/** What is wrong with the text of a template, its keys and versions, is so whatever a value is that nobody has given yet. */
function isOfText({ diagnostic: { code } }: ChartFinding): boolean {
  return code.startsWith('yaml/') || ruleOf(code)?.ofKey === true || ruleOf(code)?.ofVersion === true;
}

/** What is found in one template with fewer assumptions: many findings are shortened in the same way. */
class Remade {
  private readonly snapshot: Snapshot;
  private readonly chart: ChartFolder;
  private readonly known = new Map<ValueSet, Map<string, FoundInMade | undefined>>();

  constructor(snapshot: Snapshot, chart: ChartFolder) {
    this.snapshot = snapshot;
    this.chart = chart;
  }

  with({ file: { made } }: FoundInMade, assumptions: readonly Assumption[]): FoundInMade | undefined {
    const ofSet = this.known.get(made.set) ?? new Map<string, FoundInMade | undefined>();
    this.known.set(made.set, ofSet);
    const key = keyOfAll(assumptions);
    if (!ofSet.has(key)) ofSet.set(key, this.make(made, assumptions));
    return ofSet.get(key);
  }

  private make(made: MadeOfTemplate, assumptions: readonly Assumption[]): FoundInMade | undefined {
    const { snapshot, chart } = this;
    const remade = renderingsOf(chart, clusterFor(snapshot, chart.root)).withAssumptions(made, assumptions);
    return remade && inMade(snapshot, madeFile(chart, remade));
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
    if (first.file.made.assumptions.length === 0) return first;
    const { memory } = this.chart;
    const { uri, diagnostic } = first.found.find((one) => idOf(one) === this.id)!;
    // Where it is moves with each key.
    const key = [uri, diagnostic.code, diagnostic.about?.words ?? diagnostic.message].join('\0');
    const known = memory.fewestFor(key);
    const best = (known && this.with(first, known)) ?? this.search(first);
    memory.keepFewest(key, best.file.made.assumptions);
    return best;
  }

  private search(first: FoundInMade): FoundInMade {
    let best = first;
    for (let size = first.file.made.assumptions.length; size >= 1; size >>= 1) {
      for (let at = 0; at < best.file.made.assumptions.length; ) {
        const fewer = best.file.made.assumptions.filter((_, i) => i < at || i >= at + size);
        const found = this.with(best, fewer);
        if (found) best = found;
        else at += size;
      }
    }
    return best;
  }

  /** The same with other assumptions, if it is found with those. */
  private with(one: FoundInMade, assumptions: readonly Assumption[]): FoundInMade | undefined {
    const found = this.remade.with(one, assumptions);
    return found?.found.some((finding) => idOf(finding) === this.id) ? found : undefined;
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
  const missing = missingKeys(diagnostic);
  const templates = chart.files.filter(({ path }) => path.includes('templates/'));
  return missing.length === 0 || !templates.some(({ text }) => missing.some((key) => text.includes(`${key}:`)));
}

/** What `printf` makes of a value that nobody has given. */
const printedNothing = /%!\w\(<nil>\)/;

/** Whether a text fits with the name of another release than the one that is made up. */
function isTooLongByRelease({ message, place }: Diagnostic): boolean {
  const [, text] = /"([^"]{1,300})": must be no more than/.exec(message) ?? [];
  const [, most] = /(?:": |\[)must be no more than (\d{1,4}) (?:characters|bytes)/.exec(message) ?? [];
  const name = text ?? (place === undefined ? '' : nameIn(place));
  return most !== undefined && name.replace(madeUpRelease, 'a').length <= Number(most);
}

/** Whether it is about an empty text for which the chart's values have a key, for whoever turns the rest on. */
function isOfEmptyValue({ uri, diagnostic: { message, range } }: ChartFinding, chart: ChartFolder): boolean {
  if (!message.startsWith('Invalid value: "":')) return false;
  const text = chart.fileAt(uri)?.text ?? '';
  const end = text.indexOf('\n', range.start);
  const line = text.slice(range.start, end === -1 ? undefined : end);
  const actions = line.slice(Math.max(0, line.indexOf('{{')), Math.max(0, line.lastIndexOf('}}')));
  const read = new Set(Array.from(actions.matchAll(/\.(\w{1,200})(?![\w.])/g), ([, name]) => name));
  const field = /: [\w.[\]-]{1,400}\.(\w{1,100}) in body /.exec(message)?.[1];
  // A map of values is written as a whole.
  if (field !== undefined && actions.includes('toYaml')) read.add(field);
  const values = valuesAround(chart, uri).flatMap((one) => one.split('\n'));
  return values.some((one) => {
    const key = /^ *(\w{1,200}):/.exec(one);
    return key !== null && read.has(key[1]) && /^(?:""|''|#.*)?$/.test(one.slice(key[0].length).trim());
  });
}

/** The values of a chart, and of those in it around a file, which may be in another folder than the chart. */
function valuesAround(chart: ChartFolder, uri: string): string[] {
  const path = chart.fileAt(uri)?.path ?? '';
  const isAround = (file: ChartFile) => {
    const home = file.path.slice(0, -ownValues.length);
    return file.path.endsWith(ownValues) && (home === '' || home.endsWith('/')) && path.startsWith(home);
  };
  return chart.files.filter(isAround).map(({ text }) => text);
}

/** Whether nobody knows that it is ever so: a CRD may well be installed, but values and older clusters are made up. */
function isMadeUp(one: Assumption): boolean {
  return one.kind === 'value' || isOtherCluster(one);
}

function isOtherCluster(one: Assumption): boolean {
  if (one.kind === 'served') return !one.isServed || isKubernetesGroup(splitApiVersion(one.apiVersion).group);
  return one.kind === 'kubernetes';
}

/** The keys of which an object lacks at least one, as the message names them. */
function missingKeys({ code, message, about }: Diagnostic): string[] {
  const asked = /`([\w]+)` or `([\w]+)` must be specified/.exec(message);
  if (asked) return [asked[1]!, asked[2]!];
  const oneOf = message.indexOf('must specify one of: ');
  if (oneOf !== -1) return Array.from(message.slice(oneOf).matchAll(/`(\w+)`/g), ([, key]) => key!);
  if (!ruleOf(code)?.ofMissing) return [];
  const last = about?.path.findLast((step) => typeof step === 'string');
  const said = /^([\w.,[\] -]+): Required value/.exec(message)?.[1]?.split(', ') ?? [];
  const named = said.map((one) => one.slice(one.lastIndexOf('.') + 1));
  return [...named, ...(typeof last === 'string' ? [last] : [])];
}

function inMade(snapshot: Snapshot, file: MadeFile): FoundInMade {
  const { source, places } = file;
  const found = asNotes(diagnose(withOpen(snapshot, source), source.uri), source.uri).diagnostics.flatMap(
    (diagnostic): ChartFinding[] => {
      if (ruleOf(diagnostic.code)?.ofFiles) return [];
      const [first, ...others] = placesInChart(file, diagnostic);
      if (!first || first.how === 'unknown') return [];
      const related = [
        ...others.map(({ place }) => ({
          ...place,
          message: place.value ? `from \`${place.value.join('.')}\`` : 'printed here',
        })),
        ...diagnostic.related.flatMap((one) => relatedIn(one, source.uri, places)),
      ];
      const { uri, range } = first.place;
      const place = placeAt(source, diagnostic.range.start);
      const more = { ...(place !== undefined && { place }), message: withoutNumber(diagnostic) };
      return [{ uri, diagnostic: { ...diagnostic, ...more, range, related, key: { of: 'file' } } }];
    },
  );
  return { file, found: withoutConsequences(found) };
}

/** Which line of what is rendered it is tells nobody anything. */
function withoutNumber({ code, message }: Diagnostic): string {
  return ruleOf(code)?.numbered ? message.replace(/^line \d+: /, '') : message;
}

/** What is wrong with a map or a list is said at its key, but where all of it is one value, at that. */
export function placesInChart(
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

/** What holds only for values that nobody wrote is no more than a warning, and says which. */
function underValues(diagnostic: Diagnostic, { set, assumptions }: MadeOfTemplate): Diagnostic {
  const assumed = [...set.assumed, ...assumptions.map(assumptionText)];
  // What is said of a kind has nothing to do with values.
  if ((assumed.length === 0 && set.name === ownValues) || ruleOf(diagnostic.code)?.onceInFile) return diagnostic;
  const under = assumed.length > 0 ? `With ${assumed.join(', ')}` : withSet(set);
  const isMade = set.assumed.length > 0 || isPartlyKnown(set) || assumptions.some(isMadeUp);
  const severity = isMade && diagnostic.severity === 'error' ? 'warning' : diagnostic.severity;
  return { ...diagnostic, severity, message: `${diagnostic.message}\n(${under})` };
}

/** Helm reads templates that are only included as well, and renders nothing where it cannot. */
function ofBrokenHelpers(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const [first] = renderingsOf(chart, clusterFor(snapshot, chart.root)).all;
  if (!first) return [];
  const [set, frame] = first;
  const broken = [...frame.broken].filter(([name]) => !frame.names.includes(name));
  return broken.flatMap(([name, failure]) => ofFailure(snapshot, chart, { name, failure, set }));
}

/** What is said of a chart before anything of it is rendered. */
export function ofWholeChart(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  return [
    ...ofBrokenChart(snapshot, chart),
    ...ofOtherKubernetes(snapshot, chart),
    ...ofBrokenHelpers(snapshot, chart),
    ...ofMissingCharts(snapshot, chart),
    ...findingsOfSchemas(snapshot, chart),
    ...ofUnresolved(snapshot, chart),
  ];
}

/** Releases that get no values at all. */
function ofUnresolved(snapshot: Snapshot, { given }: ChartFolder): ChartFinding[] {
  return given.sets.flatMap((set) => {
    const place = set.use?.error === undefined ? undefined : placeOfUse(set, 'valuesFrom');
    return place ? ofCode(snapshot, 'chart/values-unresolved', place, set.use!.error!) : [];
  });
}

/** Why there is no chart, where its files cannot be read, or at the top of its Chart.yaml. */
function ofBrokenChart(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const { error, root } = chart;
  if (!error) return [];
  const uri = error.file?.startsWith(`${root}/`) && !error.file.includes('!/') ? error.file : `${root}/Chart.yaml`;
  const file = chart.fileAt(uri);
  const range = (file && unreadableIn(file)) ?? { start: 0, end: file?.text.search(/[\r\n]|$/) ?? 0 };
  return ofCode(snapshot, 'chart/broken', { uri, range }, error.message);
}

function unreadableIn(file: ChartFile): Range | undefined {
  const failed = yamlOf(file).documents.find(({ document }) => document.readerError !== undefined);
  const [problem] = failed?.document.problems ?? [];
  return failed && problem && movedRange(problem.range, failed.start);
}

/** Whether Helm installs the chart into the Kubernetes that is chosen, at its `kubeVersion`. */
function ofOtherKubernetes(snapshot: Snapshot, folder: ChartFolder): ChartFinding[] {
  const { chart, root } = folder;
  const file = folder.fileAt(`${root}/Chart.yaml`);
  if (chart instanceof ChartError || !file) return [];
  const wanted = chart.metadata.texts.get('kubeVersion') ?? '';
  const message = wantsOtherKubernetes(wanted, kubeVersionOf(clusterFor(snapshot, root)));
  const place = placeInFile(file, ['kubeVersion']);
  return message === undefined || !place ? [] : ofCode(snapshot, 'chart/kube-version', place, message);
}

/** The charts that a chart depends on and that are not here, each at its place in Chart.yaml. */
function ofMissingCharts(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const { missing, standIns } = chart.read;
  const unknown = mayTakeFromOthers(chart) ? missing : [];
  return [
    ...unknown.flatMap(({ name, version }) => {
      const message = `The chart ${name} ${version} is not in charts/, so what templates include of it is not known. Run \`helm dependency build\`.`;
      return ofCode(snapshot, 'chart/missing-dependency', placeOfDependency(chart, name), message);
    }),
    ...standIns.flatMap(({ of: { name, version: wanted }, version }) => {
      const message = `The chart ${name} ${wanted} is not in charts/. Templates are rendered with ${name} ${version} from the folder beside this one; Helm may take another version.`;
      return ofCode(snapshot, 'chart/stand-in', placeOfDependency(chart, name), message);
    }),
  ];
}

function placeOfDependency(chart: ChartFolder, name: string): ChartPlace {
  const uri = `${chart.root}/Chart.yaml`;
  const text = chart.fileAt(uri)?.text ?? '';
  const at = Math.max(0, text.indexOf(`name: ${name}`, text.indexOf('dependencies:')));
  return { uri, range: { start: at, end: at === 0 ? text.search(/[\r\n]|$/) : at + `name: ${name}`.length } };
}

/** Whether a template includes something that no file of the chart defines, or that nobody knows before it runs. */
function mayTakeFromOthers({ files }: ChartFolder): boolean {
  const texts = files.filter(({ path }) => path.includes('templates/')).map(({ text }) => text);
  const all = texts.join('\n');
  const defined = new Set(Array.from(all.matchAll(/\b(?:define|block)[ \t]+"([^"\n]*)"/g), ([, name]) => name));
  const calls = Array.from(all.matchAll(/\b(?:include|template)[ \t]+(?:"([^"\n]*)")?/g), ([, name]) => name);
  return calls.some((name) => name === undefined || !defined.has(name));
}

/** Helm's own error, where it was given. */
function ofFailure(snapshot: Snapshot, chart: ChartFolder, { failure, set }: FailedTemplate): ChartFinding[] {
  // With values that are made up, or not known, a chart may well not be rendered.
  if (set.assumed.length > 0 || isPartlyKnown(set)) return [];
  const place: ChartPlace | undefined = failure.places[0] && {
    uri: failure.places[0].file,
    range: { start: failure.places[0].start, end: failure.places[0].end },
  };
  if (!place) return [];
  // A chart may well want values that its own file of them leaves open; chart-testing takes no file that is called as that one.
  const isOwn = set.name === ownValues || set.name === `ci/${ownValues}`;
  const isOpen = isOwn && (failure.isWished || isLeftToGive(chart, failure));
  const code = failure.isBound ? 'chart/too-much' : isOpen ? 'chart/wants-values' : 'chart/not-rendered';
  const under = set.name === ownValues ? '' : `\n(${withSet(set)})`;
  const given = failure.isWished ? placeOfUse(set) : undefined;
  const related = given ? [{ ...place, message: 'the template wants it here' }] : [];
  return ofCode(snapshot, code, given ?? place, `${failure.message}${under}`, related);
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
