import type { StandardLibrary } from '../controllergen/standard.ts';
import { xrdGroup } from '../crossplane/derive.ts';
import { crossplaneVersion } from '../crossplane/fields.ts';
import { kroVersion, rgdGroup } from '../kro/version.ts';
import { renderBlock } from '../yaml/render.ts';
import type { WantedKind } from './kinds.ts';
import { defaultLimits } from './limits.ts';
import { type SourceFile, sourceFile } from './sourceFile.ts';
import { jsonObject } from './sources/json.ts';
import { type Published, type PublishedTable, publishedOf, publishedTable } from './sources/published.ts';
import { shownUri } from './sources/shown.ts';

// What lies packed in server/data, and is read when it is first needed: the kinds that Kubernetes has built in, the CRDs of
// the definitions that Crossplane and kro make CRDs of, where the CRDs of well-known groups are published, and the types that
// come with Go.

/** A file of server/data. */
export type DataFile =
  | 'builtinKinds.json.gz'
  | 'crdSources.json.gz'
  | 'crossplane.json.gz'
  | 'goLibrary.json.gz'
  | 'kro.json.gz';

/** Gives the text of a file of server/data; undefined where it cannot be read. */
export type PackagedData = (name: DataFile) => Promise<string | undefined>;

/** More is not read of one. */
export const mostDataBytes = 10_000_000;

/** A kind whose CRD comes with the program. */
interface PackagedKind extends Pick<WantedKind, 'group' | 'kind'> {
  readonly data: DataFile;
  readonly by: 'crossplane' | 'kro';
  /** As a person would say it. */
  readonly release: string;
}

const packaged: readonly PackagedKind[] = [
  {
    ...{ group: xrdGroup, kind: 'CompositeResourceDefinition', data: 'crossplane.json.gz', by: 'crossplane' },
    release: `Crossplane ${crossplaneVersion.slice(1)}`,
  },
  {
    ...{ group: rgdGroup, kind: 'ResourceGraphDefinition', data: 'kro.json.gz', by: 'kro' },
    release: `kro ${kroVersion.slice(1)}`,
  },
];

const files = new Map<PackagedKind, SourceFile>();

/** The file that defines a kind of which nobody else has a CRD. */
export async function packagedFor(wanted: WantedKind, read: PackagedData): Promise<readonly SourceFile[]> {
  const found = packagedKind(wanted);
  if (!found) return [];
  if (!files.has(found)) {
    const json = await read(found.data);
    if (json === undefined) return [];
    files.set(found, fileOf(found, json));
  }
  return [files.get(found)!];
}

export function packagedKind({ group, kind }: Pick<WantedKind, 'group' | 'kind'>): PackagedKind | undefined {
  return packaged.find((one) => one.group === group && one.kind === kind);
}

/** The CRD of a kind, of its JSON. */
export function fileOf({ kind, by, release }: PackagedKind, json: string): SourceFile {
  const text = `${renderBlock(jsonObject(json)!, 0, { eol: '\n', step: 2, indentLists: true })}\n`;
  const origin = { text: `${release}, which comes with kube-crd`, source: by };
  return sourceFile(shownUri(by, `${kind.toLowerCase()}s.yaml`), text, {
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
