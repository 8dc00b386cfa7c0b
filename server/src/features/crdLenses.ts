import { addU64, type U64 } from '../base/u64.ts';
import { isString, type Path, type Value, valueAt } from '../base/value.ts';
import { evaluateSchemaRules } from '../kubernetes/cel/evaluate.ts';
import { createResource } from '../kubernetes/cr/create.ts';
import { type ServedCrd, serveCrd } from '../kubernetes/cr/served.ts';
import { totalLimit } from '../kubernetes/crd/celContext.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Structural, ValidationRule } from '../kubernetes/schema/structural.ts';
import { definitionsFor } from '../workspace/definitions.ts';
import { inDocument, type Manifest, splitApiVersion } from '../workspace/manifest.ts';
import { rulePlace } from '../workspace/rulePlace.ts';
import { kubernetesFor, type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { ruleCost } from './cel/ruleCost.ts';
import { crdsOf, rulePaths } from './cel/rulePaths.ts';
import { inFile, type Lens } from './lens.ts';
import type { Location } from './location.ts';

/** Rules are evaluated over so many resources: lenses are drawn again and again. */
const mostJudged = 200;

const zero: U64 = 0;

/** The kinds that a file defines. */
export function kindsIn(snapshot: Snapshot, uri: string): string[] {
  return crdsOf(snapshot, uri).flatMap(({ manifest }) => {
    const kind = valueAt(manifest.value, ['spec', 'names', 'kind']);
    return isString(kind) ? [kind] : [];
  });
}

/**
 * Over each version of a CRD what its rules may cost and how many resources there are, over each rule for how many of them
 * it is true.
 */
export function crdLenses(snapshot: Snapshot, uri: string, files: readonly SourceFile[]): Lens[] {
  const off = settingsFor(snapshot, uri).codeLens;
  const kubernetes = kubernetesFor(snapshot, uri);
  return crdsOf(snapshot, uri).flatMap(({ manifest, placed }) => {
    const crd: Crd = { manifest, placed, kubernetes, resources: resourcesOf(snapshot, manifest, files) };
    return [
      ...(off.has('versions') ? [] : versionLenses(crd)),
      ...(off.has('resources') || crd.resources.length === 0 ? [] : resourceLenses(crd)),
    ];
  });
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

/** The objects of a CRD's kind that are judged by it. */
function resourcesOf({ definitions }: Snapshot, crd: Manifest, files: readonly SourceFile[]): Resource[] {
  return files.flatMap((file) => {
    if (file.template || file.ignored) return [];
    return file.manifests.flatMap((manifest) => {
      if (manifest.role !== 'resource') return [];
      const [definition] = definitionsFor(definitions, manifest, file.uri);
      return definition?.manifest === crd ? [{ manifest, place: placeOf(file, manifest) }] : [];
    });
  });
}

function ofVersion({ resources }: Pick<Crd, 'resources'>, version: string): readonly Resource[] {
  return resources.filter(({ manifest }) => splitApiVersion(manifest.apiVersion).version === version);
}

function placeOf({ uri, stream }: SourceFile, { document, at }: Manifest): Location {
  const start = stream.documents.find((placed) => placed.document === document)?.start ?? 0;
  const found = rangeOf(document, [...at, 'kind'], 'value') ?? { start: 0, end: 0 };
  return { uri, range: { start: found.start + start, end: found.end + start } };
}

function versionLenses({ manifest, placed, kubernetes, resources }: Crd): Lens[] {
  const versions = valueAt(manifest.value, ['spec', 'versions']);
  return (Array.isArray(versions) ? versions : []).flatMap((version: Value, i) => {
    const at = ['spec', 'versions', i];
    const key = rangeOf(placed.document, inDocument(manifest, [...at, 'name']), 'key');
    const name = valueAt(version, ['name']);
    if (!key || !isString(name)) return [];
    const rules = rulePaths(valueAt(version, ['schema']) ?? null, ['rule']);
    const own = ofVersion({ resources }, name);
    const cost = rules.reduce((sum, path) => {
      const place = rulePlace(manifest, inDocument(manifest, [...at, 'schema', ...path]), kubernetes);
      return addU64(sum, ruleCost(place)?.all ?? 0);
    }, zero);
    const parts = rules.length === 0 ? [] : [costText(Number(cost)), counted(rules.length, 'rule')];
    const title = [...parts, counted(own.length, 'resource')].join(' · ');
    const does = own.length === 0 ? undefined : { show: own.map(({ place }) => place) };
    return [inFile(placed, key)({ title, does })];
  });
}

function costText(cost: number): string {
  const share = (cost / totalLimit) * 100;
  return `rules cost ${share > 0 && share < 1 ? 'under 1' : share > 10_000 ? 'over 10,000' : Math.round(share)}% of the limit`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const answers = ['true', 'false', 'error'] as const;
type RuleSaid = (typeof answers)[number];

/** What rules said to a resource: those that are not here were not evaluated. */
type Said = ReadonlyMap<ValidationRule, RuleSaid>;

function resourceLenses(crd: Crd): Lens[] {
  const { manifest, placed, kubernetes } = crd;
  const served = serveCrd(manifest.value, kubernetes);
  if ('error' in served) return [];
  return served.lowered.versions.flatMap(({ name }) => {
    const own = ofVersion(crd, name);
    const judged = own.slice(0, mostJudged).map((resource) => {
      return { place: resource.place, said: saidTo(resource.manifest, served, kubernetes) };
    });
    const all = own.length > mostJudged ? `the first ${mostJudged} resources` : counted(own.length, 'resource');
    return rulesOf(served, name, manifest.value).flatMap(([rule, path]) => {
      const key = rangeOf(placed.document, inDocument(manifest, path), 'key');
      const lens = lensOf(
        judged.map(({ place, said }) => ({ place, said: said.get(rule) })),
        all,
      );
      return key && lens ? [inFile(placed, key)(lens)] : [];
    });
  });
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

function saidTo({ value }: Manifest, served: ServedCrd, kubernetes: KubernetesVersion): Said {
  const said = new Map<ValidationRule, RuleSaid>();
  createResource(value, served, {
    kubernetes,
    evaluateRules: (rules) => {
      const results = evaluateSchemaRules({
        ...rules,
        isRoot: true,
        watch: ({ rule }) => void said.set(rule, said.get(rule) ?? 'true'),
      });
      for (const { rule } of results.leftOut) said.delete(rule);
      for (const error of results.errors) {
        const { rule, kind } = error.facts;
        if (rule) said.set(rule, kind === 'failed' || kind === 'message' ? 'false' : 'error');
      }
      return results;
    },
  });
  return said;
}

/** The rules of a version, with their paths in the CRD. */
function rulesOf({ versions }: ServedCrd, version: string, crd: Value): [rule: ValidationRule, path: Path][] {
  const written = valueAt(crd, ['spec', 'versions']);
  const names = (Array.isArray(written) ? written : []).map((one: Value) => valueAt(one, ['name']));
  const structural = versions.get(version)?.structural;
  const at = ['spec', 'versions', names.indexOf(version), 'schema', 'openAPIV3Schema'];
  return structural ? rulesBelow(structural, at) : [];
}

function rulesBelow(
  { extensions, properties, items, additionalProperties }: Structural,
  at: Path,
): [ValidationRule, Path][] {
  const below = (one: Structural | undefined, ...steps: string[]) => (one ? rulesBelow(one, [...at, ...steps]) : []);
  return [
    ...extensions.validations.map((rule, i): [ValidationRule, Path] => [
      rule,
      [...at, 'x-kubernetes-validations', i, 'rule'],
    ]),
    ...[...(properties ?? [])].flatMap(([name, property]) => below(property, 'properties', name)),
    ...below(items, 'items'),
    ...below(additionalProperties?.schema, 'additionalProperties'),
  ];
}
