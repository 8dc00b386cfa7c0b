import { append } from '../../base/append.ts';
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { equalValues, isList, isString, type Value } from '../../base/value.ts';
import { fitsKind, kindOf, type TypesByName, typesOf } from '../../controllergen/markers/fits.ts';
import type { Marker, MarkerTarget, WrittenValue } from '../../controllergen/markers/model.ts';
import { type PlacedMarker, placedMarkers } from '../../controllergen/markers/place.ts';
import { isAnonymous, namesOf } from '../../controllergen/markers/read.ts';
import { quoted } from '../../controllergen/markers/strings.ts';
import { foreignMarkers } from '../../controllergen/markers/table/others.ts';
import { allMarkers, markerNamed } from '../../controllergen/markers/table.ts';
import type { Comment, CommentGroup, Declaration, GoFile } from '../../controllergen/syntax/model.ts';
import { trimSpace } from '../../gostd/trim.ts';
import { nearestNames } from '../../rules/fixing/nearest.ts';
import type { GoCode } from '../../rules/golang/markers.ts';
import type { Fix } from '../../rules/model/diagnostic.ts';
import { defaultLimits } from '../../workspace/limits.ts';

/** Something that is wrong with a marker, and what mends it. */
export interface MarkerProblem {
  readonly code: GoCode;
  readonly message: string;
  readonly range: Range;
  readonly fixes: readonly Fix[];
  /** It has no effect. */
  readonly unnecessary?: true;
}

const targets: readonly MarkerTarget[] = ['package', 'type', 'field'];

/** What controller-gen refuses in the markers of a file, and what it ignores silently, in the order of the text: as many
 * as are shown. */
export const markerMistakes = memo((file: GoFile): readonly MarkerProblem[] => {
  const types = typesOf(file);
  const all = placedMarkers(file);
  const repeated = repeatedIn(all);
  const found: MarkerProblem[] = [];
  for (const placed of all) {
    append(found, mistakesOf(file, placed, types, repeated));
    if (found.length >= defaultLimits.problems) break;
  }
  return found;
});

function mistakesOf(
  file: GoFile,
  placed: PlacedMarker,
  types: TypesByName,
  repeated: ReadonlyMap<Marker, MarkerProblem[]>,
): readonly MarkerProblem[] {
  const { marker } = placed;
  if (!marker.definition) return unknown(file, placed);
  if (marker.mistakes.length > 0) return refused(placed);
  if (placed.lost) return lost(file, placed);
  return repeated.get(marker) ?? [...alias(placed), ...quotes(file, marker), ...enumType(placed, types)];
}

/** One mistake mostly leads to the others, but each argument that is missing is one of its own. */
function refused({ marker: { mistakes, definition } }: PlacedMarker): MarkerProblem[] {
  const others = mistakes.filter(({ message }) => !message.startsWith('missing argument'));
  return (others.length > 0 ? others.slice(0, 1) : mistakes).map(({ message, range }) => {
    const name = /^unknown argument "(.*)"$/.exec(message)?.[1];
    const near =
      name === undefined
        ? []
        : nearestNames(
            name,
            definition!.arguments.map((one) => one.name),
          );
    return { code: 'go/refused', message, range, fixes: near.map((to) => renamed(range, to)) };
  });
}

function renamed(range: Range, to: string): Fix {
  return { title: `Change to \`${to}\``, edits: [{ range, text: to }], safe: true };
}

function unknown(file: GoFile, placed: PlacedMarker): MarkerProblem[] {
  const { marker } = placed;
  const text = file.text.slice(marker.range.start, marker.range.end);
  const elsewhere = targets.find((target) => namesOf(text).some((name) => markerNamed(name, target)));
  if (elsewhere) return misplaced(placed, text);
  if (isForeign(marker.name)) return [];
  return spaced(marker, text) ?? withoutValue(marker, text) ?? misspelled(marker, text);
}

function isForeign(name: string): boolean {
  return (
    foreignMarkers.has(name) ||
    foreignMarkers.has(/^[^:.=\s]*/.exec(name)![0]) ||
    /^kubebuilder:(?:scaffold|docs-gen)\b/.test(name)
  );
}

