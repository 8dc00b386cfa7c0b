/** A build from the folder that it is asked for to the resources that are printed. */
import { Accumulated } from './accumulator.ts';
import { Context } from './context.ts';
import { asFailure, attempt, type Failure, prefixed } from './failure.ts';
import { confirmFolder, Loader } from './loader.ts';
import type { Place } from './origin.ts';
import { checkNode } from './parse.ts';
import { buildAnnotations, originKey, type Resource, setAnnotations, transformationsKey } from './resource.ts';
import { useSchema } from './schemas.ts';
import { Target } from './target.ts';
import { addHashes } from './transform/hash.ts';
import { entriesTransformer } from './transform/labels.ts';
import { fixReferences } from './transform/nameReference.ts';
import { sortResources } from './transform/sort.ts';
import { resolveVars } from './transform/vars.ts';
import { printedOf, valueOfBuilt } from './tree/built.ts';
import { decodedText } from './tree/goSyntax.ts';
import type { Build, BuiltResource, Files, Options } from './types.ts';

export function build(files: Files, folder: string, options: Options = {}): Build {
  const context = new Context(files, options);
  const done = attempt(() => run(context, folder));
  const resources = done.failure ? { resources: [], failure: done.failure } : done.value;
  const { failure } = resources;
  if (failure?.kind === 'bound') context.leftOut.push({ reason: 'bound', what: failure.message, place: failure.place });
  return {
    resources: resources.resources,
    error: failure && failure.kind !== 'bound' ? { message: failure.message, place: failure.place } : undefined,
    leftOut: context.leftOut,
    notes: context.notes,
    read: new Set([...context.recorders[0]!.files.keys(), ...context.recorders[0]!.folders.keys()]),
  };
}

interface Result {
  readonly resources: readonly BuiltResource[];
  readonly failure: Failure | undefined;
}

function run(context: Context, folder: string): Result {
  const loader = new Loader(context, confirmFolder(context, folder), undefined);
  const withTrail = hasBuildMetadata(loader);
  const target = new Target(loader, withTrail ? { path: '' } : undefined);
  const start = new Accumulated();
  useSchema(target, start, true);
  const made = target.accumulate(start);
  addHashes(made);
  fixReferences(made);
  resolveVars(made, context);
  dropLocal(made);
  const { sortOptions, buildMetadata = [] } = target.fields;
  if (sortOptions) sortResources(made.set, sortOptions);
  if (buildMetadata.includes('managedByLabel')) addManagedBy(target, made, target.file.place(['buildMetadata']));
  for (const resource of made.set.list) clean(resource, buildMetadata);
  return printed(made);
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

/** The version is that of a kustomize without one. */
const version = '(devel)';

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
  for (const { node, touched } of set.list) {
    try {
      const root = printedOf(node!);
      resources.push({ root, value: valueOfBuilt(root), touched, isPartial });
    } catch (error) {
      const failure = asFailure(error);
      return { resources, failure: prefixed(decodedText(node!), failure) };
    }
  }
  return { resources, failure: undefined };
}
