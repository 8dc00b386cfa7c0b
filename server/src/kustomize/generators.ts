/** configMapGenerator and secretGenerator. */
import { encodeBase64 } from '../gostd/base64.ts';
import { goBytes } from '../gostd/bytes.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { basePath } from '../gostd/path.ts';
import { quote } from '../gostd/quote.ts';
import { attempt, Failure, fail, prefixed } from './failure.ts';
import type { GeneratorArgs, GeneratorOptions } from './kustomization.ts';
import type { Loader } from './loader.ts';
import { type Computing, computed, type Origin, type Place, placeIn } from './origin.ts';
import { noted, Resource, setMetaEntry } from './resource.ts';
import { lookup, setField } from './tree/edit.ts';
import { boolTag, mapNode, mapTag, type Node, scalarNode, stringNode, stringTag } from './tree/node.ts';

export interface GeneratorPlaces {
  readonly whole: Place;
  readonly name: Place;
  literal(index: number, start: number, end: number): Place;
  file(index: number): Place;
  env(index: number): Place;
  option(field: 'labels' | 'annotations' | 'immutable', key: string): Place;
}

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly origin: Origin;
  readonly keyOrigin: Origin;
}

export type GeneratedKind = 'ConfigMap' | 'Secret';

export function generate(kind: GeneratedKind, args: GeneratorArgs, loader: Loader, places: GeneratorPlaces): Resource {
  const what: Computing = kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator';
  const made = computed(what, places.whole);
  if (!args.name) fail('a configmap must have a name', places.whole);
  const root = base(kind, args, made, places);
  if (kind === 'Secret') setField(root, 'type', stringNode(args.type || 'Opaque', made));
  const pairs = validated(args, loader, places);
  if (kind === 'Secret') setSecretData(root, pairs, made);
  else setConfigData(root, pairs, made);
  setOptions(root, args.options, places, what);
  const resource = new Resource(root);
  resource.touch({ what: 'generator', place: places.whole });
  if (!args.options?.disableNameSuffixHash) resource.enable(noted.needsHash);
  resource.note(noted.behavior, behaviorOf(args.behavior));
  return resource;
}

export function behaviorOf(text: string | undefined): 'create' | 'replace' | 'merge' | 'unspecified' {
  return text === 'create' || text === 'replace' || text === 'merge' ? text : 'unspecified';
}

function base(kind: string, { name, namespace }: GeneratorArgs, made: Origin, places: GeneratorPlaces): Node {
  const root = mapNode(made, mapTag);
  setField(root, 'apiVersion', scalarNode('v1', made, stringTag));
  setField(root, 'kind', scalarNode(kind, made, stringTag));
  const written: Origin = { how: 'written', in: 'kustomization', place: places.name };
  const metadata = lookup(root, ['metadata'], 'map')!;
  setField(metadata, 'name', stringNode(name!, written));
  if (namespace) setField(metadata, 'namespace', stringNode(namespace, made));
  return root;
}

function validated(args: GeneratorArgs, loader: Loader, places: GeneratorPlaces): Pair[] {
  const loaded = attempt(() => pairsOf(args, loader, places));
  if (loaded.failure) {
    if (loaded.failure.kind === 'bound' || loaded.failure.kind === 'unknown') throw loaded.failure;
    throw prefixed('loading KV pairs', loaded.failure, places.whole);
  }
  const keys = new Set<string>();
  for (const { key, keyOrigin } of loaded.value) {
    if (keys.has(key)) {
      const place = keyOrigin.how === 'written' ? keyOrigin.place : places.whole;
      fail(`configmap ${args.name} illegally repeats the key \`${key}\``, place);
    }
    keys.add(key);
  }
  return loaded.value.sort((a, b) => compareStrings(a.key, b.key));
}

function pairsOf(args: GeneratorArgs, loader: Loader, places: GeneratorPlaces): Pair[] {
  const envs = args.env ? [...(args.envs ?? []), args.env] : (args.envs ?? []);
  const { literals = [], files = [] } = args;
  const named = <T>(words: string, act: () => T): T => {
    const done = attempt(act);
    if (done.failure === undefined) return done.value;
    throw prefixed(words, done.failure);
  };
  return [
    ...named(`env source files: [${envs.join(' ')}]`, () =>
      envs.flatMap((path, i) => ofEnv(path, loader, places.env(i))),
    ),
    ...named(`literal sources [${literals.join(' ')}]`, () => literals.map((text, i) => ofLiteral(text, i, places))),
    ...named(`file sources: [${files.join(' ')}]`, () => files.map((text, i) => ofFile(text, loader, places.file(i)))),
  ];
}

function ofLiteral(text: string, index: number, places: GeneratorPlaces): Pair {
  const at = text.indexOf('=');
  if (at <= 0) fail(`invalid literal source ${text}, expected key=value`, places.literal(index, 0, text.length));
  const [value, start] = unquoted(text.slice(at + 1), at + 1);
  const origin = (from: number, to: number): Origin => ({
    how: 'written',
    in: 'kustomization',
    place: places.literal(index, from, to),
  });
  return { key: text.slice(0, at), value, origin: origin(start, start + value.length), keyOrigin: origin(0, at) };
}

function unquoted(text: string, start: number): readonly [string, number] {
  const [first, last] = [text[0], text[text.length - 1]];
  const isQuoted = text.length >= 2 && first === last && (first === '"' || first === "'");
  return isQuoted ? [text.slice(1, -1), start + 1] : [text, start];
}

