import type { CrFacts } from '../../kubernetes/cr/findings.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import type { EmbeddedFacts } from '../../kubernetes/schema/findings.ts';
import type { Severity } from '../../workspace/settings.ts';
import { builtinRules } from '../builtin/builtin.ts';
import { builtinValidationRules } from '../builtin/validation.ts';
import { chartRules } from '../charts/charts.ts';
import { ignoredRules } from '../cr/ignored.ts';
import { kindDefinedTwice } from '../cr/kindDefinedTwice.ts';
import { lostInStorageRule } from '../cr/lostInStorage.ts';
import { objectRules } from '../cr/objects.ts';
import { patternLeftOut } from '../cr/patternLeftOut.ts';
import { placeholderRule } from '../cr/placeholders.ts';
import { ruleLeftOut } from '../cr/ruleLeftOut.ts';
import { servedRules } from '../cr/served.ts';
import { unknownField } from '../cr/unknownField.ts';
import { unknownKindRules } from '../cr/unknownKind.ts';
import { valueRules } from '../cr/values.ts';
import { conversionRules } from '../crd/conversion.ts';
import { defaultRules } from '../crd/defaults.ts';
import { documentRules } from '../crd/document.ts';
import { forbiddenInJunctor } from '../crd/forbiddenInJunctor.ts';
import { keywordRules } from '../crd/keywords.ts';
import { listTypeRules } from '../crd/listTypes.ts';
import { mapKeyRules } from '../crd/mapKeys.ts';
import { nameRules } from '../crd/names.ts';
import { storageRemovedRule } from '../crd/storageRemoved.ts';
import { structureRules } from '../crd/structure.ts';
import { subresourceRules } from '../crd/subresources.ts';
import { typeRequired } from '../crd/typeRequired.ts';
import { undeclaredInJunctor } from '../crd/undeclaredInJunctor.ts';
import { v1beta1 } from '../crd/v1beta1.ts';
import { validationRules } from '../crd/validations.ts';
import { versionRules } from '../crd/versions.ts';
import { xrdRules } from '../crossplane/xrd.ts';
import { fluxRules } from '../flux/flux.ts';
import { goRules } from '../golang/markers.ts';
import { rgdRules } from '../kro/rgd.ts';
import { kustomizeRules } from '../kustomize/kustomize.ts';
import { breakingLints } from '../lints/breaking.ts';
import { conversionLints } from '../lints/conversion.ts';
import { idleLints } from '../lints/idle.ts';
import { keywordLints } from '../lints/keywords.ts';
import type { AnyLint } from '../lints/lint.ts';
import { listLints } from '../lints/lists.ts';
import { minimumLints } from '../lints/minimum.ts';
import { pathLints } from '../lints/paths.ts';
import { patternLints } from '../lints/patterns.ts';
import { ruleLints } from '../lints/rules.ts';
import { sizeLints } from '../lints/size.ts';
import { versionLints } from '../lints/versions.ts';
import { webhookLints } from '../lints/webhook.ts';
import { metadataRules } from '../metadata/metadata.ts';
import { expressionRules } from '../policy/expressions.ts';
import { policyRules } from '../policy/policies.ts';
import { webhookRules } from '../policy/webhooks.ts';
import { configRules } from '../yaml/config.ts';
import { directive } from '../yaml/directive.ts';
import { duplicateKey } from '../yaml/duplicateKey.ts';
import { fileVersion } from '../yaml/fileVersion.ts';
import { notJudgedRules } from '../yaml/notJudged.ts';
import { readsAs } from '../yaml/readsAs.ts';
import { syntax } from '../yaml/syntax.ts';
import { testFileRules } from '../yaml/testFile.ts';
import type { AnyRule, RulesOf } from './rule.ts';

/** Rules for any text. */
const yamlRules = {
  ...syntax,
  ...duplicateKey,
  ...readsAs,
  ...fileVersion,
  ...directive,
  ...configRules,
  ...testFileRules,
  ...notJudgedRules,
};

/** Rules for what engines find in CRDs. A code without a rule does not compile. */
const crdEngineRules: RulesOf<CrdFacts & MetadataFacts> = {
  ...documentRules,
  ...metadataRules,
  ...nameRules,
  ...versionRules,
  ...conversionRules,
  ...subresourceRules,
  ...structureRules,
  ...typeRequired,
  ...forbiddenInJunctor,
  ...undeclaredInJunctor,
  ...keywordRules,
  ...listTypeRules,
  ...mapKeyRules,
  ...defaultRules,
  ...validationRules,
};

const crdRules = {
  ...crdEngineRules,
  ...storageRemovedRule,
  ...v1beta1,
  'crd/default-left-out': ruleLeftOut['crd/default-left-out'],
};

/** Rules for what engines find in custom resources. */
const crEngineRules: RulesOf<CrFacts & EmbeddedFacts> = {
  ...unknownField,
  ...valueRules,
  ...objectRules,
};

/** Together with our own remarks on the verdict. */
const crRules = {
  ...crEngineRules,
  ...servedRules,
  ...ignoredRules,
  ...placeholderRule,
  ...kindDefinedTwice,
  ...lostInStorageRule,
  ...unknownKindRules,
  ...patternLeftOut,
  'cr/rule-left-out': ruleLeftOut['cr/rule-left-out'],
};

/** Our warnings about CRDs that the API server accepts. */
const lintsByCode = {
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
  ...idleLints,
  ...breakingLints,
};

const rulesByCode = {
  ...yamlRules,
  ...crdRules,
  ...crRules,
  ...builtinRules,
  ...builtinValidationRules,
  ...expressionRules,
  ...policyRules,
  ...webhookRules,
  ...rgdRules,
  ...xrdRules,
  ...goRules,
  ...chartRules,
  ...kustomizeRules,
  ...fluxRules,
  ...lintsByCode,
};

export type RuleCode = keyof typeof rulesByCode;

/** Every rule, in the order of the documentation. */
export const rules: readonly AnyRule[] = Object.values(rulesByCode);

export const lints: readonly AnyLint[] = Object.values(lintsByCode);

const byCode: ReadonlyMap<string, AnyRule> = new Map(Object.entries(rulesByCode));

/** What each rule is about, by its code. */
export const ruleTitles: Readonly<Record<string, string>> = Object.fromEntries(
  rules.map(({ code, title }) => [code, title]),
);

/** The rules whose severity in a log is not that in an editor. */
export const severitiesInLogs: ReadonlyMap<string, Severity> = new Map(
  rules.flatMap(({ code, inLogs }) => (inLogs ? [[code, inLogs] as const] : [])),
);

export function ruleOf(code: string): AnyRule | undefined {
  return byCode.get(code);
}
