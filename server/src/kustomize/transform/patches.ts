/** patches, patchesStrategicMerge and patchesJson6902. */
import type { Value } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import { goYaml } from '../../yaml/goYaml.ts';
import type { Accumulated } from '../accumulator.ts';
import type { Context } from '../context.ts';
import { attempt, Failure, fail, nilPointer, panic, prefixed } from '../failure.ts';
import { idKey, idText, type ResId, sameId } from '../ids.ts';
import type { Patch, Selector } from '../kustomization.ts';
import type { Loader } from '../loader.ts';
import type { Place } from '../origin.ts';
import { parseResources } from '../parse.ts';
import { annotationsOf, noted, type Resource, setAnnotations } from '../resource.ts';
import { ResourceSet } from '../resourceSet.ts';
import { askedIn, otherValuesIn, selectorText, selectResources } from '../selector.ts';
import { field } from '../tree/edit.ts';
import { isEmpty, textOf } from '../tree/node.ts';
import { fileSource, type TextSource } from '../tree/read.ts';
import { applyOperations, type Operation, readOperations } from './jsonPatch.ts';
import { mergeInto, mergePatch } from './mergePatch.ts';
import type { Transformer } from './transformer.ts';

/** Where the fields of a patch are, and the text of one that is written in place. */
export interface PatchPlaces {
  readonly whole: Place;
  readonly path: Place;
  readonly target: Place;
  text(patch: string, offset: number): TextSource;
}

export function selectorValue(selector: Selector): Map<string, Value> {
  const names = ['annotationSelector', 'group', 'kind', 'labelSelector', 'name', 'namespace', 'version'] as const;
  return new Map(names.flatMap((name) => (selector[name] ? [[name, selector[name]]] : [])));
}

function configText(patch: Patch, names: { readonly patch: string }): string {
  const value = new Map<string, Value>();
  if (patch.patch) value.set(names.patch, patch.patch);
  if (patch.path) value.set('path', patch.path);
  if (patch.target) value.set('target', selectorValue(patch.target));
  if (patch.options) {
    const { allowKindChange, allowNameChange } = patch.options;
    const options = new Map<string, Value>();
    if (allowKindChange) options.set('allowKindChange', true);
    if (allowNameChange) options.set('allowNameChange', true);
    value.set('options', options);
  }
  return goYaml(value);
}

/** What could not be configured is shown with what it was configured with. */
export function configured<T>(plugin: string, config: () => string, place: Place | undefined, act: () => T): T {
  const { value, failure } = attempt(act);
  if (failure === undefined) return value as T;
  if (failure.kind === 'unknown' || failure.kind === 'bound') throw failure;
  throw prefixed(`trouble configuring builtin ${plugin} with config: \`\n${config()}\``, failure, place);
}

interface LoadedPatch {
  readonly shown: string;
  readonly merges: readonly Resource[];
  readonly operations: readonly Operation[] | undefined;
}

/** One entry of `patches`. */
export function patchTransformer(patch: Patch, loader: Loader, places: PatchPlaces): Transformer {
  const config = () => configText(patch, { patch: 'patch' });
  return transformerOf(
    configured('PatchTransformer', config, places.whole, () => loadPatch(patch, loader, places, config)),
    patch,
    places,
  );
}

/** The same as a plugin of its own. */
export function pluginPatch(patch: Patch, loader: Loader, places: PatchPlaces, config: () => string): Transformer {
  return transformerOf(loadPatch(patch, loader, places, config), patch, places);
}

function transformerOf(loaded: LoadedPatch, patch: Patch, places: PatchPlaces): Transformer {
  return {
    plugin: 'PatchTransformer',
    place: places.whole,
    isAlone: !loaded.operations?.some(movesValues),
    transform: (made, context) => {
      try {
        if (loaded.merges.length > 0) applyMerges(loaded, patch, made, context, places);
        else if (loaded.operations) applyJson(loaded, patch, made, context, places);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw new Failure(error.message, error.place ?? places.whole, error.kind);
      }
    },
  };
}

/** With these a name may be made of any other value. */
function movesValues({ op }: Operation): boolean {
  return op === 'copy' || op === 'move';
}

