import { isList, isMap, isString, textAt, type Value, type ValueMap } from '../base/value.ts';
import type { Definition } from './definitions.ts';

// What the API server asks before it judges an object: webhooks that the workspace itself installs, which may add to it.

/** A webhook that is asked when objects are created. */
export interface Mutator {
  readonly name: string;
  /** What it is asked about; undefined where a program writes that into the webhook when it starts, as Knative's library does. */
  readonly rules: readonly { readonly groups: readonly string[]; readonly resources: readonly string[] }[] | undefined;
}

/** Those of a configuration. Which objects one with a selector of objects is asked about is not known. */
export function mutatorsIn(root: ValueMap): readonly Mutator[] {
  if (root.get('kind') !== 'MutatingWebhookConfiguration') return [];
  return listed(root, 'webhooks').flatMap((one) => {
    const name = textAt(one, ['name']);
    if (name === undefined || one.has('objectSelector')) return [];
    const rules = one.has('rules') ? listed(one, 'rules').filter(isOfCreation).map(ruleOf) : undefined;
    return rules?.length === 0 ? [] : [{ name, rules }];
  });
}

/** The webhook that is asked about objects of a kind before its CRD is. */
export function mutatorOf(mutators: readonly Mutator[], definition: Definition): string | undefined {
  if (definition.file.origin !== undefined) return undefined;
  return mutators.find((one) => isAskedAbout(one, definition))?.name;
}

function isAskedAbout({ name, rules }: Mutator, { group, resources }: Definition): boolean {
  // Without rules, its name says whose it is: `webhook.serving.knative.dev`.
  if (!rules) return name.endsWith(`.${group}`);
  return rules.some((rule) => {
    const isOfGroup = rule.groups.some((one) => one === '*' || one === group);
    return isOfGroup && rule.resources.some((one) => one === '*' || one === '*/*' || resources.includes(one));
  });
}

function isOfCreation(rule: ValueMap): boolean {
  return texts(rule.get('operations')).some((one) => one === '*' || one === 'CREATE');
}

function ruleOf(rule: ValueMap): { readonly groups: readonly string[]; readonly resources: readonly string[] } {
  return { groups: texts(rule.get('apiGroups')), resources: texts(rule.get('resources')) };
}

const texts = (value: Value | undefined): readonly string[] => (isList(value) ? value.filter(isString) : []);

function listed(root: ValueMap, key: string): readonly ValueMap[] {
  const list = root.get(key);
  return isList(list) ? list.filter(isMap) : [];
}
