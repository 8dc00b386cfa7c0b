import type { StandardLibrary } from '../controllergen/standard.ts';
import { xrdGroup } from '../crossplane/derive.ts';
import { crossplaneVersion } from '../crossplane/fields.ts';
import { renderBlock } from '../yaml/render.ts';
import type { WantedKind } from './kinds.ts';
import { defaultLimits } from './limits.ts';
import { type SourceFile, sourceFile } from './sourceFile.ts';
import { jsonObject } from './sources/json.ts';
import { type Published, type PublishedTable, publishedOf, publishedTable } from './sources/published.ts';
import { shownUri } from './sources/shown.ts';

// What lies packed in server/data, and is read when it is first needed: the kinds that Kubernetes has built in, the CRD of
// the definitions that Crossplane makes CRDs of, where the CRDs of well-known groups are published, and the types that come
// with Go.

/** A file of server/data. */
export type DataFile = 'builtinKinds.json.gz' | 'crdSources.json.gz' | 'crossplane.json.gz' | 'goLibrary.json.gz';

/** Gives the text of a file of server/data; undefined where it cannot be read. */
export type PackagedData = (name: DataFile) => Promise<string | undefined>;

/** More is not read of one. */
export const mostDataBytes = 10_000_000;

/** The text of a file of server/data. */
export async function unpackData(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}

const origin = {
  text: `Crossplane ${crossplaneVersion.slice(1)}, which comes with kube-crd`,
  source: 'crossplane',
} as const;

let file: SourceFile | undefined;

/** The file that defines a kind of which nobody else has a CRD. */
export async function packagedFor(wanted: WantedKind, read: PackagedData): Promise<readonly SourceFile[]> {
  if (!isPackaged(wanted)) return [];
  if (!file) {
    const json = await read('crossplane.json.gz');
    if (json === undefined) return [];
    file ??= packagedFile(json);
  }
  return [file];
}

export function isPackaged({ group, kind }: WantedKind): boolean {
  return group === xrdGroup && kind === 'CompositeResourceDefinition';
}

/** Crossplane's CRD, of its JSON. */
export function packagedFile(json: string): SourceFile {
  const text = `${renderBlock(jsonObject(json)!, 0, { eol: '\n', step: 2, indentLists: true })}\n`;
  return sourceFile(shownUri('crossplane', 'compositeresourcedefinitions.yaml'), text, {
    ...{ limits: defaultLimits, origin, dormant: true },
  });
}

let published: PublishedTable | undefined;

/** Where a kind's CRD is published, if that is well known. */
export async function publishedFor(wanted: WantedKind, read: PackagedData): Promise<Published | undefined> {
  if (!published) {
    const json = await read('crdSources.json.gz');
    if (json === undefined) return undefined;
    published ??= publishedTable(json);
  }
  return publishedOf(published, wanted);
}

let library: StandardLibrary | undefined;

/** The types that come with Go; undefined where they cannot be read. */
export async function goLibrary(read: PackagedData): Promise<StandardLibrary | undefined> {
  if (!library) {
    const json = await read('goLibrary.json.gz');
    if (json === undefined) return undefined;
    library ??= JSON.parse(json) as StandardLibrary;
  }
  return library;
}
