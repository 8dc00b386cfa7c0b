/**
 * What Argo CD makes of the kustomization of a folder before it builds it: it has `kustomize edit` put into that what an
 * Application says. Places lead to where each part is written.
 */
import { type Path, unknownMark, type Value, type ValueMap } from '../base/value.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';
import { goPattern } from '../gostd/patterns.ts';
import type { KustomizationFile } from './configFile.ts';
import { decodeStruct } from './decode.ts';
import { ExtendedFile, followed, LayeredFile, type Listed, listed, type Moves } from './extendedFile.ts';
import { fail, within } from './failure.ts';
import { type ArgoSpec, argoType, type Image, type Kustomization, type Label, type Replica } from './kustomization.ts';
import { joinPath, type Loader } from './loader.ts';
import type { Place } from './origin.ts';
import { isRepository } from './remote.ts';
import { splitImage } from './transform/images.ts';
import type { ArgoAddition } from './types.ts';

interface Editing {
  readonly spec: ArgoSpec;
  readonly own: Kustomization;
  readonly moves: Moves;
  place(path: Path): Place;
}

export function edited(addition: ArgoAddition, loader: Loader, own: KustomizationFile): KustomizationFile {
  const source = new LayeredFile([addition, ...addition.over]);
  const moves: Moves = new Map();
  const place = (path: Path) => source.place(path);
  const fields = withEdits({ spec: addition.spec, own: own.fields, moves, place }, loader);
  return { name: own.name, fields, file: new ExtendedFile(own.file, source, [], moves) };
}

/** In Argo CD's order, in which the first error counts. */
function withEdits(editing: Editing, loader: Loader): Kustomization {
  const { spec, own, moves } = editing;
  return {
    ...own,
    ...texts(editing),
    ...(spec.images?.length && images(editing, spec.images)),
    ...(spec.replicas?.length && { replicas: replicas(editing, spec.replicas) }),
    ...(spec.commonLabels?.size && labels(editing, spec.commonLabels)),
    ...(spec.commonAnnotations?.size && annotations(editing, spec.commonAnnotations)),
    patches: followed('patches', own.patches, listed(spec.patches), moves),
    components: followed('components', own.components, components(editing, loader), moves),
  };
}

function texts({ spec, moves }: Editing): Kustomization {
  const given = (['namePrefix', 'nameSuffix', 'namespace'] as const).flatMap((name) => {
    if (!spec[name]) return [];
    moves.set(name, { path: [name] });
    return [[name, spec[name]]];
  });
  return Object.fromEntries(given);
}

/** Argo CD fills in variables of its own, whose values are not here. */
function filled(text: string): string {
  return text.replace(/\$(?:\$|\{[^{}]*\}|\w+)/g, (found) => (found === '$$' ? '$' : unknownMark));
}

const kept = '*';
const imageForms = `invalid format of image, use one of the following options:
${['=<newimage>:<newtag>', '=<newimage>@<digest>', '=<newimage>:<newtag>@<digest>', '=<newimage>', ':<newtag>', ':<newtag>@<digest>', '@<digest>'].map((form) => `- <image>${form}`).join('\n')}`;

function imageOf(text: string, place: Place): Image & { readonly name: string } {
  const equals = text.indexOf('=');
  const { name, tag, digest } = splitImage(text.slice(equals + 1));
  if (name === text) fail(imageForms, place);
  const parts = { newTag: tag, digest };
  return equals === -1 ? { name, ...parts } : { name: text.slice(0, equals), newName: name, ...parts };
}

/** What is known of a name already is another's, as long as that says nothing of it. */
interface Named<T> {
  readonly item: T;
  readonly path: Path;
  readonly isOwn: boolean;
}

/** The last of those that are added counts, and the first of those that are there; then they are sorted. */
function byName<T extends { readonly name?: string }>(own: readonly Named<T>[], more: readonly Named<T>[]) {
  const all = new Map(more.map((one) => [one.item.name ?? '', one]));
  for (const one of own) if (!all.has(one.item.name ?? '')) all.set(one.item.name ?? '', one);
  return [...all].sort(([a], [b]) => compareStrings(a, b)).map(([, one]) => one);
}

