import { grouped } from '../base/text.ts';
import { isList, isMap, type Path, type Value, type ValueMap } from '../base/value.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { valueOf } from '../yaml/value.ts';
import { configName } from './fileNames.ts';
import type { Files } from './files.ts';
import { isNamedBy } from './glob.ts';
import { defaultLimits } from './limits.ts';
import { isTooDeep } from './manifest.ts';
import type { Mistake } from './mistake.ts';
import { textOf } from './scan.ts';
import { isSetting, type Json, readSetting, type Setting, type Settings, type SettingsTable } from './settings.ts';
import { sourceFile } from './sourceFile.ts';
import { baseName, folderOf, withFolders } from './uri.ts';

// `.kube-crd.yaml`: settings that belong to a repository, for the editor and the command line alike.

export function isConfig(uri: string): boolean {
  return baseName(uri) === configName;
}

/** What a config says of the files below its folder. */
export interface Config {
  readonly uri: string;
  readonly folder: string;
  /** Each holds above those before it. */
  readonly layers: readonly Layer[];
  /** The paths that it names as CRDs and that lead to nothing, with what is said of each. */
  readonly nowhere?: ReadonlyMap<string, string>;
}

export interface Layer {
  readonly chosen: Partial<Settings>;
  /** Globs of the files that it is for, with the config's folder as root; absent where it is for all. */
  readonly files?: readonly string[];
  /** Where in the config it is. */
  readonly path: Path;
}

/** What holds for a file: what is said for all files below the folder, and what the overrides say that name it. */
export function layersFor({ folder, layers }: Config, uri: string): readonly Layer[] {
  const inFolder = uri.slice(folder.length);
  return layers.filter(({ files }) => files === undefined || isNamedBy(files, inFolder));
}

interface ReadOptions {
  readonly table: SettingsTable;
  /** Whether everything may be set, or only what harms nobody. */
  readonly trusted: boolean;
}

export function readConfig(uri: string, document: YamlDocument, { table, trusted }: ReadOptions) {
  const mistakes: Mistake[] = [];
  const found: Layer[] = [];
  const reading = { document, table, trusted, mistakes, globs: { left: mostGlobCharacters } };
  const isDeep = isTooDeep(document);
  const root = isDeep ? null : (valueOf(document) ?? null);
  if (isDeep)
    mistakes.push({ ...wrong([], `nested more than ${defaultLimits.levels} levels deep, not read`), leftOut });
  if (isMap(root)) {
    found.push({ chosen: chosenIn(reading, root, []), path: [] });
    const overrides = root.get(overridesKey) ?? null;
    if (isList(overrides)) {
      for (const [i, one] of overrides.entries()) readOverride(reading, one, [overridesKey, i], found);
    } else if (overrides !== null)
      mistakes.push(wrong([overridesKey], 'expected a list of `files` with their settings'));
  } else if (root !== null) mistakes.push(wrong([], 'expected settings by their names, such as `kubernetesVersion`'));
  const config: Config = { uri, folder: folderOf(uri), layers: found };
  return { config, mistakes };
}

const leftOut = true;

/** How many characters the globs of a config may have together: each is tried on each file. */
const mostGlobCharacters = 20_000;

const overridesKey = 'overrides';
const filesKey = 'files';

interface Reading extends ReadOptions {
  readonly document: YamlDocument;
  readonly globs: { left: number };
  readonly mistakes: Mistake[];
}

function wrong(path: Path, message: string): Mistake {
  return { path, message, part: 'value', known: [] };
}

function readOverride(reading: Reading, override: Value, path: Path, found: Layer[]): void {
  const files = isMap(override) ? override.get(filesKey) : undefined;
  if (!isMap(override)) reading.mistakes.push(wrong(path, 'expected `files` and their settings'));
  else if (!isList(files) || !files.every((one) => typeof one === 'string')) {
    const at = files === undefined ? path : [...path, filesKey];
    reading.mistakes.push(wrong(at, 'expected `files` to be a list of globs, such as `[legacy/**]`'));
  } else if (hasRoomFor(reading, files as readonly string[], [...path, filesKey]))
    found.push({ chosen: chosenIn(reading, override, path), files: files.map(anchored), path });
}

/** Whether globs are not too long, all together. */
function hasRoomFor({ globs, mistakes }: Reading, list: readonly string[], path: Path): boolean {
  const before = globs.left;
  globs.left -= list.reduce((sum, glob) => sum + glob.length, 0);
  if (globs.left >= 0) return true;
  // Said once: there may be thousands of them.
  if (before < 0) return false;
  const most = grouped(mostGlobCharacters);
  mistakes.push({
    ...wrong(path, `the globs from here on are left out: they have more than ${most} characters together`),
    leftOut,
  });
  return false;
}

