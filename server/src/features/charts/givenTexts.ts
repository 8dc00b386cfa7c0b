/** Values for a chart that are written elsewhere: in objects that install it, and in files that those name. */
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import type { Diagnostic, Fix } from '../../rules/model/diagnostic.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { renderingsOf } from '../../workspace/charts/renderings.ts';
import { fileOfText, offsetInText, realPlace } from '../../workspace/delivery/texts.ts';
import { chartsGivenBy } from '../../workspace/languages/chart.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';
import type { Hover } from '../at/hover.ts';
import type { Completion } from '../complete/completion.ts';
import type { Search } from '../navigate/references.ts';
import type { Location } from '../place/location.ts';
import { completeValues } from './completeValues.ts';
import { findingsIn } from './diagnoseChart.ts';
import { hoverValue } from './hoverValue.ts';
import { definitionInChart, searchInChart } from './navigateChart.ts';
import { partsOf, rangeInValues, type Seen } from './seen.ts';
import { fixesOfUnused, unusedValues } from './unusedValues.ts';
import { placesOfUses, valueAt } from './uses.ts';

const onlyFor = memo((folder: ChartFolder, uri: string) => folder.onlyWith(({ id }) => fileOfText(id) === uri, uri));

/** The texts of a file that hold values, each with the chart that they are for. */
function seenIn(snapshot: Snapshot, uri: string): readonly Seen[] {
  return chartsGivenBy(snapshot, uri).flatMap((folder) =>
    folder.given.files.filter(({ id }) => fileOfText(id) === uri).flatMap((file) => seenText(snapshot, folder, file)),
  );
}

function seenText(snapshot: Snapshot, folder: ChartFolder, file: ChartFile): readonly Seen[] {
  const [part] = partsOf(folder);
  if (!part) return [];
  const renderings = renderingsOf(folder, clusterFor(snapshot, folder.root));
  const seen = { snapshot, folder, file, part, renderings };
  const ways = folder.given.sets.flatMap(({ file: own, use }) =>
    own?.id === file.id && use?.below ? [use.below] : [],
  );
  // Of an object only what is below `values` is for the chart.
  return file.isObject ? ways.map((below) => ({ ...seen, below })) : [{ ...seen, below: [] }];
}

interface At {
  readonly seen: Seen;
  readonly offset: number;
}

/** The values that an offset of a file is in. */
function givenAt(snapshot: Snapshot, uri: string, offset: number): At | undefined {
  for (const seen of seenIn(snapshot, uri)) {
    const { file, below = [] } = seen;
    const at = offsetInText(snapshot, file.id, offset);
    const pair =
      below.length === 0 ? { start: 0, end: file.text.length } : rangeInValues({ file, path: below }, 'pair');
    if (at !== undefined && pair && pair.start <= at && at <= endOf(file.text, pair)) return { seen, offset: at };
  }
  return undefined;
}

/** With the lines behind a map that are empty, or indented as it is: somebody may be typing there. */
function endOf(text: string, { start, end }: Range): number {
  const column = start - text.lastIndexOf('\n', start - 1) - 1;
  let at = end;
  for (let next = text.indexOf('\n', at); next !== -1; next = text.indexOf('\n', at)) {
    const stop = text.indexOf('\n', next + 1);
    const line = text.slice(next + 1, stop === -1 ? text.length : stop);
    if (line.trim() !== '' && line.search(/\S/) <= column) break;
    at = next + 1 + line.length;
  }
  return at;
}

export function diagnoseGiven(snapshot: Snapshot, uri: string): Diagnostic[] {
  const found = chartsGivenBy(snapshot, uri).flatMap((folder) => findingsIn(snapshot, onlyFor(folder, uri), uri));
  const unused = seenIn(snapshot, uri).flatMap((seen) =>
    unusedValues(seen).map((one) => ({ ...one, range: realRange(seen, one.range) })),
  );
  return [...found, ...unused];
}

function realRange({ snapshot, file }: Seen, range: Range): Range {
  return realPlace(snapshot, { uri: file.id, range }).range;
}

export function completeGiven(snapshot: Snapshot, uri: string, offset: number): Completion[] | undefined {
  const at = givenAt(snapshot, uri, offset);
  if (!at) return undefined;
  const { seen } = at;
  const { id, text } = seen.file;
  const inText = { ...seen, snapshot: withOpen(snapshot, sourceFile(id, text)) };
  const found = completeValues(inText, at.offset);
  return found.map((one) => ({ ...one, range: realRange(seen, one.range) }));
}

export function hoverGiven(snapshot: Snapshot, uri: string, offset: number): Hover | undefined {
  const at = givenAt(snapshot, uri, offset);
  const found = at && hoverValue(at.seen, at.offset);
  return at && found && { ...found, range: realRange(at.seen, found.range) };
}

/** The chart's own file of values says what a value is; where it does not have it, the templates that read it do. */
export function definitionGiven(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const at = givenAt(snapshot, uri, offset);
  if (!at) return [];
  const declared = definitionInChart(at.seen, at.offset);
  const value = declared.length === 0 ? valueAt(at.seen, at.offset) : undefined;
  return value ? placesOfUses(at.seen.folder, value.path) : declared;
}

export function searchGiven(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  const at = givenAt(snapshot, uri, offset);
  return at && searchInChart(at.seen, at.offset);
}

/** Another name for a value that no template reads. */
export function fixesGiven(snapshot: Snapshot, uri: string, code: string, offset: number): Fix[] {
  return seenIn(snapshot, uri).flatMap((seen) => {
    const at = offsetInText(snapshot, seen.file.id, offset);
    const fixes = at === undefined ? [] : fixesOfUnused(seen, code, at);
    return fixes.map((fix) => ({
      ...fix,
      edits: fix.edits.map((edit) => ({ ...edit, range: realRange(seen, edit.range) })),
    }));
  });
}
