/** A comment line `// +name:argument=value,…` as controller-gen reads it. */
import type { Value } from '../../base/value.ts';
import { readJson } from '../../go/json.ts';
import { quote } from '../../go/quote.ts';
import { trimSpace } from '../../go/trim.ts';
import { expect, floatOf, integerOf, type Reading, readingOf, readValue } from './arguments.ts';
import { plainNumbers } from './jsonNumbers.ts';
import type { Marker, MarkerDefinition, MarkerMistake, MarkerTarget, WrittenArgument, WrittenValue } from './model.ts';
import { END, IDENT } from './scanner.ts';
import { bareText } from './strings.ts';

/** A marker as it is written, before anything is known about it. */
export interface RawMarker {
  /** From `+` on, without blanks at its end. */
  readonly text: string;
  /** Where its `+` is in the file. */
  readonly start: number;
}

/** What a comment says as a marker; undefined where it is none. */
export function rawMarker(comment: {
  readonly text: string;
  readonly range: { readonly start: number };
}): RawMarker | undefined {
  if (!comment.text.startsWith('//')) return undefined;
  const text = trimSpace(comment.text.slice(2));
  if (!text.startsWith('+')) return undefined;
  return { text, start: comment.range.start + comment.text.indexOf('+') };
}

/** The text up to `=`, and that without its last part, which may be an argument. */
export function namesOf(text: string): readonly [whole: string, shorter: string] {
  const equals = text.indexOf('=');
  const whole = equals === -1 ? text.slice(1) : text.slice(1, equals);
  const colon = equals === -1 ? -1 : whole.lastIndexOf(':');
  return [whole, colon === -1 ? whole : whole.slice(0, colon)];
}

export function readMarker(
  { text, start }: RawMarker,
  target: MarkerTarget,
  find: (name: string, target: MarkerTarget) => MarkerDefinition | undefined,
): Marker {
  const [whole, shorter] = namesOf(text);
  const definition = find(whole, target) ?? find(shorter, target);
  const name = definition?.name ?? whole;
  const about = {
    range: { start, end: start + text.length },
    name,
    nameRange: { start: start + 1, end: start + 1 + name.length },
    target,
    definition,
  };
  if (!definition) return { ...about, arguments: [], value: null, mistakes: [] };
  return { ...about, ...readArguments(definition, text, start) };
}

interface Arguments {
  readonly arguments: readonly WrittenArgument[];
  readonly value: Value;
  readonly mistakes: readonly MarkerMistake[];
}

const none: Arguments = { arguments: [], value: null, mistakes: [] };

export function isAnonymous(definition: MarkerDefinition): boolean {
  return definition.arguments[0]?.name === '';
}

function readArguments(definition: MarkerDefinition, text: string, start: number): Arguments {
  const equals = text.indexOf('=');
  if (equals === -1 && definition.arguments.length === 0) return none;
  const from = equals === -1 ? text.length : equals + 1;
  if (definition.reads) return readOwn(definition, text.slice(from), start + from);
  const [whole, shorter] = namesOf(text);
  // Of `a:b=1` the `b` is the name of an argument, if the marker has named ones.
  const isNamed = definition.arguments.length > 0 && !isAnonymous(definition);
  const at = isNamed && whole.length > shorter.length ? shorter.length + 2 : from;
  const reading = readingOf(text.slice(at), start + at);
  const found = isAnonymous(definition) ? readOne(reading, definition) : readNamed(reading, definition);
  const { scanner } = reading;
  if (scanner.scan() !== END) {
    scanner.at = scanner.text.length;
    scanner.fail(`extra arguments provided: ${quote(scanner.text.slice(scanner.start))}`);
  }
  for (const argument of definition.arguments) {
    if (argument.optional || found.some(({ name }) => name === argument.name)) continue;
    const range = { start, end: start + text.length };
    reading.mistakes.push({ message: `missing argument ${quote(argument.name)}`, range });
  }
  return { arguments: found, value: valueOf(definition, found), mistakes: reading.mistakes };
}

function valueOf(definition: MarkerDefinition, found: readonly WrittenArgument[]): Value {
  if (isAnonymous(definition)) return found[0]?.value ?? '';
  return definition.arguments.length === 0 ? null : new Map(found.map(({ name, value }) => [name, value]));
}

function readOne(reading: Reading, definition: MarkerDefinition): WrittenArgument[] {
  if (reading.scanner.peek() === '') return [];
  return [{ name: '', nameRange: undefined, ...readValue(reading, definition.arguments[0]!.type) }];
}

function readNamed(reading: Reading, definition: MarkerDefinition): WrittenArgument[] {
  const { scanner, offset, mistakes } = reading;
  const found: WrittenArgument[] = [];
  if (definition.arguments.length === 0 || scanner.peek() === '') return found;
  while (expect(reading, IDENT, 'argument name')) {
    const name = scanner.tokenText;
    const nameRange = { start: offset + scanner.start, end: offset + scanner.at };
    if (!expect(reading, '=', 'equals')) break;
    const known = definition.arguments.find((argument) => argument.name === name);
    if (!known) {
      mistakes.push({ message: `unknown argument ${quote(name)}`, range: nameRange });
      break;
    }
    found.push({ name, nameRange, ...readValue(reading, known.type) });
    if (mistakes.length > 0 || scanner.peek() === '' || !expect(reading, ',', 'comma')) break;
  }
  return found;
}

/** Those whose text is read as a whole. */
function readOwn(definition: MarkerDefinition, text: string, start: number): Arguments {
  const written = definition.name.startsWith('k8s:') ? text.split('#')[0]! : text;
  const range = { start, end: start + text.length };
  const read = ownReaders[definition.reads!](definition, written, trimSpace(written));
  const value = 'error' in read ? null : read.value;
  const argument: WrittenValue = { value, valueRange: range, map: bareText(text, start) };
  const mistakes = 'error' in read ? [{ message: read.error, range }] : [];
  return { arguments: [{ name: '', nameRange: undefined, ...argument }], value, mistakes };
}

type Read = { readonly value: Value } | { readonly error: string };

const ownReaders: Readonly<
  Record<NonNullable<MarkerDefinition['reads']>, (d: MarkerDefinition, text: string, trimmed: string) => Read>
> = {
  float: (definition, _, trimmed) => named(definition, floatOf(trimmed)),
  int: (definition, _, trimmed) => named(definition, integerOf(trimmed)),
  json: (_, text, trimmed) => {
    // The constants of Go are not looked up.
    if (trimmed.startsWith('ref(')) return { value: null };
    const read = readJson(text);
    return 'error' in read ? { error: read.error.message } : { value: plainNumbers(read.json) };
  },
};

function named({ name }: MarkerDefinition, read: Read): Read {
  const last = name.slice(name.lastIndexOf(':') + 1);
  const what = `${last[0]!.toLowerCase()}${last.slice(1)}`;
  return 'error' in read ? { error: `invalid ${what} value: ${read.error}` } : read;
}
