import { printable } from '../base/printable.ts';
import { type LineIndex, lineIndex } from '../base/text.ts';
import { hasMistakes } from '../controllergen/crd/generate.ts';
import { whyNotMade } from '../controllergen/crd/missing.ts';
import type { GeneratedCrd, GoMistake } from '../controllergen/crd/model.ts';
import { type ListFault, withoutTests } from '../controllergen/listing.ts';
import { fileFaults } from '../controllergen/packages.ts';
import type { GoResult } from '../workspace/goPackages.ts';
import { goPaths } from './goPaths.ts';
import { nameOf } from './report.ts';
import { goPackagesFor } from './workspace.ts';

/** The CRDs of the Go packages at paths; where one of them cannot be made, why. */
export async function crdsOfGo(paths: readonly string[]): Promise<{ crds: GeneratedCrd[]; wrong: string[] }> {
  const { folders } = goPaths(paths);
  const result = await (await goPackagesFor(folders)).generate(folders);
  const crds = result.crds.filter(({ isDropped }) => !isDropped);
  const unmade = crds.flatMap((crd) => {
    const why = whyNotMade(crd);
    return why === undefined ? [] : [`${crd.fileName}: not made: ${why}`];
  });
  return {
    crds,
    wrong: [...brokenFiles(result), ...new Set(saidOf(result)), ...unmade].map((text) => printable(text)),
  };
}

/** What Go says of files that it cannot parse, and of what packages import. */
export function brokenFiles(result: GoResult): string[] {
  return [
    ...result.listed.flatMap(({ faults }) => faults.flatMap((fault) => listText(fault).split('\n'))),
    ...unparsed(result),
  ];
}

function listText({ message, folder, place }: ListFault): string {
  const at = place && placeText(place.file.uri, lineIndex(place.file.go.text), place.at);
  return `${at ?? '-'}: ${message}${folder === undefined ? '' : ` in ${nameOf(folder)}`}`;
}

function unparsed({ roots, listed }: GoResult): string[] {
  const known = new Set(roots.map(({ path }) => path));
  const imported = listed.flatMap(({ packages }) => packages.filter(({ path }) => !known.has(path))).map(withoutTests);
  return [...roots, ...imported].flatMap((root) =>
    fileFaults(root).map(({ file: { uri, go }, at, message, isOfPackage }) => {
      // For Go the break at the end of a file begins no line.
      const place = placeText(uri, lineIndex(go.text), at, Math.min(at, go.text.length - 1));
      return `${isOfPackage ? '-: ' : ''}${place}: ${message}`;
    }),
  );
}

/** What controller-gen says of the packages, at its places. */
export function saidOf({ roots, mistakes }: GoResult): string[] {
  const files = new Map(roots.flatMap((root) => root.files.map((file) => [file.uri, file.go.text])));
  const indices = new Map<string, LineIndex>();
  const unread = new Set(roots.filter(hasMistakes).map((root) => root.path));
  return mistakes.flatMap(({ message, place, package: of, isEarly }: GoMistake) => {
    const text = place && files.get(place.uri);
    if (unread.has(of) && !isEarly) return [];
    if (!place || text === undefined) return [`${of}: ${message}`];
    const lines = indices.get(place.uri) ?? lineIndex(text);
    indices.set(place.uri, lines);
    return [`${placeText(place.uri, lines, place.range.start)}: ${message}`];
  });
}

function placeText(uri: string, lines: LineIndex, at: number, inLine = at): string {
  const line = lines.lineAt(inLine);
  return `${nameOf(uri)}:${line + 1}:${at - lines.lineStart(line) + 1}`;
}
