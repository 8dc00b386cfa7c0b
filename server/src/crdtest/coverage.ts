import { memo } from '../base/memo.ts';
import { movedRange, type Range } from '../base/text.ts';
import { equalValues, isList, isMap, type Path, type Value, valueAt } from '../base/value.ts';
import { evaluateSchemaRules } from '../kubernetes/cel/evaluate.ts';
import type { JudgedRule } from '../kubernetes/cel/ruleVariables.ts';
import type { EvaluateObjectRules } from '../kubernetes/cr/rules.ts';
import type { ServedCrd, ServedVersion } from '../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Manifest, splitApiVersion } from '../workspace/manifest.ts';
import { schemaPathOf } from '../workspace/schemaNode.ts';
import { placedIn, type SourceFile } from '../workspace/sourceFile.ts';
import { rangeOf } from '../yaml/place.ts';
import { scalarMap } from '../yaml/scalarMap.ts';
import { coveredRules } from './coveredRules.ts';
import { coveredSchema, seeGiven, seeStored } from './coveredValues.ts';
import type { NewPoint, Point, PointOf } from './points.ts';

// What cases make of a CRD: which of its rules and bounds they try from both sides, and which of its fields they set.

/** A CRD that is tested, in its file. */
export interface FoundCrd {
  readonly file: SourceFile;
  readonly manifest: Manifest;
}

/** Is told what a case does. */
export interface CaseWatch {
  readonly evaluateRules: EvaluateObjectRules;
  /** A rule that is evaluated alone. */
  judged(rule: JudgedRule): void;
  /** An object as it is sent, and as it would be stored. */
  object(given: Value, stored: Value | undefined): void;
}

/** A point with its place in the text of the CRD's file. */
export interface PlacedPoint extends Point {
  readonly range: Range;
}

/** What cases made of one CRD, or of a policy. */
export interface Coverage extends FoundCrd {
  /** In the order of the file. */
  points(): readonly PlacedPoint[];
}

/** The coverage of everything in a run. */
export interface CoverageLog {
  /** The coverage of a CRD: the same one for every file of tests that names it. */
  of(found: FoundCrd): CrdCoverage;
  /** The same for something else that is tested. */
  made<T extends Coverage>(found: FoundCrd, make: (found: FoundCrd) => T): T;
  all(): readonly Coverage[];
}

export function coverageLog(): CoverageLog {
  const known = new Map<string, Coverage>();
  const made = <T extends Coverage>(found: FoundCrd, make: (found: FoundCrd) => T): T => {
    const id = [found.file.uri, startOf(found), ...found.manifest.at].join(' ');
    // What is at a place is always made in the same way.
    const one = (known.get(id) as T | undefined) ?? make(found);
    known.set(id, one);
    return one;
  };
  return { of: (found) => made(found, crdCoverage), made, all: () => [...known.values()] };
}

/** What cases made of one CRD. */
export interface CrdCoverage extends Coverage {
  /** What a case is watched with while it runs against the CRD, or against the CRD with a patch. */
  watch(crd: ServedCrd, document: Value & object, kubernetes: KubernetesVersion): CaseWatch;
}

function crdCoverage(found: FoundCrd): CrdCoverage {
  const points = new Map<string, Point>();
  /** Those that the CRD has as it is written. */
  const own = new Set<Point>();
  const pointIn = (document: Value & object, isOwn: boolean) => (of: PointOf) => {
    const key = keyOf(of, document);
    const point = points.get(key) ?? { ...of, ways: of.ways.map((name) => ({ name, hits: 0 })) };
    points.set(key, point);
    if (isOwn) own.add(point);
    return point;
  };
  const covers = memo((document: Value & object, crd: ServedCrd, kubernetes: KubernetesVersion) => {
    const isOwn = equalValues(document, found.manifest.value);
    return coveredVersions(crd, document, kubernetes, pointIn(document, isOwn));
  });
  return {
    ...found,
    watch: (crd, document, kubernetes) => watchOf(covers(document, crd, kubernetes)),
    points: () => placedPoints(found, [...own]),
  };
}

export function placedPoints(found: FoundCrd, points: readonly Point[]): readonly PlacedPoint[] {
  return points
    .flatMap((point) => {
      const range = rangeIn(found, point);
      return range ? [{ ...point, range }] : [];
    })
    .sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}

/** Points are the same in all releases, and in a patched CRD as long as the patch leaves alone what they are about. */
function keyOf({ kind, path, part, what }: PointOf, document: Value): string {
  const written = kind === 'field' ? undefined : keyText(valueAt(document, path));
  return JSON.stringify([kind, path, part, what, written]);
}

function keyText(value: Value | undefined): string {
  if (isList(value)) return `[${value.map(keyText).join()}]`;
  if (isMap(value)) return `{${[...value].map(([key, item]) => `${key}:${keyText(item)}`).join()}}`;
  return `${typeof value} ${value}`;
}

type Covered = ReturnType<typeof coveredVersion>;

function coveredVersions(
  crd: ServedCrd,
  document: Value,
  kubernetes: KubernetesVersion,
  newPoint: NewPoint,
): ReadonlyMap<string, Covered> {
  const served = crd.lowered.versions.filter((version) => version.served);
  return new Map(
    served.map(({ name }) => {
      return [name, coveredVersion(crd.versions.get(name)!, schemaPathOf(document, name), kubernetes, newPoint)];
    }),
  );
}

function coveredVersion(
  { values, structural }: ServedVersion,
  at: Path,
  kubernetes: KubernetesVersion,
  newPoint: NewPoint,
) {
  return {
    schema: values && coveredSchema(values, at, newPoint),
    rules: structural ? coveredRules(structural, at, kubernetes, newPoint) : undefined,
  };
}

function watchOf(covered: ReadonlyMap<string, Covered>): CaseWatch {
  const judged = ({ rule, ...on }: JudgedRule) => {
    for (const { rules } of covered.values()) rules?.get(rule)?.see(on);
  };
  return {
    judged,
    evaluateRules: (rules) => {
      const seen: JudgedRule[] = [];
      const results = evaluateSchemaRules({ ...rules, isRoot: true, watch: (one) => void seen.push(one) });
      for (const one of seen) judged(one);
      return results;
    },
    object: (given, stored) => {
      const { version } = splitApiVersion(String(valueAt(given, ['apiVersion'])));
      const schema = covered.get(version)?.schema;
      if (!schema) return;
      seeGiven(schema, given);
      if (stored !== undefined) seeStored(schema, stored);
    },
  };
}

function startOf({ file, manifest }: FoundCrd): number {
  return placedIn(file, manifest.document)?.start ?? 0;
}

/** The name of a field, the text of a rule or of a part of it, or all of a bound. */
function rangeIn(found: FoundCrd, { kind, path, part }: Point): Range | undefined {
  const { document, at } = found.manifest;
  const place = [...at, ...path];
  const map = part && scalarMap(document, place);
  const range = map
    ? { start: map.toText(part.start), end: map.toTextEnd(part.end - 1) }
    : kind === 'field'
      ? rangeOf(document, place, 'key')
      : kind === 'bound' && typeof path.at(-1) === 'string'
        ? rangeOf(document, place, 'pair')
        : rangeOf(document, place, 'value');
  const start = startOf(found);
  return range && movedRange(range, start);
}
