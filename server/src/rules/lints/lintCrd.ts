import { append } from '../../base/append.ts';
import { lowerCrd } from '../../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { few, mostShown } from '../judging/few.ts';
import { problemAt } from '../judging/problemAt.ts';
import { wasStorable } from '../judging/updateVerdict.ts';
import type { Problem } from '../model/rule.ts';
import { beginAbsence } from './absence.ts';
import type { AnyLint, Found } from './lint.ts';
import {
  type Linted,
  type LintedVersion,
  type LintSettings,
  placesBelow,
  type SchemaPlace,
  schemaPath,
  versionsOf,
} from './linted.ts';
import { eachRule } from './ruleWalk.ts';

/** What a commit has of a CRD: the same, or one of another name. */
interface Past {
  readonly committed?: Committed | undefined;
  readonly formerName?: string | undefined;
}

/** What the API server accepts in a CRD but will cause trouble later. */
export function lintCrd(
  lints: readonly AnyLint[],
  manifest: Manifest,
  kubernetes: KubernetesVersion,
  settings: LintSettings,
  past: Past = {},
): Problem[] {
  const crd = lowerCrd(manifest.value, kubernetes);
  if (!crd) return [];
  beginAbsence();
  const { committed, formerName } = past;
  const before = committed && wasStorable(committed, kubernetes) && lowerCrd(committed.manifest.value, kubernetes);
  const linted: Linted = {
    manifest,
    crd,
    kubernetes,
    settings,
    committed: before ? { ref: committed.ref, crd: before } : undefined,
    formerName,
  };
  const asked = lints.filter((lint) => isAskedFor(lint, settings));
  const ofCrd = asked.flatMap((lint) =>
    lint.restsOn === 'crd' ? few(lint.check(linted)).map((found) => worded(linted, lint, found)) : [],
  );
  return [...ofCrd, ...versionsOf(linted).flatMap((version) => lintVersion(asked, linted, version))];
}

/** What is off is not even looked for: it may hold in thousands of places. */
function isAskedFor({ code, severity }: AnyLint, { rules }: LintSettings): boolean {
  return (rules.get(code) ?? severity) !== 'off';
}

/** What lints find, and of which lints nobody would read more. */
interface Findings {
  readonly problems: Problem[];
  readonly counts: Map<AnyLint, number>;
}

function isFull({ counts }: Findings, lint: AnyLint): boolean {
  return (counts.get(lint) ?? 0) >= mostShown;
}

function add({ problems, counts }: Findings, linted: Linted, lint: AnyLint, found: readonly Found[]): void {
  if (found.length === 0) return;
  counts.set(lint, (counts.get(lint) ?? 0) + found.length);
  append(
    problems,
    few(found).map((one) => worded(linted, lint, one)),
  );
}

function lintVersion(lints: readonly AnyLint[], linted: Linted, version: LintedVersion): Problem[] {
  const found: Findings = { problems: [], counts: new Map() };
  for (const lint of lints) {
    if (lint.restsOn === 'version') add(found, linted, lint, lint.check(linted, version));
  }
  const ofRules = lints.filter((lint) => lint.restsOn === 'rule');
  eachRule(linted, version, (rule) => {
    for (const lint of ofRules) {
      if (!isFull(found, lint)) add(found, linted, lint, lint.check(linted, rule));
    }
  });
  lintSchemas(lints, linted, version.root, found);
  return found.problems;
}

/**
 * Schemas in which nothing was found, with the names that they had, by the lints that looked: most of them stay what
 * they are at a keystroke. A check of a schema is given nothing else, so its answer cannot rest on anything else.
 */
const cleanBy = new Map<string, WeakMap<Structural, string | undefined>>();

function lintSchemas(lints: readonly AnyLint[], linted: Linted, root: SchemaPlace, found: Findings): void {
  const ofSchemas = lints.filter((lint) => lint.restsOn === 'schema');
  const key = ofSchemas.map(({ code }) => code).join(' ');
  // Not a memo: only schemas of which nothing is said are kept.
  const clean = cleanBy.get(key) ?? new WeakMap<Structural, string | undefined>();
  cleanBy.set(key, clean);
  const visit = (place: SchemaPlace): void => {
    const { schema, name } = place;
    if (clean.has(schema) && clean.get(schema) === name) return;
    const before = found.problems.length;
    for (const lint of ofSchemas) {
      if (isFull(found, lint)) continue;
      const ofPlace = lint.check({ schema, name });
      add(
        found,
        linted,
        lint,
        ofPlace.map((one) => ({ ...one, at: [...schemaPath(place), ...one.at] })),
      );
    }
    for (const below of placesBelow(place)) visit(below);
    // A lint that is full has found something above or beside this schema, and did not look here.
    if (found.problems.length === before && !ofSchemas.some((lint) => isFull(found, lint))) clean.set(schema, name);
  };
  visit(root);
}

function worded(
  { manifest, kubernetes }: Linted,
  { code }: AnyLint,
  { message, at, anchor, part, ...rest }: Found,
): Problem {
  const problem = problemAt(manifest, { code, ...rest }, message, at, anchor, { kubernetes });
  return part ? narrowed(problem, part) : problem;
}

/** A problem about a part of an expression. */
function narrowed(problem: Problem, part: NonNullable<Found['part']>): Problem {
  const map = scalarMap(problem.document, problem.path);
  if (!map || part.end <= part.start || part.end > map.value.length) return problem;
  return { ...problem, range: { start: map.toText(part.start), end: map.toTextEnd(part.end - 1) } };
}
