import { isMap, isString, type ValueMap } from '../../base/value.ts';
import { child, type FieldPath, forbidden, index, invalid, required } from '../field.ts';
import { goString } from '../goValue.ts';
import { labelValue, qualifiedName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { mapsOf, textOf, textsOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

/** What the API server has against a label selector. */
export function validateLabelSelector(
  selector: ValueMap,
  spot: FieldPath,
  version: KubernetesVersion,
  allowsInvalidValues = false,
): PolicyFinding[] {
  const expressions = child(spot, 'matchExpressions');
  return [
    ...matchLabels(selector, child(spot, 'matchLabels'), version),
    ...mapsOf(selector, 'matchExpressions').flatMap((one, i) =>
      matchExpression(one, index(expressions, i), version, allowsInvalidValues),
    ),
  ];
}

function matchLabels(selector: ValueMap, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  const labels = selector.get('matchLabels');
  if (!isMap(labels)) return [];
  return [...labels].flatMap(([name, value]) => {
    const text = isString(value) ? value : '';
    // The server names the whole map.
    const entry: FieldPath = { parent: spot, field: '', steps: [name] };
    const about = { code: 'policy/selector' as const, facts: { supported: [] } };
    return [
      ...qualifiedName(name, version).map((why) => invalid(entry, name, why, version, { ...about, anchor: 'key' })),
      ...labelValue(text, version).map((why) => invalid(entry, text, why, version, about)),
    ];
  });
}

function matchExpression(
  requirement: ValueMap,
  spot: FieldPath,
  version: KubernetesVersion,
  allowsInvalidValues: boolean,
): PolicyFinding[] {
  const [key, operator, values] = [textOf(requirement, 'key'), textOf(requirement, 'operator'), child(spot, 'values')];
  const texts = textsOf(requirement, 'values');
  const about = { code: 'policy/selector' as const, facts: { supported: [] } };
  const found: PolicyFinding[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    const detail = "must be specified when `operator` is 'In' or 'NotIn'";
    if (texts.length === 0) found.push(required(values, detail, about));
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (texts.length > 0) found.push(forbidden(values, detail, about));
  } else {
    const facts = { supported: operators };
    found.push(
      invalid(child(spot, 'operator'), goString(operator), 'not a valid selector operator', version, {
        ...about,
        facts,
      }),
    );
  }
  for (const why of qualifiedName(key, version)) found.push(invalid(child(spot, 'key'), key, why, version, about));
  if (allowsInvalidValues) return found;
  texts.forEach((text, i) => {
    for (const why of labelValue(text, version)) found.push(invalid(index(values, i), text, why, version, about));
  });
  return found;
}
