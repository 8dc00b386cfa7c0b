/** Drafts that grow: a marker may be there many thousand times. */
import { isList, type Value } from '../../base/value.ts';
import type { Draft } from './model.ts';

/** Puts something at the end of a list of a draft, which nothing else has yet. */
export function addTo(draft: Draft, key: string, item: Value): void {
  const known = draft.get(key);
  if (isList(known)) (known as Value[]).push(item);
  else draft.set(key, [item]);
}

/** What is in lists that get every text once. Not a memo: it grows with them. */
const texts = new WeakMap<readonly Value[], Set<Value>>();

/** The same for a text, unless it is there. */
export function addOnce(draft: Draft, key: string, item: Value): void {
  const known = draft.get(key);
  const seen = isList(known) ? (texts.get(known) ?? new Set(known)) : new Set<Value>();
  if (seen.has(item)) return;
  addTo(draft, key, item);
  texts.set(draft.get(key) as readonly Value[], seen.add(item));
}
