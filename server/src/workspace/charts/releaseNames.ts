/** The names under which a chart is installed that looks up its release's name in its values. */
import { isMap, type Value, valueAt } from '../../base/value.ts';
import { type Chart, type ChartFile, yamlOf } from '../../helm/chart.ts';
import { valueOf } from '../../yaml/value.ts';

/** Names of one map: a mistake in what is looked up is mostly the same for all of them. */
const mostNames = 5;

/**
 * `get .Values.jobs .Release.Name`: whoever installs the chart names the release as one of the keys. Of several such maps each
 * key may be the name where all have it.
 */
export function namesLookedUp({ templates, files, valuesFile }: Chart): readonly string[] {
  const asking = [...templates, ...files].filter(({ text }) => text.includes('.Release.Name'));
  const paths = new Set(asking.flatMap(({ text }) => Array.from(text.matchAll(lookedUp), ([, path]) => path!)));
  const maps = valuesFile ? [...paths].map((path) => keysAt(valuesFile, path.split('.'))) : [];
  const [first, ...others] = maps.filter((keys) => keys.length > 0);
  const common = first?.filter((key) => others.every((keys) => keys.includes(key)));
  return (common?.filter((key) => nameOfRelease.test(key)) ?? []).slice(0, mostNames);
}

const lookedUp = /\b(?:get|index) {1,4}\(?\$?\.Values\.([\w.]{1,200})\)? {1,4}\$?\.Release\.Name\b/g;

/** As Helm takes it. */
const nameOfRelease = /^[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?$/;

function keysAt(file: ChartFile, path: readonly string[]): string[] {
  return yamlOf(file).documents.flatMap(({ document }) => {
    const map: Value | undefined = valueAt(valueOf(document), path);
    return isMap(map) ? [...map.keys()] : [];
  });
}
