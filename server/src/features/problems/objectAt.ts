import { type Manifest, manifestsOf, metadataText } from '../../workspace/manifest.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { documentAt } from '../../yaml/parse.ts';
import { pathAt } from '../../yaml/place.ts';

/** The object at an offset of a file and the path in it; undefined where it has no name. */
export function placeAt({ stream }: Pick<SourceFile, 'stream'>, offset: number): string | undefined {
  const placed = documentAt(stream, offset);
  if (!placed) return undefined;
  const { path } = pathAt(placed.document, offset - placed.start);
  const manifest = manifestsOf(placed.document).find(({ at }) => at.every((step, i) => step === path[i]));
  if (!manifest || metadataText(manifest, 'name') === '') return undefined;
  return JSON.stringify([...identity(manifest), ...path.slice(manifest.at.length)]);
}

/** The name of the object that a place is in. */
export function nameIn(place: string): string {
  return JSON.parse(place)[3];
}

function identity(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  return [apiVersion, kind, metadataText(manifest, 'namespace'), metadataText(manifest, 'name')];
}
