/** The Applications that an ApplicationSet makes, as far as that takes no cluster. */
import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import {
  equalValues,
  isList,
  isMap,
  isString,
  type Path,
  type Value,
  type ValueMap,
  valueAt,
} from '../../base/value.ts';
import { globOf } from '../glob.ts';
import { isInside } from '../uri.ts';
import type { AppAt } from './applications.ts';
import { type Delivery, repositoryOf } from './index.ts';
import type { Delivered } from './objects.ts';
import { flattened, type Parameters, templated } from './setTemplates.ts';

/** Applications of one set. */
const mostMade = 30;

/** What a set makes, and the generators that are left out since only a cluster, or a file elsewhere, has what they need. */
export interface MadeOfSet {
  readonly apps: readonly AppAt[];
  readonly leftOut: readonly string[];
}

export function madeOfSet(delivery: Delivery, one: Delivered): MadeOfSet {
  return made(one, delivery);
}

const made = memo((one: Delivered, delivery: Delivery): MadeOfSet => {
  const isGo = valueAt(one.manifest.value, ['spec', 'goTemplate']) === true;
  const set: SetAt = { delivery, one, isGo };
  const all: Parameters[] = [];
  const leftOut: string[] = [];
  for (const generator of listAt(one.manifest.value, ['spec', 'generators'])) {
    const found = generatedBy(set, generator, deepestGenerators);
    if (found) append(all, found.slice(0, mostMade));
    else append(leftOut, kindsIn(generator));
  }
  const apps = all.slice(0, mostMade).flatMap((parameters, i) => appOf(one, parameters, { isGo, nth: i }) ?? []);
  return { apps, leftOut };
});

interface SetAt {
  readonly delivery: Delivery;
  readonly one: Delivered;
  readonly isGo: boolean;
}

function listAt(value: Value, path: Path): readonly Value[] {
  const list = valueAt(value, path);
  return isList(list) ? list : [];
}

function kindsIn(generator: Value): string[] {
  return isMap(generator) ? [...generator.keys()].filter((key) => key !== 'selector') : [];
}

/** Generators within each other: Argo CD takes a matrix or a merge in one of them, and no more. */
const deepestGenerators = 3;

/** The sets of parameters that a generator gives; undefined where those are not known here. */
function generatedBy(set: SetAt, generator: Value, depth: number): readonly Parameters[] | undefined {
  const [kind, ...others] = kindsIn(generator);
  const of = isMap(generator) && kind !== undefined ? generator.get(kind) : undefined;
  if (!isMap(of) || others.length > 0 || depth === 0 || of.has('template')) return undefined;
  const found = parametersOf(set, kind!, of, depth);
  return found && selected(found, (generator as ValueMap).get('selector'));
}

function parametersOf(set: SetAt, kind: string, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  switch (kind) {
    case 'list': {
      const elements = of.get('elements');
      if (!isList(elements) || of.has('elementsYaml')) return undefined;
      const all = elements.filter(isMap);
      return set.isGo ? all : all.map((one) => new Map<string, Value>(flattened(one, '')));
    }
    case 'git':
      return of.has('directories') ? directoriesOf(set, of) : undefined;
    case 'matrix':
      return matrixOf(set, of, depth);
    case 'merge':
      return mergeOf(set, of, depth);
    default:
      return undefined;
  }
}

/** Those that have all labels that are asked for; undefined where something else is asked for. */
function selected(all: readonly Parameters[], selector: Value | undefined): readonly Parameters[] | undefined {
  if (selector === undefined || selector === null) return all;
  const labels = isMap(selector) ? selector.get('matchLabels') : undefined;
  if (!isMap(selector) || !isMap(labels) || selector.size > 1) return undefined;
  return all.filter((parameters) => {
    const texts = flattened(parameters, '');
    return [...labels].every(([key, value]) => texts.get(key) === value);
  });
}

/** Each set of the first generator with each of the second, in which those of the first can be named. */
function matrixOf(set: SetAt, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  const [first, second, ...others] = listAt(of, ['generators']);
  const outer = first === undefined ? undefined : generatedBy(set, first, depth - 1);
  if (!outer || second === undefined || others.length > 0) return undefined;
  const all: Parameters[] = [];
  for (const a of outer.slice(0, mostMade)) {
    const filled = templated(second, a, set.isGo);
    const inner = filled === undefined ? undefined : generatedBy(set, filled, depth - 1);
    if (!inner) return undefined;
    for (const b of inner.slice(0, mostMade)) {
      // Without Go's templates Argo CD refuses two values for one name.
      if (!set.isGo && [...a].some(([key, value]) => b.has(key) && !equalValues(b.get(key), value))) return undefined;
      all.push(overlaid(b, a));
    }
    if (all.length >= mostMade) break;
  }
  return all;
}

