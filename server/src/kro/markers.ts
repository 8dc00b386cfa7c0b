import type { Path } from '../base/value.ts';
import { isSpace } from '../gostd/letters.ts';
import { quote } from '../gostd/quote.ts';
import { trimSpace } from '../gostd/trim.ts';

// What is behind the `|` of a field: `required=true description="The name of it"`.

const markerNames = [
  'required',
  'default',
  'description',
  'minimum',
  'maximum',
  'validation',
  'enum',
  'immutable',
  'pattern',
  'uniqueItems',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'listType',
  'listMapKey',
] as const;

export type MarkerName = (typeof markerNames)[number];

export interface Marker {
  readonly name: MarkerName;
  readonly value: string;
}

/** Of what was found wrong: where, and in which words. */
export interface Mistake {
  readonly path: Path;
  readonly message: string;
  readonly isUnprintable?: true;
}

/** What kro says instead of going on. */
export class SimpleSchemaError extends Error {}

/** The markers of a field, as kro takes them apart. */
export function readMarkers(text: string): readonly Marker[] {
  const found: Marker[] = [];
  let name: MarkerName | undefined;
  let buffer = '';
  let [isQuoted, isEscaped, brackets] = [false, false, 0];
  const end = () => {
    if (name !== undefined) found.push({ name, value: valueOf(buffer) });
    name = undefined;
    buffer = '';
  };
  for (const character of text) {
    const isPlain = !isQuoted && brackets === 0;
    if (character === '=' && name === undefined && isPlain) {
      name = nameOf(trimSpace(buffer));
      buffer = '';
    } else if (isPlain && isSpace(character)) {
      // Blanks in front of a marker are left out, and so are those within its name.
      if (name !== undefined) end();
    } else {
      buffer += character;
      if (character === '"' && !isEscaped) isQuoted = !isQuoted;
      else if (character === '\\' && isQuoted && !isEscaped) isEscaped = true;
      else if (!isQuoted && /[{[]/.test(character)) brackets++;
      else if (!isQuoted && /[}\]]/.test(character)) {
        if (--brackets < 0) throw new SimpleSchemaError('unmatched closing bracket/brace');
      } else if (isQuoted) isEscaped = false;
    }
  }
  if (name === undefined) throw new SimpleSchemaError(`marker key '${buffer}' without a value`);
  end();
  if (isQuoted) throw new SimpleSchemaError('unclosed quote');
  if (brackets > 0) throw new SimpleSchemaError('unclosed bracket/brace');
  return found;
}

function nameOf(key: string): MarkerName {
  if (key === '') throw new SimpleSchemaError('empty marker key');
  const name = markerNames.find((one) => one === key);
  if (name === undefined) throw new SimpleSchemaError(`invalid marker key ${quote(key)}: unknown marker: ${key}`);
  return name;
}

/** A value without its quotes and what they escape; kro looks at no more than the first and the last character. */
function valueOf(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return trimSpace(text);
  // A backslash that nothing is behind is dropped.
  return text
    .slice(1, -1)
    .replace(/\\(.?)/gsu, (all, one: string) => (one === '' || one === '"' || one === '\\' ? one : all));
}
