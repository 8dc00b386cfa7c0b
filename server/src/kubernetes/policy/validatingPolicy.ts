import { append } from '../../base/append.ts';
import type { ValueMap } from '../../base/value.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { child, type FieldPath, index, invalid, required } from '../field.ts';
import { type GoValue, goString, goStruct } from '../goValue.ts';
import { qualifiedName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { Admission } from './context.ts';
import { mapsOf, repeatsOf, textOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { validatePolicyStart } from './policyStart.ts';
import { oneOf, twice } from './resourceRules.ts';

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const mostAnnotations = 20;

/** What the API server has against the spec of a ValidatingAdmissionPolicy. */
export function validateValidatingPolicy(spec: ValueMap, spot: FieldPath, admission: Admission): PolicyFinding[] {
  const validations = mapsOf(spec, 'validations');
  const annotations = mapsOf(spec, 'auditAnnotations');
  const found = validatePolicyStart(spec, spot, admission);
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    const about = { code: 'policy/nothing-to-do' as const };
    return [...found, ...['validations', 'auditAnnotations'].map((key) => required(child(spot, key), detail, about))];
  }
  return [
    ...found,
    ...validations.flatMap((one, i) => validation(one, index(child(spot, 'validations'), i), admission)),
    ...auditAnnotations(annotations, child(spot, 'auditAnnotations'), admission),
  ];
}

function validation(one: ValueMap, spot: FieldPath, { version, judgeExpression }: Admission): PolicyFinding[] {
  return [
    ...judgeExpression(child(spot, 'expression')),
    ...judgeExpression(child(spot, 'messageExpression')),
    ...message(textOf(one, 'message'), child(spot, 'message'), version),
    ...oneOf(one, 'reason', reasons, spot, version),
  ];
}

function message(text: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const trimmed = trimSpace(text);
  const about = { code: 'policy/message' as const, facts: { text } };
  // The word went where it repeats the field.
  const subject = version.omitsRepeatedField ? '' : 'message ';
  if (text !== '' && trimmed === '') {
    return [invalid(spot, text, `${subject}must be non-empty if specified`, version, about)];
  }
  if (!/[\n\r]/.test(trimmed)) return [];
  return [invalid(spot, text, `${subject}must not contain line breaks`, version, about)];
}

function auditAnnotations(annotations: readonly ValueMap[], spot: FieldPath, admission: Admission): PolicyFinding[] {
  const { version, name, judgeExpression } = admission;
  const found: PolicyFinding[] = [];
  if (annotations.length > mostAnnotations) {
    const detail = `must not have more than ${mostAnnotations} auditAnnotations`;
    const about = { code: 'policy/too-many' as const, facts: { most: mostAnnotations } };
    found.push(invalid(spot, printedAnnotations(annotations), detail, version, about));
  }
  const keys = annotations.map((annotation) => textOf(annotation, 'key'));
  const repeats = repeatsOf(keys);
  for (const [i, key] of keys.entries()) {
    const at = index(spot, i);
    append(found, annotationKey(key, name, child(at, 'key'), version));
    append(found, judgeExpression(child(at, 'valueExpression')));
    if (repeats.has(i)) found.push(twice(child(at, 'key'), key, version));
  }
  return found;
}

/** The annotation is named after the policy. */
function annotationKey(key: string, policy: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const about = { code: 'policy/name' as const, facts: { name: key } };
  if (policy === '') return [invalid(spot, key, 'requires metadata.name be non-empty', version, about)];
  const whole = `${policy}/${key}`;
  return qualifiedName(whole, version).map((why) => invalid(spot, whole, why, version, about));
}

function printedAnnotations(annotations: readonly ValueMap[]): GoValue {
  const type = 'admissionregistration.AuditAnnotation';
  const items = annotations.map((one) =>
    goStruct(type, { Key: goString(textOf(one, 'key')), ValueExpression: goString(textOf(one, 'valueExpression')) }),
  );
  return { go: 'slice', type: `[]${type}`, items };
}
