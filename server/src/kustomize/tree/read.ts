/** Texts to trees, as kustomize reads resources and patches. */
import { memo } from '../../base/memo.ts';
import { parseDocument } from '../../yaml/document.ts';
import type { ScalarNode, MapNode as YamlMap, Node as YamlNode } from '../../yaml/node.ts';
import { isUnended, withoutBreak } from '../../yaml/unended.ts';
import { Failure, fail } from '../failure.ts';
import { type Place, placeIn, type Source } from '../origin.ts';
import type { FileText } from '../types.ts';
import { withoutAnchors } from './anchors.ts';
import { field, isMissing, listTag, mapTag, mergeTag, Node, type Style, textOf } from './node.ts';
import { isSurelyText, resolveText } from './resolve.ts';
import { yamlError } from './yamlError.ts';

/** A text that is read, and where it was written. */
export interface TextSource {
  readonly text: string;
  readonly in: Source;
  place(start: number, end: number): Place;
  /** For a text whose pieces have places of their own: the place within one of them, and what was read of them before. */
  readonly pieces?: {
    readonly known: KnownPieces;
    place(piece: number, start: number, end: number): Place;
  };
}

/** The trees of pieces, by their number, with the text that each is of. Nobody changes them. */
export type KnownPieces = Map<number, { readonly text: string; readonly root: Node }>;

export function fileSource(text: string, file: string, source: Source): TextSource {
  return { text, in: source, place: (start, end) => placeIn(file, start, end) };
}

/** A file of resources. What is read of it is put into `known`, in place of what was read of it before. */
export function resourceSource(text: string, file: string, known: KnownPieces): TextSource {
  const place = (piece: number, from: number, to: number) => ({ file, piece, from, to });
  return { text, in: 'resource', place: (start, end) => placeIn(file, start, end), pieces: { known, place } };
}

interface Piece {
  readonly text: string;
  readonly start: number;
}

/** The documents of a text, without anchors; those of a `List` one by one. */
export function readDocuments(source: TextSource): Node[] {
  const { text, pieces: { known } = {} } = source;
  const pieces = splitAt(source, separatorsIn(text));
  const trees = pieces.map((piece, nth): Tree | undefined => {
    const before = known?.get(nth);
    return before?.text === piece.text
      ? { root: before.root, hasReferences: false }
      : readPiece(sourceOf(piece, nth, source));
  });
  const nodes = trees.map((tree) => {
    if (!tree || isMissing(tree.root)) return [];
    const roots = pieces.length === 1 ? unwrapped(tree.root) : [tree.root];
    return tree.hasReferences ? roots.map(withoutAnchors) : roots;
  });
  known?.clear();
  for (const [nth, { text }] of pieces.entries()) {
    const [root] = nodes[nth]!;
    if (pieces.length > 1 && root) known?.set(nth, { text, root });
  }
  return nodes.flat();
}

function separatorsIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(/\n---([^\n]*)\n/g)];
}

/** Where the pieces of a file of resources begin. */
export const pieceStarts = memo(({ text }: FileText): readonly number[] => [
  0,
  ...separatorsIn(text).map(({ index, 0: all }) => index + all.length),
]);

function splitAt({ text, place }: TextSource, separators: readonly RegExpExecArray[]): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, 0: all, 1: behind } of separators) {
    const rest = behind!.trim();
    if (rest !== '' && !rest.startsWith('#'))
      fail(`invalid document separator: ${all.trim()}`, place(index + 1, index + all.length - 1));
    pieces.push({ text: text.slice(from, index + 1), start: from });
    from = index + all.length;
  }
  if (text !== '') pieces.push({ text: text.slice(from), start: from });
  return pieces;
}

/** A piece as a text of its own. */
function sourceOf({ text, start }: Piece, nth: number, source: TextSource): TextSource {
  const { pieces } = source;
  const place: TextSource['place'] = pieces
    ? (from, to) => pieces.place(nth, from, to)
    : (from, to) => source.place(start + from, start + to);
  return { text, in: source.in, place };
}

function readPiece(source: TextSource): Tree | undefined {
  const { text } = source;
  const document = parseDocument(text);
  if (document.readerError) {
    const range = document.problems[0]?.range ?? { start: 0, end: text.length };
    fail(`MalformedYAMLError: ${yamlError(document)}`, source.place(range.start, range.end));
  }
  return document.root && treeWith(document.root, document.rootStart, source);
}

