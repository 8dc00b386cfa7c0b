import type { Path, Value } from '../base/value.ts';
import { isMap, valueAt } from '../base/value.ts';
import { tryExpression } from '../kubernetes/cel/tryExpression.ts';
import { storedResource } from '../kubernetes/cr/create.ts';
import { structuralAt } from '../kubernetes/cr/schemaAt.ts';
import { type ServedCrd, serveCrd } from '../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { definitionsFor } from '../workspace/definitions.ts';
import { type Manifest, splitApiVersion } from '../workspace/manifest.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { expandAll, readSource } from './inputs.ts';
import { valText } from './valText.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface EvaluateOptions extends CrdOptions {
  readonly expression: string;
  readonly resource: string;
  /** The file of the object before the change. */
  readonly old: string | undefined;
  /** The path of `self` in the object; '' for all of it. */
  readonly at: string;
  readonly version: KubernetesVersion;
}

/** Evaluates an expression as a rule of a resource's CRD; gives the exit code. */
export async function evaluateCommand(options: EvaluateOptions): Promise<number> {
  const { expression, resource, version, at } = options;
  const listing = await expandAll([resource]);
  const workspace = await openWorkspace(listing, options, { chosen: { kubernetesVersion: version.name } });
  const file = await onlySource(listing.uris);
  const snapshot = await workspace.knowing(workspace.snapshot, file);
  const manifest = objectIn(file, resource);
  const definition = definitionsFor(snapshot.definitions, manifest, file.uri)[0];
  if (!definition) throw new Error(`no CRD of ${manifest.kind} (${manifest.apiVersion}) is known; name it with --crds`);
  const crd = serveCrd(definition.manifest.value, version);
  if ('error' in crd) throw new Error(`the CRD cannot be served: ${crd.error}`);
  const path = pathOf(at);
  const schema = schemaOf(crd, manifest, path);
  const value = valueOf(manifest, crd, path, version, resource);
  const old = options.old === undefined ? undefined : await oldValue(options.old, crd, path, version);
  const isRoot = path.length === 0 || schema.extensions.embeddedResource;
  const tried = tryExpression(expression, { schema, isRoot, value, old }, version);
  if ('problem' in tried) throw new Error(tried.problem);
  const result = 'error' in tried.result ? `error: ${tried.result.error}` : valText(tried.result.value);
  process.stdout.write(`${result}\ntype: ${tried.type}\ncost: ${tried.cost} here, at most ${tried.most}\n`);
  return 'error' in tried.result ? 1 : 0;
}

async function onlySource(uris: readonly string[]): Promise<SourceFile> {
  const [uri, ...more] = uris;
  if (uri === undefined || more.length > 0) throw new Error('eval takes one file');
  const file = await readSource(uri, true);
  if (typeof file === 'string') throw new Error(file);
  return file;
}

function objectIn({ manifests }: SourceFile, name: string): Manifest {
  const found = manifests.find(({ role }) => role !== 'crd');
  if (!found) throw new Error(`${name} holds no custom resource`);
  return found;
}

/** `spec.ports[0]`, with or without a dot before it. */
function pathOf(text: string): Path {
  const steps = text.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return steps.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));
}

function schemaOf(crd: ServedCrd, { apiVersion }: Manifest, path: Path) {
  const root = crd.versions.get(splitApiVersion(apiVersion).version)?.structural;
  const schema = root && structuralAt(root, path);
  if (!schema) throw new Error(`the CRD has no schema for ${path.join('.') || 'the object'} in ${apiVersion}`);
  return schema;
}

/** As rules see it: pruned, with defaults. */
function valueOf(manifest: Manifest, crd: ServedCrd, path: Path, kubernetes: KubernetesVersion, name: string): Value {
  const stored = storedResource(manifest.value, crd, { kubernetes });
  const value = isMap(stored) ? valueAt(stored, path) : undefined;
  if (value === undefined) throw new Error(`${name} has nothing at ${path.join('.') || 'its root'}`);
  return value;
}

async function oldValue(name: string, crd: ServedCrd, path: Path, version: KubernetesVersion): Promise<Value> {
  const file = await onlySource((await expandAll([name])).uris);
  return valueOf(objectIn(file, name), crd, path, version, name);
}
