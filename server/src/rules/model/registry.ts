import type { CrCode } from '../../kubernetes/cr/codes.ts';
import type { CrdCode } from '../../kubernetes/crd/codes.ts';
import { ignoredRules } from '../cr/ignored.ts';
import { kindDefinedTwice } from '../cr/kindDefinedTwice.ts';
import { objectRules } from '../cr/objects.ts';
import { placeholderRule } from '../cr/placeholders.ts';
import { unknownField } from '../cr/unknownField.ts';
import { valueRules } from '../cr/values.ts';
import { conversionRules } from '../crd/conversion.ts';
import { defaultRules } from '../crd/defaults.ts';
import { documentRules } from '../crd/document.ts';
import { forbiddenInJunctor } from '../crd/forbiddenInJunctor.ts';
import { keywordRules } from '../crd/keywords.ts';
import { listTypeRules } from '../crd/listTypes.ts';
import { nameRules } from '../crd/names.ts';
import { structureRules } from '../crd/structure.ts';
import { subresourceRules } from '../crd/subresources.ts';
import { typeRequired } from '../crd/typeRequired.ts';
import { undeclaredInJunctor } from '../crd/undeclaredInJunctor.ts';
import { v1beta1 } from '../crd/v1beta1.ts';
import { validationRules } from '../crd/validations.ts';
import { versionRules } from '../crd/versions.ts';
import type { LintCode } from '../lints/codes.ts';
import { conversionLints } from '../lints/conversion.ts';
import { keywordLints } from '../lints/keywords.ts';
import { listLints } from '../lints/lists.ts';
import { minimumLints } from '../lints/minimum.ts';
import { pathLints } from '../lints/paths.ts';
import { patternLints } from '../lints/patterns.ts';
import { ruleLints } from '../lints/rules.ts';
import { sizeLints } from '../lints/size.ts';
import { versionLints } from '../lints/versions.ts';
import { webhookLints } from '../lints/webhook.ts';
import { metadataRules } from '../metadata/metadata.ts';
import { duplicateKey } from '../yaml/duplicateKey.ts';
import { fileVersion } from '../yaml/fileVersion.ts';
import { readsAs } from '../yaml/readsAs.ts';
import { syntax } from '../yaml/syntax.ts';
import type { Rule } from './rule.ts';

/** What the API server says about CRDs. A code that no rule words does not compile. */
export type CrdRuleCode = CrdCode | 'crd/server-panic' | 'crd/storage-version-removed' | 'crd/v1beta1';

const crdRules: { readonly [Code in CrdRuleCode]: Rule<Code> } = {
  ...documentRules,
  ...metadataRules,
  ...nameRules,
  ...versionRules,
  ...conversionRules,
  ...subresourceRules,
  ...structureRules,
  'crd/type-required': typeRequired,
  'crd/forbidden-in-junctor': forbiddenInJunctor,
  'crd/undeclared-in-junctor': undeclaredInJunctor,
  ...keywordRules,
  ...listTypeRules,
  ...defaultRules,
  ...validationRules,
  'crd/v1beta1': v1beta1,
};

/** What the API server says about custom resources, and what we say around its verdict. */
export type CrRuleCode =
  | Exclude<CrCode, CrdCode>
  | 'cr/dumped'
  | 'cr/kind-defined-twice'
  | 'cr/namespace-dropped'
  | 'cr/no-such-version'
  | 'cr/placeholder'
  | 'cr/status-dropped'
  | 'cr/version-deprecated';

const crRules: { readonly [Code in CrRuleCode]: Rule<Code> } = {
  'cr/unknown-field': unknownField,
  ...valueRules,
  ...objectRules,
  ...ignoredRules,
  'cr/placeholder': placeholderRule,
  'cr/kind-defined-twice': kindDefinedTwice,
};

/** What we say of what the API server accepts. */
const lints: { readonly [Code in LintCode]: Rule<Code> } = {
  ...keywordLints,
  ...pathLints,
  ...versionLints,
  ...conversionLints,
  ...webhookLints,
  ...ruleLints,
  ...minimumLints,
  ...patternLints,
  ...sizeLints,
  ...listLints,
};

/** Every rule, in the order of the documentation. */
export const rules: readonly Rule[] = [
  syntax,
  duplicateKey,
  readsAs,
  fileVersion,
  ...Object.values(crdRules),
  ...Object.values(crRules),
  ...Object.values(lints),
];

const byCode = new Map(rules.map((rule) => [rule.code, rule]));

export function ruleOf(code: string): Rule | undefined {
  return byCode.get(code);
}
