/** `values.schema.json`: what Helm says of the values of a chart, and of each chart in it, before it renders anything. */
import { memo } from '../../base/memo.ts';
import type { Value } from '../../base/value.ts';
import { plainValue, readJson } from '../../gostd/json.ts';
import { GoMap, TooMuchWork } from '../../template/value.ts';
import type { Chart, ChartFile } from '../chart.ts';
import { errorLines, type SchemaError } from './errors.ts';
import { whyNotJudged } from './shape.ts';
import { validate } from './validate.ts';

/** What a schema comes to. */
export interface SchemaVerdict {
  readonly chart: Chart;
  readonly schema: ChartFile;
  /** The values of the chart. */
  readonly values: GoMap;
  readonly errors: readonly SchemaError[];
  /** Why nothing is said of the values. */
  readonly notJudged?: string;
}

/** Levels of JSON. */
const deepestJson = 600;

const schemaIn = memo((file: ChartFile): { readonly schema: Value; readonly notJudged: string | undefined } => {
  const read = readJson(file.text.replace(/^\ufeff/, ''), deepestJson);
  if ('error' in read) return { schema: true, notJudged: `it is not JSON: ${read.error.message}` };
  const schema = plainValue(read.json);
  return { schema, notJudged: whyNotJudged(schema) };
});

/** What the schemas of a chart and of those in it say of the values that they are rendered with. */
export function schemaVerdicts(chart: Chart, values: GoMap): SchemaVerdict[] {
  const inner = chart.dependencies.flatMap((one) => {
    const own = values.get(one.name)?.value;
    return own instanceof GoMap ? schemaVerdicts(one, own) : [];
  });
  return chart.schema ? [verdictOf(chart, chart.schema, values), ...inner] : inner;
}

function verdictOf(chart: Chart, schema: ChartFile, values: GoMap): SchemaVerdict {
  const known = { chart, schema, values };
  const { schema: read, notJudged } = schemaIn(schema);
  if (notJudged !== undefined) return { ...known, errors: [], notJudged };
  try {
    return { ...known, errors: validate(read, values) };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return { ...known, errors: [], notJudged: error.message };
  }
}

/** What Helm says instead of rendering; undefined where the values are right. */
export function refusalOf(verdicts: readonly SchemaVerdict[]): string | undefined {
  const texts = verdicts
    .filter(({ errors }) => errors.length > 0)
    .map(({ chart, errors }) => `${chart.name}:\n${errorLines(errors).join('\n')}\n`);
  const intro = "values don't meet the specifications of the schema(s) in the following chart(s):";
  return texts.length === 0 ? undefined : `${intro}\n${texts.join('')}`;
}
