import { lineStartBefore, linesAround } from '../../base/text.ts';
import { isList, isMap, type Value, valueAt } from '../../base/value.ts';
import { type ChartFile, valuesAt } from '../../helm/chart.ts';
import { type Diagnostic, fieldsMissing } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { refusedFirst } from '../../rules/model/says.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';
import { saysNotGiven } from '../../workspace/notGiven.ts';
import type { ChartFinding } from './finding.ts';

// What is wrong only because the chart's own values leave something empty, told by the text of the template around it.

/** Whether a file has the values of the chart, or of one in it. */
function isOwnValues(chart: ChartFolder, uri: string): boolean {
  return /^(?:charts\/[^/]+\/)*values\.yaml$/.test(chart.fileAt(uri)?.path ?? '');
}

/** The names of the charts in a chart that lead to a file. */
export function chartsAround(chart: ChartFolder, uri: string): string[] {
  const parts = `/${chart.fileAt(uri)?.path ?? ''}`.split('/charts/').slice(1);
  return parts.map((part) => part.split('/')[0]!);
}

/** Where a chart is, and each of those in it that lead on from there by their names. */
function homesOf(names: readonly string[]): string[] {
  return ['', ...names.map((_, i) => `charts/${names.slice(0, i + 1).join('/charts/')}/`)];
}

function valuesFile(chart: ChartFolder, home: string): ChartFile | undefined {
  return chart.files.find(({ path }) => path === `${home}${ownValues}`);
}

/** The value that a text in a template takes and that the chart's own file leaves empty, for whoever installs it to give. */
export function openValue(chart: ChartFolder, { uri, diagnostic }: ChartFinding): string | undefined {
  const { code, range } = diagnostic;
  const text = chart.fileAt(uri)?.text;
  if (text === undefined || ruleOf(code)?.ofKey) return undefined;
  if (isOwnValues(chart, uri)) return keyLeftEmpty(text, range.start);
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
  const inTexts = Array.from(line.matchAll(/(?:\{\{-? ?|\.Files\.Get )(\$\w{1,100})[) |}]/g), ([, name]) => [
    ...valuesOfText(text, name!),
    ...valuesAssigned(text, name!, refusedFirst(diagnostic.says) ?? ''),
  ]);
  // Without `nameOverride` there is another name.
  const isOpen = (path: string) => !path.endsWith('verride') && isOpenAround(chart, uri, path.split('.'));
  return (
    [...named, ...inVariables.flat(), ...inTexts.flat()].find(isOpen) ??
    missing.find((path) => isOpenAround(chart, uri, path.split('.'), isEmpty)) ??
    valuesOfHelpers(chart, line).find((path) => wanted.has(path.slice(path.lastIndexOf('.') + 1)) && isOpen(path)) ??
    openInDict(chart, text.slice(0, range.start), namesRead(line)) ??
    openInWith(chart, uri, text.slice(0, range.start), line) ??
    openInMap(chart, uri, text.slice(0, range.start), line, diagnostic) ??
    openInItems(chart, uri, text.slice(0, range.start), line) ??
    openInRange(chart, uri, text.slice(0, range.start), line) ??
    openOfItem(chart, uri, text, diagnostic) ??
    openListBelow(chart, uri, text.slice(range.start, range.start + longestBelow), line) ??
    openListNamed(chart, uri, text.slice(range.start, range.start + longestBelow), diagnostic) ??
    keysLeftOut(documentAround(text, range.start), diagnostic).find(isOpen) ??
    (printsNothing.test(refusedFirst(diagnostic.says) ?? '') ? valuesIn(text).find(isOpen) : undefined) ??
    (isCutShort.test(refusedFirst(diagnostic.says) ?? '') ? valuesOfHelpers(chart, line).find(isOpen) : undefined)
  );
}

/** `"shop-migrate-"`: a name with nothing where a helper has a value. */
const isCutShort = /^"(?:[-.][^"]|[^"]{1,300}[-.]")/;

/** `print` and `printf` of what nobody gives. */
const printsNothing = /^"[^"<]{0,300}<nil>/;