function loadPatch(patch: Patch, loader: Loader, places: PatchPlaces, config: () => string): LoadedPatch {
  const text = (patch.patch ?? '').trim();
  if (text === '' && !patch.path) fail(`must specify one of patch and path in\n${config()}`);
  if (text !== '' && patch.path) fail(`patch and path can't be set at the same time\n${config()}`);
  const { source, shown } =
    text === '' ? patchFile(patch.path!, loader, places) : inlinePatch(patch.patch!, text, places);
  const merges = attempt(() => parseResources(source));
  if (merges.failure?.kind === 'bound') throw merges.failure;
  const operations = attempt(() => readOperations(source));
  if (
    merges.failure === undefined &&
    operations.failure === undefined &&
    merges.value.length > 0 &&
    (operations.value?.length ?? 0) > 0
  )
    fail(`illegally qualifies as both an SM and JSON patch: ${shown}`);
  if (merges.failure) {
    if (operations.failure)
      throw new Failure(`unable to parse SM or JSON patch from ${shown}`, merges.failure.place ?? places.whole);
    return { shown, merges: [], operations: operations.value };
  }
  for (const one of merges.value) {
    if (patch.options?.allowNameChange) one.enable(noted.allowNameChange);
    if (patch.options?.allowKindChange) one.enable(noted.allowKindChange);
  }
  return { shown, merges: merges.value, operations: undefined };
}

function patchFile(path: string, loader: Loader, places: PatchPlaces): { source: TextSource; shown: string } {
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure) throw prefixed(`failed to get the patch file from path(${path})`, loaded.failure, places.path);
  const { file, path: found } = loaded.value;
  return { source: fileSource(file.text, found, 'patch'), shown: `[path: ${quote(path)}]` };
}

function inlinePatch(written: string, text: string, places: PatchPlaces): { source: TextSource; shown: string } {
  return { source: places.text(text, written.length - written.trimStart().length), shown: `[patch: ${quote(text)}]` };
}

function applyMerges(
  { merges, shown }: LoadedPatch,
  patch: Patch,
  made: Accumulated,
  context: Context,
  places: PatchPlaces,
): void {
  if (!patch.target) {
    for (const one of merges) {
      const found = attempt(() => oneById(made, one.originalId));
      if (found.failure) {
        if (made.isPartial) continue;
        throw prefixed(
          `no resource matches strategic merge patch ${quote(idText(one.originalId))}`,
          found.failure,
          nameOf(one) ?? places.whole,
        );
      }
      mergePatch(found.value, one.copy(), context, places.whole);
    }
    return;
  }
  if (merges.length > 1)
    fail(
      `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${shown}`,
    );
  const selected = attempt(() => selectResources(made.set.list, patch.target!));
  if (selected.failure)
    throw prefixed(
      `unable to find patch target ${quote(selectorText(patch.target))} in \`resources\``,
      selected.failure,
      places.target,
    );
  noteMissing(selected.value, patch.target, made, context, places);
  mergeIntoAll(made, selected.value, merges[0]!, context, places.whole);
}

function noteMissing(
  selected: readonly Resource[],
  target: Selector,
  made: Accumulated,
  context: Context,
  places: PatchPlaces,
): void {
  const note = {
    code: 'patch-matches-nothing',
    about: selectorText(target),
    place: places.target,
    related: undefined,
    asked: askedIn(target).map(({ key, wanted }) => ({ key, wanted })),
  } as const;
  if (made.isPartial) return;
  if (selected.length > 0) context.met(note);
  else if (!made.isUnfilled) {
    const otherValues = otherValuesIn(made.set.list, target);
    context.note(otherValues ? { ...note, otherValues } : note);
  }
}

/** All resources with the ids of those that are selected, and none that the patch has deleted. */
function mergeIntoAll(
  made: Accumulated,
  selected: readonly Resource[],
  patch: Resource,
  context: Context,
  place: Place,
): void {
  context.visit(made.set.list.length);
  const ids = new Set(selected.map(({ id }) => exactKey(id)));
  const left = new ResourceSet();
  const kept: Resource[] = [];
  for (const resource of made.set.list) {
    if (ids.has(exactKey(resource.id))) mergeInto(resource, patch, context, place);
    if (!resource.isEmpty) kept.push(resource);
  }
  left.appendAll(kept);
  made.set.list = left.list;
}

function exactKey(id: ResId): string {
  return `${idKey(id)}\0${id.namespace}`;
}

