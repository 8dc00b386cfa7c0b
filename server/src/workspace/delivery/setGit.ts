/** What git generators of ApplicationSets find in the repository at hand. */
import { append } from '../../base/append.ts';
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { gitPattern, goPattern } from '../../gostd/patterns.ts';
import { parseStream } from '../../yaml/parse.ts';
import { readableValue } from '../../yaml/value.ts';
import { isInside } from '../uri.ts';
import { repositoryOf } from './index.ts';
import type { SetAt } from './setAt.ts';
import { type PathRow, pathRows } from './setFiles.ts';
import { sanitizedName } from './setFunctions.ts';
import { flattened, type Parameters, templated } from './setTemplates.ts';
import { isPinned, isThisAddress } from './sources.ts';

/** The sets of parameters that a git generator gives; undefined where those are not known here. */
export function gitParameters(set: SetAt, of: ValueMap): readonly Parameters[] | undefined {
  const { delivery, one } = set;
  const folder = repositoryOf(delivery, one.uri)?.folder;
  const url = of.get('repoURL');
  const isHere = set.isRead && folder !== undefined && delivery.disk.setFiles.repositories.has(folder);
  const revision = of.get('revision');
  if (
    !isHere ||
    isPinned(isString(revision) ? revision : '') ||
    !isThisAddress(delivery, one, isString(url) ? url : '')
  )
    return undefined;
  const rows = (key: string) => pathRows(of.get(key));
  const values = of.get('values');
  if (Math.max(rows('directories').length, rows('files').length, isMap(values) ? values.size : 0) > mostRows)
    return undefined;
  if (rows('directories').length > 0) return directoriesOf(set, of, folder, rows('directories'));
  return rows('files').length > 0 ? filesOf(set, of, folder, rows('files')) : undefined;
}

/** Patterns of one generator, and values of its own. */
const mostRows = 300;

/** Paths that some row wants and no row excludes. */
function wanted(
  paths: readonly string[],
  rows: readonly PathRow[],
  pattern: (path: string) => (path: string) => boolean,
): readonly string[] {
  const tests = rows.map(({ path, excludes }) => ({ fits: pattern(path), excludes }));
  return paths.filter((path) => {
    const fitting = tests.filter(({ fits }) => fits(path));
    return fitting.length > 0 && !fitting.some(({ excludes }) => excludes);
  });
}

function directoriesOf(set: SetAt, of: ValueMap, folder: string, rows: readonly PathRow[]) {
  const { folders } = set.delivery.disk.setFiles;
  const paths = folders.filter((uri) => isInside(uri, folder)).map((uri) => uri.slice(folder.length + 1));
  const all = wanted(paths, rows, goPattern).map((path) => withPath(set, of, new Map(), { path }));
  return all.every((one) => one !== undefined) ? all : undefined;
}

function filesOf(set: SetAt, of: ValueMap, folder: string, rows: readonly PathRow[]) {
  const { texts } = set.delivery;
  const paths = [...texts.keys()].filter((uri) => isInside(uri, folder)).map((uri) => uri.slice(folder.length + 1));
  const all: Parameters[] = [];
  for (const file of [...wanted(paths, rows, gitPattern)].sort(compareStrings)) {
    const objects = objectsIn(texts.get(`${folder}/${file}`)!);
    const made = objects?.map((one) => {
      const own = set.isGo ? one : flattened(one);
      const at = file.lastIndexOf('/');
      return withPath(set, of, own, { path: at === -1 ? '.' : file.slice(0, at), filename: file.slice(at + 1) });
    });
    // Argo CD makes nothing where one of the files cannot be read.
    if (!made?.every((one) => one !== undefined)) return undefined;
    append(all, made);
  }
  return all;
}

/** The first document of a file: an object, or a list of such. */
function objectsIn(text: string): readonly ValueMap[] | undefined {
  const value = firstValue(text);
  if (value === null) return [new Map()];
  if (isMap(value)) return [value];
  return isList(value) && value.every(isMap) ? (value as readonly ValueMap[]) : undefined;
}

/** What the first document of a text says, null where there is none; undefined where it cannot be read. */
export function firstValue(text: string): Value | undefined {
  const document = parseStream(text).documents[0]?.document;
  if (!document) return null;
  return readableValue(document);
}

interface FoundAt {
  readonly path: string;
  readonly filename?: string;
}

function withPath(set: SetAt, of: ValueMap, own: ValueMap, { path, filename }: FoundAt): Parameters | undefined {
  const basename = path.slice(path.lastIndexOf('/') + 1);
  const names: [string, string][] = [
    ['basename', basename],
    ['basenameNormalized', sanitizedName(basename)],
    ...(filename === undefined
      ? []
      : ([
          ['filename', filename],
          ['filenameNormalized', sanitizedName(filename)],
        ] as [string, string][])),
  ];
  const prefix = of.get('pathParamPrefix');
  const all = new Map(own);
  if (set.isGo) {
    const about = new Map<string, Value>([['path', path], ...names, ['segments', path.split('/')]]);
    if (isString(prefix) && prefix !== '') all.set(prefix, new Map([['path', about]]));
    else all.set('path', about);
  } else {
    const name = isString(prefix) && prefix !== '' ? `${prefix}.path` : 'path';
    all.set(name, path);
    for (const [key, text] of names) all.set(`${name}.${key}`, text);
    for (const [i, segment] of path.split('/').entries()) if (segment !== '') all.set(`${name}[${i}]`, segment);
  }
  return withValues(set, of.get('values'), all);
}

/** Texts of the generator itself, in which the parameters can be named. */
function withValues({ isGo, isStrict }: SetAt, values: Value | undefined, own: ValueMap): Parameters | undefined {
  if (!isMap(values) || values.size === 0) return own;
  const made = templated(values, own, { isGo, isStrict });
  if (!isMap(made)) return undefined;
  if (isGo) return new Map(own).set('values', made);
  return new Map([...own, ...Array.from(made, ([key, text]): [string, Value] => [`values.${key}`, text])]);
}
