import { memo } from '../base/memo.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import { type BuiltinKind, type BuiltinKinds, builtinKindsOf } from '../kubernetes/builtin/kinds.ts';
import { builtinSchema, usualFields } from '../kubernetes/builtin/schema.ts';
import { definitionsFor } from './definitions.ts';
import { isChartTemplate, isTestFile } from './fileNames.ts';
import { isKubernetesGroup } from './kinds.ts';
import { type Manifest, splitApiVersion } from './manifest.ts';
import type { SchemaNode } from './schemaNode.ts';
import { fileAt, kubernetesFor, type Snapshot, settingsFor } from './snapshot.ts';
import type { SourceFile } from './sourceFile.ts';

// The kinds that Kubernetes has built in. What is known of them is in a packed file that is read when the first of them
// is met: until then, and where it cannot be read, nothing is said of them.

/** The built-in kinds, of the text of server/data/builtinKinds.json.gz. */
export function builtinOf(text: string): BuiltinFile {
  return JSON.parse(text) as BuiltinFile;
}

/** Stands for a file that is not there. */
export const noBuiltin: BuiltinFile = {
  ...{ generated: '', releases: [], texts: [], types: [], structs: [] },
  ...{ objects: {}, enums: {}, kinds: {} },
};

/** Not the fields of that name in a CRD, below which there is another key. */
const apiVersions = /(?:^|[\s{,])["']?apiVersion["']?\s*:\s*["']?([\w./-]+)(?![\w./-]|["']?\s*:)/g;

/** Whether a file names an API version that Kubernetes itself serves, be it with a kind or, so far, without. */
const namesBuiltin = memo((file: SourceFile): boolean => {
  for (const [, apiVersion = ''] of file.text.matchAll(apiVersions)) {
    if (apiVersion !== crdVersion && isKubernetesGroup(splitApiVersion(apiVersion).group)) return true;
  }
  // What may be a pod template in a custom resource. CRDs only declare such.
  if (!holdsOnlyCrds(file) && /(?:^|[\s{,])["']?containers["']?\s*:/.test(file.text)) return true;
  // Tests of policies ask about any kind.
  if (isTestFile(file.uri) && /^policy:/m.test(file.text)) return true;
  // Expressions there read whole objects, whose metadata is built in.
  return file.text.includes('healthCheckExprs');
});

function holdsOnlyCrds({ manifests }: SourceFile): boolean {
  return manifests.length > 0 && manifests.every(({ role }) => role === 'crd');
}

const crdVersion = 'apiextensions.k8s.io/v1';

/** Whether the file of built-in kinds is to be read for a file of the workspace. */
export function needsBuiltin(snapshot: Snapshot, file: SourceFile): boolean {
  return snapshot.builtin === undefined && isBuiltinOn(snapshot, file.uri) && namesBuiltin(file);
}

export function isBuiltinOn(snapshot: Snapshot, uri: string): boolean {
  const { builtinKinds } = settingsFor(snapshot, uri);
  if (builtinKinds !== 'auto') return builtinKinds === 'on';
  // Those that know the kinds in YAML know nothing of what templates come to.
  return !(isOfTemplate(uri) ? snapshot.templatesElsewhere : snapshot.builtinElsewhere);
}

/** Whether a file is a template of a chart, or what one comes to. */
function isOfTemplate(uri: string): boolean {
  return isChartTemplate(uri.split('#')[0]!);
}

/** The built-in kinds as they are known for a file: those of the newest version that it is judged for. */
export function builtinKindsFor(snapshot: Snapshot, uri: string): BuiltinKinds | undefined {
  const { builtin } = snapshot;
  return builtin && isBuiltinOn(snapshot, uri) ? builtinKindsOf(builtin, kubernetesFor(snapshot, uri)) : undefined;
}

/** A built-in kind with all that is known of the kinds of its release. */
export interface BuiltinAt {
  readonly kinds: BuiltinKinds;
  readonly kind: BuiltinKind;
  /** Its schema, as completion and hover read schemas. */
  readonly node: SchemaNode | undefined;
}

/** The built-in kind of an object; undefined where it is none of the release that its file is judged for. */
export function builtinFor(snapshot: Snapshot, uri: string, manifest: Manifest): BuiltinAt | undefined {
  if (manifest.role !== 'resource') return undefined;
  const kinds = builtinKindsFor(snapshot, uri);
  const kind = kinds?.kinds.get(`${manifest.apiVersion}/${manifest.kind}`);
  return kinds && kind && !kind.isGone ? { kinds, kind, node: rootOfBuiltin(kinds, kind) } : undefined;
}

/** Whether API servers serve a version as long as nobody says otherwise. */
export function isOnByDefault(version: string): boolean {
  return /^v\d+$/.test(version);
}

/** The fields that nearly every object has, though the API server would decode it without them. */
export function usualNames({ schema }: SchemaNode): readonly string[] {
  return usualFields(schema);
}

export const rootOfBuiltin = memo((kinds: BuiltinKinds, kind: BuiltinKind): SchemaNode | undefined => {
  const schema = builtinSchema(kinds, kind);
  return schema && { schema, path: undefined, definition: undefined };
});

/** Whether a file holds a CRD, or an object of a kind that is known. */
export function hasSchema(snapshot: Snapshot, uri: string): boolean {
  const isKnown = (manifest: Manifest) =>
    manifest.role === 'crd' ||
    definitionsFor(snapshot.definitions, manifest, uri).length > 0 ||
    builtinFor(snapshot, uri, manifest) !== undefined;
  return fileAt(snapshot, uri)?.manifests.some(isKnown) ?? false;
}