function ofFile(source: string, loader: Loader, place: Place): Pair {
  const [key, path] = keyAndPath(source, place);
  const { file, path: found } = loadAt(loader, path, place);
  const origin: Origin = { how: 'written', in: 'data', place: placeIn(found, 0, file.text.length) };
  return { key, value: file.text, origin, keyOrigin: { how: 'written', in: 'kustomization', place } };
}

function loadAt(loader: Loader, path: string, place: Place): ReturnType<Loader['load']> {
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure === undefined) return loaded.value;
  throw new Failure(loaded.failure.message, loaded.failure.place ?? place, loaded.failure.kind);
}

function keyAndPath(source: string, place: Place): readonly [string, string] {
  const parts = source.split('=');
  if (parts.length === 1) return [basePath(source), source];
  if (parts.length > 2) fail(`source ${quote(source)} key name or file path contains '='`, place);
  const [key, path] = parts as [string, string];
  if (key === '') fail(`missing key name for file path ${quote(path)} in source ${quote(source)}`, place);
  if (path === '') fail(`missing file path for key name ${quote(key)} in source ${quote(source)}`, place);
  return [key, path];
}

/** A line longer than Go's scanner takes ends the reading. */
const longestLine = 64 * 1024;

function ofEnv(path: string, loader: Loader, place: Place): Pair[] {
  const { file, path: found } = loadAt(loader, path, place);
  const pairs: Pair[] = [];
  let start = 0;
  for (let number = 0; start < file.text.length; number++) {
    const end = file.text.indexOf('\n', start);
    const stop = end === -1 ? file.text.length : end;
    const line = file.text.slice(start, stop).replace(/\r$/, '');
    if (line.length >= longestLine) break;
    const pair = ofLine(line, number, start, found);
    if (pair) pairs.push(pair);
    start = stop + 1;
  }
  return pairs;
}

const stray = /[\udc80-\udcff]/u;

function ofLine(line: string, number: number, start: number, file: string): Pair | undefined {
  if (stray.test(line)) fail(`line [${[...goBytes(line)].join(' ')}] has invalid utf8 bytes : ${line}`);
  const plain = (number === 0 ? line.replace(/^\ufeff/, '') : line).replace(/^[\s\u0085]+/, '');
  if (plain === '' || plain.startsWith('#')) return undefined;
  const at = plain.indexOf('=');
  const key = at === -1 ? plain : plain.slice(0, at);
  if (key === '') return undefined;
  const from = start + line.length - plain.length;
  const origin = (a: number, b: number): Origin => ({
    how: 'written',
    in: 'data',
    place: placeIn(file, from + a, from + b),
  });
  const valueStart = at === -1 ? plain.length : at + 1;
  return {
    key,
    value: plain.slice(valueStart),
    origin: origin(valueStart, plain.length),
    keyOrigin: origin(0, key.length),
  };
}

function setConfigData(root: Node, pairs: readonly Pair[], made: Origin): void {
  for (const pair of pairs) {
    const isText = !stray.test(pair.value);
    const value = isText ? pair.value : base64Lines(goBytes(pair.value));
    setEntry(root, isText ? 'data' : 'binaryData', pair, value, made);
  }
}

function setSecretData(root: Node, pairs: readonly Pair[], made: Origin): void {
  setField(root, 'data', mapNode(made));
  for (const pair of pairs) setEntry(root, 'data', pair, base64Lines(goBytes(pair.value)), made);
}

function setEntry(root: Node, name: string, pair: Pair, value: string, made: Origin): void {
  const map = lookup(root, [name], 'map')!;
  map.origin ??= made;
  setField(map, pair.key, stringNode(value, pair.origin), { origin: pair.keyOrigin });
}

const lineLength = 70;

/** Broken into lines where it is long. */
function base64Lines(bytes: Uint8Array): string {
  const text = encodeBase64(bytes);
  if (text.length < lineLength) return text;
  return text.replace(/.{1,70}/g, (line) => `${line}\n`);
}

function setOptions(root: Node, options: GeneratorOptions | undefined, places: GeneratorPlaces, what: Computing): void {
  if (!options) return;
  for (const field of ['labels', 'annotations'] as const) {
    for (const [key, value] of [...(options[field] ?? [])].sort(([a], [b]) => compareStrings(a, b)))
      setMetaEntry(root, field, key, value, computed(what, places.option(field, key)));
  }
  if (options.immutable)
    setField(root, 'immutable', scalarNode('true', computed(what, places.option('immutable', '')), boolTag));
}

/** What holds for all generators, under what one of them says itself. */
export function mergedOptions(
  own: GeneratorOptions | undefined,
  all: GeneratorOptions | undefined,
): GeneratorOptions | undefined {
  if (!all) return own;
  const merged = (a: ReadonlyMap<string, string> | undefined, b: ReadonlyMap<string, string> | undefined) =>
    a || b ? new Map([...(b ?? []), ...(a ?? [])]) : undefined;
  const labels = merged(own?.labels, all.labels);
  const annotations = merged(own?.annotations, all.annotations);
  return {
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
    disableNameSuffixHash: own?.disableNameSuffixHash || all.disableNameSuffixHash || false,
    immutable: own?.immutable || all.immutable || false,
  };
}
