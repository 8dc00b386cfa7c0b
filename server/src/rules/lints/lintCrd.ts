import { lowerCrd } from '../../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Problem } from '../rule.ts';
import { lintConversion } from './conversion.ts';
import { lintKeywords } from './keywords.ts';
import {
  isAskedFor,
  type Linted,
  type LintedVersion,
  type LintSettings,
  placesBelow,
  type SchemaPlace,
  versionsOf,
} from './linted.ts';
import { lintList } from './lists.ts';
import { lintMinimum } from './minimum.ts';
import { lintColumns, lintScale } from './paths.ts';
import { lintPattern } from './patterns.ts';
import { lintRules } from './rules.ts';
import { lintSize } from './size.ts';
import { lintDeprecation, lintStatus } from './versions.ts';
import { lintWebhook } from './webhook.ts';

/** What the API server accepts of a CRD, and what is still going to bite. */
export function lintCrd(manifest: Manifest, kubernetes: KubernetesVersion, settings: LintSettings): Problem[] {
  const crd = lowerCrd(manifest.value, kubernetes);
  if (!crd) return [];
  const linted: Linted = { manifest, crd, kubernetes, settings };
  return [
    ...[lintKeywords, lintWebhook, lintConversion, lintSize, lintMinimum].flatMap((lint) => lint(linted)),
    ...versionsOf(linted).flatMap((version) => lintVersion(linted, version)),
  ];
}

const versionLints = [lintColumns, lintScale, lintStatus, lintDeprecation, lintRules];

function lintVersion(linted: Linted, version: LintedVersion): Problem[] {
  const found = versionLints.flatMap((lint) => lint(linted, version));
  lintSchemas(linted, version.root, found);
  return found;
}

/** Schemas of which there is nothing to say, whatever is asked for: most of them stay what they are at a keystroke. */
const clean = new WeakSet<Structural>();

function lintSchemas(linted: Linted, root: SchemaPlace, found: Problem[]): void {
  const asksForLists = listCodes.some((code) => isAskedFor(linted, code));
  const visit = (place: SchemaPlace): void => {
    if (!asksForLists && clean.has(place.schema)) return;
    const before = found.length;
    found.push(...lintPattern(linted, place), ...(asksForLists ? lintList(linted, place) : []));
    for (const below of placesBelow(place)) visit(below);
    if (found.length === before) clean.add(place.schema);
  };
  visit(root);
}

const listCodes = ['lint/list-type', 'lint/conditions-type'] as const;
