/** The value of a document, exactly as it reaches the API server after kubectl turned the YAML into JSON. */
import type { Range } from '../base/text.ts';
import { isList, isMap, type Path, type Value } from '../base/value.ts';
import { formatFloat, jsonFloat } from '../gostd/float.ts';
import { compareStrings, printJsonString } from '../gostd/jsonPrint.ts';
import { type BadKey, type Complaint, type Decoding, decode, keyName } from './decode.ts';
import { goSyntax } from './goSyntax.ts';
import { wordHint } from './hints.ts';
import type { Node, ScalarNode } from './node.ts';
import type { YamlDocument } from './parse.ts';
import { lineCounter, startsOfNodes } from './place.ts';
import { type Resolved, resolvePlain, resolveScalar, type Typed } from './resolve.ts';

export { keyName };

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/** A scalar after the way through JSON: `1.0` became `1` and with that an int64. */
function jsonValue(typed: Typed): Value {
  if (typeof typed === 'bigint') return typed >= minInt64 && typed <= maxInt64 ? typed : Number(typed);
  if (typeof typed === 'string') return wellFormed(typed);
  if (typeof typed !== 'number') return typed;
  const text = jsonFloat(typed);
  if (!/^-?\d+$/.test(text)) return typed;
  const whole = BigInt(text);
  return whole >= minInt64 && whole <= maxInt64 ? whole : typed;
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function wellFormed(text: string): string {
  return text.replace(loneSurrogate, '\ufffd');
}

/**
 * Large nodes in which nothing is worth a hint: later versions of a document that share them need not look again. Whoever
 * reads the value of one finds that out on the way.
 */
const plain = new WeakSet<Node>();

export const asValue: Decoding<Value> = {
  scalar: jsonValue,
  list: (items) => items,
  map: (entries) => entries,
  // Not a memo: a decoding that begins in the middle fills it too.
  known: new WeakMap(),
  plain,
};

function jsonScalar(typed: Typed): string {
  if (typeof typed === 'string') return printJsonString(typed);
  return typeof typed === 'number' ? jsonFloat(typed) : String(typed);
}

const asJson: Decoding<string> = {
  scalar: jsonScalar,
  list: (items) => `[${items.join(',')}]`,
  map: (entries) => {
    const sorted = [...entries].sort(([a], [b]) => compareStrings(a, b));
    return `{${sorted.map(([key, json]) => `${printJsonString(key)}:${json}`).join(',')}}`;
  },
};

interface Known {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  readonly complaints: readonly Complaint[];
}

/** Not a memo: a later version of a document takes over what is known of the one before it. */
const known = new WeakMap<YamlDocument, Known>();

function knownOf(document: YamlDocument): Known {
  let found = known.get(document);
  if (!found) {
    found = read(document);
    known.set(document, found);
  }
  return found;
}

/**
 * Gives a document what is known of another one that has its text. A value that holds others is made anew from the text
 * when it is asked for after the last one was given back.
 */
export function inheritValue(document: YamlDocument, from: YamlDocument): void {
  const { value, error, complaints } = knownOf(from);
  if (!isList(value) && !isMap(value)) {
    known.set(document, { value, error, complaints });
    return;
  }
  giveValue(document, value, complaints);
}

/** Gives a document, of which nothing else is to be said, the value of its text, which is made anew where it was given back. */
export function giveValue(document: YamlDocument, value: Value & object, complaints: readonly Complaint[] = []): void {
  holdFor(document, value);
  // A weak reference keeps what it leads to until the program has nothing to do for a moment: none is made of the first
  // value, since many files may be read before that.
  let again: WeakRef<Value & object> | undefined;
  known.set(document, {
    error: undefined,
    complaints,
    get value() {
      const kept = heldFor(document) ?? again?.deref();
      const found = kept ?? (read(document).value as Value & object);
      if (!kept) again = new WeakRef(found);
      holdFor(document, found);
      return found;
    },
  });
}

const held = {
  /** Values of about this many characters are held after they were looked at, as long as their documents live. */
  most: 4_000_000,
  // Not a memo: they are let go again.
  young: new WeakMap<YamlDocument, Value & object>(),
  old: new WeakMap<YamlDocument, Value & object>(),
  characters: 0,
};

/**
 * Holds the values of so many characters: a program that ends soon has more use for the time in which they would be made
 * again than for the memory.
 */
export function holdValues(characters: number): void {
  held.most = characters;
}

function heldFor(document: YamlDocument): (Value & object) | undefined {
  return held.young.get(document) ?? held.old.get(document);
}

/** Holds a value until others of so many characters were looked at. */
function holdFor(document: YamlDocument, value: Value & object): void {
  if (held.young.get(document) === value) return;
  if (held.characters > held.most) {
    held.old = held.young;
    // Not a memo, as above.
    held.young = new WeakMap();
    held.characters = 0;
  }
  held.young.set(document, value);
  held.characters += document.text.length;
}

function read(document: YamlDocument): Known {
  if (document.readerError) return { value: undefined, error: document.readerError.text, complaints: [] };
  if (!document.root) return { value: null, error: undefined, complaints: [] };
  const { value, error, complaints, suspect, badKeys } = decode(document.root, document.hasAlias, asValue);
  const refusal = error ?? (suspect && value !== undefined ? unfit(value, badKeys) : undefined);
  return { value: refusal === undefined ? value : undefined, error: refusal, complaints };
}

/** What JSON cannot hold of a value: a number that is none, a key that is not a string. */
function unfit(root: Value, badKeys: ReadonlyMap<Value, BadKey<Value>>): string | undefined {
  const stack: Value[] = [root];
  let number: string | undefined;
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    const bad = badKeys.get(value);
    if (bad !== undefined) return badKeyText(bad);
    if (typeof value === 'number' && !Number.isFinite(value))
      number ??= `json: unsupported value: ${formatFloat(value)}`;
    else for (const inner of childrenOf(value).reverse()) stack.push(inner);
  }
  return number;
}

