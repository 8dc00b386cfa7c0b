// What must not compile. tsc reads this file with the others (nothing runs it), and an expectation below which there
// is no error is an error itself: so whoever loosens the types of findings and rules hears of it.

import type { CrdFacts, CrdFinding } from '../../server/src/kubernetes/crd/findings.ts';
import { child, invalid, rootPath } from '../../server/src/kubernetes/field.ts';
import type { MetadataFacts } from '../../server/src/kubernetes/metadata/findings.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { problemAt } from '../../server/src/rules/judging/problemAt.ts';
import { lintFamily } from '../../server/src/rules/lints/lint.ts';
import type { RuleCode } from '../../server/src/rules/model/registry.ts';
import { family, type Problem, type ProblemOf, type RulesOf } from '../../server/src/rules/model/rule.ts';
import type { Manifest } from '../../server/src/workspace/manifest.ts';

const spot = child(rootPath, 'spec');
const supported = ['Cluster', 'Namespaced'];
const words = { title: '', explanation: '', bad: '', good: '' };

// Engines: a code with its facts is a finding …
export const found: CrdFinding[] = [
  invalid(spot, '', '', newestVersion, { code: 'crd/scope', facts: { scope: 'x', supported } }),
  invalid(spot, '', '', newestVersion, { code: 'crd/root-nullable' }),
  // … with others, with none or with too many it is not, and neither is an unknown code.
  // @ts-expect-error a fact of another code
  invalid(spot, '', '', newestVersion, { code: 'crd/scope', facts: { name: 'x' } }),
  // @ts-expect-error a fact of another type
  invalid(spot, '', '', newestVersion, { code: 'crd/scope', facts: { scope: 1, supported } }),
  // @ts-expect-error facts are missing
  invalid(spot, '', '', newestVersion, { code: 'crd/scope' }),
  // @ts-expect-error there is nothing to know
  invalid(spot, '', '', newestVersion, { code: 'crd/root-nullable', facts: { scope: 'x' } }),
  // @ts-expect-error a misspelled code
  invalid(spot, '', '', newestVersion, { code: 'crd/root-nulable' }),
];

// Judging: the same of problems.
declare const manifest: Manifest;
export const problems: ProblemOf<CrdFacts>[] = [
  problemAt(manifest, { code: 'crd/name-label', facts: { name: 'x' } }, '', [], 'key'),
  // @ts-expect-error a misspelled code
  problemAt(manifest, { code: 'crd/name-lable', facts: { name: 'x' } }, '', [], 'key'),
  // @ts-expect-error a fact of another code
  problemAt(manifest, { code: 'crd/name-label', facts: { key: 'x' } }, '', [], 'key'),
];

// Rules: fixes and related places get the facts of their code.
function wantsKey({ facts }: Problem<string, { readonly key: string }>): [] {
  return facts.key === '' ? [] : [];
}

export const rules = family<CrdFacts>()({
  'crd/map-key-required': { ...words, fixes: wantsKey, related: wantsKey, along: ['crd/map-key-nullable'] },
  'crd/scope': {
    ...words,
    fixes: ({ facts }) => {
      const known: readonly string[] = facts.supported;
      // @ts-expect-error a misspelled fact
      return known.length > 0 ? [] : facts.suported;
    },
  },
  // @ts-expect-error a fix that needs a fact which this code does not have
  'crd/name-label': { ...words, fixes: wantsKey },
  // @ts-expect-error related places that need a fact which this code does not have
  'crd/kind-label': { ...words, related: wantsKey },
  // @ts-expect-error a misspelled code beside
  'crd/map-key-nullable': { ...words, along: ['crd/map-key-requird'] },
});

export const misspelled = family<CrdFacts>()({
  'crd/map-key-required': words,
  // @ts-expect-error a misspelled code
  'crd/map-key-requird': words,
});

// @ts-expect-error codes without a rule
export const incomplete: RulesOf<CrdFacts> = family<CrdFacts>()({ 'crd/scope': words });

export const whole: RulesOf<Pick<MetadataFacts, 'metadata/name'>> = family<MetadataFacts>()({ 'metadata/name': words });

// Lints: a check is given what it rests on, and finds facts of its code.
type LintFacts = { 'lint/one': { readonly near: string }; 'lint/two': undefined };

export const lints = lintFamily<LintFacts>()({
  'lint/one': {
    ...words,
    severity: 'hint',
    restsOn: 'schema',
    check: ({ schema }) => [{ message: schema.type, at: [], anchor: 'key', facts: { near: '' } }],
  },
  'lint/two': {
    ...words,
    severity: 'hint',
    restsOn: 'schema',
    // @ts-expect-error the answer about a schema may not rest on what is around it
    check: ({ parent }) => [{ message: String(parent), at: [], anchor: 'key' }],
  },
});

export const wrongLints = lintFamily<LintFacts>()({
  'lint/one': {
    ...words,
    severity: 'hint',
    restsOn: 'schema',
    // @ts-expect-error a fact of another name
    check: () => [{ message: '', at: [], anchor: 'key', facts: { nearest: '' } }],
  },
  'lint/two': { ...words, severity: 'hint', restsOn: 'crd', check: () => [] },
});

export const codes: RuleCode[] = [
  'crd/scope',
  'cr/rule',
  'lint/list-type',
  // @ts-expect-error a misspelled code
  'lint/list-typo',
];
