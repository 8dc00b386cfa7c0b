/** What `values.schema.json` says of values, at the values. */
import { movedRange } from '../../base/text.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import { errorLines, type SchemaError } from '../../helm/schema/errors.ts';
import type { SchemaVerdict } from '../../helm/schema/index.ts';
import { ValuePlace } from '../../template/from.ts';
import { type Cell, GoList, GoMap, type GoValue } from '../../template/value.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { renderingsOf } from '../../workspace/charts/renderings.ts';
import { ownValues, type ValueSet } from '../../workspace/charts/valueSets.ts';
import { type ChartPlace, placeOfValue } from '../../workspace/projections/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import { type ChartFinding, ofCode } from './finding.ts';

export function findingsOfSchemas(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const told = new Map<string, ChartFinding>();
  for (const [set, verdict] of renderingsOf(chart, clusterFor(snapshot, chart.root)).verdicts) {
    for (const one of ofVerdict(snapshot, chart, set, verdict)) {
      const { uri, diagnostic } = one;
      const id = [uri, diagnostic.range.start, diagnostic.message.split('\n(With')[0]].join('\0');
      if (!told.has(id)) told.set(id, one);
    }
  }
  return [...told.values()];
}

function ofVerdict(snapshot: Snapshot, chart: ChartFolder, set: ValueSet, verdict: SchemaVerdict): ChartFinding[] {
  const { schema, errors, notJudged } = verdict;
  if (notJudged !== undefined)
    return ofCode(
      snapshot,
      'chart/schema-not-judged',
      top(schema),
      `Values are not compared with this schema: ${notJudged}`,
    );
  return errors.flatMap(ungrouped).flatMap((error) => ofError(snapshot, chart, set, verdict, error));
}

/** What says no more than its parts is told part by part. */
function ungrouped(error: SchemaError): readonly SchemaError[] {
  return error.group ? error.causes.flatMap(ungrouped) : [error];
}

function ofError(
  snapshot: Snapshot,
  chart: ChartFolder,
  set: ValueSet,
  { chart: { name }, schema, values }: SchemaVerdict,
  error: SchemaError,
): ChartFinding[] {
  const isMissing = error.keyword.at(-1) === 'required';
  const [first = '', ...more] = errorLines([error]);
  const isOwn = set.name === ownValues;
  const under = isOwn ? [] : [`(With ${set.name})`];
  const message = [`Helm refuses the values of ${name}: ${first.slice(2)}`, ...more, ...under].join('\n');
  // A chart may well want values that its own file of them leaves open.
  const code = isMissing && isOwn ? 'chart/wants-values' : 'chart/values-schema';
  const inSchema = placeInSchema(schema, error);
  const related = [{ ...inSchema, message: 'the schema says so' }];
  const names = isMissing ? [] : (error.names ?? []);
  const paths = names.length > 0 ? names.map((key) => [...error.at, key]) : [error.at];
  return paths.flatMap((path) => {
    const place = placeOf(chart, values, path) ?? (set.file ? top(set.file) : inSchema);
    return ofCode(snapshot, code, place, message, related);
  });
}

/** Where the value at a path is written, or the nearest around it that is. */
function placeOf(chart: ChartFolder, values: GoMap, path: readonly string[]): ChartPlace | undefined {
  let found: ValuePlace | undefined;
  let at: GoValue = values;
  for (const key of path) {
    const cell: Cell | undefined =
      at instanceof GoMap ? at.get(key) : at instanceof GoList ? at.items[Number(key)] : undefined;
    if (!cell) break;
    const leaf = cell.from.runs(1)[0]?.leaf;
    if (leaf instanceof ValuePlace && !leaf.isMissing) found = leaf;
    at = cell.value;
  }
  return found && placeOfValue(chart, found);
}

function placeInSchema(schema: ChartFile, { keyword }: SchemaError): ChartPlace {
  for (const { document, start } of yamlOf(schema).documents) {
    for (let length = keyword.length; length > 0; length--) {
      const range = rangeOf(document, keyword.slice(0, length), 'key');
      if (range) return { uri: schema.id, range: movedRange(range, start) };
    }
  }
  return top(schema);
}

/** The first line of a file. */
function top({ id, text }: ChartFile): ChartPlace {
  return { uri: id, range: { start: 0, end: text.search(/[\r\n]|$/) } };
}