function badKeyText({ key, value }: BadKey<Value>): string {
  const type = key === null ? '%!s(<nil>)' : 'uint64';
  return `unsupported map key of type: ${type}, key: ${goSyntax(key)}, value: ${goSyntax(value)}`;
}

/** In the order in which JSON is written. */
function childrenOf(value: Value): Value[] {
  if (isList(value)) return [...value];
  if (!isMap(value)) return [];
  return [...value].sort(([a], [b]) => compareStrings(a, b)).map(([, item]) => item);
}

/** The document's value; undefined where its text is refused. An empty document is null. */
export function valueOf(document: YamlDocument): Value | undefined {
  return knownOf(document).value;
}

/** The same where nothing but a value is of use: undefined also where the text cannot be read. */
export function readableValue(document: YamlDocument): Value | undefined {
  return document.readerError || knownOf(document).error !== undefined ? undefined : (valueOf(document) ?? null);
}

/** The JSON that kubectl makes of a document; undefined where its text is refused. */
export function toJson(document: YamlDocument): string | undefined {
  if (knownOf(document).error !== undefined) return undefined;
  if (!document.root) return 'null';
  return decode(document.root, document.hasAlias, asJson).value;
}

export interface Verdict {
  /** What ends the conversion to JSON; the text begins with `yaml:` or `json:`. */
  readonly error: string | undefined;
  /** What strict decoding says: keys that are set twice. */
  readonly strict: readonly Duplicate[];
}

export interface Duplicate {
  readonly text: string;
  /** The second key, in the document. */
  readonly range: Range;
}

export function documentVerdict(document: YamlDocument): Verdict {
  const { error, complaints } = knownOf(document);
  if (error !== undefined || complaints.length === 0) return { error, strict: [] };
  const starts = startsOfNodes(document);
  const lines = lineCounter(document.text);
  const strict = complaints.map(({ map, pair, key }): Duplicate => {
    const at = starts.get(map)! + pair.at;
    const line = lines(at + pair.valueAt) + 1;
    const start = at + pair.keyAt;
    return { text: `line ${line}: key ${key} already set in map`, range: { start, end: start + pair.key.length } };
  });
  return { error, strict };
}