function nameOf({ node }: Resource): Place | undefined {
  const metadata = node?.kind === 'map' ? field(node, 'metadata') : undefined;
  const origin = field(metadata, 'name')?.origin;
  return origin?.how === 'written' ? origin.place : undefined;
}

function oneById({ set }: Accumulated, id: ResId): Resource {
  const found = set.byAnyId((other) => sameId(id, other));
  if (found.length === 1) return found[0]!;
  const words = found.length > 1 ? 'multiple matches' : 'no matches';
  fail(`${words} for Id ${idText(id)}; failed to find unique target for patch ${idText(id)}`);
}

function applyJson(
  { shown, operations }: LoadedPatch,
  patch: Patch,
  made: Accumulated,
  context: Context,
  places: PatchPlaces,
): void {
  if (!patch.target) fail(`must specify a target for JSON patch ${shown}`);
  const selected = selectResources(made.set.list, patch.target);
  noteUndone(selected, patch.target, operations!, made, context, places);
  for (const resource of selected) {
    resource.storePreviousId();
    patchOne(resource, operations!, context, places.whole);
  }
}

/** Notes a target that selects nothing, unless there is nothing left to do. */
function noteUndone(
  selected: readonly Resource[],
  target: Selector,
  operations: readonly Operation[],
  made: Accumulated,
  context: Context,
  places: PatchPlaces,
): void {
  if (!isDoneAlready(selected, target, operations, made, context)) noteMissing(selected, target, made, context, places);
}

/**
 * Whether a patch for objects of a version selects none since all are already what it would make of them, as in one of several
 * overlays that each give objects another version.
 */
function isDoneAlready(
  selected: readonly Resource[],
  { version, ...others }: Selector,
  operations: readonly Operation[],
  { set }: Accumulated,
  context: Context,
): boolean {
  if (selected.length > 0 || !version) return false;
  const ofOthers = selectResources(set.list, others);
  // What cannot be patched would not be as it is.
  const isLeft = (one: Resource) => {
    const { value: isChanged, failure } = attempt(() => applyOperations(one.copy().node!, operations, context));
    if (failure?.kind === 'bound') throw failure;
    return isChanged === false;
  };
  return ofOthers.length > 0 && ofOthers.every(isLeft);
}

/** What is noted of a resource survives what patches do to annotations. */
function patchOne(resource: Resource, operations: readonly Operation[], context: Context, place: Place): void {
  const internal = internalAnnotations(resource);
  const isChanged = applyOperations(resource.node!, operations, context);
  setAnnotations(resource.node, new Map([...annotationsOf(resource.node), ...internal]));
  resource.touch({ what: 'patch', place });
  if (!isChanged)
    context.note({ code: 'patch-changes-nothing', about: idText(resource.id), place, related: undefined }, resource);
}

const legacy: ReadonlySet<string> = new Set([
  'config.kubernetes.io/path',
  'config.kubernetes.io/index',
  'config.k8s.io/id',
]);

function internalAnnotations({ node }: Resource): Map<string, string> {
  const internal = new Map<string, string>();
  const annotations = field(field(node, 'metadata'), 'annotations');
  if (isEmpty(annotations) || annotations!.kind !== 'map') return internal;
  for (let i = 0; i + 1 < annotations!.content.length; i += 2) {
    const key = textOf(annotations!.content[i]);
    if (key.startsWith('internal.config.kubernetes.io') || legacy.has(key))
      internal.set(key, textOf(annotations!.content[i + 1]));
  }
  return internal;
}

/** An entry of `patchesJson6902`. */
export function json6902Transformer(patch: Patch, loader: Loader, places: PatchPlaces): Transformer {
  const plugin = 'PatchJson6902Transformer';
  const config = () => configText(patch, { patch: 'jsonOp' });
  return operationsOf(
    configured(plugin, config, places.whole, () => loadJson6902(patch, loader, places)),
    patch,
    places,
  );
}

/** The same as a plugin of its own. */
export function json6902Operations(patch: Patch, loader: Loader, places: PatchPlaces): Transformer {
  return operationsOf(loadJson6902(patch, loader, places), patch, places);
}