function placed<T>(name: string, all: readonly Named<T>[], moves: Moves): readonly T[] {
  for (const [i, { path, isOwn }] of all.entries()) moves.set(`${name}/${i}`, { path, isOwn });
  return all.map(({ item }) => item);
}

function ownItems<T>(own: Kustomization, name: keyof Kustomization): readonly Named<T>[] {
  return ((own[name] ?? []) as readonly T[]).map((item, i) => ({ item, path: [name, i], isOwn: true }));
}

function images({ own, moves, place }: Editing, more: readonly string[]): Kustomization {
  const there = [...ownItems<Image>(own, 'images'), ...ownItems<Image>(own, 'imageTags')];
  const first = new Map([...there].reverse().map(({ item }) => [item.name ?? '', item]));
  const added = listed(more).flatMap(([text, nth]) => {
    const path = ['images', nth];
    const known = filled(text);
    // Which image is meant is not known.
    if (known.startsWith(unknownMark)) return [];
    const image = imageOf(known, place(path));
    const before = first.get(image.name);
    const { newName, newTag, digest } = image;
    const of = (text: string | undefined, was: string | undefined) => (text === kept ? was : text);
    const parts = {
      ...{ newName: of(newName, before?.newName), newTag: of(newTag, before?.newTag) },
      digest: of(digest, before?.digest),
    };
    const said = Object.fromEntries(Object.entries(parts).filter(([, text]) => text));
    return [{ item: { name: image.name, ...said }, path, isOwn: false }];
  });
  return { images: placed('images', byName<Image>(there, added), moves), imageTags: [] };
}

function replicas({ own, moves, place }: Editing, more: NonNullable<ArgoSpec['replicas']>): readonly Replica[] {
  const added = more.map(({ name = '', count = 0n }, nth) => {
    const path = ['replicas', nth];
    const number = countOf(count);
    if (number === undefined) fail(`expected integer value for count. Received: ${count}`, place([...path, 'count']));
    if (name.includes('='))
      fail('invalid format of replica, use the following format: <name>=<count>', place([...path, 'name']));
    return { item: { name, count: number }, path, isOwn: false };
  });
  return placed('replicas', byName<Replica>(ownItems(own, 'replicas'), added), moves);
}

function countOf(count: Value): bigint | undefined {
  if (typeof count === 'bigint') return count;
  return typeof count === 'string' && /^[+-]?\d+$/.test(count) ? BigInt(count.replace('+', '')) : undefined;
}

/** What is put into a map, each with its key in the spec. */
interface Pairs {
  readonly what: 'label' | 'annotation';
  readonly field: 'commonLabels' | 'commonAnnotations';
  readonly given: ReadonlyMap<string, string>;
  readonly isForced: boolean | undefined;
  /** Where the map is, as text. */
  readonly at: string;
}

function withPairs({ moves, place }: Editing, own: ReadonlyMap<string, string> | undefined, pairs: Pairs) {
  const { what, field, given, isForced, at } = pairs;
  const all = new Map(own);
  for (const [name, value] of given) {
    const [key, text] = pairOf(name, value);
    const path = [field, name];
    if (key === '') fail(`invalid ${what}: '${name}:${value}' (need k:v pair where v may be quoted)`, place(path));
    if (all.has(key) && !isForced)
      fail(`${what} ${key} already in kustomization file. Use --force to override.`, place(path));
    all.set(key, text);
    moves.set(`${at}/${key}`, { path });
  }
  return all;
}

/** As they are told to kustomize: `key:value`, the value maybe in quotes. */
function pairOf(name: string, value: string): readonly [key: string, value: string] {
  const text = `${name}:${value}`;
  const end = text.indexOf(':');
  const rest = text.slice(end + 1);
  return [text.slice(0, end), rest.length > 1 && rest.startsWith('"') && rest.endsWith('"') ? rest.slice(1, -1) : rest];
}