const plurals: Readonly<Record<MarkerTarget, string>> = { package: 'packages', type: 'types', field: 'fields' };

function misplaced({ marker, lost: why }: PlacedMarker, text: string): MarkerProblem[] {
  const definitions = targets.flatMap((target) => namesOf(text).flatMap((name) => markerNamed(name, target) ?? []));
  const { name } = definitions[0]!;
  const of = targets.filter((target) => definitions.some((one) => one.targets.includes(target)));
  const where = of.map((target) => plurals[target]).join(' and ');
  const range = { start: marker.range.start, end: marker.range.start + 1 + name.length };
  const here: Readonly<Record<MarkerTarget, string>> = {
    package: 'Nothing is right below this comment, so that it is the one of the package',
    type: 'It is above a type',
    field: why ? 'It is inside of a struct' : 'It is above a field',
  };
  const message = `\`+${name}\` is for ${where}. ${here[marker.target]}, and controller-gen ignores it.`;
  return [{ code: 'go/marker-place', message, range, fixes: [], unnecessary: true }];
}

/** Something behind the name, where there is nothing but `=`. */
function spaced(marker: Marker, text: string): MarkerProblem[] | undefined {
  const name = /^\+([\w:.-]*)/.exec(text)![1]!;
  const behind = text.slice(1 + name.length);
  const rest = behind.trimStart();
  if (name === '' || rest === behind) return undefined;
  const isKnown = targets.some((target) => [name, ...namesOf(`+${name}=`)].some((one) => markerNamed(one, target)));
  if (!isKnown) return undefined;
  const start = marker.range.start + 1 + name.length;
  const range = { start, end: marker.range.end };
  const value = rest.slice(1).trimStart();
  const joined = {
    title: 'Remove the blanks',
    edits: [{ range: { start, end: start + behind.length - value.length }, text: '=' }],
    safe: true,
  };
  const removed = { title: 'Remove the text behind the marker', edits: [{ range, text: '' }], safe: false };
  const isValue = rest.startsWith('=');
  const what = isValue ? 'a blank before `=`' : 'text behind it';
  const message = `With ${what}, controller-gen does not know \`+${name}\` and ignores it.`;
  return [{ code: 'go/marker-unknown', message, range, fixes: [isValue ? joined : removed] }];
}

/** `+a:b` is not a marker where `b` is an argument of `+a`. */
function withoutValue(marker: Marker, text: string): MarkerProblem[] | undefined {
  const [name, shorter] = namesOf(`${text}=`);
  const definition = targets.map((target) => markerNamed(shorter, target)).find((row) => row && !isAnonymous(row));
  const argument = definition?.arguments.find((one) => name === `${shorter}:${one.name}`);
  if (text.includes('=') || !argument) return undefined;
  const message = `Without a value for \`${argument.name}\`, controller-gen does not know the marker and ignores it.`;
  return [{ code: 'go/marker-unknown', message, range: marker.nameRange, fixes: [] }];
}

const ownPrefix =
  /^(?:kubebuilder:(?:validation|subresource|resource|printcolumn|pruning|object|metadata|selectablefield)\b|k8s:)/;

function misspelled(marker: Marker, text: string): MarkerProblem[] {
  const [name, shorter] = namesOf(text);
  if (!/^[\w:.-]+$/.test(name)) return [];
  const isOwn = /^kubebuilder:/.test(name);
  // Short names that are not ours are other programs' own.
  if (!isOwn && !name.startsWith('k8s:') && name.length < 6) return [];
  const candidates = allMarkers.filter((row) => row.targets.includes(marker.target)).map((row) => row.name);
  const near = [name, ...(shorter === name ? [] : [shorter])]
    .flatMap((one) => meantBy(one, candidates).map((to) => ({ one, to })))
    .filter(({ one, to }) => isOwn || (Math.abs(one.length - to.length) < 3 && one[0]!.toLowerCase() === to[0]));
  if (near.length === 0 && !(isOwn && ownPrefix.test(name))) return [];
  const { one, to } = near[0] ?? { one: name, to: undefined };
  const range = { start: marker.range.start + 1, end: marker.range.start + 1 + one.length };
  const meant = to === undefined ? '' : ` Did you mean \`+${to}\`?`;
  const message = `controller-gen does not know \`+${one}\` and ignores it.${meant}`;
  const fixes = near.filter((entry) => entry.one === one).map((entry) => renamed(range, entry.to));
  return [{ code: 'go/marker-unknown', message, range, fixes }];
}

