import type { ValueMap } from '../../base/value.ts';
import { generatedName } from '../cr/object.ts';
import { child, type FieldPath, invalid, pathOf, rootPath } from '../field.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { validateBinding } from './bindings.ts';
import type { Admission } from './context.ts';
import { expressionOf, judgeExpression } from './expressions.ts';
import { mapOf, mapsOf, noFields, textOf, textsOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { hostGroup } from './hosts.ts';
import { validateMutatingPolicy } from './mutatingPolicy.ts';
import { validateValidatingPolicy } from './validatingPolicy.ts';
import { validateWebhooks } from './webhooks.ts';

// What the API server validates of the kinds in admissionregistration.k8s.io, once they are decoded: a file for each
// part of pkg/apis/admissionregistration/validation in k8s.io/kubernetes.

/** What the API server says, beside what it says of metadata. */
export interface AdmissionVerdict {
  readonly errors: readonly PolicyFinding[];
  /** Sent only along with an answer that has no errors. */
  readonly warnings: readonly PolicyFinding[];
}

type Validate = (part: ValueMap, spot: FieldPath, admission: Admission) => PolicyFinding[];

const ofSpec: ReadonlyMap<string, Validate> = new Map([
  ['ValidatingAdmissionPolicy', validateValidatingPolicy],
  ['ValidatingAdmissionPolicyBinding', validateBinding],
  ['MutatingAdmissionPolicy', validateMutatingPolicy],
  ['MutatingAdmissionPolicyBinding', validateBinding],
]);

const webhookKinds: ReadonlySet<string> = new Set(['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']);

/** What the API server says about a new object, or one that replaces an old one, beside its metadata. */
export function judgeAdmission(
  object: ValueMap,
  old: ValueMap | undefined,
  version: KubernetesVersion,
): AdmissionVerdict {
  const kind = textOf(object, 'kind');
  const admission: Admission = {
    kind,
    apiVersion: textOf(object, 'apiVersion'),
    name: nameOf(object),
    old,
    version,
    judgeExpression: (spot) => {
      const found = expressionOf(object, hostGroup, kind, pathOf(spot), version, old);
      return found ? judgeExpression(found, version) : [];
    },
  };
  const reserved = staticName(admission);
  const errors = [...validate(object, admission), ...reserved.errors];
  return {
    errors: version.declaredAdmission ? saidOnce(errors) : errors,
    warnings: [...reserved.warnings, ...excludedResources(object, admission)],
  };
}

function saidOnce(findings: readonly PolicyFinding[]): PolicyFinding[] {
  return [...new Map(findings.map((finding) => [`${finding.field}: ${finding.message}`, finding])).values()];
}

function nameOf(object: ValueMap): string {
  const metadata = mapOf(object, 'metadata');
  return generatedName({ name: textOf(metadata, 'name'), generateName: textOf(metadata, 'generateName') }) ?? '';
}

function validate(object: ValueMap, admission: Admission): PolicyFinding[] {
  if (webhookKinds.has(admission.kind)) {
    return validateWebhooks(mapsOf(object, 'webhooks'), child(rootPath, 'webhooks'), admission);
  }
  const spec = mapOf(object, 'spec') ?? noFields;
  return ofSpec.get(admission.kind)?.(spec, child(rootPath, 'spec'), admission) ?? [];
}

/** Names that are for the files that a server reads at its start. */
function staticName({ name, old, version }: Admission): AdmissionVerdict {
  if (version.staticNames === 'free' || !name.endsWith('.static.k8s.io')) return { errors: [], warnings: [] };
  const why =
    'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API';
  const spot = child(child(rootPath, 'metadata'), 'name');
  if (version.staticNames === 'refused' && !old) {
    return { errors: [invalid(spot, name, why, version, { code: 'policy/static-name' })], warnings: [] };
  }
  const warning = { code: 'policy/static-name-warning' as const, message: `metadata.name: ${why}` };
  return { errors: [], warnings: [{ ...invalid(spot, name, why, version, warning), ...warning }] };
}

/** By API group. */
const excluded: ReadonlyMap<string, readonly string[]> = new Map([
  ['authentication.k8s.io', ['selfsubjectreviews', 'tokenreviews']],
  [
    'authorization.k8s.io',
    ['localsubjectaccessreviews', 'selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'subjectaccessreviews'],
  ],
]);

/** Requests that are not stored never reach webhooks. */
function excludedResources(object: ValueMap, { kind, version }: Admission): PolicyFinding[] {
  if (!version.warnsOfExcludedResources || !webhookKinds.has(kind)) return [];
  return mapsOf(object, 'webhooks').flatMap((hook, i) =>
    mapsOf(hook, 'rules').flatMap((rule, j) => {
      const [groups, resources] = [new Set(textsOf(rule, 'apiGroups')), new Set(textsOf(rule, 'resources'))];
      if (groups.has('*') || resources.has('*')) return [];
      return [...groups].flatMap((group) => {
        const names = excluded.get(group) ?? [];
        const named = names.length === 0 ? [] : [...resources].filter((resource) => names.includes(resource));
        return named.map((resource) => excludedRule(`${resource}.${group}`, i, j, version));
      });
    }),
  );
}

function excludedRule(name: string, hook: number, rule: number, version: KubernetesVersion): PolicyFinding {
  const spot = child(rootPath, `webhooks[${hook}].rules[${rule}]`, ['webhooks', hook, 'rules', rule]);
  const why = `${name} is excluded from admission webhooks; this rule will have no effect`;
  const about = { code: 'policy/excluded-resource' as const };
  return { ...invalid(spot, name, why, version, about), message: `webhooks[${hook}].rules[${rule}]: ${why}` };
}
