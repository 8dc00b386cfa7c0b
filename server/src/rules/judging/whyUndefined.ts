import type { CelProblem } from '../../cel/source.ts';
import { escapeName } from '../../kubernetes/cel/escape.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { objectsBelow, type RulePlace, rulePlace } from '../../workspace/rulePlace.ts';
import { nearestNames } from '../fixing/nearest.ts';
import type { Problem } from '../model/rule.ts';

/** Why a rule does not see a field, as one would tell a colleague; '' where there is nothing to add. */
export function whyUndefined({ manifest, path }: Problem, problem: CelProblem, kubernetes: KubernetesVersion): string {
  const { fact, at } = problem;
  if (fact?.kind !== 'undefined-field') return '';
  const place = manifest && rulePlace(manifest, path, kubernetes);
  // The verdict names types from the rule's node, the place names them from the schema's root.
  const here = place?.compiled.problems.find((one) => one.at === at && one.fact?.kind === 'undefined-field')?.fact;
  return place && here?.kind === 'undefined-field' ? reason(place, here.type.name, here.field, at) : '';
}

function reason({ structural, decl, map }: RulePlace, type: string, field: string, at: number): string {
  const object = structural && decl ? objectsBelow(structural, decl).get(type) : undefined;
  // The metadata of an object has no schema of its own.
  if (!object) return type.endsWith('.metadata') ? 'of metadata, rules see only `name` and `generateName`' : '';
  const { extensions, properties } = object.structural;
  const hidden = properties?.get(field);
  if (hidden) return hiddenProperty(field, hidden.extensions.preserveUnknownFields);
  const rest = map.value.slice(at);
  const longer = [...(properties?.keys() ?? [])].find(
    (name) => name.length > field.length && name.startsWith(field) && rest.includes(name),
  );
  const escaped = longer === undefined ? undefined : escapeName(longer);
  if (escaped !== undefined) return `\`${longer}\` must be written as \`${escaped}\` in a rule`;
  const near = nearestNames(field, [...(object.decl?.fields?.keys() ?? [])]).map((name) => `\`${name}\``);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return extensions.preserveUnknownFields ? 'unknown fields are kept here, but rules see only declared properties' : '';
}

/** A property is there, and rules do not see it. */
function hiddenProperty(field: string, preserves: boolean): string {
  if (escapeName(field) === undefined) return `rules cannot use \`${field}\`: there is no way to escape the name`;
  return preserves
    ? `\`${field}\` has x-kubernetes-preserve-unknown-fields but no properties, so rules cannot see it`
    : `\`${field}\` has no type that rules can use`;
}
