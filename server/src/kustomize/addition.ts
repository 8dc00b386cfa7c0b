/**
 * What Flux makes of the kustomization of a folder before it builds it: what its own Kustomization says is put into that, and a
 * folder without one gets one. Places lead to where each part is written.
 */
import type { Path, ValueMap } from '../base/value.ts';
import { parseDocument } from '../yaml/document.ts';
import type { Accumulated } from './accumulator.ts';
import type { FieldSpec } from './config.ts';
import { ConfigFile, type KustomizationFile } from './configFile.ts';
import type { Context } from './context.ts';
import { decodeStruct } from './decode.ts';
import { ExtendedFile, followed, type Listed, listed, type Moves } from './extendedFile.ts';
import { fail, within } from './failure.ts';
import { type FluxSpec, fluxType, type Image, type Kustomization } from './kustomization.ts';
import { joinPath, kustomizationNames, type Loader } from './loader.ts';
import type { Place } from './origin.ts';
import { parseResources } from './parse.ts';
import { entriesTransformer } from './transform/labels.ts';
import { fileSource } from './tree/read.ts';
import type { FluxAddition } from './types.ts';

/** A kustomization with what is added to it; `own` is undefined where its folder has none. */
export function extended(
  addition: FluxAddition,
  loader: Loader,
  own: KustomizationFile | undefined,
): KustomizationFile {
  const source = new ConfigFile(addition.file, addition.document, null, addition.start);
  const made = own ?? generated(addition, source, loader);
  const moves: Moves = new Map();
  const fields = own ? withOrigins(made.fields) : made.fields;
  const all = added(fields, addition, loader, moves);
  return { name: made.name, fields: all, file: new ExtendedFile(made.file, source, addition.at, moves) };
}

/** Flux lets kustomize note where things are from, so that a kustomization without resources is not an empty one. */
function withOrigins(fields: Kustomization): Kustomization {
  return (fields.resources ?? []).length > 0 ? fields : { ...fields, buildMetadata: ['originAnnotations'] };
}

/** A kustomization of all files of a folder. */
function generated({ at }: FluxAddition, source: ConfigFile, { context, root }: Loader): KustomizationFile {
  const name = kustomizationNames[0];
  const below = resourcesBelow(context.files.below?.(root) ?? []);
  for (const path of below) checkManifests(context, joinPath(root, path));
  const resources = below.map((path) => `./${path}`);
  const file = new ConfigFile(joinPath(root, name), parseDocument(''), null);
  const whole = source.place([...at, 'path']);
  const fields = resources.length > 0 ? { resources } : { namespace: '_placeholder' };
  return { name, fields, file: new GeneratedFile(file, whole) };
}

/** Flux looks into each file before it builds. */
function checkManifests(context: Context, path: string): void {
  const file = context.file(path);
  if (file)
    within(`failed to decode Kubernetes YAML from ${path}`, () =>
      parseResources(fileSource(file.text, path, 'resource')),
    );
}

/** Files, and folders with a kustomization in place of the files in them. */
function resourcesBelow(files: readonly string[]): readonly string[] {
  const isOne = (path: string) => kustomizationNames.some((name) => path.endsWith(`/${name}`));
  const folders = new Set(files.filter(isOne).map((path) => path.slice(0, path.lastIndexOf('/'))));
  const found = new Set<string>();
  for (const path of files) {
    const folder = outermost(path, folders);
    if (folder !== undefined) found.add(folder);
    else found.add(path);
  }
  return [...found];
}

function outermost(path: string, folders: ReadonlySet<string>): string | undefined {
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    if (folders.has(path.slice(0, end))) return path.slice(0, end);
  }
  return undefined;
}

