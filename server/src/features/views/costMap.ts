import type { Steps } from '../../base/steps.ts';
import { onOneLine } from '../../base/text.ts';
import { addU64, type U64 } from '../../base/u64.ts';
import { isString, type ManifestPath, type Value, valueAt } from '../../base/value.ts';
import { boolType, stringType } from '../../cel/types.ts';
import { crdCostLimit } from '../../kubernetes/bounds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { rulePlace } from '../../workspace/rulePlace.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import type { Location } from '../place/location.ts';
import { crdsOf, rulePaths } from '../place/rulePaths.ts';
import { budgetShare, costExplained, costNumber, ruleCost } from '../words/costs.ts';

/** What the expressions of a version may cost, by the fields that they stand at, the most expensive first. */
export interface VersionCost extends Cost {
  readonly kind: string;
  readonly version: string;
  readonly place: Location;
  readonly fields: readonly FieldCost[];
  /** Expressions whose cost is not known, since they do not compile. */
  readonly unknown: number;
}

interface Cost {
  /** In the words of the API server's own unit. */
  readonly cost: string;
  /** Of what all expressions of a version may cost together, in percent. */
  readonly share: number;
}

export interface FieldCost extends Cost {
  /** Such as `spec.users[]`; '' for the object itself. */
  readonly field: string;
  readonly place: Location;
  readonly expressions: readonly ExpressionCost[];
}

export interface ExpressionCost extends Cost {
  readonly keyword: 'rule' | 'messageExpression';
  readonly expression: string;
  /** Of what one expression may cost, in percent. */
  readonly ofOne: number;
  /** How it comes to that, and what would help. */
  readonly explained: string;
  readonly place: Location;
}

export function* costMap(snapshot: Snapshot, uri: string): Steps<VersionCost[]> {
  const file = fileAt(snapshot, uri);
  const kubernetes = kubernetesFor(snapshot, uri);
  if (!file) return [];
  const costs: VersionCost[] = [];
  for (const { manifest } of crdsOf(snapshot, uri)) {
    const kind = valueAt(manifest.value, ['spec', 'names', 'kind']);
    const versions = valueAt(manifest.value, ['spec', 'versions']);
    for (const [i, version] of (Array.isArray(versions) ? versions : []).entries()) {
      const name = valueAt(version, ['name']);
      const about = { kind: isString(kind) ? kind : '', version: isString(name) ? name : '' };
      const cost = yield* versionCost({ file, manifest, kubernetes }, ['spec', 'versions', i], version);
      costs.push({ ...about, ...cost });
    }
  }
  return costs;
}

interface Crd {
  readonly file: SourceFile;
  readonly manifest: Manifest;
  readonly kubernetes: KubernetesVersion;
}

interface Sized {
  readonly size: U64;
}

interface Found extends ExpressionCost, Sized {
  readonly node: ManifestPath;
  readonly field: string;
}

function* versionCost(crd: Crd, at: ManifestPath, version: Value): Steps<Omit<VersionCost, 'kind' | 'version'>> {
  const paths = rulePaths(valueAt(version, ['schema']) ?? null).map((path) => [...at, 'schema', ...path]);
  const found: Found[] = [];
  for (const path of paths) {
    const one = expressionCost(crd, path);
    if (one) found.push(one);
    yield;
  }
  const byField = new Map<string, Found[]>();
  for (const one of found) byField.set(one.field, [...(byField.get(one.field) ?? []), one]);
  const fields = [...byField].map(([field, all]) => {
    const size = sumOf(all);
    const expressions = dearestFirst(all).map(({ size: _, node: __, field: ___, ...rest }) => rest);
    return { field, size, ...costOf(size), place: placeOf(crd, all[0]!.node, 'key'), expressions };
  });
  return {
    ...costOf(sumOf(found)),
    place: placeOf(crd, [...at, 'name'], 'value'),
    fields: dearestFirst(fields).map(({ size: _, ...rest }) => rest),
    unknown: paths.length - found.length,
  };
}

/** What an expression of another type may cost is not counted: it is refused. */
const wanted = { rule: boolType, messageExpression: stringType };

function expressionCost(crd: Crd, path: ManifestPath): Found | undefined {
  const place = rulePlace(crd.manifest, inDocument(crd.manifest, path), crd.kubernetes);
  const costs = ruleCost(place);
  if (!place || !costs || place.compiled.expr.type !== wanted[place.keyword]) return undefined;
  const node = path.slice(0, -3);
  return {
    keyword: place.keyword,
    expression: onOneLine(place.compiled.text).trim(),
    ...{ size: costs.all, node, field: fieldOfSchema(node.slice(5)) },
    ...costOf(costs.all),
    ofOne: budgetShare(costs.all),
    explained: costExplained(place, costs).plain,
    place: placeOf(crd, path, 'value'),
  };
}

/** Where the values are that a schema describes: `spec.ports[].name`, from the path below the schema of the object. */
export function fieldOfSchema(steps: ManifestPath): string {
  let field = '';
  for (let i = 0; i < steps.length; i++) {
    if (steps[i] === 'properties') field += `${field === '' ? '' : '.'}${steps[++i]}`;
    else field += steps[i] === 'items' ? '[]' : steps[i] === 'additionalProperties' ? '[*]' : '';
  }
  return field;
}

function placeOf({ file, manifest }: Crd, path: ManifestPath, anchor: 'key' | 'value'): Location {
  return locateInFile(file, manifest, path, anchor);
}

function sumOf(all: readonly Sized[]): U64 {
  return all.reduce((sum, { size }) => addU64(sum, size), 0 as U64);
}

function dearestFirst<One extends Sized>(all: readonly One[]): One[] {
  return [...all].sort((a, b) => (a.size === b.size ? 0 : a.size > b.size ? -1 : 1));
}

function costOf(size: U64): Cost {
  return { cost: costNumber(size), share: (Number(size) / crdCostLimit) * 100 };
}
