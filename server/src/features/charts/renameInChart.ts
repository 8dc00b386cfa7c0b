/** Another name for a value or a template, wherever a chart has it; refused where not every use can be seen. */
import { movedRange, type Range } from '../../base/text.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { rangeOf } from '../../yaml/place.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import type { FileEdits, Group, Refusal } from '../navigate/rename/places.ts';
import type { Renameable, Renaming } from '../navigate/rename/rename.ts';
import { actionAt, actionsOf } from './actions.ts';
import { definitionsOf, includesOf } from './definitions.ts';
import { templateAt } from './navigateChart.ts';
import { partsOf, rangeInValues, type Seen, templatesOf } from './seen.ts';
import { declarationsOf, startsWith, type Use, usesOf, usesOfValue, type ValuePath, valueAt } from './uses.ts';
import { lineOf } from './values.ts';

export function renameInChart(seen: Seen, offset: number): Renameable | Refusal | undefined {
  return renameValue(seen, offset) ?? renameTemplate(seen, offset);
}

function renameValue(seen: Seen, offset: number): Renameable | Refusal | undefined {
  const found = valueAt(seen, offset);
  const name = found?.path.at(-1);
  if (!found || name === undefined || name === '*') return undefined;
  const why = whyNot(seen.folder, found.path);
  return why ?? { range: found.range, name, to: (other) => renamed(seen.folder, found.path, other) };
}

const refuse = (refused: string): Refusal => ({ refused });

/** What reads the value without naming it, or is no file that can be changed. */
function whyNot(folder: ChartFolder, path: ValuePath): Refusal | undefined {
  const name = path.at(-1)!;
  const dotted = path.join('.');
  const whole = usesOf(folder).find(
    (use) => use.isWhole && use.path.length < path.length && startsWith(path, use.path),
  );
  if (whole)
    return refuse(
      `\`${shownPath(whole)}\` is used as a whole (${placeText(whole)}): who reads \`${name}\` in it cannot be seen.`,
    );
  const any = usesOfValue(folder, path).find(({ use }) => use.path[path.length - 1] === '*');
  if (any) return refuse(`The template goes through all keys beside \`${name}\` (${placeText(any.use)}).`);
  const said = folder.files.find((file) => isSaidIn(file, folder, dotted));
  if (said) return refuse(`${said.path} names \`.Values.${dotted}\` in a text that is rendered.`);
  const condition = conditionsOf(folder).find((one) => one === dotted);
  if (condition !== undefined) return refuse(`\`${dotted}\` is a condition of a dependency in Chart.yaml.`);
  if (partsOf(folder).some(({ keys }) => keys.length >= path.length && startsWith(keys, path)))
    return refuse(`\`${dotted}\` is the name of a chart in this one.`);
  const packed = [
    ...declarationsOf(folder, path).map(({ file }) => file),
    ...usesOfValue(folder, path).map(({ use }) => use.file),
  ];
  const given = givenIn(folder, path);
  if (given !== undefined) return refuse(`It is also in ${given}, which would have to change along.`);
  if (packed.some(({ id }) => id.includes('!/'))) return refuse('It is also in a chart that is packed in an archive.');
  return undefined;
}

/** Who gives the value when the chart is installed. */
function givenIn({ given }: ChartFolder, path: ValuePath): string | undefined {
  const inObject = given.sets.find(({ file, use }) => {
    return file && use?.below && rangeInValues({ file, path: [...use.below, ...path] });
  });
  const inFile = given.files.find((file) => !file.isObject && rangeInValues({ file, path }));
  return inObject?.name ?? inFile?.path;
}

function shownPath({ path }: Use): string {
  return ['.Values', ...path].join('.');
}

function placeText({ file, action }: Use): string {
  return `${file.path}:${lineOf(file, action.start)}`;
}

/** Values and other files may hold texts that `tpl` renders. */
function isSaidIn(file: ChartFile, folder: ChartFolder, dotted: string): boolean {
  if (templatesOf(folder).some(([, template]) => template.id === file.id) || file.path === 'README.md') return false;
  return file.text.includes('{{') && file.text.includes(`.Values.${dotted}`);
}

function conditionsOf(folder: ChartFolder): string[] {
  return partsOf(folder).flatMap(({ chart, keys }) =>
    chart.metadata.dependencies.flatMap(({ condition }) =>
      condition.split(',').map((one) => [...keys, one.trim()].join('.')),
    ),
  );
}