/** The sets of the first generator, each with what the others say of the same keys. */
function mergeOf(set: SetAt, of: ValueMap, depth: number): readonly Parameters[] | undefined {
  const keys = listAt(of, ['mergeKeys']).filter(isString);
  const all = listAt(of, ['generators']).map((one) => generatedBy(set, one, depth - 1));
  const [first, ...others] = all;
  if (!first || others.length === 0 || keys.length === 0) return undefined;
  const keyOf = (parameters: Parameters) => {
    const texts = flattened(parameters, '');
    return JSON.stringify(keys.map((key) => texts.get(key) ?? null));
  };
  // Argo CD refuses two sets of one generator with the same keys.
  if (all.some((list) => !list || new Set(list.map(keyOf)).size < list.length)) return undefined;
  return first.slice(0, mostMade).map((base) => {
    const same = others.flatMap((list) => list!.find((one) => keyOf(one) === keyOf(base)) ?? []);
    return same.reduce<Parameters>(overlaid, base);
  });
}

/** Maps are laid over each other key by key. */
function overlaid(below: ValueMap, above: ValueMap): ValueMap {
  const all = new Map(below);
  for (const [key, value] of above) {
    const known = all.get(key);
    all.set(key, isMap(known) && isMap(value) ? overlaid(known, value) : value);
  }
  return all;
}

/** Of the folders of the repository those with a chart: others are no concern of ours. */
function directoriesOf({ delivery, one, isGo }: SetAt, of: ValueMap): readonly Parameters[] {
  const folder = repositoryOf(delivery, one.uri)?.folder;
  const wanted = of.get('directories');
  if (folder === undefined || !isList(wanted)) return [];
  const rows = wanted.flatMap((row) => {
    const path = isMap(row) ? row.get('path') : undefined;
    return isMap(row) && isString(path) ? [{ fits: globOf(path), excludes: row.get('exclude') === true }] : [];
  });
  const paths = [...delivery.disk.charts.keys()]
    .filter((root) => isInside(root, folder))
    .map((root) => root.slice(folder.length + 1));
  const isWanted = (path: string) =>
    rows.some(({ fits, excludes }) => !excludes && fits(path)) &&
    !rows.some(({ fits, excludes }) => excludes && fits(path));
  return paths.filter(isWanted).map((path) => parametersOfFolder(path, isGo));
}

function parametersOfFolder(path: string, isGo: boolean): Parameters {
  const segments = path.split('/');
  const basename = segments.at(-1)!;
  const basenameNormalized = basename.replace(/[^a-zA-Z0-9-]/g, '-');
  if (isGo)
    return new Map([
      [
        'path',
        new Map<string, Value>([
          ['path', path],
          ['basename', basename],
          ['basenameNormalized', basenameNormalized],
          ['segments', segments],
        ]),
      ],
    ]);
  return new Map<string, Value>([
    ['path', path],
    ['path.basename', basename],
    ['path.basenameNormalized', basenameNormalized],
    ...segments.map((segment, i): [string, Value] => [`path[${i}]`, segment]),
  ]);
}

/** The set with its template filled in, in which the Application is. */
function appOf(
  one: Delivered,
  parameters: Parameters,
  { isGo, nth }: { isGo: boolean; nth: number },
): AppAt | undefined {
  const template = valueAt(one.manifest.value, ['spec', 'template']);
  const filled = template === undefined ? undefined : templated(template, parameters, isGo);
  const spec = one.manifest.value.get('spec');
  const name = filled && valueAt(filled, ['metadata', 'name']);
  if (!filled || !isMap(spec) || !isString(name)) return undefined;
  const value = new Map(one.manifest.value).set('spec', new Map(spec).set('template', filled));
  const { role, document, at, apiVersion, kind } = one.manifest;
  const of: Delivered = {
    ...one,
    manifest: { role, document, at, apiVersion, kind, value },
    variant: String(nth),
    variantOf: one,
    shown: `Application ${name}`,
  };
  return { of, name, spec: ['spec', 'template', 'spec'] };
}
