/** Which fields transformers change: kustomize's own, and those that kustomizations add. */
import { fieldRows, referenceRows } from './data/fields.ts';
import { fail, within } from './failure.ts';
import { compareGvks, type Gvk, gvkText, isSelected, sameGvk } from './ids.ts';

export interface FieldSpec {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly path: string;
  readonly create: boolean;
}

/** The kind whose names are referred to, and the fields that do. */
export interface BackReference {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly referrers: readonly FieldSpec[];
}

export const fieldLists = [
  'namePrefix',
  'nameSuffix',
  'namespace',
  'commonAnnotations',
  'commonLabels',
  'labels',
  'templateLabels',
  'varReference',
  'images',
  'replicas',
] as const;
export type FieldList = (typeof fieldLists)[number];

export type Config = Readonly<Record<FieldList, readonly FieldSpec[]>> & {
  readonly nameReference: readonly BackReference[];
};

export const noConfig: Config = {
  ...(Object.fromEntries(fieldLists.map((name) => [name, []])) as unknown as Record<FieldList, readonly FieldSpec[]>),
  nameReference: [],
};

function readRow(row: string): FieldSpec {
  const create = row.startsWith('+');
  const [path, kind, version, group] = row
    .slice(create ? 1 : 0)
    .split(' ')
    .map((part) => (part === '-' ? '' : part));
  return { path: path!, kind: kind ?? '', version: version ?? '', group: group ?? '', create };
}

function readRows(rows: readonly string[] = []): FieldSpec[] {
  return rows.map(readRow);
}

let own: Config | undefined;

export function defaultConfig(): Config {
  own ??= sorted({
    ...(Object.fromEntries(fieldLists.map((name) => [name, readRows(fieldRows[name])])) as unknown as typeof noConfig),
    nameReference: referenceRows.map(([target, rows]) => {
      const { group, version, kind } = readRow(target);
      return { group, version, kind, referrers: readRows(rows) };
    }),
  });
  return own;
}

export function sorted(config: Config): Config {
  const lists = fieldLists.map((name) => [name, [...config[name]].sort(compareKinds)]);
  return {
    ...(Object.fromEntries(lists) as unknown as typeof noConfig),
    nameReference: [...config.nameReference].sort(compareKinds),
  };
}

type Kind = Pick<Gvk, 'group' | 'version' | 'kind'>;

function asGvk({ group, version, kind }: Kind): Gvk {
  return { group, version, kind, isCluster: false };
}

function compareKinds(a: Kind, b: Kind): number {
  return compareGvks(asGvk(a), asGvk(b));
}

export function specKindText(spec: Kind): string {
  return gvkText(asGvk(spec));
}

/** What is there already counts, whatever it is there for. */
export function mergeSpecs(own: readonly FieldSpec[], more: readonly FieldSpec[]): readonly FieldSpec[] {
  if (more.length === 0 || own === more) return own;
  const result = [...own];
  for (const spec of more) {
    const same = result.find((one) => one.path === spec.path && isSelected(asGvk(one), spec));
    if (!same) result.push(spec);
    else if (same.create !== spec.create) fail('conflicting fieldspecs');
  }
  return result;
}

const listWords: Readonly<Record<FieldList, string>> = {
  namePrefix: 'NamePrefix',
  nameSuffix: 'NameSuffix',
  namespace: 'NameSpace',
  commonAnnotations: 'CommonAnnotations',
  commonLabels: 'CommonLabels',
  labels: 'Labels',
  templateLabels: 'TemplateLabels',
  varReference: 'VarReference',
  images: 'Images',
  replicas: 'Replicas',
};

// Not a memo: its second argument is an object as well, and is let go with the first.
const merges = new WeakMap<Config, WeakMap<Config, Config>>();

export function mergeConfigs(own: Config, more: Config): Config {
  if (more === noConfig) return own;
  let known = merges.get(own);
  if (!known) {
    // Not a memo, as above.
    known = new WeakMap();
    merges.set(own, known);
  }
  let merged = known.get(more);
  if (!merged) {
    // Most say what is known already: without this, each base would make another configuration of the same.
    merged = own === more ? own : sameOr(own, merge(own, more));
    known.set(more, merged);
  }
  return merged;
}

function merge(own: Config, more: Config): Config {
  const lists = fieldLists.map((name) => [name, named(listWords[name], () => mergeSpecs(own[name], more[name]))]);
  const nameReference = named('NameReference', () => mergeReferences(own.nameReference, more.nameReference));
  return sorted({ ...(Object.fromEntries(lists) as unknown as typeof noConfig), nameReference });
}

/** Merging adds rows and takes none away. */
function sameOr(own: Config, merged: Config): Config {
  return rowsIn(own) === rowsIn(merged) ? own : merged;
}

function rowsIn(config: Config): number {
  const listed = fieldLists.reduce((sum, name) => sum + config[name].length, 0);
  return config.nameReference.reduce((sum, { referrers }) => sum + 1 + referrers.length, listed);
}

function named<T>(name: string, act: () => T): T {
  return within(`failed to merge ${name} fieldSpec`, act);
}

function mergeReferences(own: readonly BackReference[], more: readonly BackReference[]): readonly BackReference[] {
  let result = own;
  for (const one of more) {
    const known = result.some((other) => sameGvk(asGvk(other), asGvk(one)));
    if (!known) result = [...result, one];
    else
      result = result.map((other) =>
        sameGvk(asGvk(other), asGvk(one)) ? { ...other, referrers: mergeSpecs(other.referrers, one.referrers) } : other,
      );
  }
  return result;
}

/** The order of a configuration's lists when Go prints it. */
const printed = [
  ...['namePrefix', 'nameSuffix', 'namespace', 'commonLabels', 'labels', 'templateLabels', 'commonAnnotations'],
  ...['nameReference', 'varReference', 'images', 'replicas'],
] as const;

function specText(spec: FieldSpec): string {
  return `${specKindText(spec)}:${spec.create}:${spec.path}`;
}

function referenceText(one: BackReference): string {
  return `${specKindText(one)}:  (\n${one.referrers.map(specText).join('\n')}\n)`;
}

/** As kustomize prints it where it cannot be merged. */
export function configText(config: Config): string {
  const lists = printed.map((name) => {
    if (name === 'nameReference') return `[${config.nameReference.map(referenceText).join(' ')}]`;
    return `[${config[name as FieldList].map(specText).join(' ')}]`;
  });
  return `&{${lists.join(' ')}}`;
}
