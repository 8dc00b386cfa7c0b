import type { DocumentPath, ManifestPath, Value } from '../../base/value.ts';
import type { BuiltinKinds } from '../../kubernetes/builtin/kinds.ts';
import { type BuiltinAt, builtinFor, builtinKindsFor } from '../../workspace/builtin.ts';
import { type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { withEmbedded } from '../../workspace/embeddedKinds.ts';
import { isPlayground, isTestFile } from '../../workspace/fileNames.ts';
import { crdAsBuilt } from '../../workspace/kustomizations/asBuilt.ts';
import { inManifest, type Manifest, manifestsOf } from '../../workspace/manifest.ts';
import { crdRoot, rootSchema, type SchemaNode } from '../../workspace/schemaNode.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { readAt } from '../../workspace/xrd.ts';
import { documentAt, type PlacedDocument, type YamlDocument } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';
import { type CursorTarget, cursorTargetAt } from './cursorTarget.ts';
import { objectIn } from './objectIn.ts';
import { ownSchema } from './ownSchemas.ts';
import { objectInPlayground } from './playground.ts';

/** Where the cursor is: in which file, document and object, and at what. */
export interface Cursor {
  readonly file: SourceFile;
  readonly placed: PlacedDocument;
  /** The offset in the document. */
  readonly offset: number;
  readonly target: CursorTarget;
  readonly manifest: Manifest | undefined;
  /** The path within the manifest; that of the target where there is none. */
  readonly path: ManifestPath;
  /** What defines the manifest's kind, the nearest first. */
  readonly definitions: readonly Definition[];
  /** The first of them as it is built, where something changes it. */
  readonly asBuilt?: Definition | undefined;
  /** What describes the manifest's kind, where that is one that Kubernetes has built in. */
  readonly builtin?: BuiltinAt | undefined;
  /** The kinds that objects in a resource may be of. */
  readonly kinds?: BuiltinKinds | undefined;
}

export function cursorAt(snapshot: Snapshot, uri: string, offset: number): Cursor | undefined {
  const file = fileAt(snapshot, uri);
  const placed = file && (documentAt(file.stream, offset) ?? file.stream.documents[0]);
  if (!file || !placed) return undefined;
  const inDocument = offset - placed.start;
  const target = cursorTargetAt(placed.document, inDocument);
  return { file, placed, offset: inDocument, target, ...objectAt(snapshot, uri, placed.document, target.path) };
}

/** The object that a path of a document leads into. */
export function objectAt(
  snapshot: Snapshot,
  uri: string,
  document: YamlDocument,
  path: DocumentPath,
): Pick<Cursor, 'manifest' | 'path' | 'definitions' | 'asBuilt' | 'builtin' | 'kinds'> {
  const around = manifestsOf(document).find(({ at }) => at.every((step, i) => path[i] === step));
  const manifest = around && readAt(around, inManifest(around, path));
  const tested = manifest || !isTestFile(uri) ? undefined : objectIn(document, uri, snapshot.definitions, path);
  const tried = manifest || !isPlayground(uri) ? undefined : objectInPlayground(snapshot, uri, document, path);
  if (tested && tested.definitions.length === 0)
    return { ...tested, builtin: builtinFor(snapshot, uri, tested.manifest), kinds: undefined };
  if (tested ?? tried) return (tested ?? tried)!;
  const builtin = manifest && builtinFor(snapshot, uri, manifest);
  const isByCrd = manifest?.role === 'resource' && !builtin;
  const definitions = isByCrd ? definitionsFor(snapshot.definitions, manifest, uri) : [];
  const kinds = definitions.length > 0 ? builtinKindsFor(snapshot, uri) : undefined;
  const inside = manifest ? inManifest(manifest, path) : [...path];
  return { manifest, path: inside, definitions, asBuilt: builtWay(snapshot, definitions, uri), builtin, kinds };
}

/** The CRD as builds make it, where all of them make the same. */
function builtWay(snapshot: Snapshot, [first]: readonly Definition[], uri: string): Definition | undefined {
  const { ways } = first ? crdAsBuilt(snapshot, first, uri) : { ways: [] };
  return ways.length === 1 ? ways[0] : undefined;
}

/** The schema of what is under the cursor: of a CRD the built-in one, of a resource that of its kind. */
export function schemaOf({
  file,
  manifest,
  path,
  definitions,
  asBuilt,
  builtin,
  kinds,
}: Cursor): SchemaNode | undefined {
  const own = ownSchema(file.uri, file.text);
  if (own && definitions.length === 0 && !builtin) return own;
  if (manifest?.role === 'crd') return crdRoot;
  if (builtin) return builtin.node;
  const definition = asBuilt ?? definitions[0];
  const root = manifest && definition && rootSchema(definition, manifest.apiVersion);
  return root && kinds ? withEmbedded(kinds, root, manifest.value, path) : root;
}

/** The object that the cursor is in, or all of its document. */
export function contentOf({ manifest, placed }: Cursor): Value | undefined {
  return manifest ? manifest.value : valueOf(placed.document);
}
