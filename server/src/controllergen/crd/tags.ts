import { unquote } from '../markers/strings.ts';
import type { Field } from '../syntax/model.ts';

/** What a field's `json` tag says; undefined where it has none. */
export interface JsonTag {
  readonly name: string;
  readonly isInline: boolean;
  readonly omits: boolean;
  /** `json:"-"`: the field is not in the object. */
  readonly isSkipped: boolean;
}

export function jsonTag({ tag }: Field): JsonTag | undefined {
  const value = tag && lookUp(unquoted(tag.text), 'json');
  if (value === undefined) return undefined;
  const [name = '', ...options] = value.split(',');
  return {
    name,
    isInline: name === '' || options.includes('inline'),
    omits: options.includes('omitempty') || options.includes('omitzero'),
    isSkipped: value === '-',
  };
}

/** What is in a Go string as it is written; nothing for one that is not closed. */
export function unquoted(text: string): string {
  return unquote(text, 0)?.value ?? '';
}

/** As reflect.StructTag looks a key up: what breaks the form of a tag ends the search. */
function lookUp(tag: string, wanted: string): string | undefined {
  const pair = / *([^\s":\x7f-\x9f]+):"((?:\\.|[^"\\])*)"/y;
  for (let found = pair.exec(tag); found; found = pair.exec(tag)) {
    // What Go cannot unquote is not found: a line does not end in quotes.
    if (found[1] === wanted) return found[2]!.includes('\n') ? undefined : unquote(`"${found[2]}"`, 0)?.value;
  }
  return undefined;
}