function labels(editing: Editing, said: ReadonlyMap<string, string>): Kustomization {
  const { spec, own, moves, place } = editing;
  const { labelWithoutSelector, labelIncludeTemplates = false, forceCommonLabels } = spec;
  if (labelIncludeTemplates && !labelWithoutSelector)
    fail('--without-selector flag must be specified for --include-templates to work', place(['labelIncludeTemplates']));
  const given = new Map(Array.from(said, ([key, value]) => [key, filled(value)]));
  const pairs = { what: 'label', field: 'commonLabels', given, isForced: forceCommonLabels } as const;
  if (!labelWithoutSelector)
    return { commonLabels: withPairs(editing, own.commonLabels, { ...pairs, at: 'commonLabels' }) };
  const list = own.labels ?? [];
  const found = list.findIndex((one) => isSimilar(one, labelIncludeTemplates));
  const at = found === -1 ? list.length : found;
  if (found === -1) moves.set(`labels/${at}`, { path: ['commonLabels'] });
  const all = withPairs(editing, list[at]?.pairs, { ...pairs, at: `labels/${at}/pairs` });
  const label = { ...(list[at] ?? { includeTemplates: labelIncludeTemplates }), pairs: all };
  return { labels: [...list.slice(0, at), label, ...list.slice(at + 1)] };
}

function isSimilar({ includeSelectors = false, includeTemplates = false }: Label, withTemplates: boolean): boolean {
  return !includeSelectors && includeTemplates === withTemplates;
}

function annotations(editing: Editing, said: ReadonlyMap<string, string>): Kustomization {
  const { forceCommonAnnotations: isForced, commonAnnotationsEnvsubst: fills } = editing.spec;
  const given = fills ? new Map(Array.from(said, ([key, value]) => [key, filled(value)])) : said;
  const pairs = { what: 'annotation', field: 'commonAnnotations', given, isForced, at: 'commonAnnotations' } as const;
  return { commonAnnotations: withPairs(editing, editing.own.commonAnnotations, pairs) };
}

function components({ spec, own, place }: Editing, loader: Loader): Listed<string> {
  const { context, root } = loader;
  const known = new Set(own.components);
  const all = listed(spec.components).flatMap(([path, nth]): Listed<string> => {
    const isThere = context.isFolder(joinPath(root, path)) || context.has(joinPath(root, path));
    if (!isThere && spec.ignoreMissingComponents) return [];
    const found = isThere ? [path] : matching(path, loader);
    if (found.length > 0) return found.map((one) => [one, nth]);
    if (!isRepository(path)) within(`${path} has no match`, () => loader.enter(path), place(['components', nth]));
    return [[path, nth]];
  });
  return all.filter(([path]) => {
    const isNew = !known.has(path);
    known.add(path);
    return isNew;
  });
}

/** What a pattern stands for: files and folders that have a file of YAML in them, or below. */
function matching(pattern: string, { context, root }: Loader): readonly string[] {
  const first = pattern.search(/[*?[\\]/);
  if (first === -1) return [];
  const fixed = pattern.slice(0, pattern.lastIndexOf('/', first) + 1);
  const below = context.files.below?.(joinPath(root, fixed)) ?? [];
  const fits = goPattern(pattern);
  const depth = pattern.slice(fixed.length).split('/').length;
  const paths = below.map((path) => path.split('/')).filter((parts) => parts.length >= depth);
  const found = new Set(paths.map((parts) => fixed + parts.slice(0, depth).join('/')));
  return [...found].filter(fits).sort(compareStrings);
}

/** What of `source.kustomize` changes a build; undefined where Argo CD would not take it, or that is not known. */
export function argoSpecOf(kustomize: ValueMap): ArgoSpec | undefined {
  const { value, complaint } = decodeStruct(kustomize, argoType, false);
  return complaint ? undefined : (value as ArgoSpec);
}
