import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import type { Steps } from '../../base/steps.ts';
import { counted } from '../../base/text.ts';
import { addU64, type U64 } from '../../base/u64.ts';
import { isString, type ValueMap, valueAt } from '../../base/value.ts';
import { crdCostLimit } from '../../kubernetes/bounds.ts';
import { evaluateSchemaRules } from '../../kubernetes/cel/evaluate.ts';
import type { JudgedRule } from '../../kubernetes/cel/ruleVariables.ts';
import { createResource } from '../../kubernetes/cr/create.ts';
import type { EvaluateObjectRules } from '../../kubernetes/cr/rules.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import { rulesBelow } from '../../kubernetes/schema/rulesBelow.ts';
import type { ValidationRule } from '../../kubernetes/schema/structural.ts';
import type { Effect } from '../../rules/changes/change.ts';
import { compareCrd } from '../../rules/changes/compare.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import { type Since, storageVersions } from '../../workspace/baseline/baseline.ts';
import { type Definition, definitionsFor, definitionsIn } from '../../workspace/definitions.ts';
import { inDocument, type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import { schemaPathOf } from '../../workspace/schemaNode.ts';
import { committedObject, fileAt, kubernetesFor, type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import type { PlacedDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Location } from '../place/location.ts';
import { crdsOf, rulePaths } from '../place/rulePaths.ts';
import { resourcesOf as ofKind } from '../views/crdChanges.ts';
import { ruleCost, shareText } from '../words/costs.ts';
import { inFile, type Lens } from './lens.ts';

/** Rules are evaluated over so many resources: lenses are drawn again and again. */
const mostJudged = 200;

const zero: U64 = 0;

/**
 * Over a CRD what changes for its users, over each of its versions what its rules may cost and how many resources there
 * are, over each rule for how many of them it is true.
 */
export function* crdLenses(snapshot: Snapshot, uri: string, files: readonly SourceFile[]): Steps<Lens[]> {
  const off = settingsFor(snapshot, uri).codeLens;
  const kubernetes = kubernetesFor(snapshot, uri);
  const file = fileAt(snapshot, uri);
  const defined = file ? definitionsIn(file) : [];
  const lenses: Lens[] = [];
  for (const { manifest, placed } of crdsOf(snapshot, uri)) {
    const own = defined.find((definition) => definition.manifest === manifest);
    const crd: Crd = { manifest, placed, kubernetes, resources: own ? resourcesOf(snapshot, own, files) : [] };
    if (!off.has('changes')) append(lenses, yield* changesLens(snapshot, uri, crd));
    if (!off.has('versions')) append(lenses, yield* versionLenses(crd));
    if (!off.has('resources') && crd.resources.length > 0) append(lenses, yield* resourceLenses(crd));
  }
  return lenses;
}

interface Crd {
  readonly manifest: Manifest;
  readonly placed: PlacedDocument;
  readonly kubernetes: KubernetesVersion;
  readonly resources: readonly Resource[];
}

interface Resource {
  readonly manifest: Manifest;
  readonly place: Location;
}

/** The objects of a kind that are judged by this definition of it. */
function resourcesOf({ definitions }: Snapshot, own: Definition, files: readonly SourceFile[]): Resource[] {
  return files.flatMap((file) =>
    ofKind(file, own).flatMap(({ manifest }) => {
      const isJudged = definitionsFor(definitions, manifest, file.uri)[0] === own;
      return isJudged ? [{ manifest, place: locateInFile(file, manifest, ['kind'], 'value') }] : [];
    }),
  );
}

function ofVersion({ resources }: Pick<Crd, 'resources'>, version: string): readonly Resource[] {
  return resources.filter(({ manifest }) => splitApiVersion(manifest.apiVersion).version === version);
}

function* changesLens(snapshot: Snapshot, uri: string, { manifest, placed, kubernetes }: Crd): Steps<Lens[]> {
  const committed = committedObject(snapshot, uri, manifest);
  const key = rangeOf(placed.document, inDocument(manifest, ['kind']), 'key');
  if (!committed || !key) return [];
  yield;
  const { ref, storedSince } = committed;
  const found = effectsOf(manifest, committed.manifest, ref, kubernetes);
  const [version] = storageVersions(committed.manifest);
  const stored = version === undefined || !storedSince ? [] : [storedText(version, storedSince)];
  const does = found.length === 0 ? undefined : ({ page: 'changes' } as const);
  return [inFile(placed, key)({ title: [changesText(found, ref), ...stored].join(' · '), does })];
}

/** What a repository knows of it is the history of the file: clusters may have got it later. */
function storedText(version: string, { time, orEarlier }: Since): string {
  const date = new Date(time * 1000).toISOString().slice(0, 10);
  return `in this file ${version} is the storage version since ${date}${orEarlier ? ' or earlier' : ''}`;
}

const effectsOf = memo(
  (now: Manifest, old: Manifest, ref: string, kubernetes: KubernetesVersion): readonly Effect[] => {
    return compareCrd(old, now, ref, kubernetes).changes.map(({ effect }) => effect);
  },
);

function changesText(found: readonly Effect[], ref: string): string {
  const count = (...some: Effect[]) => found.filter((effect) => some.includes(effect)).length;
  if (found.length === 0) return `nothing changes for users against ${ref}`;
  const breaking = count('refused', 'breaks');
  if (breaking > 0) return `breaking against ${ref}: ${breaking}`;
  const may = count('may-break');
  return `${counted(found.length, 'change')} against ${ref}, ${may === 0 ? 'none breaking' : `${may} may break`}`;
}

function* versionLenses({ manifest, placed, kubernetes, resources }: Crd): Steps<Lens[]> {
  const versions = valueAt(manifest.value, ['spec', 'versions']);
  const lenses: Lens[] = [];
  for (const [i, version] of (Array.isArray(versions) ? versions : []).entries()) {
    const at = ['spec', 'versions', i];
    const key = rangeOf(placed.document, inDocument(manifest, [...at, 'name']), 'key');
    const name = valueAt(version, ['name']);
    if (!key || !isString(name)) continue;
    const rules = rulePaths(valueAt(version, ['schema']) ?? null, ['rule']);
    const own = ofVersion({ resources }, name);
    let cost = zero;
    for (const path of rules) {
      yield;
      const place = rulePlace(manifest, inDocument(manifest, [...at, 'schema', ...path]), kubernetes);
      cost = addU64(cost, ruleCost(place)?.all ?? 0);
    }
    const parts = rules.length === 0 ? [] : [costText(Number(cost)), counted(rules.length, 'rule')];
    const title = [...parts, counted(own.length, 'resource')].join(' · ');
    const does = own.length === 0 ? undefined : { show: own.map(({ place }) => place) };
    lenses.push(inFile(placed, key)({ title, does }));
  }
  return lenses;
}

function costText(cost: number): string {
  return `rules cost ${shareText((cost / crdCostLimit) * 100)} of the limit`;
}

const answers = ['true', 'false', 'error'] as const;
type RuleSaid = (typeof answers)[number];

/** What rules said to a resource: those that are not here were not evaluated. */
type Said = ReadonlyMap<ValidationRule, RuleSaid>;

function* resourceLenses(crd: Crd): Steps<Lens[]> {
  const { manifest, placed, kubernetes } = crd;
  const served = serveCrd(manifest.value, kubernetes);
  if ('error' in served) return [];
  const lenses: Lens[] = [];
  for (const { name } of served.lowered.versions) {
    const own = ofVersion(crd, name);
    const judged: { place: Location; said: Said }[] = [];
    for (const { place, manifest: resource } of own.slice(0, mostJudged)) {
      yield;
      judged.push({ place, said: saidTo(resource.value, served, kubernetes) });
    }
    const all = own.length > mostJudged ? `the first ${mostJudged} resources` : counted(own.length, 'resource');
    const structural = served.versions.get(name)?.structural;
    const rules = structural ? rulesBelow(structural, schemaPathOf(manifest.value, name), true) : [];
    for (const { rule, path } of rules) {
      const key = rangeOf(placed.document, inDocument(manifest, path), 'key');
      const lens = lensOf(
        judged.map(({ place, said }) => ({ place, said: said.get(rule) })),
        all,
      );
      if (key && lens) lenses.push(inFile(placed, key)(lens));
    }
  }
  return lenses;
}

/** How resources stand to a rule, with the way to those that it is not true for. */
function lensOf(judged: readonly { place: Location; said: RuleSaid | undefined }[], all: string) {
  const those = (what: RuleSaid) => judged.filter(({ said }) => said === what).map(({ place }) => place);
  const byAnswer = answers.map((what) => ({ what, places: those(what) })).filter(({ places }) => places.length > 0);
  if (byAnswer.length === 0) return undefined;
  const words = byAnswer.map(({ what, places }) => `${what === 'error' ? 'an error' : what} for ${places.length}`);
  const wrong = [...those('false'), ...those('error')];
  return { title: `${words.join(', ')} of ${all}`, does: wrong.length === 0 ? undefined : { show: wrong } };
}

const saidTo = memo((value: ValueMap, served: ServedCrd, kubernetes: KubernetesVersion): Said => {
  const said = new Map<ValidationRule, RuleSaid>();
  const evaluateRules: EvaluateObjectRules = (rules) => {
    const watch = ({ rule }: JudgedRule) => void said.set(rule, said.get(rule) ?? 'true');
    const results = evaluateSchemaRules({ ...rules, isRoot: true, watch });
    for (const { rule } of results.leftOut) said.delete(rule);
    for (const error of results.errors) {
      const { rule, kind } = error.facts;
      if (rule) said.set(rule, kind === 'failed' || kind === 'message' ? 'false' : 'error');
    }
    return results;
  };
  boundedMatching(() => createResource(value, served, { kubernetes, evaluateRules }));
  return said;
});
