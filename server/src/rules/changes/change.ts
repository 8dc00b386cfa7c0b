import { shortened } from '../../base/text.ts';
import type { Path, Value } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { LoweredCrd } from '../../kubernetes/crd/lower.ts';
import type { Anchor } from '../../kubernetes/finding.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';

// What a change of a CRD does to those who use it. The API server accepts all of it but what is `refused`: when a CRD
// changes, it does not look at the objects.

/** What a change does, the worst first. */
export const effects = ['refused', 'breaks', 'may-break', 'changes', 'widens'] as const;
export type Effect = (typeof effects)[number];

/** What an effect means, as the heading of a list. */
export const effectTitles: Readonly<Record<Effect, string>> = {
  refused: 'Refused by the API server as an update',
  breaks: 'Breaks stored objects or clients',
  'may-break': 'May break stored objects or clients',
  changes: 'Changes without breaking',
  widens: 'Only allows more',
};

/** What sort of change it is: programs go by it. */
export type ChangeKind =
  | 'refused'
  | 'crd-added'
  | 'crd-removed'
  | 'crd-renamed'
  | 'name-added'
  | 'name-removed'
  | 'list-kind-changed'
  | 'conversion-changed'
  | 'version-added'
  | 'version-removed'
  | 'version-deprecated'
  | 'storage-version-changed'
  | 'subresource-added'
  | 'subresource-removed'
  | 'subresource-changed'
  | 'columns-changed'
  | 'selectable-field-added'
  | 'selectable-field-removed'
  | 'type-changed'
  | 'type-widened'
  | 'nullable-added'
  | 'nullable-removed'
  | 'limit-tightened'
  | 'limit-loosened'
  | 'limit-reworded'
  | 'enum-value-removed'
  | 'enum-value-added'
  | 'field-now-required'
  | 'field-now-optional'
  | 'field-removed'
  | 'field-added'
  | 'field-declared'
  | 'default-added'
  | 'default-removed'
  | 'default-changed'
  | 'list-type-changed'
  | 'map-type-changed'
  | 'embedded-added'
  | 'embedded-removed'
  | 'rule-added'
  | 'rule-changed'
  | 'rule-removed'
  | 'rule-reworded'
  | 'description-changed';

export interface Change {
  readonly kind: ChangeKind;
  readonly effect: Effect;
  /** The version of the CRD; undefined for what all of them share. */
  readonly version?: string | undefined;
  /** The field as a person calls it, such as `spec.ports[].name`; '' for the object itself. */
  readonly field: string;
  /** What has changed, in a few words. */
  readonly title: string;
  /** What that means, in sentences. */
  readonly message: string;
  /** In the new CRD. */
  readonly at: Path;
  readonly anchor: Anchor;
}

/** A CRD beside what it was. */
export interface ComparedCrd {
  readonly crd: LoweredCrd;
  readonly old: LoweredCrd;
  /** What the old one is called, such as `HEAD`. */
  readonly ref: string;
  readonly kubernetes: KubernetesVersion;
  /** What breaks nothing is not told of: then schemas in which nothing breaks are not looked at again. */
  readonly onlyBroken?: boolean;
}

/** Whether a change breaks something, or may. */
export function breaks({ effect }: Change): boolean {
  return effect === 'breaks' || effect === 'may-break';
}

const longest = 60;

/** A value inside a sentence. */
export function shown(value: Value): string {
  const text = printJson(value);
  return `\`${shortened(text, longest)}\``;
}

/** Names inside a sentence. */
export function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** The names of one list that another does not have. */
export function missingIn(list: readonly string[], names: readonly string[]): string[] {
  const there = new Set(list);
  return names.filter((name) => !there.has(name));
}
