/** What a kustomization builds, to be shown beside a file that has a part in it. */
import { lineIndex } from '../../base/text.ts';
import { type BuiltNode, type Origin, placesOf, rangeIn } from '../../kustomize/build.ts';
import { madeOf, rootsWith } from '../../workspace/kustomizations/builds.ts';
import type { MadeBuild } from '../../workspace/kustomizations/madeBuild.ts';
import { pathOf } from '../../workspace/kustomizations/paths.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { keyName } from '../../yaml/decode.ts';
import type { Node } from '../../yaml/node.ts';
import type { ShownRendering, WantedRendering } from '../charts/rendered.ts';
import { shownRoot } from './diagnoseBuild.ts';

/** Between two resources. */
const separator = '---\n';

export function shownBuild(snapshot: Snapshot, uri: string, { values }: WantedRendering): ShownRendering | undefined {
  const roots = rootsWith(snapshot, uri);
  const choices = roots.map((root) => shownRoot(snapshot, root, uri));
  const wanted = roots[Math.max(0, choices.indexOf(values ?? ''))];
  const made = wanted === undefined ? undefined : madeOf(snapshot, wanted);
  if (wanted === undefined || !made) return undefined;
  const shown = shownRoot(snapshot, wanted, uri);
  const { error } = made.build;
  if (error)
    return { name: shown, text: `# ${error.message.replaceAll('\n', '\n# ')}\n`, values: shown, choices, lines: [] };
  const text = made.sources.map((source) => source.text).join(separator);
  return {
    name: shown,
    text,
    values: shown,
    choices,
    lines: linesOf(snapshot, uri, made, text),
  };
}

/** For each line of what is built, the line of the file that it comes from. */
function linesOf(snapshot: Snapshot, uri: string, { sources, build }: MadeBuild, text: string): readonly number[] {
  const [made, file] = [lineIndex(text), lineIndex(fileAt(snapshot, uri)?.text ?? '')];
  const lines = Array.from({ length: made.count }, () => -1);
  const path = pathOf(uri);
  const placeOf = (origin: Origin | undefined) => {
    const place = placesOf(origin).findLast(({ file }) => file === path);
    return place && rangeIn(build.pieces, place).start;
  };
  const take = (at: number, origin: Origin | undefined) => {
    const place = placeOf(origin);
    const line = made.lineAt(at);
    if (place !== undefined && lines[line] === -1) lines[line] = file.lineAt(place);
  };
  let start = 0;
  for (const [i, source] of sources.entries()) {
    const document = source.stream.documents[0]?.document;
    if (document?.root) walk(document.root, start + document.rootStart, build.resources[i]!.root, take);
    start += source.text.length + separator.length;
  }
  return lines;
}

/** Goes through what was printed and what it was printed of side by side. */
function walk(
  node: Node,
  start: number,
  built: BuiltNode,
  take: (at: number, origin: Origin | undefined) => void,
): void {
  if (node.kind === 'map' && built.kind === 'map') {
    const entries = new Map(built.entries.map((entry) => [entry.key, entry]));
    for (const { at, key, keyAt, value, valueAt } of node.pairs) {
      const entry = entries.get(keyName(key));
      if (!entry) continue;
      // A scalar may have another place than its key.
      if (entry.value.kind === 'scalar') take(start + at + keyAt, entry.value.origin);
      take(start + at + keyAt, entry.keyOrigin);
      walk(value, start + at + valueAt, entry.value, take);
    }
  } else if (node.kind === 'list' && built.kind === 'list') {
    for (const [i, { at, node: item, nodeAt }] of node.items.entries()) {
      const inner = built.items[i];
      if (!inner) continue;
      take(start + at, inner.origin);
      walk(item, start + at + nodeAt, inner, take);
    }
  }
}
