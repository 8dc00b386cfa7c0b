import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lineIndex } from '../base/text.ts';
import { crdText } from '../features/golang/crdText.ts';
import { hasMistakes } from '../golang/crd/generate.ts';
import { whyMissing } from '../golang/crd/missing.ts';
import type { GoMistake } from '../golang/crd/model.ts';
import { GoPackages, type GoResult } from '../workspace/goPackages.ts';
import { promptFiles } from '../workspace/sources/nodeFiles.ts';
import { localCaches } from './caches.ts';
import { goPaths, hasGo } from './goPaths.ts';
import { complain, nameOf } from './report.ts';

export interface GenerateOptions {
  readonly paths: readonly string[];
  /** The folder that files are written to, under controller-gen's names; undefined for standard output. */
  readonly output: string | undefined;
}

/** Prints the CRDs that controller-gen makes of Go packages; gives the exit code. */
export async function generateCrds({ paths, output }: GenerateOptions): Promise<number> {
  const missing = paths.filter((one) => !hasGo(one));
  if (missing.length > 0) throw new Error(`no Go packages with markers found at ${missing.join(', ')}`);
  const { folders } = goPaths(paths);
  const result = await new GoPackages(promptFiles, localCaches().goModules).generate(folders);
  const crds = result.crds.filter(({ isDropped }) => !isDropped);
  const known = crds.filter(({ missing }) => missing.length === 0);
  if (output !== undefined) mkdirSync(output, { recursive: true });
  for (const { fileName, value } of known) {
    const text = `---\n${crdText(value)}`;
    if (output === undefined) process.stdout.write(text);
    else writeFileSync(path.join(output, fileName), text);
  }
  const refused = new Set(saidOf(result));
  for (const text of refused) complain(text);
  for (const { fileName, missing } of crds) {
    if (missing.length > 0) complain(`${fileName}: not made: ${whyMissing(missing)}`);
  }
  return refused.size > 0 ? 1 : known.length < crds.length ? 2 : 0;
}

/** What controller-gen says of the packages, at its places. */
function saidOf({ roots, mistakes }: GoResult): string[] {
  const files = new Map(roots.flatMap((root) => root.files.map((file) => [file.uri, file.go.text])));
  const unread = new Set(roots.filter(hasMistakes).map((root) => root.path));
  return mistakes.flatMap(({ message, place, package: of }: GoMistake) => {
    const text = place && files.get(place.uri);
    const isOfMarker = text?.[place?.range.start ?? 0] === '+';
    if (unread.has(of) && !isOfMarker) return [];
    if (!place || text === undefined) return [`${of}: ${message}`];
    const lines = lineIndex(text);
    const line = lines.lineAt(place.range.start);
    return [`${nameOf(place.uri)}:${line + 1}:${place.range.start - lines.lineStart(line) + 1}: ${message}`];
  });
}
