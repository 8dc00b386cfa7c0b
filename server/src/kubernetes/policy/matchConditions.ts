import { append } from '../../base/append.ts';
import type { ValueMap } from '../../base/value.ts';
import { child, type FieldPath, index, invalid, tooMany } from '../field.ts';
import { qualifiedName } from '../names.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { JudgeExpression } from './context.ts';
import { mapsOf, repeatsOf, textOf } from './fields.ts';
import type { PolicyFinding } from './findings.ts';
import { missing, twice } from './resourceRules.ts';

const most = 64;

/** The match conditions of a policy or of a webhook. */
export function validateMatchConditions(
  holder: ValueMap,
  holderSpot: FieldPath,
  version: KubernetesVersion,
  judgeExpression: JudgeExpression,
): PolicyFinding[] {
  const spot = child(holderSpot, 'matchConditions');
  const conditions = mapsOf(holder, 'matchConditions');
  const names = conditions.map((condition) => textOf(condition, 'name'));
  const repeats = repeatsOf(names);
  const found: PolicyFinding[] = [];
  if (conditions.length > most) {
    const about = { code: 'policy/too-many' as const, facts: { most } };
    found.push(tooMany(spot, BigInt(conditions.length), BigInt(most), version, about));
  }
  for (const [i, name] of names.entries()) {
    const at = index(spot, i);
    append(found, judgeExpression(child(at, 'expression')));
    append(found, conditionName(name, child(at, 'name'), version));
    if (name !== '' && repeats.has(i)) found.push(twice(child(at, 'name'), name, version));
  }
  return found;
}

function conditionName(name: string, spot: FieldPath, version: KubernetesVersion): PolicyFinding[] {
  if (name === '') return [missing(spot, '')];
  const about = { code: 'policy/name' as const, facts: { name } };
  return qualifiedName(name, version).map((why) => invalid(spot, name, why, version, about));
}

/** Whether two objects have the same conditions; where nothing is, `isStrict` tells an empty list from none. */
export function sameConditions(a: ValueMap, b: ValueMap, isStrict: boolean): boolean {
  const [conditions, others] = [mapsOf(a, 'matchConditions'), mapsOf(b, 'matchConditions')];
  if (conditions.length !== others.length) return false;
  if (isStrict && conditions.length === 0) return isNil(a) === isNil(b);
  return conditions.every((one, i) =>
    ['name', 'expression'].every((key) => textOf(one, key) === textOf(others[i], key)),
  );
}

function isNil(holder: ValueMap): boolean {
  return (holder.get('matchConditions') ?? null) === null;
}
