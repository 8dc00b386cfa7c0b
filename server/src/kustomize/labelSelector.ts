import { BadSelector, type LabelSelector, parseSelector, type SelectorWords } from '../gostd/labelSelector.ts';
import { quote } from '../gostd/quote.ts';
import { fail } from './failure.ts';

// Label selectors in the words of kustomize, which has an older copy of the API server's.

const integers = "for 'Gt', 'Lt' operators, the value must be an integer";

const words: SelectorWords = {
  operator: (found) => `found '${found}', expected: '=', '!=', '==', 'in', notin'`,
  key: (key, problems) => `invalid label key ${quote(key)}: ${problems}`,
  value: (value, key, _, problems) => `invalid label value: ${quote(value)}: at key: ${quote(key)}: ${problems}`,
  integer: () => integers,
  qualified: 'a qualified name',
};

const known = new Map<string, LabelSelector>();

export function parseLabelSelector(text: string): LabelSelector {
  const found = known.get(text);
  if (found) return found;
  const parsed = parsedOrFail(text);
  if (known.size > 1000) known.clear();
  known.set(text, parsed);
  return parsed;
}

function parsedOrFail(text: string): LabelSelector {
  try {
    return parseSelector(text, words);
  } catch (error) {
    if (!(error instanceof BadSelector)) throw error;
    fail(error.message);
  }
}
