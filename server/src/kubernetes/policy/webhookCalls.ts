import { isList, isMap, textAt, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { type Admitted, broughtBy } from './admit.ts';
import { conditionsVerdict, expressionsOf, type Ready } from './evaluate.ts';
import { matchOf, type ResourceAs } from './matching.ts';

// Which webhooks the API server calls for a request.

export interface Webhook {
  readonly name: string;
  readonly hook: ValueMap;
  readonly configuration: ValueMap;
  readonly conditions: readonly Ready[];
}

export type Webhooks = readonly Webhook[];

const kinds: ReadonlySet<string> = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);

export function webhooksAmong(objects: readonly ValueMap[], kubernetes: KubernetesVersion): Webhooks {
  return objects.flatMap((configuration) => {
    const kind = textAt(configuration, ['kind']);
    const hooks = kinds.has(kind) ? valueAt(configuration, ['webhooks']) : undefined;
    if (!isList(hooks)) return [];
    const ready = expressionsOf(configuration, kind, kubernetes);
    return hooks.flatMap((hook, i): Webhook[] => {
      const conditions = ready.filter(({ one: { path } }) => path[1] === i);
      return isMap(hook) ? [{ name: textAt(hook, ['name']), hook, configuration, conditions }] : [];
    });
  });
}

/** Whether a webhook is called; `as` is the version in which it asks for the resource, where that is another one. */
export type WebhookMatch =
  | { readonly called: boolean; readonly as?: ResourceAs | undefined }
  /** One of its conditions fails, and what fails is refused. */
  | { readonly denied: string }
  | { readonly unknown: string };

export function webhookMatch({ hook, configuration, conditions }: Webhook, one: Admitted): WebhookMatch {
  const match = matchOf(criteriaOf(hook), one.request);
  if ('unknown' in match) return match;
  if (!match.matches) return { called: false };
  const cluster = { bindings: [], namespaces: new Map(), params: undefined };
  const denies = hook.get('failurePolicy') !== 'Ignore';
  const { verdict } = conditionsVerdict(configuration, conditions, broughtBy({ cluster }, one, null), denies);
  const [failed] = verdict?.decisions ?? [];
  if (failed?.action === 'unknown') return { unknown: failed.message };
  if (failed?.action === 'deny') return { denied: failed.message };
  return { called: !verdict, as: match.as };
}

/** The names of the webhooks that are called, and what others depend on. */
export function calledWebhooks(
  all: Webhooks,
  one: Admitted,
): { readonly called: string[]; readonly unknown: string[] } {
  const [called, unknown]: [string[], string[]] = [[], []];
  for (const webhook of all) {
    const match = webhookMatch(webhook, one);
    if ('unknown' in match) unknown.push(match.unknown);
    else if ('called' in match && match.called) called.push(webhook.name);
  }
  return { called, unknown };
}

/** A webhook names its rules otherwise than a policy. */
function criteriaOf(hook: ValueMap): ValueMap {
  return new Map<string, Value>([...hook, ['resourceRules', hook.get('rules') ?? []]]);
}