/** Names that differ in their last part alone, or in what is before it. */
function meantBy(name: string, candidates: readonly string[]): string[] {
  const [start, last] = partsOf(name);
  const sameStart = candidates.filter((one) => partsOf(one)[0] === start);
  const byLast = nearestNames(
    last,
    sameStart.map((one) => partsOf(one)[1]),
  ).map((one) => start + one);
  if (byLast.length > 0) return byLast;
  const sameLast = candidates.filter((one) => partsOf(one)[1].toLowerCase() === last.toLowerCase());
  return nearestNames(
    start,
    sameLast.map((one) => partsOf(one)[0]),
  ).flatMap((near) => sameLast.filter((one) => partsOf(one)[0] === near));
}

function partsOf(name: string): readonly [start: string, last: string] {
  const at = name.lastIndexOf(':') + 1;
  return [name.slice(0, at), name.slice(at)];
}

const reasons = {
  docOfOther: 'The comment of a function, constant, variable or group has no markers, and controller-gen ignores it.',
  tooFar: 'Another comment is between it and what follows, and controller-gen ignores it.',
  nothingBelow: 'Nothing that it could be about is below, and controller-gen ignores it.',
  behind: 'It is behind something on its line, and controller-gen ignores it. It has to be above.',
};

function lost(file: GoFile, { marker, lost: why }: PlacedMarker): MarkerProblem[] {
  // What other programs read may well be there.
  if (marker.definition?.reader === 'object' || marker.definition?.reader === 'applyconfiguration') return [];
  const fixes = why === 'docOfOther' && marker.target === 'package' ? freed(file, marker) : [];
  return [{ code: 'go/marker-lost', message: reasons[why!], range: marker.range, fixes, unnecessary: true }];
}

/** The marker's line in a comment of its own above. */
function freed(file: GoFile, { range }: Marker): Fix[] {
  const placed = linesOf(file).get(range.end);
  if (!placed) return [];
  const { group, comment, next } = placed;
  const below = declarationsByDoc(file).get(group);
  const line = { start: comment.range.start, end: next?.range.start ?? below?.range.start ?? comment.range.end };
  const above = { range: { start: group.range.start, end: group.range.start }, text: `${comment.text.trimEnd()}\n\n` };
  const isFirst = line.start === group.range.start;
  const edits = isFirst
    ? [{ range: { start: comment.range.end, end: comment.range.end }, text: '\n' }]
    : [above, { range: line, text: '' }];
  return [{ title: 'Give the marker a comment of its own', edits, safe: true }];
}

interface PlacedComment {
  readonly group: CommentGroup;
  readonly comment: Comment;
  readonly next: Comment | undefined;
}

/** The lines of comments by where their text ends, which is where a marker does. */
const linesOf = memo((file: GoFile): ReadonlyMap<number, PlacedComment> => {
  const lines = new Map<number, PlacedComment>();
  for (const group of file.comments) {
    for (const [i, comment] of group.lines.entries()) {
      const end = comment.range.start + trimSpace(comment.text).length;
      lines.set(end, { group, comment, next: group.lines[i + 1] });
    }
  }
  return lines;
});

const declarationsByDoc = memo(
  (file: GoFile): ReadonlyMap<CommentGroup | undefined, Declaration> =>
    new Map([...file.declarations].reverse().map((declaration) => [declaration.doc, declaration])),
);