function renamed(folder: ChartFolder, path: ValuePath, name: string): Renaming | Refusal {
  const uses = usesOfValue(folder, path);
  const isWord = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name);
  if (!isWord && uses.length > 0) return refuse(`Templates cannot read \`${name}\` as \`.${name}\`.`);
  const beside = [...path.slice(0, -1), name];
  if (declarationsOf(folder, beside).length > 0 || usesOfValue(folder, beside).length > 0)
    return refuse(`There is a value \`${beside.join('.')}\` already.`);
  const edits: FileEdits[] = [
    ...declarationsOf(folder, path).map((place) =>
      edit(place.file, rangeInValues(place)!, quoteIfNeeded(name), 'values'),
    ),
    ...inSchemas(folder, path, name),
    ...uses.flatMap(({ use, range }) => (range ? [edit(use.file, range, name, 'templates')] : [])),
    ...inReadme(folder, path, name),
  ];
  return { edits: distinct(edits), elsewhere: [] };
}

function edit({ id, text }: ChartFile, range: Range, put: string, group: Group): FileEdits {
  return { file: { uri: id, text }, edits: [{ edit: { range, text: put }, group }] };
}

/** Edits by file, each place once: a range over several items reads the same key. */
function distinct(all: readonly FileEdits[]): FileEdits[] {
  const byFile = new Map<string, FileEdits>();
  for (const { file, edits } of all) {
    const known = byFile.get(file.uri)?.edits ?? [];
    const more = edits.filter(({ edit: { range } }) => !known.some((one) => one.edit.range.start === range.start));
    byFile.set(file.uri, { file, edits: [...known, ...more] });
  }
  return [...byFile.values()];
}

function inSchemas(folder: ChartFolder, path: ValuePath, name: string): FileEdits[] {
  return partsOf(folder).flatMap(({ chart: { schema }, keys }) => {
    if (!schema || schema.id.includes('!/') || !startsWith(path, keys)) return [];
    const own = path.slice(keys.length).flatMap((step) => (step === '*' ? ['items'] : ['properties', step]));
    return yamlOf(schema).documents.flatMap(({ document, start }) => {
      const key = rangeOf(document, own, 'key');
      const parent = [...own.slice(0, -2), 'required'];
      const list = Array.from({ length: mostRequired }, (_, i) => rangeOf(document, [...parent, i], 'value'));
      const quoted = [...(key ? [key] : []), ...list].flatMap((range) => {
        const isName = range && document.text.slice(range.start, range.end).replaceAll('"', '') === path.at(-1);
        return isName ? [movedRange(range, start)] : [];
      });
      return quoted.map((range) => edit(schema, range, JSON.stringify(name), 'values'));
    });
  });
}

/** How many required properties of an object are looked through. */
const mostRequired = 100;

/** Tables of values name them by their paths. */
function inReadme(folder: ChartFolder, path: ValuePath, name: string): FileEdits[] {
  const readme = folder.files.find((file) => file.path === 'README.md');
  const dotted = path.join('.');
  const found: FileEdits[] = [];
  if (!readme) return [];
  for (let at = readme.text.indexOf(dotted); at !== -1; at = readme.text.indexOf(dotted, at + 1)) {
    const end = at + dotted.length;
    const isCell = /(?:`|\| ?)$/.test(readme.text.slice(Math.max(0, at - 2), at));
    if (!isCell || !/^[ `|.[]/.test(readme.text.slice(end, end + 1))) continue;
    found.push(edit(readme, { start: end - path.at(-1)!.length, end }, name, 'documents'));
  }
  return found;
}

function renameTemplate(seen: Seen, offset: number): Renameable | Refusal | undefined {
  const { folder, file } = seen;
  const name = templateAt(seen, offset);
  const action = actionAt(actionsOf(file), offset);
  const token = action?.tokens.find(
    (one) => one.kind === 'string' && one.content.start <= offset && offset <= one.content.end,
  );
  if (name === undefined || token?.kind !== 'string') return undefined;
  const places = [
    ...definitionsOf(folder)
      .filter((one) => one.name === name)
      .map((one) => ({ uri: one.file.id, range: one.range })),
    ...includesOf(folder, name),
  ];
  if (places.some(({ uri }) => uri.includes('!/')))
    return refuse('It is also in a chart that is packed in an archive.');
  const to = (other: string): Renaming | Refusal => {
    if (/["\\\n`]/.test(other)) return refuse('A name of a template has no quotes in it.');
    if (definitionsOf(folder).some((one) => one.name === other))
      return refuse(`There is a template \`${other}\` already.`);
    const edits = places.map(({ uri, range }) => edit(folder.fileAt(uri)!, range, other, 'templates'));
    return { edits: distinct(edits), elsewhere: [] };
  };
  return { range: token.content, name, to };
}
