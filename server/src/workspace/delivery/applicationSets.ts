/** The Applications that an ApplicationSet makes, as far as that takes no cluster. */
import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { globOf } from '../glob.ts';
import { isInside } from '../uri.ts';
import type { AppAt } from './applications.ts';
import { type Delivery, repositoryOf } from './index.ts';
import type { Delivered } from './objects.ts';
import { type Parameters, templated } from './setTemplates.ts';

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
  const generators = valueAt(one.manifest.value, ['spec', 'generators']);
  const isGo = valueAt(one.manifest.value, ['spec', 'goTemplate']) === true;
  const all: Parameters[] = [];
  const leftOut: string[] = [];
  for (const generator of isList(generators) ? generators : []) {
    for (const [kind, of] of isMap(generator) ? generator : []) {
      const found = parametersOf(delivery, one, kind, of, isGo);
      if (found) append(all, found.slice(0, mostMade));
      else if (kind !== 'selector') leftOut.push(kind);
    }
  }
  const apps = all.slice(0, mostMade).flatMap((parameters, i) => appOf(one, parameters, { isGo, nth: i }) ?? []);
  return { apps, leftOut };
});

/** The sets of parameters that a generator gives; undefined where those are not known here. */
function parametersOf(
  delivery: Delivery,
  one: Delivered,
  kind: string,
  of: Value,
  isGo: boolean,
): readonly Parameters[] | undefined {
  if (!isMap(of) || of.has('template')) return undefined;
  const elements = of.get('elements');
  if (kind === 'list' && isList(elements) && !of.has('elementsYaml')) return elements.filter(isMap);
  return kind === 'git' && of.has('directories') ? directoriesOf(delivery, one, of, isGo) : undefined;
}

/** Of the folders of the repository those with a chart: others are no concern of ours. */
function directoriesOf(delivery: Delivery, one: Delivered, of: ValueMap, isGo: boolean): readonly Parameters[] {
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
