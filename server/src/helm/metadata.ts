/** What Chart.yaml says of a chart. */
import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { formatFloat } from '../gostd/float.ts';
import { isPrint } from '../gostd/quote.ts';
import { parseVersion } from '../template/semver.ts';
import { cell, GoList, GoMap, type GoValue, ofEngine } from '../template/value.ts';
import { readValue } from '../yaml/readValue.ts';
import { ChartError } from './chartError.ts';
import { misfit } from './metadataTypes.ts';
import { engineMap } from './values.ts';

export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  readonly alias: string;
  readonly importValues: readonly Value[];
}

export interface Metadata {
  readonly apiVersion: string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly isDeprecated: boolean;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly maintainers: readonly ReadonlyMap<string, string>[];
  readonly annotations: ReadonlyMap<string, string> | undefined;
  readonly dependencies: readonly Dependency[];
}

const textFields = [
  'name',
  'home',
  'version',
  'description',
  'icon',
  'apiVersion',
  'condition',
  'tags',
  'appVersion',
  'kubeVersion',
  'type',
];
const listFields = ['sources', 'keywords'];

/** Reads Chart.yaml; `requirements` is the file that held the dependencies before Helm 3. */
export function readMetadata(text: string, requirements: string | undefined): Metadata {
  const map = mapIn(text, 'Chart.yaml');
  const old = requirements === undefined ? undefined : mapIn(requirements, 'requirements.yaml');
  const texts = new Map(textFields.map((name) => [name, sanitized(textIn(map, name))]));
  const apiVersion = texts.get('apiVersion') || 'v1';
  texts.set('apiVersion', apiVersion);
  const metadata: Metadata = {
    ...{ apiVersion, texts, name: texts.get('name')!, version: textIn(map, 'version'), type: texts.get('type')! },
    isDeprecated: map.get('deprecated') === true,
    lists: new Map(listFields.map((name) => [name, textsIn(map, name).map(sanitized)])),
    maintainers: listIn(map, 'maintainers').map(maintainer),
    annotations: isMap(map.get('annotations')) ? textsOf(map.get('annotations') as ValueMap) : undefined,
    dependencies: listIn(old?.has('dependencies') ? old : map, 'dependencies').map(dependency),
  };
  validate(metadata);
  return metadata;
}

function mapIn(text: string, file: string): ValueMap {
  const { value, error } = readValue(text);
  if (error !== undefined) throw new ChartError(`cannot load ${file}: error converting YAML to JSON: ${error}`);
  const wrong = misfit(value);
  if (wrong !== undefined) throw new ChartError(`cannot load ${file}: ${wrong}`);
  return isMap(value) ? value : new Map();
}

function textIn(map: ValueMap, name: string): string {
  return textOf(map.get(name) ?? null) ?? '';
}

/** Where a text is wanted, sigs.k8s.io/yaml writes numbers and the like as one: `version: 1.10` is "1.1". */
function textOf(value: Value): string | undefined {
  if (value === null) return '';
  if (typeof value === 'number') return formatFloat(value);
  return typeof value === 'object' ? undefined : String(value);
}

function textsIn(map: ValueMap, name: string): string[] {
  return listIn(map, name).map((item) => textOf(item) ?? '');
}

function listIn(map: ValueMap, name: string): readonly Value[] {
  const value = map.get(name);
  return isList(value) ? value : [];
}

function textsOf(map: ValueMap): Map<string, string> {
  return new Map([...map].map(([key, value]) => [key, textOf(value) ?? '']));
}

function maintainer(item: Value): ReadonlyMap<string, string> {
  if (!isMap(item)) throw new ChartError('validation: maintainers must not contain empty or null nodes');
  return new Map(['name', 'email', 'url'].map((name) => [name, sanitized(textIn(item, name))]));
}

function dependency(item: Value): Dependency {
  if (!isMap(item)) throw new ChartError('validation: dependencies must not contain empty or null nodes');
  const [name, version, repository, condition] = ['name', 'version', 'repository', 'condition'].map((field) =>
    sanitized(textIn(item, field)),
  );
  const alias = textIn(item, 'alias');
  if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias))
    throw new ChartError(`validation: dependency "${name}" has disallowed characters in the alias`);
  return {
    ...{ name: name!, version: version!, repository: repository!, condition: condition!, alias },
    tags: textsIn(item, 'tags'),
    importValues: listIn(item, 'import-values'),
  };
}

/** Blanks of all kinds become one, and what cannot be printed goes. */
function sanitized(text: string): string {
  return text.replace(/\s/gu, ' ').replace(/./gsu, (one) => (isPrint(one) ? one : ''));
}

function validate({ name, version, type, dependencies }: Metadata): void {
  const refuse = (why: string): never => {
    throw new ChartError(`validation: chart.metadata.${why}`);
  };
  if (name === '') refuse('name is required');
  if (name === '.' || name === '..') refuse(`name "${name}" is not allowed`);
  if (name.includes('/')) refuse(`name "${name}" is invalid`);
  if (version === '') refuse('version is required');
  if ('error' in parseVersion(version)) refuse(`version "${version}" is invalid`);
  if (!['', 'application', 'library'].includes(type)) refuse('type must be application or library');
  const names = dependencies.map((one) => one.alias || one.name);
  const twice = names.find((one, at) => names.indexOf(one) !== at);
  if (twice !== undefined) throw new ChartError(`validation: more than one dependency with name or alias "${twice}"`);
}

/** Metadata as templates see it in `.Chart`. */
export function metadataMap(metadata: Metadata, dependencies: readonly Dependency[], isRoot: boolean): GoMap {
  const capitalized = (name: string) => (name === 'apiVersion' ? 'APIVersion' : name[0]!.toUpperCase() + name.slice(1));
  const entries: Record<string, GoValue> = { IsRoot: isRoot, Deprecated: metadata.isDeprecated };
  for (const [name, text] of metadata.texts) entries[capitalized(name)] = text;
  for (const [name, texts] of metadata.lists) entries[capitalized(name)] = listOf(texts);
  entries.Maintainers = listOf(
    metadata.maintainers.map((one) =>
      engineMap({ Name: one.get('name'), Email: one.get('email'), URL: one.get('url') }),
    ),
  );
  entries.Annotations = metadata.annotations
    ? engineMap(Object.fromEntries(metadata.annotations)).as('map[string]string')
    : new GoMap(new Map(), { type: 'map[string]string', isNil: true });
  entries.Dependencies = listOf(dependencies.map(dependencyMap));
  return engineMap(entries);
}

function dependencyMap(one: Dependency): GoMap {
  return engineMap({
    ...{ Name: one.alias || one.name, Version: one.version, Repository: one.repository, Condition: one.condition },
    ...{ Alias: one.alias, Enabled: true, Tags: listOf(one.tags), ImportValues: new GoList([]) },
  });
}

function listOf(items: readonly GoValue[]): GoList {
  return new GoList(items.map((item) => cell(item, ofEngine)));
}
