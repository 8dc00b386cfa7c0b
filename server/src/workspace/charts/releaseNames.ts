/** The names under which a chart is installed that looks up its release's name in its values. */
import { isMap } from '../../base/value.ts';
import { type Chart, type ChartFile, valuesAt } from '../../helm/chart.ts';

/** What a release is called that its chart looks up, and whether the chart is for releases with another name as well. */
interface NamesLookedUp {
  readonly names: readonly string[];
  readonly isOtherMeant: boolean;
}

/** Names of one map: a mistake in what is looked up is mostly the same for all of them. */
const mostNames = 5;

/**
 * `get .Values.jobs .Release.Name`: whoever installs the chart names the release as one of the keys. Of several such maps each
 * key may be the name where all have it.
 */
export function namesLookedUp({ templates, files, valuesFile }: Chart): NamesLookedUp {
  const asking = [...templates, ...files].filter(({ text }) => text.includes('.Release.Name'));
  const paths = new Set(asking.flatMap(({ text }) => Array.from(text.matchAll(lookedUp), ([, path]) => path!)));
  const maps = valuesFile ? [...paths].map((path) => keysAt(valuesFile, path.split('.'))) : [];
  const [first, ...others] = maps.filter((keys) => keys.length > 0);
  const common = first?.filter((key) => others.every((keys) => keys.includes(key)));
  const names = (common?.filter((key) => nameOfRelease.test(key)) ?? []).slice(0, mostNames);
  return { names, isOtherMeant: names.length === 0 || asking.some(({ text }) => isOtherMeant(text)) };
}

/** Whether a text says what a release comes to for which there is no such key. */
function isOtherMeant(text: string): boolean {
  if (/\bhasKey \(?\$?\.Values\.[\w.]{1,200}\)? {1,4}\$?\.Release\.Name\b/.test(text)) return true;
  return Array.from(text.matchAll(lookedUp)).some(({ 0: { length }, index }) => {
    const before = text.slice(Math.max(0, index - 60), index);
    const behind = text.slice(index + length, index + length + 40);
    const inAction = before.split(/[{}]/).at(-1)!;
    if (/^\)? {0,4}\| {0,4}default\b/.test(behind)) return true;
    if (inAction.endsWith('(') && /\b(?:default|coalesce|or) /.test(inAction)) return true;
    return (
      /\{\{-? ?(?:else )?(?:if|with) (?:not )?(?:\$\w{1,40} :?= )?\(?$/.test(before) && /^\)? ?-?\}\}/.test(behind)
    );
  });
}

const lookedUp = /\b(?:get|index) {1,4}\(?\$?\.Values\.([\w.]{1,200})\)? {1,4}\$?\.Release\.Name\b/g;

/** As Helm takes it. */
const nameOfRelease = /^[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?$/;

function keysAt(file: ChartFile, path: readonly string[]): string[] {
  return valuesAt(file, path).flatMap((map) => (isMap(map) ? [...map.keys()] : []));
}