/** `provider: {{ .provider }}` in what is rendered for each item of a list of values, which leaves that empty in all of them. */
function openInItems(chart: ChartFolder, uri: string, before: string, line: string): string | undefined {
  const actions = before.split('{{').slice(1);
  const path = actions.map(valuesRanged).findLast((one) => one !== undefined);
  const names = namesRead(line);
  if (path === undefined || names.length === 0) return undefined;
  const name = names.find((one) => isOpenAround(chart, uri, path.split('.'), (items) => isOpenInAll(items, [one])));
  return name === undefined ? undefined : `${path}[].${name}`;
}

/**
 * `printf "%s:%s" .repo .tag` in a helper that gets `(dict "tag" .Values.image.tag)`, which the chart leaves empty, also where another
 * helper hands that on.
 */
function openInDict(
  chart: ChartFolder,
  before: string,
  read: readonly string[],
  most = mostHandedOn,
): string | undefined {
  const helper = before.slice(before.lastIndexOf('define "') + 8).split('"')[0]!;
  if (!before.includes('define "') || read.length === 0) return undefined;
  const names = new Set(read);
  const callers = chart.files.filter(({ text }) => text.includes(`include "${helper}"`));
  for (const { id, text } of callers) {
    for (const [, name, path] of text.matchAll(/"(\w{1,100})" \$?\.Values\.([\w.]{1,200})/g))
      if (names.has(name!) && isOpenAround(chart, id, path!.split('.'))) return path;
  }
  if (most === 0) return undefined;
  const handing = callers.flatMap(({ text }) => text.split(`include "${helper}" . `).slice(0, -1));
  for (const one of handing) {
    const found = openInDict(chart, one, read, most - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Helpers that each give what they get to the next one. */
const mostHandedOn = 2;

/** `bucket: {{ .bucket }}` in what is rendered with a map of values, which leaves that empty. */
function openInWith(chart: ChartFolder, uri: string, before: string, line: string): string | undefined {
  const path = mapOfWith(before);
  const names = namesRead(line);
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

/**
 * `{{ $dir.size }}` in what is rendered for each item of a list, `range $dir := $volume.dirs`, of which none has that; a comment may
 * show it of an item of another type.
 */
function openInRange(chart: ChartFolder, uri: string, before: string, line: string): string | undefined {
  return openInRangeOf(chart, uri, before, line, /\$(\w{1,100})\.([\w.]{1,200})/g);
}

function openInRangeOf(
  chart: ChartFolder,
  uri: string,
  before: string,
  line: string,
  read: RegExp,
): string | undefined {
  for (const [, variable, way] of line.matchAll(read)) {
    const steps = way!.split('.');
    const isNone = (items: Value) => isOpenInAll(items, steps, steps.length === 1 && isInComment(chart, way!));
    const path = listsOf(before, variable!).find((one) => isOpenAround(chart, uri, one.split('.'), isNone));
    if (path !== undefined) return `${path}[].${way}`;
  }
  return undefined;
}

/** `host: {{ $node.login.host }}` below what lacks the host, for each item of a list, where all that is missing is left empty so. */
function openOfItem(chart: ChartFolder, uri: string, text: string, diagnostic: Diagnostic): string | undefined {
  if (!ruleOf(diagnostic.code)?.ofMissing) return undefined;
  const before = text.slice(0, diagnostic.range.start);
  const below = text.slice(diagnostic.range.start, diagnostic.range.start + longestBelow).split('\n');
  const open = fieldsMissing(diagnostic).map((field) => {
    const key = `${field.slice(field.lastIndexOf('.') + 1)}:`;
    const line = below.find((one) => one.trimStart().startsWith(key)) ?? '';
    return openInRangeOf(chart, uri, before, line, onlyVariable);
  });
  return open.includes(undefined) ? undefined : open[0];
}

/** All that is behind a key. */
const onlyVariable = /: *"?\{\{-? ?\$(\w{1,100})\.([\w.]{1,200}) ?-?\}\}"?\s*$/g;

/** The lists of values whose items a variable may be, also where another variable has the map that they are in. */
function listsOf(before: string, variable: string): string[] {
  const actions = before.split('{{').slice(1);
  const ends = actions.flatMap((one) => {
    const words = one.split('}}')[0]!.split(/[\s,]+/);
    const at = words.indexOf(`$${variable}`);
    return at > 0 && words.includes('range') && words[at + 1] === ':=' ? [words[at + 2] ?? ''] : [];
  });
  const [, map, rest] = /^\$?(\w{0,100})\.([\w.]{1,200})$/.exec(ends.at(-1) ?? '') ?? [];
  if (map === undefined) return [];
  if (map === '') return rest!.startsWith('Values.') ? [rest!.slice('Values.'.length)] : [];
  const given = actions.findLast((one) => one.includes(`$${map} := `) && !one.includes('range '));
  return given === undefined ? [] : valuesIn(given.split('}}')[0]!).map((path) => `${path}.${rest}`);
}

/** Whether the values of a chart show a key in a comment. */
function isInComment(chart: ChartFolder, name: string): boolean {
  const lines = valuesFile(chart, '')?.text.split('\n') ?? [];
  return lines.some((one) => {
    const comment = one.trimStart();
    return comment.startsWith('#') && comment.replace(/^[# -]+/, '').startsWith(`${name}:`);
  });
}

function isOpenInAll(items: Value, way: readonly string[], isShown = false): boolean {
  const all = isList(items) ? items : isMap(items) ? [...items.values()] : [''];
  const isThere = (item: Value) => {
    const around = valueAt(item, way.slice(0, -1));
    return isMap(around) && around.has(way.at(-1)!);
  };
  const isSaid = isShown || all.length === 0 || all.some(isThere);
  return isSaid && all.every((item) => isMap(item) && [undefined, null, ''].includes(valueAt(item, way) as string));
}

/** A list of which nothing is written but what is rendered for each item of an empty list of values. */
function openListBelow(chart: ChartFolder, uri: string, below: string, line: string): string | undefined {
  if (!line.trimEnd().endsWith(':')) return undefined;
  const behind = below.split('\n').slice(1);
  const isSkipped = (one: string) => one === '' || one.startsWith('#') || /^\{\{-? ?\$\w{1,60} ?:=/.test(one);
  const next = behind.map((one) => one.trim()).find((one) => !isSkipped(one)) ?? '';
  // Where an item is asked for a value that is empty, so is what the others are asked for, or there would be one.
  const path = next.startsWith('{{') ? (valuesRanged(next.slice(2)) ?? asked.exec(next)?.[1]) : undefined;
  return path !== undefined && isOpenAround(chart, uri, path.split('.'), isEmpty) ? path : undefined;
}

const asked = /^\{\{-? ?if \$?\.Values\.([\w.]{1,200}) ?-?\}\}/;

/** The same of a list further down that a finding names: either `defaultBackend` or `rules` must be specified. */
function openListNamed(chart: ChartFolder, uri: string, below: string, { message }: Diagnostic): string | undefined {
  if (!message.includes('must be specified')) return undefined;
  const named = new Set(Array.from(message.matchAll(/`(\w{1,60})`/g), ([, name]) => `${name}:`));
  const lines = below.split('\n');
  const at = lines.findIndex((one) => named.has(one.trim()));
  return at === -1 ? undefined : openListBelow(chart, uri, lines.slice(at).join('\n'), lines[at]!);
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

/** The key of a line of values that gives none, also with nothing below it, or a text in which there are comments alone. */
function keyLeftEmpty(text: string, at: number): string | undefined {
  const line = linesAround(text, { start: at, end: at });
  if (/^ *(?:\{\}|\[\])\r?$/.test(line)) return keyAbove(text, at);
  const known = emptyKey.exec(line)?.[1];
  const [, key] = /^ *(\w[\w-]{0,100}):(?: {1,20}[|>][-+]?)?$/.exec(line.split(' #')[0]!.trimEnd()) ?? [];
  if (known !== undefined || key === undefined) return known;
  const indent = line.search(/[^ ]/);
  const behind = text
    .slice(at, at + longestBelow)
    .split('\n')
    .slice(1);
  const written = behind.find((one) => !/^\s*(?:#.*)?$/.test(one));
  if (written === undefined) return key;
  const within = written.search(/[^ ]/);
  return within < indent || (within === indent && !/^ *- /.test(written)) ? key : undefined;
}

/** `volumes:`, and `{}` or `[]` in the line below. */
function keyAbove(text: string, at: number): string | undefined {
  const end = lineStartBefore(text, at) - 1;
  return end < 0 ? undefined : /^ *(\w[\w-]{0,100}):\s*$/.exec(linesAround(text, { start: end, end }))?.[1];
}

/** The document of a template that a place is in. */
function documentAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n---', at) + 1;
  const end = text.indexOf('\n---', at);
  return text.slice(start, end === -1 ? undefined : end);
}

/** The values for which a template prints a key that an object lacks: `{{ if .Values.cert }}`, and `tls.crt: {{ .Values.cert }}` below. */
function keysLeftOut(text: string, { code, says }: Diagnostic): string[] {
  const key = ruleOf(code)?.ofMissing ? /\[([\w.-]{1,100})\]$/.exec(says.error?.field ?? '')?.[1] : undefined;
  if (key === undefined) return [];
  return text.split('\n').flatMap((line) => (line.trimStart().startsWith(`${key}:`) ? valuesIn(line) : []));
}

/** What the helpers that a line names are. */
function bodiesOfHelpers(chart: ChartFolder, line: string): string[] {
  const names = Array.from(line.matchAll(/\b(?:include|template) "([\w.-]{1,100})"/g), ([, name]) => name!);
  const helpers = chart.files.filter(({ path }) => path.endsWith('.tpl'));
  return names.flatMap((name) =>
    helpers.flatMap(({ text }) => text.split(`define "${name}"`)[1]?.split('define "')[0] ?? []),
  );
}

/** The values that helpers in a line read: `{{ include "shop.provider" . }}`, also below those that these begin with. */
function valuesOfHelpers(chart: ChartFolder, line: string): string[] {
  return bodiesOfHelpers(chart, line).flatMap((body) => {
    const values = valuesIn(body);
    const names = Array.from(body.matchAll(/[ (]\.([a-z]\w{0,100})(?![\w.])/g), ([, name]) => name!);
    return [...values, ...values.flatMap((path) => names.map((name) => `${path}.${name}`))];
  });
}

/** The values that helpers in a line print and nothing else, be it as templates: `{{ tpl .Values.secret . }}`. */
function valuesPrinted(chart: ChartFolder, line: string): string[] {
  return bodiesOfHelpers(chart, line).flatMap((body) =>
    Array.from(
      body.matchAll(/\{\{-? ?(?:tpl )?\(?\$?\.Values\.([\w.]{1,200})\)?(?: [$.])? ?-?\}\}/g),
      ([, path]) => path!,
    ),
  );
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

/**
 * The values that a variable gets in one branch or another: `$name = .Values.secret`. None where the text that it gets in another one is
 * what is refused.
 */
function valuesAssigned(text: string, name: string, refused: string): string[] {
  const given = [':=', '='].flatMap((sign) => text.split(`${name} ${sign} `).slice(1));
  const written = given.flatMap((behind) => /^"([^"]{1,300})"/.exec(behind.slice(0, 302))?.[1] ?? []);
  if (written.some((one) => refused.includes(one))) return [];
  return given.flatMap((one) => /^\$?\.Values\.([\w.]{1,200}) {0,4}-?\}\}/.exec(one.slice(0, 300))?.[1] ?? []);
}

/** The value that a template keeps in a variable: `$ingress := .Values.ingress`. */
function valueOfVariable(text: string, name: string): string[] {
  const said = text.indexOf(`${name} := `);
  const path = said === -1 ? null : /^\$?\.Values\.([\w.]{1,200})/.exec(text.slice(said + name.length + 4, said + 400));
  return path ? [path[1]!] : [];
}

type IsNone = (value: Value) => boolean;

function isLeftOpen(chart: ChartFolder, home: string, path: readonly string[], isNone: IsNone): boolean {
  return valuesAt(valuesFile(chart, home), path).every(
    (value) => value === undefined || value === null || value === '' || saysReplace(value) || isNone(value),
  );
}

/** `override_me`: a text that says it is none. */
function saysReplace(value: Value | undefined): boolean {
  return typeof value === 'string' && saysNotGiven(value);
}

/** Whether the values of a chart, or of one in it around a file, have a text that says so. */
export function isToReplace(chart: ChartFolder, uri: string, path: readonly string[]): boolean {
  const names = chartsAround(chart, uri);
  return homesOf(names).some((home, i) =>
    valuesAt(valuesFile(chart, home), [...names.slice(i), ...path]).some(saysReplace),
  );
}

/** Whether a chart leaves a value open that a template in it takes, and so do the charts around that one. */
function isOpenAround(chart: ChartFolder, uri: string, path: readonly string[], isNone: IsNone = () => false): boolean {
  const names = chartsAround(chart, uri);
  const homes = homesOf(names);
  const isOpen = homes.every((home, i) => isLeftOpen(chart, home, [...names.slice(i), ...path], isNone));
  // What is global has the same way in the values of each chart around it.
  return isOpen && (path[0] !== 'global' || homes.every((home) => isLeftOpen(chart, home, path, isNone)));
}

const isEmpty = (value: Value) => (isList(value) && value.length === 0) || (isMap(value) && value.size === 0);

/** The last two steps to each field that is missing: what leaves out one of them leaves out the field. */
function missingSteps(diagnostic: Diagnostic): string[] {
  if (!ruleOf(diagnostic.code)?.ofMissing) return [];
  return fieldsMissing(diagnostic).flatMap((field) =>
    field
      .split('.')
      .slice(1)
      .slice(-2)
      .map((step) => step.replace(/\[.*/, '')),
  );
}

/** The names that a line reads of whatever is at hand there: `.bucket`. */
function namesRead(line: string): string[] {
  return Array.from(line.matchAll(/[{( ]\.([a-z]\w{0,100})\b(?!\.)/gi), ([, name]) => name!);
}

/** The values that a text takes. */
function valuesIn(text: string): string[] {
  return Array.from(text.matchAll(/\.Values\.([\w.]{1,200})/g), ([, path]) => path!);
}

/** Those whose last name is one of these. */
function valuesCalled(text: string, names: ReadonlySet<string>): string[] {
  return valuesIn(text).filter((path) => names.has(path.slice(path.lastIndexOf('.') + 1)));
}

/** Whether it is about an empty text for which the chart's values have a key, for whoever turns the rest on. */
export function isOfEmptyValue({ uri, diagnostic: { range, says } }: ChartFinding, chart: ChartFolder): boolean {
  if (refusedFirst(says) !== '""' || says.error?.detail === undefined) return false;
  const text = chart.fileAt(uri)?.text ?? '';
  const end = text.indexOf('\n', range.start);
  const line = text.slice(range.start, end === -1 ? undefined : end);
  const actions = line.slice(Math.max(0, line.indexOf('{{')), Math.max(0, line.lastIndexOf('}}')));
  const read = new Set(Array.from(actions.matchAll(/\.(\w{1,200})(?![\w.])/g), ([, name]) => name));
  const field = /^[\w.[\]-]{1,400}\.(\w{1,100}) in body /.exec(says.error.detail)?.[1];
  // A map of values is written as a whole.
  if (field !== undefined && actions.includes('toYaml')) read.add(field);
  if (valuesPrinted(chart, actions).some((path) => isOpenAround(chart, uri, path.split('.')))) return true;
  const values = valuesAround(chart, uri).flatMap((one) => one.split('\n'));
  return values.some((one) => {
    const key = /^ *(\w{1,200}):/.exec(one);
    return key !== null && read.has(key[1]) && /^(?:""|''|#.*)?$/.test(one.slice(key[0].length).trim());
  });
}

/** The values of a chart, and of those in it around a file, which may be in another folder than the chart. */
function valuesAround(chart: ChartFolder, uri: string): string[] {
  return homesOf(chartsAround(chart, uri)).flatMap((home) => valuesFile(chart, home)?.text ?? []);
}
