/** A comment line `// +name:argument=value,…` as controller-gen reads it. */
import { lru } from '../../base/lru.ts';
import { movedRange, ownText, type Range } from '../../base/text.ts';
import type { Value } from '../../base/value.ts';
import { readJson } from '../../gostd/json.ts';
import { quote } from '../../gostd/quote.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { expect, floatOf, integerOf, placeOf, type Reading, readingOf, readValue } from './arguments.ts';
import { plainNumbers } from './jsonNumbers.ts';
import type {
  Marker,
  MarkerDefinition,
  MarkerMistake,
  MarkerTarget,
  TextMap,
  WrittenArgument,
  WrittenValue,
} from './model.ts';
import { END, IDENT } from './scanner.ts';
import { bareText } from './strings.ts';
import { markerNamed } from './table.ts';

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

/** What the text of a marker says is found once, wherever the text is. */
const known = lru<MarkerText>(5_000);

export function readMarker({ text, start }: RawMarker, target: MarkerTarget): Marker {
  const key = `${target} ${text}`;
  let read = known.get(key);
  if (!read) {
    read = readText(ownText(text), target);
    known.set(key, read);
  }
  return new PlacedText(read, start, text.length);
}

/** The arguments of what is written as a marker is, with what is wrong with them. */
export function readMarkerAs(definition: MarkerDefinition, text: string): Pick<Marker, 'arguments' | 'mistakes'> {
  return readArguments(definition, text);
}

/** A marker with its places counted from its `+`. */
type MarkerText = Omit<Marker, 'range' | 'nameRange'>;

function readText(text: string, target: MarkerTarget): MarkerText {
  const [whole, shorter] = namesOf(text);
  const definition = markerNamed(whole, target) ?? markerNamed(shorter, target);
  const about = { name: definition?.name ?? whole, target, definition };
  return { ...about, ...(definition ? readArguments(definition, text) : none) };
}

/** A marker in a file. Of most of them nobody asks where their arguments are. */
class PlacedText implements Marker {
  readonly range: Range;
  private readonly read: MarkerText;
  private placed: readonly WrittenArgument[] | undefined;

  constructor(read: MarkerText, start: number, length: number) {
    this.read = read;
    this.range = { start, end: start + length };
  }

  get name(): string {
    return this.read.name;
  }

  get target(): MarkerTarget {
    return this.read.target;
  }

  get definition(): MarkerDefinition | undefined {
    return this.read.definition;
  }

  get value(): Value {
    return this.read.value;
  }

  get nameRange(): Range {
    return movedRange({ start: 1, end: 1 + this.name.length }, this.range.start);
  }

  get arguments(): readonly WrittenArgument[] {
    this.placed ??= this.read.arguments.map((argument) => {
      const { nameRange } = argument;
      return {
        ...movedValue(argument, this.range.start),
        name: argument.name,
        nameRange: nameRange && movedRange(nameRange, this.range.start),
      };
    });
    return this.placed;
  }

  get mistakes(): readonly MarkerMistake[] {
    const { mistakes } = this.read;
    return mistakes.length === 0
      ? mistakes
      : mistakes.map(({ message, range }) => ({ message, range: movedRange(range, this.range.start) }));
  }
}

function movedValue({ value, valueRange, map, items }: WrittenValue, by: number): WrittenValue {
  return {
    value,
    valueRange: movedRange(valueRange, by),
    ...(map && { map: movedMap(map, by) }),
    ...(items && { items: items.map((item) => movedValue(item, by)) }),
  };
}

function movedMap({ value, toText, toTextEnd, toValue }: TextMap, by: number): TextMap {
  return {
    value,
    toText: (at) => toText(at) + by,
    toTextEnd: (at) => toTextEnd(at) + by,
    toValue: (at) => toValue(at - by),
  };
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

function readArguments(definition: MarkerDefinition, text: string): Arguments {
  const equals = text.indexOf('=');
  if (equals === -1 && definition.arguments.length === 0) return none;
  const from = equals === -1 ? text.length : equals + 1;
  if (definition.reads) return readOwn(definition, text.slice(from), from);
  const [whole, shorter] = namesOf(text);
  // Of `a:b=1` the `b` is the name of an argument, if the marker has named ones.
  const isNamed = definition.arguments.length > 0 && !isAnonymous(definition);
  const at = isNamed && whole.length > shorter.length ? shorter.length + 2 : from;
  const reading = readingOf(text.slice(at), at);
  const found = isAnonymous(definition) ? readOne(reading, definition) : readNamed(reading, definition);
  const { scanner } = reading;
  if (scanner.scan() !== END) {
    scanner.at = scanner.text.length;
    scanner.fail(`extra arguments provided: ${quote(scanner.text.slice(scanner.start))}`);
  }
  for (const argument of definition.arguments) {
    if (argument.optional || found.some(({ name }) => name === argument.name)) continue;
    const range = { start: 0, end: text.length };
    reading.mistakes.push({ message: `missing argument ${quote(argument.name)}${placeOf(scanner)}`, range });
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
      mistakes.push({ message: `unknown argument ${quote(name)}${placeOf(scanner)}`, range: nameRange });
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

/** How deep values of JSON may be inside each other. */
const mostLevels = 500;

type Read = { readonly value: Value } | { readonly error: string };

const ownReaders: Readonly<
  Record<NonNullable<MarkerDefinition['reads']>, (d: MarkerDefinition, text: string, trimmed: string) => Read>
> = {
  float: (definition, _, trimmed) => named(definition, floatOf(trimmed)),
  int: (definition, _, trimmed) => named(definition, integerOf(trimmed)),
  json: (_, text, trimmed) => {
    // The constants of Go are not looked up.
    if (trimmed.startsWith('ref(')) return { value: null };
    const read = readJson(text, mostLevels);
    if (!('error' in read)) return { value: plainNumbers(read.json) };
    const isDeep = read.error.message.endsWith('exceeded max depth');
    return {
      error: isDeep ? `values inside each other more than ${mostLevels} times are not read` : read.error.message,
    };
  },
};

function named({ name }: MarkerDefinition, read: Read): Read {
  const last = name.slice(name.lastIndexOf(':') + 1);
  const what = `${last[0]!.toLowerCase()}${last.slice(1)}`;
  return 'error' in read ? { error: `invalid ${what} value: ${read.error}` } : read;
}