function operationsOf(operations: readonly Operation[], patch: Patch, places: PatchPlaces): Transformer {
  return {
    plugin: 'PatchJson6902Transformer',
    place: places.whole,
    isAlone: !operations.some(movesValues),
    transform: (made, context) => {
      const selected = selectResources(made.set.list, patch.target!);
      noteUndone(selected, patch.target!, operations, made, context, places);
      for (const resource of selected) patchOne(resource, operations, context, places.whole);
    },
  };
}

function loadJson6902({ path, patch, target }: Patch, loader: Loader, places: PatchPlaces): readonly Operation[] {
  if (!target) panic(nilPointer, places.whole);
  if (!target.name) fail('must specify the target name', places.target);
  if (!path && !patch) fail('empty file path and empty jsonOp', places.whole);
  if (path && patch) fail('must specify a file path or jsonOp, not both', places.whole);
  const source = path ? jsonFile(path, loader, places) : places.text(patch!, 0);
  const operations = (() => {
    const read = attempt(() => readOperations(source));
    if (read.failure === undefined) return read.value ?? [];
    if (/^yaml: |^error converting|^json: unsupported/.test(read.failure.message)) throw read.failure;
    throw prefixed(`decoding ${jsonOf(source.text)}`, read.failure);
  })();
  if (operations.length === 0)
    fail(`patch appears to be empty; file=${path ?? ''}, JsonOp=${jsonOf(source.text)}`, places.whole);
  return operations;
}

function jsonFile(path: string, loader: Loader, places: PatchPlaces): TextSource {
  const loaded = attempt(() => loader.load(path));
  if (loaded.failure)
    throw new Failure(loaded.failure.message, loaded.failure.place ?? places.path, loaded.failure.kind);
  const { file, path: found } = loaded.value;
  if (file.text === '') fail(`patch file '${path}' empty seems to be empty`, places.path);
  return fileSource(file.text, found, 'patch');
}

/** `patchesStrategicMerge`, all of them. */
export interface StrategicPatch {
  readonly text: string;
  readonly place: Place;
  source(text: string): TextSource;
}

export function strategicTransformer(patches: readonly StrategicPatch[], loader: Loader, place: Place): Transformer {
  const plugin = 'PatchStrategicMergeTransformer';
  const config = () => goYaml(new Map<string, Value>([['paths', patches.map(({ text }) => text)]]));
  const loaded = configured(plugin, config, place, () => {
    const all = patches.flatMap((one) => loadStrategic(one, loader).map((patch) => ({ patch, place: one.place })));
    if (all.length === 0)
      fail(`patch appears to be empty; files=[${patches.map(({ text }) => text).join(' ')}], Patch=`);
    return all;
  });
  return {
    plugin,
    place,
    isAlone: true,
    transform: (made, context) => {
      for (const { patch, place: at } of loaded) applyStrategic(patch, at, made, context);
    },
  };
}

export function applyStrategic(patch: Resource, place: Place, made: Accumulated, context: Context): void {
  const found = attempt(() => oneById(made, patch.originalId));
  if (found.failure) {
    if (made.isPartial) return;
    throw new Failure(found.failure.message, nameOf(patch) ?? place);
  }
  mergeIntoAll(made, [found.value], patch, context, place);
}

/** The patches of a text, or of the file that it names. */
export function loadStrategic({ text, place, source }: StrategicPatch, loader: Loader, isText = false): Resource[] {
  const inline = attempt(() => parseResources(source(text)));
  if (inline.failure === undefined) return inline.value;
  if (isText) throw inline.failure;
  const loaded = attempt(() => loader.load(text));
  if (loaded.failure) throw new Failure(loaded.failure.message, place, loaded.failure.kind);
  const { file, path } = loaded.value;
  return parseFile(text, fileSource(file.text, path, 'patch'));
}

/** Errors of the text name the file. */
export function parseFile(shown: string, source: TextSource): Resource[] {
  const parsed = attempt(() => parseResources(source));
  if (parsed.failure === undefined) return parsed.value;
  throw fileFailure(parsed.failure, shown);
}

function fileFailure(failure: Failure, shown: string): Failure {
  const { message, place, kind } = failure;
  if (/error converting YAML to JSON|error unmarshaling JSON/.test(message))
    return new Failure(`YAML file [${shown}] encounters a format error.\n${message}\n`, place, kind);
  if (message.includes('MalformedYAMLError')) return new Failure(`${message} in File: ${shown}`, place, kind);
  return failure;
}

function jsonOf(text: string): string {
  return text;
}
