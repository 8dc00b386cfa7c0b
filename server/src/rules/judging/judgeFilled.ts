/** Objects whose variables Flux fills in, as they are then. */
import { isMap, isString, type Value, valueAt } from '../../base/value.ts';
import { callsIn, needsValue } from '../../flux/substitute.ts';
import { type FilledIn, filledIn, fillingsFor, isElsewhere } from '../../workspace/delivery/filled.ts';
import type { Filling, VariableSet } from '../../workspace/delivery/filling.ts';
import { nameOfDelivered } from '../../workspace/delivery/objects.ts';
import { deliveryFile, realPlace, textPlaceOf } from '../../workspace/delivery/texts.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { FluxFacts } from '../flux/flux.ts';
import type { Related } from '../model/diagnostic.ts';
import type { Problem, ProblemOf } from '../model/rule.ts';
import { problemAt } from './problemAt.ts';

/** All that is wrong with an object by what each Kustomization that applies it makes of it. */
export function judgeFilled(
  snapshot: Snapshot,
  manifest: Manifest,
  fillings: readonly Filling[],
  judge: (manifest: Manifest) => readonly Problem[],
): Problem[] {
  const found = new Map<string, Problem>();
  for (const filling of fillings) {
    for (const one of judgedAs(snapshot, manifest, filling, judge)) {
      const key = [one.code, one.message, ...one.path].join('\0');
      if (!found.has(key)) found.set(key, one);
    }
  }
  return [...found.values()];
}

function judgedAs(
  snapshot: Snapshot,
  manifest: Manifest,
  filling: Filling,
  judge: (manifest: Manifest) => readonly Problem[],
): readonly Problem[] {
  const filled: FilledIn = filledIn(manifest, filling, false);
  if ('error' in filled) return [notFilled(manifest, filling, filled.error)];
  if (filled.manifest === manifest) return judge(manifest);
  const problems = judge(filled.manifest).map((one) => withSource(snapshot, manifest, filling, one));
  return [...unset(snapshot, manifest, filling), ...problems];
}

function notFilled(manifest: Manifest, { by }: Filling, error: string): ProblemOf<FluxFacts> {
  const message = `${nameOfDelivered(by)} does not apply it: ${error}`;
  return problemAt(manifest, { code: 'flux/substitution' }, message, firstOdd(manifest.value) ?? [], 'value');
}

/** The first text that has a variable: which one cannot be read is not known. */
function firstOdd(value: Value): readonly (string | number)[] | undefined {
  return textsOf(value).find(({ text }) => text.includes('${') && callsIn(text).length === 0)?.path;
}

interface TextAt {
  readonly text: string;
  readonly path: readonly (string | number)[];
}

function textsOf(value: Value, path: readonly (string | number)[] = []): readonly TextAt[] {
  if (isString(value)) return value.includes('$') ? [{ text: value, path }] : [];
  if (Array.isArray(value)) return value.flatMap((item, i) => textsOf(item, [...path, i]));
  return isMap(value) ? [...value].flatMap(([key, item]) => textsOf(item, [...path, key])) : [];
}

/** Variables that nobody sets. */
function unset(snapshot: Snapshot, manifest: Manifest, filling: Filling): readonly ProblemOf<FluxFacts>[] {
  return textsOf(manifest.value).flatMap(({ text, path }) => {
    const call = callsIn(text).find(
      (one) => needsValue(one) && !mayBeSet(filling, one.name) && !isFilledBefore(snapshot, filling, one.name),
    );
    if (!call) return [];
    const message = `Nobody sets \`${call.name}\`, and there is no default: ${nameOfDelivered(filling.by)} is not applied by Flux 2.9 and later, and before that the text is empty.`;
    return [problemAt(manifest, { code: 'flux/variable-not-set' }, message, path, 'value')];
  });
}

const mayBeSet = (filling: Filling, name: string) => filling.variables.has(name) || isElsewhere(filling, name);

/** Whether what applies the Kustomization itself fills a variable in, in its patches, before the Kustomization sees them. */
function isFilledBefore(snapshot: Snapshot, { by }: Filling, name: string): boolean {
  const isThere = textsOf(by.manifest.value).some(({ text }) => callsIn(text).some((call) => call.name === name));
  return isThere && fillingsFor(snapshot, by.uri).some((parent) => parent.by !== by && mayBeSet(parent, name));
}

/** Where the variables are set that are at the place of a problem. */
function withSource(snapshot: Snapshot, manifest: Manifest, filling: Filling, problem: Problem): Problem {
  const path = problem.path.slice(manifest.at.length);
  const text = textAround(manifest.value, path);
  const names = text === undefined ? [] : [...new Set(callsIn(text).map(({ name }) => name))];
  const related = names.flatMap((name) => relatedTo(snapshot, filling, name));
  return { ...problem, manifest, ...(related.length > 0 && { related: [...related, ...(problem.related ?? [])] }) };
}

function relatedTo(snapshot: Snapshot, { by, variables }: Filling, name: string): readonly Related[] {
  const set = variables.get(name);
  const place = set && placeOfVariable(snapshot, set);
  return set && place ? [{ ...place, message: `\`${name}\` is set here, for ${nameOfDelivered(by)}` }] : [];
}

/** Where a variable is set, in the file. */
function placeOfVariable(snapshot: Snapshot, { of, path }: VariableSet) {
  const place = deliveryFile(snapshot, of.uri) && textPlaceOf(of, path);
  return place && realPlace(snapshot, place);
}

/** The text at a path, or the nearest around it. */
function textAround(value: Value, path: readonly (string | number)[]): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const at = valueAt(value, path.slice(0, length));
    if (at !== undefined) return isString(at) ? at : undefined;
  }
  return undefined;
}
