/** What `values.schema.json` says of values, at the values. */

import { movedRange } from '../../base/text.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import { errorLines, type Keys, type SchemaError } from '../../helm/schema/errors.ts';
import type { SchemaRefusal, SchemaVerdict } from '../../helm/schema/index.ts';
import { ValuePlace } from '../../template/from.ts';
import { type Cell, GoList, GoMap, type GoValue } from '../../template/value.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { renderingsOf } from '../../workspace/charts/renderings.ts';
import { ownValues, type ValueSet } from '../../workspace/charts/valueSets.ts';
import { type ChartPlace, placeOfValue } from '../../workspace/projections/chart.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { rangeOf } from '../../yaml/place.ts';
import { type ChartFinding, isPartlyKnown, ofCode, placeOfUse, underSet, withSet } from './finding.ts';

export function findingsOfSchemas(snapshot: Snapshot, chart: ChartFolder): ChartFinding[] {
  const told = new Map<string, ChartFinding>();
  for (const [set, verdict] of renderingsOf(chart, clusterFor(snapshot, chart.root)).verdicts) {
    for (const one of ofVerdict(snapshot, chart, set, verdict)) {
      const { uri, diagnostic } = one;
      const id = [uri, diagnostic.range.start, diagnostic.says.under?.words ?? diagnostic.message].join('\0');
      if (!told.has(id)) told.set(id, one);
    }
  }
  return [...told.values()];
}

function ofVerdict(snapshot: Snapshot, chart: ChartFolder, set: ValueSet, verdict: SchemaVerdict): ChartFinding[] {
  const { schema, errors, refused, notJudged } = verdict;
  if (refused) return ofRefusal(snapshot, schema, refused);
  if (notJudged)
    return ofCode(
      snapshot,
      'chart/schema-not-judged',
      top(schema),
      `Values are not compared with this schema: ${notJudged.why}`,
      [],
      notJudged.isElsewhere ? { isElsewhere: true } : {},
    );
  const told = errors.flatMap(ungrouped).filter((error) => !isOpen(set, verdict.values, error));
  return told.flatMap((error) => ofError(snapshot, chart, set, verdict, error));
}

function ofRefusal(snapshot: Snapshot, schema: ChartFile, { words, errors, offset }: SchemaRefusal): ChartFinding[] {
  const say = (place: ChartPlace, what: string) => ofCode(snapshot, 'chart/schema-refused', place, what, []);
  const isOfDraft = errors.length > 0;
  if (!isOfDraft) return say(lineAt(schema, offset ?? 0), `Helm refuses this schema, and any values with it: ${words}`);
  // Generators make the same mistake all over a schema.
  const byKeyword = new Map<string | undefined, SchemaError[]>();
  for (const error of errors.flatMap(ungrouped)) {
    const keyword = error.at.at(-1);
    const known = byKeyword.get(keyword);
    if (known) known.push(error);
    else byKeyword.set(keyword, [error]);
  }
  return [...byKeyword].flatMap(([keyword, [error, ...others]]) => {
    const [first = '', ...more] = errorLines([error!]);
    const elsewhere = others.length > 0 ? [`(and ${others.length} more of \`${keyword}\`)`] : [];
    const what = `Helm refuses this schema by its own draft, and any values with it: ${first.slice(2)}`;
    return say(placeInSchema(schema, error!.at), [what, ...more, ...elsewhere].join('\n'));
  });
}

/** Whether values that are not known decide it. */
function isOpen({ use }: ValueSet, values: GoMap, { at, keyword }: SchemaError): boolean {
  if (!use || use.unknown.length === 0) return false;
  if (aboutOthers.has(String(keyword.at(-1)))) return true;
  return cellsOn(values, at).some(({ from }) => from.isUnknown);
}

