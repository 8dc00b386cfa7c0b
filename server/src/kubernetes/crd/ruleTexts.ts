import { trimSpace } from '../../gostd/trim.ts';
import type { SchemaProps, SchemaRule } from '../api/schema.ts';
import { child, type FieldPath, index, invalid, notSupported, required } from '../field.ts';
import { goString } from '../goValue.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { resolveFieldPath } from '../schema/fieldPath.ts';
import { lowerSchema } from '../schema/lower.ts';
import type { CrdFinding } from './findings.ts';
import { serverPanic } from './panic.ts';

const ruleReasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

function hasBreaks(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Rules are looked at as texts first: message, reason and field path. */
export function validateRuleTexts(schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const list = child(spot, 'x-kubernetes-validations');
  return (schema.validations ?? []).flatMap((rule, i) => ruleTexts(rule, schema, index(list, i), version));
}

function ruleTexts(rule: SchemaRule, schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  return [
    ...messageTexts(rule, spot, version),
    ...expressionText(rule, spot),
    ...reasonText(rule, spot, version),
    ...fieldPathTexts(rule.fieldPath ?? '', schema, spot, version),
  ];
}

/** Up to 1.33 these texts began with the field's name. */
function worded(field: string, detail: string, version: KubernetesVersion): string {
  return version.omitsRepeatedField ? detail : `${field} ${detail}`;
}

/** Only the first of these is reported. */
function messageTexts(rule: SchemaRule, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  const { message = '' } = rule;
  const trimmed = trimSpace(message);
  const expression = trimSpace(rule.rule ?? '');
  const at = child(spot, 'message');
  const about = { code: 'crd/rule-message' as const, facts: { message } };
  if (expression === '') return [required(child(spot, 'rule'), 'rule is not specified', { code: 'crd/rule-empty' })];
  if (message !== '' && trimmed === '') {
    return [invalid(at, message, worded('message', 'must be non-empty if specified', version), version, about)];
  }
  if (hasBreaks(trimmed)) {
    return [invalid(at, message, worded('message', 'must not contain line breaks', version), version, about)];
  }
  if (!hasBreaks(expression) || trimmed !== '') return [];
  const detail = 'message must be specified if rule contains line breaks';
  return [required(at, detail, { code: 'crd/rule-message-required' })];
}

function expressionText({ messageExpression = '' }: SchemaRule, spot: FieldPath): CrdFinding[] {
  if (messageExpression === '' || trimSpace(messageExpression) !== '') return [];
  const detail = 'messageExpression must be non-empty if specified';
  const about = { code: 'crd/rule-message-expression-empty' as const, anchor: 'value' as const };
  return [required(child(spot, 'messageExpression'), detail, about)];
}

function reasonText({ reason }: SchemaRule, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (reason === undefined || ruleReasons.includes(reason)) return [];
  const about = { code: 'crd/rule-reason' as const, facts: { reason, supported: ruleReasons } };
  return [notSupported(child(spot, 'reason'), goString(reason), ruleReasons, version, about)];
}

function fieldPathTexts(path: string, schema: SchemaProps, spot: FieldPath, version: KubernetesVersion): CrdFinding[] {
  if (path === '') return [];
  const at = child(spot, 'fieldPath');
  const about = { code: 'crd/rule-field-path' as const, facts: { path } };
  const texts: string[] = [];
  if (trimSpace(path) === '') texts.push(worded('fieldPath', 'must be non-empty if specified', version));
  if (hasBreaks(path)) texts.push(worded('fieldPath', 'must not contain line breaks', version));
  if (!isValidPath(path, schema, at)) texts.push(worded('fieldPath', 'must be a valid path', version));
  return texts.map((text) => invalid(at, path, text, version, about));
}

/** A schema that cannot be lowered is no reason to doubt the path. */
function isValidPath(path: string, schema: SchemaProps, spot: FieldPath): boolean {
  const lowered = lowerSchema(schema);
  if ('error' in lowered) return true;
  const resolved = resolveFieldPath(path, lowered.structural, true);
  if ('crash' in resolved) return serverPanic('selectable-fields', spot);
  return !('error' in resolved);
}
