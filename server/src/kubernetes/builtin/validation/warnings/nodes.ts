import { index, key as keyed } from '../../../field.ts';
import { labelValue } from '../../../names.ts';
import type { Fields } from '../check.ts';

/** Labels of nodes that are no longer set, and what is said of them. */
const deprecatedLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

export const deprecatedLabel = (label: string): string | undefined => deprecatedLabels.get(label);

/** The labels of a map that selects nodes. */
export function warnOfNodeSelector(spec: Fields): void {
  for (const label of spec.textMap('nodeSelector')?.keys() ?? []) {
    const detail = deprecatedLabel(label);
    const aside = { outOfUse: { name: label, isSelector: true } };
    if (detail !== undefined) spec.check.warn(keyed(spec.at('nodeSelector'), label), detail, aside);
  }
}

/** What a term asks of nodes; of values that are preferred it is said that they cannot be. */
export function warnOfNodeTerm(term: Fields, isPreferred: boolean): void {
  const { check } = term;
  const looksAtValues = isPreferred && check.version.builtin.warnings.preferredValues;
  for (const expression of term.items('matchExpressions')) {
    const label = expression.text('key');
    const detail = deprecatedLabel(label);
    const aside = { outOfUse: { name: label, isSelector: false } };
    if (detail !== undefined) check.warn(expression.at('key'), `${label} is ${detail}`, aside);
    if (!looksAtValues) continue;
    for (const [i, value] of expression.texts('values').entries()) {
      for (const why of labelValue(value, term.version)) {
        check.warn(index(expression.at('values'), i), `${value} is invalid, ${why}`);
      }
    }
  }
}

/** The keys of a class's topologies. */
export function warnOfTopologies(object: Fields): void {
  for (const topology of object.items('allowedTopologies')) {
    for (const expression of topology.items('matchLabelExpressions')) {
      const detail = deprecatedLabel(expression.text('key'));
      if (detail !== undefined) object.check.warn(expression.at('key'), detail);
    }
  }
}
