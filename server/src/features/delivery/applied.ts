/** The way of a file to the cluster: what applies it, what that applies, and back. */
import { counted, type Range } from '../../base/text.ts';
import { type Applies, appliedAt, appliersOf, filesAppliedBy, withParents } from '../../workspace/delivery/appliers.ts';
import { type Delivered, nameOfDelivered } from '../../workspace/delivery/objects.ts';
import { realPlace, textPlaceOf } from '../../workspace/delivery/texts.ts';
import { isKustomization } from '../../workspace/fileNames.ts';
import { appliedBuildOf, folderOfRoot, rootsWith } from '../../workspace/kustomizations/builds.ts';
import { kustomizationIn } from '../../workspace/kustomizations/graph.ts';
import { fileAt, type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import { folderOf, relative } from '../../workspace/uri.ts';
import { rangeOf } from '../../yaml/place.ts';
import type { Lens } from '../lenses/lens.ts';
import { inFile } from '../lenses/lens.ts';
import type { Search } from '../navigate/references.ts';
import { cursorAt } from '../place/cursor.ts';
import type { Location } from '../place/location.ts';

/** A line above the first object of a file that says what applies it. */
export function lensesApplied(snapshot: Snapshot, uri: string): Lens[] {
  if (settingsFor(snapshot, uri).codeLens.has('applied')) return [];
  const file = fileAt(snapshot, uri);
  const placed = file?.template === false ? file.stream.documents.find(({ document }) => document.root) : undefined;
  const all = placed ? appliersOf(snapshot, uri).filter(({ by }) => by.uri !== uri) : [];
  const builds = buildsOf(snapshot, uri);
  const key = placed && (rangeOf(placed.document, ['apiVersion'], 'key') ?? rangeOf(placed.document, ['kind'], 'key'));
  if (!placed || !key) return [];
  const built = builds ? [inFile(placed, key)(builds)] : [];
  const applied = all.slice(0, mostLenses).map((one) => {
    const chain = withParents(snapshot, one);
    const show = chain.flatMap(({ by }) => placeOfObject(snapshot, by) ?? []);
    return inFile(placed, key)({ title: titleOf(chain), does: { show } });
  });
  return [...built, ...applied];
}

/** The kustomizations that somebody would build to apply a file, unless it is one of them. */
function buildsOf(snapshot: Snapshot, uri: string): Omit<Lens, 'range'> | undefined {
  const folders = rootsWith(snapshot, uri)
    .filter((root) => appliedBuildOf(snapshot, root)?.by.uri !== uri)
    .map(folderOfRoot);
  const roots = [...new Set(folders)].filter((root) => root !== folderOf(uri));
  const [first, ...others] = roots;
  if (first === undefined) return undefined;
  const rest = others.length === 0 ? '' : ` and ${counted(others.length, 'other')}`;
  const files = roots.flatMap((root) => kustomizationIn(snapshot.kustomizations, root) ?? []);
  return { title: `Built in ${relative(folderOf(uri), first)}${rest}`, does: { show: files.map(topOf) } };
}

/** What applies one file, of which each gets a line. */
const mostLenses = 5;

function titleOf([first, ...parents]: readonly Applies[]): string {
  const above = parents.map(({ by }) => nameOfDelivered(by));
  return ['Applied by', nameOfDelivered(first!.by), ...(above.length > 0 ? [`(by ${above.join(', by ')})`] : [])].join(
    ' ',
  );
}

function placeOfObject(snapshot: Snapshot, by: Delivered): Location | undefined {
  const place = textPlaceOf(by, ['metadata', 'name']);
  return place && realPlace(snapshot, place);
}

interface PathAt {
  readonly applies: Applies;
  readonly range: Range;
}

/** The folder that is named at a place of an object. */
function pathAtCursor(snapshot: Snapshot, uri: string, offset: number): PathAt | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const { manifest, path } = cursor ?? {};
  const metadata = manifest?.value.get('metadata');
  const name = metadata instanceof Map ? metadata.get('name') : undefined;
  if (!cursor || !path || cursor.target.at !== 'value' || typeof name !== 'string') return undefined;
  const applies = appliedAt(snapshot, uri, path, name);
  return applies && { applies, range: cursor.target.range };
}

/** To the kustomization or the chart in the folder; where there is none, to the files in it that say what is applied. */
export function definitionApplied(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const found = pathAtCursor(snapshot, uri, offset);
  if (!found) return [];
  const files = filesAppliedBy(snapshot, found.applies);
  const first = files.find((file) => isKustomization(file) || file.endsWith('/Chart.yaml'));
  return (first === undefined ? files : [first]).map(topOf);
}

export function searchApplied(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  const found = pathAtCursor(snapshot, uri, offset);
  if (!found) return undefined;
  return { declarations: [], uses: filesAppliedBy(snapshot, found.applies).map(topOf), elsewhere: [] };
}

function topOf(uri: string): Location {
  return { uri, range: { start: 0, end: 0 } };
}