/** What is said of a map or list as a whole, or of what is not there. */
const aboutOthers: ReadonlySet<string> = new Set(
  'required anyOf oneOf not if then else dependentRequired dependencies minProperties minItems contains'.split(' '),
);

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
  const isMissing = saysMissing(error);
  const [first = '', ...more] = errorLines([error]);
  const isOwn = set.name === ownValues;
  const under = isOwn ? [] : [`(${withSet(set)})`];
  const words = [`Helm refuses the values of ${name}: ${first.slice(2)}`, ...more].join('\n');
  const message = [words, ...under].join('\n');
  const says = isOwn ? {} : underSet(words, set);
  // A chart may well want values that its own file of them leaves open.
  const isLeftOpen = isOwn && isLeftOpenIn(values, error);
  const code = isLeftOpen ? 'chart/wants-values' : 'chart/values-schema';
  const inSchema = placeInSchema(schema, error.keyword);
  const related = [{ ...inSchema, message: 'the schema says so' }];
  const names = isMissing ? [] : (error.names ?? []);
  const paths = names.length > 0 ? names.map((key) => [...error.at, key]) : [error.at];
  return paths.flatMap((path) => {
    const given = isMissing && path.length === 0 ? placeOfUse(set) : undefined;
    const place = given ?? placeOf(chart, values, path) ?? placeOfUse(set) ?? (set.file ? top(set.file) : inSchema);
    const found = ofCode(snapshot, code, place, message, related, says);
    return isPartlyKnown(set) ? found.map(asWarning) : found;
  });
}

function saysMissing({ keyword }: SchemaError): boolean {
  return keyword.at(-1) === 'required';
}

/** Whether whoever installs the chart can mend an error by giving more: with one alternative of several, all that is against it. */
function isLeftOpenIn(values: GoMap, error: SchemaError): boolean {
  const { group, causes, keyword } = error;
  const isOpen = (one: SchemaError) => isLeftOpenIn(values, one);
  if (group) return causes.every(isOpen);
  if (alternatives.has(String(keyword.at(-1)))) return causes.some(isOpen);
  return saysMissing(error) || isLeftEmpty(values, error);
}

const alternatives: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** Whether an empty text is refused for what is in it: whoever installs the chart is to put something there. */
function isLeftEmpty(values: GoMap, { at, keyword }: SchemaError): boolean {
  const cells = cellsOn(values, at);
  return cells.length === at.length && cells.at(-1)?.value === '' && aboutTexts.has(String(keyword.at(-1)));
}

const aboutTexts: ReadonlySet<string> = new Set('pattern minLength format enum const'.split(' '));

/** What holds only for what is known is no more than a warning. */
function asWarning({ uri, diagnostic }: ChartFinding): ChartFinding {
  return { uri, diagnostic: diagnostic.severity === 'error' ? { ...diagnostic, severity: 'warning' } : diagnostic };
}

/** Where the value at a path is written, or the nearest around it that is. */
function placeOf(chart: ChartFolder, values: GoMap, path: readonly string[]): ChartPlace | undefined {
  const leaves = cellsOn(values, path).map(({ from }) => from.runs(1)[0]?.leaf);
  const found = leaves.findLast((leaf) => leaf instanceof ValuePlace && !leaf.isMissing);
  return found instanceof ValuePlace ? placeOfValue(chart, found) : undefined;
}

/** The values on the way along a path, as far as it leads. */
function cellsOn(values: GoMap, path: readonly string[]): readonly Cell[] {
  const cells: Cell[] = [];
  let at: GoValue = values;
  for (const key of path) {
    const next: Cell | undefined =
      at instanceof GoMap ? at.get(key) : at instanceof GoList ? at.items[Number(key)] : undefined;
    if (!next) break;
    cells.push(next);
    at = next.value;
  }
  return cells;
}

function placeInSchema(schema: ChartFile, path: Keys): ChartPlace {
  for (const { document, start } of yamlOf(schema).documents) {
    for (let length = path.length; length > 0; length--) {
      const range = rangeOf(document, path.slice(0, length), 'key');
      if (range) return { uri: schema.id, range: movedRange(range, start) };
    }
  }
  return top(schema);
}

/** What is left of the line from a place on. */
function lineAt({ id, text }: ChartFile, start: number): ChartPlace {
  const length = text.slice(start).search(/[\r\n]|$/);
  return { uri: id, range: { start, end: start + length } };
}

/** The first line of a file. */
function top(schema: ChartFile): ChartPlace {
  return lineAt(schema, 0);
}