/** Those that one of the same name below, or for packages above, makes meaningless. */
function repeatedIn(all: readonly PlacedMarker[]): Map<Marker, MarkerProblem[]> {
  const counting = new Map<string, Marker>();
  const without = new Map<Marker, MarkerProblem[]>();
  for (const { marker, type, field, lost: why } of all) {
    const { definition, mistakes } = marker;
    // Of several resource markers each sets what it names.
    const isOnce = definition?.sets && !definition.repeats && definition.name !== 'kubebuilder:resource';
    if (!isOnce || why || mistakes.length > 0) continue;
    const id = `${field?.range.start ?? ''}/${field ? '' : (type?.range.start ?? '')}/${definition.name}`;
    const before = counting.get(id);
    const isPackage = marker.target === 'package';
    if (!before || !isPackage) counting.set(id, marker);
    const loser = isPackage ? marker : before;
    if (!before || !loser || equalValues(before.value, marker.value)) continue;
    const message = `\`+${definition.name}\` is there again ${isPackage ? 'above, and the first' : 'below, and the last'} one counts.`;
    without.set(loser, [{ code: 'go/marker-repeated', message, range: loser.range, fixes: [], unnecessary: true }]);
  }
  return without;
}

function alias({ marker, type }: PlacedMarker): MarkerProblem[] {
  if (marker.target !== 'type' || !type?.isAlias || !marker.definition?.apply) return [];
  const of = type.type;
  // An alias of a basic type keeps what is said of it.
  const isOther = of.kind === 'selected' || of.kind === 'generic' || (of.kind === 'name' && /^[A-Z]/.test(of.name));
  if (!isOther) return [];
  const message = `\`${type.name}\` is an alias: the schema is the one of the other type, and controller-gen ignores the marker.`;
  return [{ code: 'go/marker-alias', message, range: marker.range, fixes: [], unnecessary: true }];
}

function quotes(file: GoFile, marker: Marker): MarkerProblem[] {
  const text = file.text.slice(marker.range.start, marker.range.end);
  if (marker.definition?.reads || !/['\s]/.test(text)) return [];
  return marker.arguments.flatMap((argument) => (argument.items ?? [argument]).flatMap((item) => quotesOf(file, item)));
}

function quotesOf(file: GoFile, { value, valueRange, map }: WrittenValue): MarkerProblem[] {
  if (!isString(value) || !map || map.toText(0) !== valueRange.start) return [];
  const { start, end } = valueRange;
  const inner = /^'(.*)'$/s.exec(value)?.[1];
  if (inner !== undefined) {
    const message = 'Single quotes are part of the text. Use double quotes.';
    const fix: Fix = { title: 'Use double quotes', edits: [{ range: valueRange, text: quoted(inner) }], safe: true };
    return [{ code: 'go/marker-quotes', message, range: valueRange, fixes: [fix] }];
  }
  const rest = /^[^,;}\n]*/.exec(file.text.slice(end))![0].trimEnd();
  const whole = `${value}${rest}`;
  if (rest === '' || end < start) return [];
  const range = { start, end: end + rest.length };
  const message = `controller-gen takes only ${value === '' ? 'an empty text' : `\`${value.trimEnd()}\``} of this, since a blank is behind it.`;
  const fix: Fix = { title: 'Put the text in quotes', edits: [{ range, text: quoted(whole) }], safe: true };
  return [{ code: 'go/marker-quotes', message, range, fixes: [fix] }];
}

const kinds = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['bool', '`true` or `false`'],
]);

function kindOfValue(value: Value): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return 'number';
  return isString(value) ? 'string' : typeof value === 'boolean' ? 'bool' : undefined;
}

function enumType({ marker, field, type }: PlacedMarker, types: TypesByName): MarkerProblem[] {
  const { definition } = marker;
  const of = marker.target === 'field' ? field?.type : type?.type;
  if (definition?.name !== 'kubebuilder:validation:Enum' || !of) return [];
  const kind = kindOf(of, types);
  if (kind === undefined || !fitsKind(definition, kind) || !isList(marker.value)) return [];
  return (marker.arguments[0]?.items ?? []).flatMap(({ value, valueRange }) => {
    const found = kindOfValue(value);
    if (found === undefined || found === kind) return [];
    const message = `The value is ${kinds.get(found)}, but the ${marker.target} is ${kinds.get(kind)}: it can never have it.`;
    const fixes: Fix[] =
      kind === 'string'
        ? [{ title: 'Put it in quotes', edits: [{ range: valueRange, text: quoted(String(value)) }], safe: true }]
        : [];
    return [{ code: 'go/enum-type' as const, message, range: valueRange, fixes }];
  });
}