/** A glob with a slash begins at the config's folder; one without fits a name anywhere. */
function anchored(glob: string): string {
  return glob.replace(/\/$/, '').includes('/') ? `/${glob.replace(/^\.?\//, '')}` : glob;
}

function chosenIn(reading: Reading, map: ValueMap, path: Path): Partial<Settings> {
  const inOverride = path.length > 0;
  const own = inOverride ? filesKey : overridesKey;
  const entries = [...map].filter(([name, value]) => name !== own && value !== null);
  return Object.fromEntries(entries.flatMap(([name, value]) => chosen(reading, [...path, name], value, inOverride)));
}

function chosen(reading: Reading, path: Path, value: Value, inOverride: boolean): [string, unknown][] {
  const { document, table, trusted, mistakes } = reading;
  const name = String(path.at(-1));
  if (!isSetting(table, name)) {
    mistakes.push({ message: `there is no setting \`${name}\``, path, part: 'key', known: Object.keys(table) });
    return [];
  }
  const setting: Setting = table[name];
  if (inOverride && setting.scope === 'window') {
    const message = `\`${name}\` is for the whole workspace, it cannot differ between files`;
    mistakes.push({ message, path, part: 'key', known: [] });
    return [];
  }
  if (setting.restricted && !trusted) return [];
  let isWhole = true;
  const read = readSetting(setting, asSent(document, path, value, setting.schema), (message, key, known = []) => {
    isWhole &&= key !== undefined;
    mistakes.push({
      message,
      path: key === undefined ? path : [...path, key],
      part: known.length > 0 ? 'key' : 'value',
      known,
    });
  });
  if (isWhole && Array.isArray(read) && !hasRoomFor(reading, read, path)) return [];
  return isWhole ? [[name, read]] : [];
}

/**
 * As the editor would send it. Where a text is expected, what was written counts: 1.30 is not 1.3, and `off` is a word,
 * whatever YAML takes them for.
 */
function asSent(document: YamlDocument, path: Path, value: Value, schema: Schema): unknown {
  const { items = {}, properties = {}, type = 'string' } = schema as Readonly<Record<string, Schema>>;
  if (isList(value)) return value.map((item, i) => asSent(document, [...path, i], item, items));
  if (isMap(value)) {
    const entries = [...value].map(([key, item]): [string, unknown] => {
      const own = Object.hasOwn(properties, key) ? properties[key]! : {};
      return [key, asSent(document, [...path, key], item, own as Schema)];
    });
    return Object.fromEntries(entries);
  }
  if (value === null || typeof value === 'string') return value;
  const range = rangeOf(document, path, 'value');
  if ((type as Json) === 'string' && range) return document.text.slice(range.start, range.end);
  return typeof value === 'boolean' ? value : Number(value);
}

type Schema = { readonly [keyword: string]: Json };

/** The configs of folders, and those above them up to the top of their repositories. */
export async function configsAround(files: Files, folders: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    for (const at of withFolders(folder)) {
      if (seen.has(at)) break;
      seen.add(at);
      const names = new Set((await files.entries(at, [configName, '.git'])).map(({ name }) => name));
      if (names.has(configName)) found.push(`${at}/${configName}`);
      if (names.has('.git')) break;
    }
  }
  return found;
}

/** A config is small: what is larger is something else under its name. */
const mostBytes = 1_000_000;

export const onlyFirst = 'only the first document counts';

/** Configs by their folders, what is wrong with them, and what of them is left out, one line each. */
export async function loadConfigs(files: Files, uris: Iterable<string>, options: ReadOptions) {
  const configs = new Map<string, Config>();
  const notes: string[] = [];
  const leftOut: string[] = [];
  for (const uri of uris) {
    const text = textOf(await files.read(uri, mostBytes));
    if (text === undefined) notes.push(`${uri}: cannot be read`);
    const [first, second] = text === undefined ? [] : sourceFile(uri, text).stream.documents;
    const document = first?.document;
    if (second) notes.push(`${uri}: ${onlyFirst}`);
    if (!document) continue;
    const { config, mistakes } = readConfig(uri, document, options);
    configs.set(config.folder, config);
    notes.push(...document.problems.slice(0, 1).map(({ message }) => `${uri}: ${message}`));
    for (const one of mistakes.slice(0, defaultLimits.problems)) {
      const line = `${uri}: ${[...one.path, one.message].join(': ')}`;
      if (one.leftOut) leftOut.push(line);
      else notes.push(line);
    }
  }
  return { configs, notes, leftOut };
}
