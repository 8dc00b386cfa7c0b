/** A build from the folder that it is asked for to the resources that are printed. */
import { Accumulated } from './accumulator.ts';
import { addCommonMetadata } from './addition.ts';
import { Context, type Dependencies, newDependencies, notesOf } from './context.ts';
import { asFailure, attempt, type Failure, prefixed } from './failure.ts';
import { confirmFolder, Loader } from './loader.ts';
import type { Pieces, Place } from './origin.ts';
import { checkNode } from './parse.ts';
import { buildAnnotations, originKey, type Resource, setAnnotations, transformationsKey } from './resource.ts';
import { changedResults, type KeptRoot, type Referred, referredBy } from './rootAgain.ts';
import { headOf, sameBuilt, settled } from './same.ts';
import { useSchema } from './schemas.ts';
import { keptOf } from './session.ts';
import { inputsNow, Target } from './target.ts';
import { addHashes } from './transform/hash.ts';
import { entriesTransformer } from './transform/labels.ts';
import { fixReferences } from './transform/nameReference.ts';
import { sortResources } from './transform/sort.ts';
import { resolveVars } from './transform/vars.ts';
import { printedOf, valueOfBuilt } from './tree/built.ts';
import { decodedText } from './tree/goSyntax.ts';
import { pieceStarts } from './tree/read.ts';
import type { Addition, Build, BuiltResource, Files, Options } from './types.ts';

export function build(files: Files, folder: string, options: Options = {}): Build {
  const context = new Context(files, options);
  const done = attempt(() => runAgain(context, folder) ?? run(context, folder));
  const resources = done.failure ? { resources: [], failure: done.failure } : done.value;
  const { failure } = resources;
  if (failure?.kind === 'bound') context.leftOut.push({ reason: 'bound', what: failure.message, place: failure.place });
  return {
    resources: resources.resources,
    error: failure && failure.kind !== 'bound' ? { message: failure.message, place: failure.place } : undefined,
    leftOut: context.leftOut,
    notes: notesOf(context.notes),
    pieces: piecesOf(context.recorders[0]!),
    read: new Set([...context.recorders[0]!.files.keys(), ...context.recorders[0]!.folders.keys()]),
  };
}

function piecesOf({ files }: Dependencies): Pieces {
  const pieces = new Map<string, readonly number[]>();
  for (const [path, file] of files) {
    const starts = file && pieceStarts(file);
    if (starts && starts.length > 1) pieces.set(path, starts);
  }
  return pieces;
}

interface Result {
  readonly resources: readonly BuiltResource[];
  readonly failure: Failure | undefined;
}

function run(context: Context, folder: string): Result {
  const loader = new Loader(context, confirmFolder(context, folder), undefined);
  const own = newDependencies();
  context.recorders.push(own);
  const withTrail = hasBuildMetadata(loader);
  const target = new Target(loader, withTrail ? { path: '' } : undefined);
  const start = new Accumulated();
  useSchema(target, start, true);
  if (context.options.session) target.own = own;
  const made = target.accumulate(start);
  const course = isSteadyWith(context.options.addition, target) ? target.course(made) : undefined;
  const all = made.set.list.slice();
  const results = course ? all.map(headOf) : [];
  addHashes(made);
  const referred: Referred = new Map();
  fixReferences(made, course && referredBy(referred));
  const heads = course ? all.map(headOf) : [];
  resolveVars(made, context);
  dropLocal(made);
  const { sortOptions, buildMetadata = [] } = target.fields;
  if (sortOptions) sortResources(made.set, sortOptions);
  if (buildMetadata.includes('managedByLabel')) addManagedBy(target, made, target.file.place(['buildMetadata']));
  for (const resource of made.set.list) clean(resource, buildMetadata);
  const { addition } = context.options;
  if (addition?.by === 'flux') addCommonMetadata(addition, made, context);
  const done = printed(made);
  if (!context.options.session) return done;
  const kept = keptOf(context.options.session);
  const key = keyOf(context, folder);
  const resources = settled(done.resources, kept.root(key)?.resources, sameBuilt);
  const places = new Map(made.set.list.map((one, i) => [one, i]));
  const { config } = made;
  const positions = all.map((one) => places.get(one));
  const refers = all.map((one) => referred.get(one) ?? []);
  const again = done.failure ? undefined : course;
  kept.keepRoot(key, {
    addition,
    course: again,
    config,
    results,
    heads,
    positions,
    refers,
    resources,
  });
  return { ...done, resources };
}

