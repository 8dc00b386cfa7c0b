import type { CrdCode } from '../kubernetes/crd/codes.ts';
import { kindDefinedTwice } from './cr/kindDefinedTwice.ts';
import { unknownField } from './cr/unknownField.ts';
import { conversionRules } from './crd/conversion.ts';
import { defaultRules } from './crd/defaults.ts';
import { documentRules } from './crd/document.ts';
import { forbiddenInJunctor } from './crd/forbiddenInJunctor.ts';
import { keywordRules } from './crd/keywords.ts';
import { listTypeRules } from './crd/listTypes.ts';
import { nameRules } from './crd/names.ts';
import { structureRules } from './crd/structure.ts';
import { subresourceRules } from './crd/subresources.ts';
import { typeRequired } from './crd/typeRequired.ts';
import { undeclaredInJunctor } from './crd/undeclaredInJunctor.ts';
import { validationRules } from './crd/validations.ts';
import { versionRules } from './crd/versions.ts';
import { metadataRules } from './metadata/metadata.ts';
import type { Rule } from './rule.ts';
import { duplicateKey } from './yaml/duplicateKey.ts';
import { readsAs } from './yaml/readsAs.ts';
import { syntax } from './yaml/syntax.ts';

/** What the API server says about CRDs. A code that no rule words does not compile. */
export type CrdRuleCode = CrdCode | 'crd/server-panic';

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
};

/** Every rule, in the order of the documentation. */
export const rules: readonly Rule[] = [
  syntax,
  duplicateKey,
  readsAs,
  ...Object.values(crdRules),
  unknownField,
  kindDefinedTwice,
];

const byCode = new Map(rules.map((rule) => [rule.code, rule]));

export function ruleOf(code: string): Rule | undefined {
  return byCode.get(code);
}
