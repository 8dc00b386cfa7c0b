import { isMap, type Value } from '../../server/src/base/value.ts';
import type { Answer, Cause } from './protocol.ts';

/** The whole message that a client prints of a refusal: what was refused, and every error once. */
export function statusText(answer: Answer): string | undefined {
  if (!answer.errors || answer.errors.length === 0) return undefined;
  const stored = answer.stored instanceof Map ? answer.stored : new Map<string, Value>();
  const metadata = stored.get('metadata');
  const name = isMap(metadata) ? metadata.get('name') : undefined;
  const group = String(stored.get('apiVersion') ?? '').split('/')[0];
  return `${stored.get('kind')}.${group} ${JSON.stringify(name ?? '')} is invalid: ${together(answer.errors)}`;
}

/** One error as it is, several in brackets; the same text never twice. */
function together(errors: readonly Cause[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}
