import type { PlayFile } from '../../share/link.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { committedObject, fileAt, type Snapshot } from '../../workspace/snapshot.ts';

/** A file, and the CRDs of its resources, for a link to the playground. */
export interface ToShare {
  readonly files: readonly PlayFile[];
  /** Why the file is not put into a link. */
  readonly problem?: string;
}

/** What somebody else needs to see the findings of a file: no more than that. */
export function toShare(snapshot: Snapshot, uri: string, name: string): ToShare {
  const file = fileAt(snapshot, uri);
  if (!file || file.template) return { files: [], problem: `${name} is not a file of manifests` };
  if (file.manifests.some(isSecret)) return { files: [], problem: `${name} holds a Secret` };
  const before = beforeOf(snapshot, uri, file.manifests);
  const own = { name, text: file.text, ...(before !== undefined && { before }) };
  return { files: [own, ...crdsOf(snapshot, uri, file.manifests)] };
}

function isSecret({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** The committed objects, where one of them is another than in the file. */
function beforeOf(snapshot: Snapshot, uri: string, manifests: readonly Manifest[]): string | undefined {
  const pairs = manifests.map((manifest) => ({
    manifest,
    committed: committedObject(snapshot, uri, manifest)?.manifest,
  }));
  const isChanged = pairs.some(
    ({ manifest, committed }) => committed && committed.document.text !== manifest.document.text,
  );
  const texts = pairs.flatMap(({ committed }) => committed?.document.text.trim() ?? []);
  return isChanged ? `${texts.join('\n---\n')}\n` : undefined;
}

/** Of a file with many CRDs only those that are needed. */
function crdsOf(snapshot: Snapshot, uri: string, manifests: readonly Manifest[]): PlayFile[] {
  const needed = manifests.flatMap((manifest) =>
    manifest.role === 'resource' ? definitionsFor(snapshot.definitions, manifest, uri).slice(0, 1) : [],
  );
  const elsewhere = new Set(needed.filter(({ file }) => file.uri !== uri).map(({ manifest }) => manifest));
  return [...elsewhere].map((manifest) => ({
    name: `crds/${metadataText(manifest, 'name')}.yaml`,
    text: `${manifest.document.text.trim()}\n`,
  }));
}