/** The first document of a text, with its anchors; undefined where it is empty. */
export function readOne(
  source: TextSource,
): { readonly node: Node | undefined } | { readonly error: string; readonly place: Place } {
  const document = parseDocument(source.text);
  if (document.readerError) {
    const range = document.problems[0]?.range ?? { start: 0, end: source.text.length };
    return { error: yamlError(document), place: source.place(range.start, range.end) };
  }
  return { node: document.root && treeOf(document.root, document.rootStart, source) };
}

/** What the reader takes for many resources, where a text has nothing else. */
function unwrapped(node: Node): Node[] {
  const kind = textOf(field(node, 'kind'));
  if (kind !== 'List' && kind !== 'ResourceList') return [node];
  const items = field(node, 'items');
  if (items === undefined && field(node, 'functionConfig') === undefined) return [node];
  return items?.content ?? [];
}

/** As much as `levels` of the limits. */
const deepest = 1000;

interface Reading {
  readonly source: TextSource;
  readonly anchored: Map<YamlNode, Node>;
  /** Anchors, aliases or merge keys. */
  hasReferences: boolean;
}

interface Tree {
  readonly root: Node;
  readonly hasReferences: boolean;
}

function treeWith(root: YamlNode, start: number, source: TextSource): Tree {
  const reading: Reading = { source, anchored: new Map(), hasReferences: false };
  return { root: made(reading, root, start, 0), hasReferences: reading.hasReferences };
}

export function treeOf(root: YamlNode, start: number, source: TextSource): Node {
  return treeWith(root, start, source).root;
}

function made(reading: Reading, node: YamlNode, start: number, level: number): Node {
  if (level > deepest) throw new Failure(`a document is more than ${deepest} levels deep`, undefined, 'bound');
  const { source, anchored } = reading;
  const place = source.place(start + (node.props?.bodyAt ?? 0), start + node.length);
  const tree = bare(node);
  if (isUnended(source.text, node, start)) tree.value = withoutBreak(tree.value);
  tree.origin = { how: 'written', in: source.in, place };
  if (node.kind === 'alias' || node.props?.anchor !== undefined || tree.tag === mergeTag) reading.hasReferences = true;
  if (node.kind === 'alias') {
    tree.alias = node.target && anchored.get(node.target);
    if (tree.alias === undefined) fail(`yaml: anchor '${node.name}' value contains itself`, place);
    return tree;
  }
  if (node.props?.anchor !== undefined) {
    tree.anchor = node.props.anchor;
    anchored.set(node, tree);
  }
  if (node.kind === 'map') addPairs(reading, tree, node, start, level + 1);
  else if (node.kind === 'list') {
    for (const item of node.items)
      tree.content.push(made(reading, item.node, start + item.at + item.nodeAt, level + 1));
  }
  return tree;
}

function addPairs(reading: Reading, tree: Node, node: YamlMap, start: number, level: number): void {
  for (const { at, key, keyAt, value, valueAt } of node.pairs) {
    tree.content.push(made(reading, key, start + at + keyAt, level), made(reading, value, start + at + valueAt, level));
  }
}

function bare(node: YamlNode): Node {
  if (node.kind === 'alias') return new Node('alias', '', node.name, '', undefined);
  const written = node.props?.tag;
  const tag = written === undefined || written === '!' ? undefined : shortTag(written);
  if (node.kind !== 'scalar') {
    const ownTag = node.kind === 'map' ? mapTag : listTag;
    const tree = new Node(node.kind, tag ?? ownTag, '', node.style === 'block' ? '' : 'flow', undefined);
    tree.tagged = tag !== undefined;
    return tree;
  }
  const style: Style = node.style === 'plain' ? '' : node.style;
  const tree = new Node('scalar', tag ?? tagOfScalar(node), node.value, style, undefined);
  tree.tagged = tag !== undefined;
  return tree;
}

function tagOfScalar(node: ScalarNode): string {
  if (node.style !== 'plain') return '!!str';
  if (isSurelyText(node.value)) return '!!str';
  return node.value === '<<' ? mergeTag : resolveText(node.value).tag;
}

const long = 'tag:yaml.org,2002:';

function shortTag(tag: string): string {
  return tag.startsWith(long) ? `!!${tag.slice(long.length)}` : tag;
}
