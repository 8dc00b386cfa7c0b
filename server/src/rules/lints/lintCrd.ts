import { lowerCrd } from '../../kubernetes/crd/lower.ts';
import type { KubernetesVersion } from '../../kubernetes/versions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Problem } from '../rule.ts';
import { lintConversion } from './conversion.ts';
import { lintKeywords } from './keywords.ts';
import { eachSchema, type Linted, type LintedVersion, type LintSettings, versionsOf } from './linted.ts';
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
  eachSchema(version.root, (place) => {
    found.push(...lintPattern(linted, place), ...lintList(linted, place));
  });
  return found;
}