/** `moves` gets the places of what is added: a path of the kustomization, as text, to one of the spec. */
function added(own: Kustomization, { spec, at, ...source }: FluxAddition, loader: Loader, moves: Moves) {
  const { targetNamespace, namePrefix, nameSuffix, buildMetadata = [] } = spec;
  const texts = { namespace: targetNamespace, namePrefix, nameSuffix };
  if (targetNamespace !== undefined) moves.set('namespace', { path: ['targetNamespace'] });
  if (namePrefix !== undefined) moves.set('namePrefix', { path: ['namePrefix'] });
  if (nameSuffix !== undefined) moves.set('nameSuffix', { path: ['nameSuffix'] });
  if (buildMetadata.length > 0) moves.set('buildMetadata', { path: ['buildMetadata'] });
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
  const place = (path: Path) =>
    new ConfigFile(source.file, source.document, null, source.start).place([...at, ...path]);
  return {
    ...own,
    ...given,
    ...(buildMetadata.length > 0 && { buildMetadata }),
    patches: followed('patches', own.patches, listed(spec.patches), moves),
    components: followed('components', own.components, components(spec, loader, place), moves),
    images: images(own.images, spec.images, moves),
  };
}

function components(spec: FluxSpec, { context, root }: Loader, place: (path: Path) => Place): Listed<string> {
  return listed(spec.components).filter(([path, nth]) => {
    if (!isLocal(path)) fail(`component path '${path}' must be local and relative`, place(['components', nth]));
    const isThere = context.isFolder(joinPath(root, path)) || context.has(joinPath(root, path));
    return isThere || !spec.ignoreMissingComponents;
  });
}

/** Neither an address nor a path from the top. */
function isLocal(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(path);
}

/** What is said of an image that is there already changes that; tag and digest are one. */
function images(own: readonly Image[] = [], more: readonly Image[] = [], moves: Moves): readonly Image[] {
  const list = [...own];
  for (const [nth, image] of more.entries()) {
    const { name, newName, newTag, digest } = image;
    const known = list.findIndex((one) => (one.name ?? '') === (name ?? ''));
    const at = known === -1 ? list.length : known;
    moves.set(`images/${at}`, { path: ['images', nth] });
    if (known === -1) {
      list.push(image);
      continue;
    }
    const { newTag: _, digest: __, ...others } = list[known]!;
    list[known] = {
      ...(newTag || digest ? { ...others, ...(newTag && { newTag }), ...(digest && { digest }) } : list[known]!),
      ...(newName && { newName }),
    };
  }
  return list;
}

/** A kustomization that is written nowhere: all of it is where Flux is told of its folder. */
class GeneratedFile extends ConfigFile {
  override readonly whole: Place;

  constructor({ path, document, value }: ConfigFile, whole: Place) {
    super(path, document, value);
    this.whole = whole;
  }

  override place(): Place {
    return this.whole;
  }
}

const spots: readonly (readonly ['labels' | 'annotations', FieldSpec])[] = (['labels', 'annotations'] as const).map(
  (name) => [name, { path: `metadata/${name}`, group: '', version: '', kind: '', create: true }],
);

/** Labels and annotations that all objects get, once they are built. */
export function addCommonMetadata(addition: FluxAddition, made: Accumulated, context: Context): void {
  const { spec, at, file, document, start } = addition;
  const source = new ConfigFile(file, document, null, start);
  for (const [name, field] of spots) {
    const entries = spec.commonMetadata?.[name];
    if (!entries || entries.size === 0) continue;
    context.spend(entries.size * made.set.list.length);
    const path = [...at, 'commonMetadata', name];
    entriesTransformer({
      ...{ plugin: 'LabelTransformer', entries, specs: [field], what: 'commonMetadata', place: source.place(path) },
      entryPlace: (key) => ({ key: source.place([...path, key], 'key'), value: source.place([...path, key]) }),
    }).transform(made, context);
  }
}

/** What of a spec changes a build; undefined where Flux would not take it, or it is written in an old way. */
export function fluxSpecOf(spec: ValueMap): FluxSpec | undefined {
  if (spec.has('patchesStrategicMerge') || spec.has('patchesJson6902')) return undefined;
  const { value, complaint } = decodeStruct(spec, fluxType, false);
  return complaint ? undefined : (value as FluxSpec);
}
