import { append } from '../../base/append.ts';
import type { Range } from '../../base/text.ts';
import type { Path } from '../../base/value.ts';
import { childrenOf, type Expr } from '../../cel/ast.ts';
import { lex, T } from '../../cel/lex.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { isPlayground } from '../../workspace/fileNames.ts';
import { inDocument, type Manifest } from '../../workspace/manifest.ts';
import { expressionsIn } from '../../workspace/policyPlace.ts';
import { isRgd } from '../../workspace/rgd.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { ScalarMap } from '../../yaml/scalarMap.ts';
import { expressionPlace } from '../place/expressionAt.ts';
import { nodesOf } from '../place/nodesAt.ts';
import { playgroundPlace } from '../place/playground.ts';
import { manifestsIn, rulePaths } from '../place/rulePaths.ts';
import type { colorNames } from './colorNames.ts';

/** `self` and `oldSelf` are variables that nobody declares. */
export type Color = (typeof colorNames)[number] | 'self';

/** A part of an expression, on one line of the file. */
export interface ColoredRange extends Range {
  readonly color: Color;
}

/** The colors of all expressions of a file, or of those in a range of it, in the order of the text. */
export function colors(snapshot: Snapshot, uri: string, within?: Range): ColoredRange[] {
  const kubernetes = kubernetesFor(snapshot, uri);
  const found = manifestsIn(snapshot, uri).flatMap(({ manifest: written, placed: { document, start } }) => {
    const manifest = isRgd(written) ? written : (crdsFrom(written)[0] ?? written);
    return expressionPaths(manifest, kubernetes).flatMap((path): ColoredRange[] => {
      const at = inDocument(manifest, path);
      const around = rangeOf(document, at, 'value');
      if (!around || (within && (around.end + start < within.start || around.start + start > within.end))) return [];
      const place = expressionPlace(manifest, at, kubernetes);
      if (!place) return [];
      return expressionColors(place).flatMap((part) => onFile(document.text, place.map, part, start));
    });
  });
  const played = isPlayground(uri) ? playgroundColors(snapshot, uri, within) : [];
  append(found, played);
  // What an anchor names is met once for each of its aliases.
  return withoutOverlap(found.sort((a, b) => a.start - b.start));
}

function expressionPaths(manifest: Manifest, kubernetes: KubernetesVersion): readonly Path[] {
  if (manifest.role === 'crd') return rulePaths(manifest.value);
  return expressionsIn(manifest, kubernetes).map(({ path }) => path);
}

function playgroundColors(snapshot: Snapshot, uri: string, within: Range | undefined): ColoredRange[] {
  const documents = fileAt(snapshot, uri)?.stream.documents ?? [];
  return documents.flatMap(({ document, start }) => {
    const around = rangeOf(document, ['expression'], 'value');
    if (!around || (within && (around.end + start < within.start || around.start + start > within.end))) return [];
    const place = playgroundPlace(snapshot, uri, document, ['expression']);
    return place ? expressionColors(place).flatMap((part) => onFile(document.text, place.map, part, start)) : [];
  });
}