/** Strict decoding's whole error text; undefined where it has nothing to say. */
export function strictText(document: YamlDocument): string | undefined {
  const { strict } = documentVerdict(document);
  if (strict.length === 0) return undefined;
  return `yaml: unmarshal errors:\n${strict.map(({ text }) => `  ${text}`).join('\n')}`;
}

export interface ScalarHint {
  readonly range: Range;
  readonly path: Path;
  readonly key: boolean;
  /** As it is written. */
  readonly text: string;
  /** What it reads as, in words. */
  readonly reads: string;
  /** The same text in quotes, which keep it a string. */
  readonly quoted: string;
  /** What it reads as, written so that everybody reads it alike. */
  readonly plain: string | undefined;
}

/** A place in the tree while it is walked. */
interface Walked {
  readonly node: Node;
  readonly start: number;
  readonly parent: Walked | undefined;
  /** The index of an item, the key of a value. */
  readonly step: number | Node;
  /** Set where the walk leaves the node: how many hints there were before it. */
  readonly before: number | undefined;
}

const worthKnowing = 256;

/** Plain scalars that YAML 1.1 takes for something else than they look like. */
export function scalarHints(document: YamlDocument): readonly ScalarHint[] {
  const hints: ScalarHint[] = [];
  if (!document.root) return hints;
  const stack: Walked[] = [
    { node: document.root, start: document.rootStart, parent: undefined, step: 0, before: undefined },
  ];
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.before !== undefined) {
      if (at.before === hints.length) plain.add(at.node);
    } else if (mayHint(at.node)) addHint(hints, at.node, at.start, at, false);
    else if (at.node.length < worthKnowing) pushChildren(hints, stack, at);
    else if (!plain.has(at.node)) {
      stack.push({ ...at, before: hints.length });
      pushChildren(hints, stack, at);
    }
  }
  return hints.sort((a, b) => a.range.start - b.range.start);
}

/** What is inside a node is walked later, but scalars at once: most are text, of which nothing is made here. */
function pushChildren(hints: ScalarHint[], stack: Walked[], parent: Walked): void {
  const { node, start } = parent;
  const enter = (inner: Node, at: number, step: number | Node) => {
    if (inner.kind === 'scalar' && !mayHint(inner)) return;
    const walked = { node: inner, start: at, parent, step, before: undefined };
    if (inner.kind === 'scalar') addHint(hints, inner, at, walked, false);
    else stack.push(walked);
  };
  if (node.kind === 'list')
    for (const [i, item] of node.items.entries()) enter(item.node, start + item.at + item.nodeAt, i);
  if (node.kind !== 'map') return;
  for (const { key, value, at, keyAt, valueAt } of node.pairs) {
    if (mayHint(key)) {
      const inner = { node: value, start: start + at + valueAt, parent, step: key, before: undefined };
      addHint(hints, key, start + at + keyAt, inner, true);
    }
    enter(value, start + at + valueAt, key);
  }
}

/** The path is spelled out only where there is something to say. */
function pathOf(walked: Walked): Path {
  const path: (string | number)[] = [];
  for (let at: Walked | undefined = walked; at?.parent; at = at.parent)
    path.push(typeof at.step === 'number' ? at.step : keyName(at.step));
  return path.reverse();
}

function plainly(resolved: Resolved): string | undefined {
  if ('error' in resolved) return undefined;
  const { value } = resolved;
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : jsonScalar(value);
}

/** Whether a node is a plain scalar that does not read as text. */
function mayHint(node: Node): node is ScalarNode {
  if (node.kind !== 'scalar' || node.style !== 'plain' || node.props?.tag !== undefined || node.length === 0)
    return false;
  return typeof resolvePlain(node.value) !== 'string';
}

function addHint(hints: ScalarHint[], node: ScalarNode, start: number, at: Walked, key: boolean): void {
  const resolved = resolveScalar(node);
  const reads = 'error' in resolved ? undefined : wordHint(node.value, resolved.value, key);
  if (reads === undefined) return;
  const from = start + (node.props?.bodyAt ?? 0);
  const range = { start: from, end: start + node.length };
  hints.push({
    range,
    path: pathOf(at),
    key,
    text: node.value,
    reads,
    quoted: `'${node.value}'`,
    plain: plainly(resolved),
  });
}
