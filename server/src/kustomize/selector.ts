/** Which resources a patch or a replacement is for. */

import { matchesLabels } from '../gostd/labelSelector.ts';
import { compileGoRegexp } from '../gostd/regexp.ts';
import { fail } from './failure.ts';
import { effectiveNamespace, type Gvk, idText } from './ids.ts';
import type { Selector } from './kustomization.ts';
import { parseLabelSelector } from './labelSelector.ts';
import { annotationsOf, labelsOf, type Resource } from './resource.ts';
import type { AskedValues, OtherValues } from './types.ts';

export interface CompiledSelector {
  matchesGvk(gvk: Gvk): boolean;
  matchesName(name: string): boolean;
  matchesNamespace(namespace: string): boolean;
}

function matcher(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined || pattern === '') return () => true;
  if (/^[\w-]+$/.test(pattern)) return (text) => text === pattern;
  const regexp = compileGoRegexp(`^(?:${pattern})$`);
  if (!regexp.ok) fail(regexp.error);
  return (text) => regexp.matches(text);
}

export function compileSelector(selector: Selector): CompiledSelector {
  const [group, version, kind] = [matcher(selector.group), matcher(selector.version), matcher(selector.kind)];
  return {
    matchesGvk: (gvk) => group(gvk.group) && version(gvk.version) && kind(gvk.kind),
    matchesName: matcher(selector.name),
    matchesNamespace: matcher(selector.namespace),
  };
}

/** Resources by their names and namespaces as they were or as they are. */
export function selectResources(list: readonly Resource[], selector: Selector): Resource[] {
  const compiled = compileSelector(selector);
  return list.filter((resource) => {
    const [original, current] = [resource.originalId, resource.id];
    if (
      !compiled.matchesNamespace(effectiveNamespace(original)) &&
      !compiled.matchesNamespace(effectiveNamespace(current))
    )
      return false;
    if (!compiled.matchesName(original.name) && !compiled.matchesName(current.name)) return false;
    if (!compiled.matchesGvk(current)) return false;
    return (
      matchesLabels(parseLabelSelector(selector.labelSelector ?? ''), labelsOf(resource.node)) &&
      matchesLabels(parseLabelSelector(selector.annotationSelector ?? ''), annotationsOf(resource.node))
    );
  });
}

interface Asked extends AskedValues {
  readonly read: typeof labelsOf;
}

/** The values of labels and annotations that a selector wants. */
export function askedIn({ labelSelector = '', annotationSelector = '' }: Selector): readonly Asked[] {
  const asked = [
    ...parseLabelSelector(labelSelector).map((one) => ({ ...one, read: labelsOf })),
    ...parseLabelSelector(annotationSelector).map((one) => ({ ...one, read: annotationsOf })),
  ];
  return asked.flatMap(({ key, operator, values: wanted, read }) =>
    wantsValue.has(operator) ? [{ key, wanted, read }] : [],
  );
}

/** The first label or annotation that a selector wants with a value that none of what it is for has, though with others. */
export function otherValuesIn(list: readonly Resource[], selector: Selector): OtherValues | undefined {
  const { labelSelector: _, annotationSelector: __, ...others } = selector;
  const all = selectResources(list, others);
  for (const { key, wanted, read } of askedIn(selector)) {
    const held = all.flatMap(({ node }) => read(node).get(key) ?? []);
    if (held.length > 0 && !held.some((value) => wanted.includes(value)))
      return { key, wanted, held: [...new Set(held)] };
  }
  return undefined;
}

const wantsValue: ReadonlySet<string> = new Set(['=', '==', 'in']);

export function selectorId(selector: Selector): string {
  const { group = '', version = '', kind = '', name = '', namespace = '' } = selector;
  return idText({ group, version, kind, name, namespace, isCluster: false });
}

export function selectorText(selector: Selector): string {
  return `${selectorId(selector)}:a=${selector.annotationSelector ?? ''}:l=${selector.labelSelector ?? ''}`;
}