function withoutOverlap(sorted: readonly ColoredRange[]): ColoredRange[] {
  let end = 0;
  return sorted.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** The parts of an expression, as ranges of its own text. */
function expressionColors({ compiled, schemaEnv }: RulePlace): ColoredRange[] {
  const { text } = compiled;
  const names = namesOf(compiled.expr);
  const { kinds, starts, ends, count } = lex(text, schemaEnv.env.syntax.quotedIdents === 'read');
  const parts: ColoredRange[] = [];
  for (let i = 0, before = 0; i < count; i++) {
    const [start, end] = [starts[i]!, ends[i]!];
    append(parts, commentsIn(text, before, start));
    before = end;
    const color = tokenColors.get(kinds[i]!) ?? (isName(kinds[i]!) ? nameColor(names, kinds, starts, i) : undefined);
    if (color) parts.push({ start, end, color });
  }
  return parts;
}

function commentsIn(text: string, start: number, end: number): ColoredRange[] {
  const found = [...text.slice(start, end).matchAll(/\/\/.*/g)];
  return found.map(({ index, 0: comment }) => ({
    start: start + index,
    end: start + index + comment.length,
    color: 'comment',
  }));
}

const tokenColors: ReadonlyMap<number, Color> = new Map(
  (
    [
      ['keyword', [T.true, T.false, T.null, T.in]],
      ['number', [T.float, T.int, T.uint]],
      ['string', [T.string, T.bytes]],
      ['operator', [T.equals, T.notEquals, T.less, T.lessEquals, T.greaterEquals, T.greater, T.and, T.or]],
      ['operator', [T.minus, T.not, T.question, T.colon, T.plus, T.star, T.slash, T.percent]],
    ] as const
  ).flatMap(([color, kinds]) => kinds.map((kind): [number, Color] => [kind, color])),
);

const isName = (kind: number) => kind === T.ident || kind === T.quotedIdent;

/**
 * What a tree says of names: of variables by where they start, of calls by where their parenthesis opens, of objects that
 * are made by where their brace opens, of their fields by the colon.
 */
interface Names {
  readonly variables: Map<number, Color>;
  readonly calls: Map<number, Color>;
  readonly objects: Set<number>;
  readonly fields: Set<number>;
}

function nameColor(names: Names, kinds: ArrayLike<number>, starts: ArrayLike<number>, i: number): Color {
  const selected = i > 0 && (kinds[i - 1] === T.dot || (kinds[i - 1] === T.question && kinds[i - 2] === T.dot));
  if (kinds[i + 1] === T.colon && names.fields.has(starts[i + 1]!)) return 'property';
  if (names.objects.size > 0 && names.objects.has(starts[nameEnd(kinds, i)]!)) return 'type';
  if (kinds[i + 1] === T.leftParen) return names.calls.get(starts[i + 1]!) ?? (selected ? 'method' : 'function');
  return names.variables.get(starts[i]!) ?? (selected ? 'property' : 'variable');
}

/** What follows a name with its dots. */
function nameEnd(kinds: ArrayLike<number>, i: number): number {
  let next = i + 1;
  while (kinds[next] === T.dot && isName(kinds[next + 1]!)) next += 2;
  return next;
}

function namesOf(expr: Expr): Names {
  const names: Names = { variables: new Map(), calls: new Map(), objects: new Set(), fields: new Set() };
  collectNames(expr, new Set(), names);
  return names;
}

/** Goes through a tree as it was written: of a macro call its arguments, not what they were expanded to. */
function collectNames(node: Expr, parameters: ReadonlySet<string>, names: Names): void {
  if (node.macro) {
    const { target, args, at } = node.macro;
    names.calls.set(at, 'macro');
    if (target) collectNames(target, parameters, names);
    const inner = node.kind === 'comprehension' ? new Set([...parameters, ...declaredBy(args)]) : parameters;
    for (const arg of args) collectNames(arg, inner, names);
    return;
  }
  if (node.kind === 'ident') names.variables.set(node.start, identColor(node, parameters));
  if (node.kind === 'struct') {
    names.objects.add(node.at);
    for (const { at } of node.fields) names.fields.add(at);
  }
  if (node.kind === 'call' && node.namespace) {
    for (const part of nodesOf(node.namespace))
      names.variables.set(part.kind === 'select' ? part.fieldStart : part.start, 'namespace');
    names.calls.set(node.at, 'function');
    for (const arg of node.args) collectNames(arg, parameters, names);
    return;
  }
  for (const child of childrenOf(node)) collectNames(child, parameters, names);
}

function declaredBy(args: readonly Expr[]): string[] {
  return args.slice(0, -1).flatMap((arg) => (arg.kind === 'ident' ? [arg.name] : []));
}

function identColor({ name, type }: Expr & { kind: 'ident' }, parameters: ReadonlySet<string>): Color {
  if (parameters.has(name)) return 'parameter';
  if (name === 'self' || name === 'oldSelf') return 'self';
  return type.kind === 'type' ? 'type' : 'variable';
}

/** A part at its places in the file, one a line: folded line breaks and indentation are not part of it. */
function onFile(text: string, map: ScalarMap, { start, end, color }: ColoredRange, shift: number): ColoredRange[] {
  const places: { start: number; end: number; color: Color }[] = [];
  for (let i = start; i < end; i++) {
    const from = map.toText(i);
    const to = map.toTextEnd(i);
    const last = places.at(-1);
    if (/[\r\n\x85\u2028\u2029]/.test(text.slice(from, to))) continue;
    if (last && last.end >= from + shift) last.end = to + shift;
    else places.push({ start: from + shift, end: to + shift, color });
  }
  return places;
}
