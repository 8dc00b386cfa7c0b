import type { ValueMap } from '../base/value.ts';
import { boolType } from '../cel/types.ts';
import type { EvaluatedIn } from '../kubernetes/policy/dispatch.ts';
import { typeOf } from '../kubernetes/policy/evaluations.ts';
import { policyExpressions } from '../kubernetes/policy/expressions.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Coverage, type FoundCrd, placedPoints } from './coverage.ts';
import { hit, type Point, type WayName } from './points.ts';

// What cases make of the expressions of policies, and of what else has some: those that are true or false are to be both,
// others to be evaluated.

export interface PolicyCoverage extends Coverage {
  see(evaluated: readonly EvaluatedIn[]): void;
}

const bothWays: readonly WayName[] = ['true', 'false'];
const once: readonly WayName[] = ['evaluated'];

export function policyCoverage(found: FoundCrd, kubernetes: KubernetesVersion): PolicyCoverage {
  const points = new Map<string, Point>();
  for (const { host, path, text } of expressionsIn(found.manifest.value, kubernetes)) {
    const ways = host.types?.length === 1 && host.types[0] === boolType ? bothWays : once;
    const point: Point = {
      kind: 'rule',
      path,
      part: undefined,
      what: text,
      ways: ways.map((name) => ({ name, hits: 0 })),
    };
    if (text !== '') points.set(path.join('/'), point);
  }
  return {
    ...found,
    see: (evaluated) => {
      for (const { one } of evaluated) {
        const point = points.get(one.path.join('/'));
        if (!point) continue;
        if (typeof one.value === 'boolean') hit(point, one.value ? 'true' : 'false');
        hit(point, 'evaluated');
        // What a message comes to is seen only where its validation is broken.
        const message = one.value === false && points.get([...one.path.slice(0, -1), 'messageExpression'].join('/'));
        if (message) hit(message, 'evaluated');
      }
    },
    points: () => placedPoints(found, [...points.values()]),
  };
}

function expressionsIn(policy: ValueMap, kubernetes: KubernetesVersion) {
  const { group, kind } = typeOf(policy);
  return policyExpressions(policy, group, kind, kubernetes, undefined);
}
