import type { DocumentPath, ManifestPath } from '../../base/value.ts';
import { isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { definitionOf } from '../../crdtest/load.ts';
import { patched, pathOf } from '../../crdtest/objects.ts';
import { rulePathOf } from '../../crdtest/rulePath.ts';
import { crdRefIn, saidInRows } from '../../crdtest/suite.ts';
import { type Definition, type Definitions, definitionsFor } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { below } from '../../workspace/projections/below.ts';
import type { Origin, Projection } from '../../workspace/projections/projection.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';

// Tests hold objects of their CRD, and parts and patches of such: completion, hover and navigation take them for what they
// will be.

/** An object of tests, as if it was one of the file's, with what of it is asked for. */
export interface ObjectIn {
  readonly manifest: Manifest;
  readonly path: ManifestPath;
  readonly definitions: readonly Definition[];
}

/** The CRD that a document tests, if it is one of the workspace. */
export function testedBy(document: YamlDocument, uri: string, definitions: Definitions): Definition | undefined {
  const root = tolerantValueOf(document);
  const ref = isMap(root) ? crdRefIn(root) : undefined;
  return ref && definitionOf(ref, uri, definitions);
}

/** What a path in tests leads to in an object of their CRD; undefined where it leads to something of the tests themselves. */
export function objectIn(
  document: YamlDocument,
  uri: string,
  definitions: Definitions,
  path: DocumentPath,
): ObjectIn | undefined {
  const root = tolerantValueOf(document);
  const part = isMap(root) ? partAt(root, path) : undefined;
  if (isMap(root) && part && root.has('policy')) return askedObject(root, part, document, uri, definitions, path);
  const definition = part && testedBy(document, uri, definitions);
  if (!isMap(root) || !part || !definition) return undefined;
  const { value, at, projection, rule } = part;
  const [inside] = projection.made(path);
  if (!inside) return undefined;
  const apiVersion = (rule && versionWith(definition, rule)) ?? apiVersionFor(root, path, definition, value);
  const manifest: Manifest = { role: 'resource', document, at, value, apiVersion, kind: definition.kind, projection };
  return { manifest, path: inside, definitions: [definition] };
}

/** The same in tests of policies, whose objects are of any kind: of the one that they name, or their base. */
function askedObject(
  root: ValueMap,
  { value, at, projection }: Part,
  document: YamlDocument,
  uri: string,
  definitions: Definitions,
  path: DocumentPath,
): ObjectIn | undefined {
  const [inside] = projection.made(path);
  const spec = valueAt(root, at.at(-1) === 'with' ? at.slice(0, -1) : at);
  const bases = root.get('bases');
  const named = valueAt(spec, ['base']);
  const base = isMap(bases) ? bases.get(isString(named) ? named : ([...bases.keys()][0] ?? '')) : undefined;
  const [apiVersion, kind] = ['apiVersion', 'kind'].map((key) => valueAt(value, [key]) ?? valueAt(base ?? null, [key]));
  if (!inside || !isString(apiVersion) || !isString(kind)) return undefined;
  const manifest: Manifest = { role: 'resource', document, at, value, apiVersion, kind, projection };
  return { manifest, path: inside, definitions: definitionsFor(definitions, manifest, uri) };
}

interface Part {
  /** The object as far as it is written in this place. */
  readonly value: ValueMap;
  /** The place. */
  readonly at: DocumentPath;
  readonly projection: Projection<ManifestPath, DocumentPath>;
  /** The place of the rule that it is a value of. */
  readonly rule?: Path;
}

function partAt(root: ValueMap, path: Path): Part | undefined {
  const [list, , key, inner] = path;
  const whole = (from: number) => wholeAt(root, path, from);
  if (list === 'bases') return whole(2);
  if (list !== 'cases') return undefined;
  if (key === 'create' || key === 'delete' || key === 'connect') return specAt(root, path, 3);
  if (key === 'update' || key === 'status')
    return inner === 'from' || inner === 'to' ? specAt(root, path, 4) : undefined;
  if (key === 'stored' || key === 'exactly') return whole(3);
  if (key === 'each') return saidInRows.has(String(path[4])) ? undefined : patchAt(root, path, 4);
  return key === 'self' || key === 'oldSelf' ? selfAt(root, path) : undefined;
}

function wholeAt(root: ValueMap, path: Path, from: number): Part | undefined {
  const at = path.slice(0, from);
  const value = valueAt(root, at);
  return path.length > from && isMap(value) ? { value, at, projection: below(at) } : undefined;
}

/** An object as cases give it: whole, or as what is different in another. */
function specAt(root: ValueMap, path: Path, from: number): Part | undefined {
  const value = valueAt(root, path.slice(0, from));
  if (isMap(value) && value.has('apiVersion') && value.has('kind')) return wholeAt(root, path, from);
  return path[from] === 'with' ? patchAt(root, path, from + 1) : undefined;
}

/** A patch, whose own keys may be paths. */
function patchAt(root: ValueMap, path: Path, from: number): Part | undefined {
  const at = path.slice(0, from);
  const value = valueAt(root, at);
  if (!isMap(value) || path[from] === undefined) return undefined;
  return { value: patched(new Map(), value) as ValueMap, at, projection: ofPatch(at, [...value.keys()]) };
}

function ofPatch(at: DocumentPath, keys: readonly string[]): Part['projection'] {
  const stepsOf = (key: string): Path => pathOf(key) ?? [key];
  return {
    written: (path) =>
      keys.flatMap((key): Origin<DocumentPath>[] => {
        const steps = stepsOf(key);
        const isIn = steps.every((step, i) => path[i] === step);
        return isIn ? [{ place: [...at, key, ...path.slice(steps.length)], how: 'written' }] : [];
      }),
    made: (path) => {
      const [key, ...rest] = path.slice(at.length);
      return [[...stepsOf(String(key)), ...rest]];
    },
  };
}

/** The value that a rule judges, at its place in an object. */
function selfAt(root: ValueMap, path: Path): Part | undefined {
  const named = valueAt(root, [...path.slice(0, 2), 'rule']);
  const rule = isString(named) ? rulePathOf(named) : undefined;
  const at = path.slice(0, 3);
  const value = valueAt(root, at);
  if (!rule || (rule.object.length === 0 && !isMap(value))) return undefined;
  const around = rule.object.reduceRight<Value>(
    (inside, step) => (typeof step === 'number' ? [inside] : new Map([[step, inside]])),
    value ?? null,
  );
  return { value: around as ValueMap, at, projection: ofSelf(at, rule.object), rule: [...rule.schema] };
}

/** `self` is a part of an object, at `steps` in it. */
function ofSelf(at: DocumentPath, steps: Path): Part['projection'] {
  return {
    written: (path) => {
      const isIn = steps.every((step, i) => path[i] === step);
      return [{ place: [...at, ...path.slice(steps.length)], how: isIn ? 'written' : 'computed' }];
    },
    made: (path) => [[...steps, ...path.slice(at.length)]],
  };
}

const schemaOfVersion = (i: number): Path => ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];

function versionWith({ manifest, group, versions }: Definition, rule: Path): string | undefined {
  const at = versions.findIndex((_, i) => isMap(valueAt(manifest.value, [...schemaOfVersion(i), ...rule])));
  return at === -1 ? undefined : `${group}/${versions[at]}`;
}

/** The version of what a place is a part of: as written there, in the case's own object, or in the base. */
export function apiVersionFor(root: Value, path: Path, definition: Definition, own?: ValueMap): string {
  const one = valueAt(root, path.slice(0, 2));
  const specs = [['create'], ['update', 'to'], ['status', 'to']].map((steps) => valueAt(one, steps));
  const bases = valueAt(root, ['bases']);
  const inBases = isMap(bases) ? [...bases.values()] : [];
  const named = specs.map((spec) => valueAt(bases ?? null, [String(valueAt(spec, ['base']) ?? '')]));
  const found = [...(own ? [own] : []), ...specs, ...named, ...inBases]
    .map((value) => valueAt(value, ['apiVersion']))
    .find(isString);
  const { group, described, versions } = definition;
  return found ?? `${group}/${described[0] ?? versions[0] ?? ''}`;
}
