import type { Diagnostic } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';

/** The problems of a file as an editor shows them, and whether rules wait for some of them. */
export interface Shown {
  readonly diagnostics: readonly Diagnostic[];
  readonly rulesWait: boolean;
}

/**
 * That rules were not checked is no problem of its own: it is a note of the error that is in their way, the first of the
 * object.
 */
export function asNotes(all: readonly Diagnostic[], uri: string): Shown {
  const waiting = all.filter(({ code }) => ruleOf(code)?.asNote);
  if (waiting.length === 0) return { diagnostics: all, rulesWait: false };
  const notes = new Map<Diagnostic, Diagnostic>();
  for (const one of waiting) {
    const inTheWay = all.find((other) => isInTheWay(other, one));
    if (inTheWay) notes.set(inTheWay, one);
  }
  const told = new Set(notes.values());
  const diagnostics = all
    .filter((one) => !told.has(one))
    .map((one) => {
      const note = notes.get(one);
      return note ? { ...one, related: [...one.related, { uri, range: note.range, message: note.message }] } : one;
    });
  return { diagnostics, rulesWait: true };
}

/** An error in the same object. */
function isInTheWay({ code, severity, key, about }: Diagnostic, waiting: Diagnostic): boolean {
  if (severity !== 'error' || ruleOf(code)?.asNote || !code.startsWith('cr/')) return false;
  const isBeside = key.of === 'document' && waiting.key.of === 'document' && key.start === waiting.key.start;
  const object = waiting.about?.path ?? [];
  return isBeside && about !== undefined && object.every((step, i) => about.path[i] === step);
}