/** Whether what was built before says enough, whatever was added to it. */
function isSteadyWith(addition: Addition | undefined, { file }: Target): boolean {
  return addition?.by !== 'flux' || (file.value !== null && !addition.spec.commonMetadata);
}

function keyOf({ options }: Context, folder: string): string {
  const { anyFile, wording = '', addition } = options;
  return `${anyFile ? 'any ' : ''}${wording} ${folder}${addition ? ` ${addition.name}` : ''}`;
}

/** What was built of a folder before, with what has changed of it built again; undefined where all has to be. */
function runAgain(context: Context, folder: string): Result | undefined {
  const session = keptOf(context.options.session);
  const key = keyOf(context, folder);
  const kept = session.root(key);
  const loader = kept?.course && attempt(() => new Loader(context, confirmFolder(context, folder), undefined)).value;
  if (!kept?.course || !loader || kept.addition !== context.options.addition) return undefined;
  const [left, notes] = [context.leftOut.length, context.notes.length];
  const inputs = inputsNow(kept.course, loader);
  const done = inputs && changedResults(kept, kept.course, inputs, context);
  const after = done && withResults(kept, done.resources);
  if (!after) {
    context.leftOut.length = left;
    context.notes.length = notes;
    return undefined;
  }
  for (const one of done.course.notes) context.notes.push(one);
  session.keepRoot(key, { ...kept, course: done.course, resources: after });
  return { resources: after, failure: undefined };
}

function withResults({ positions, resources }: KeptRoot, changed: ReadonlyMap<number, Resource>) {
  const after = resources.slice();
  for (const [at, resource] of changed) {
    const position = positions[at];
    // It is for kustomize alone.
    if (position === undefined) continue;
    clean(resource, []);
    const made = attempt(() => builtResource(resource, false));
    if (!made.value) return undefined;
    after[position] = made.value;
  }
  return after;
}

function hasBuildMetadata(loader: Loader): boolean {
  const probe = attempt(() => new Target(loader, undefined));
  return (probe.value?.fields.buildMetadata?.length ?? 0) > 0;
}

/** Resources that say so are for kustomize alone. */
function dropLocal({ set }: Accumulated): void {
  set.list = set.list.filter(({ node, annotations }) => {
    if (!node || !checkNode(node)) return false;
    const local = annotations.get('config.kubernetes.io/local-config');
    return local === undefined || local === 'false';
  });
}

/** Of the kustomize that this one follows; one that is built from its sources says `(devel)`, which no label may hold. */
const version = 'v5.8.1';

function addManagedBy(target: Target, made: Accumulated, place: Place): void {
  entriesTransformer({
    plugin: 'LabelTransformer',
    entries: new Map([['app.kubernetes.io/managed-by', `kustomize-${version}`]]),
    specs: [{ path: 'metadata/labels', group: '', version: '', kind: '', create: true }],
    what: 'buildMetadata',
    place,
    entryPlace: () => ({ key: place, value: place }),
  }).transform(made, target.context);
}

function clean(resource: Resource, buildMetadata: readonly string[]): void {
  const { annotations } = resource;
  if (annotations.size > 0) for (const key of buildAnnotations) annotations.delete(key);
  if (!buildMetadata.includes('originAnnotations')) annotations.delete(originKey);
  if (!buildMetadata.includes('transformerAnnotations')) annotations.delete(transformationsKey);
  setAnnotations(resource.node, annotations);
}

function printed({ set, isPartial }: Accumulated): Result {
  const resources: BuiltResource[] = [];
  for (const resource of set.list) {
    try {
      resources.push(builtResource(resource, isPartial));
    } catch (error) {
      const failure = asFailure(error);
      return { resources, failure: prefixed(decodedText(resource.node!), failure) };
    }
  }
  return { resources, failure: undefined };
}

function builtResource({ node, touched }: Resource, isPartial: boolean): BuiltResource {
  const root = printedOf(node!);
  return { root, value: valueOfBuilt(root), touched, isPartial };
}
