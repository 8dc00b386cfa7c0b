/** `values.schema.json`: what Helm says of the values of a chart, and of each chart in it, before it renders anything. */
import { firstFound } from '../../base/firstFound.ts';
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { plainValue, readJson } from '../../gostd/json.ts';
import { quote } from '../../gostd/quote.ts';
import type { From } from '../../template/from.ts';
import { cellOf } from '../../template/json.ts';
import { GoMap, TooMuchWork } from '../../template/value.ts';
import type { Chart, ChartFile } from '../chart.ts';
import { addressOf, type Draft, schemaOfDraft } from './drafts.ts';
import { errorLines, type SchemaError } from './errors.ts';
import { address, draftOf, idOf, type NotJudged, refPath, refTarget, type Shape, shapeOf } from './shape.ts';
import { type Comparing, validate } from './validate.ts';

/** What a schema comes to. */
export interface SchemaVerdict {
  readonly chart: Chart;
  readonly schema: ChartFile;
  /** The values of the chart. */
  readonly values: GoMap;
  readonly errors: readonly SchemaError[];
  /** Why Helm refuses the schema, whatever the values are. */
  readonly refused?: SchemaRefusal;
  /** Why nothing is said of the values. */
  readonly notJudged?: NotJudged;
}

export interface SchemaRefusal {
  /** All that Helm says. */
  readonly words: string;
  /** What its draft says against the schema, which is all of it where there is something. */
  readonly errors: readonly SchemaError[];
  /** Where what the words say is in the text. */
  readonly offset?: number;
}

interface Read {
  readonly schema: Value;
  readonly draft: Draft;
  readonly refused?: SchemaRefusal;
  readonly notJudged?: NotJudged;
}

/** Levels of JSON. */
const deepestJson = 600;

const schemaIn = memo((file: ChartFile): Read => {
  const marks = file.text.startsWith('\ufeff') ? 1 : 0;
  const text = file.text.slice(marks);
  const read = readJson(text, deepestJson);
  const none = { schema: true, draft: 2020 } as const;
  if ('error' in read) {
    const { message, offset } = read.error;
    if (message.includes('depth')) return { ...none, notJudged: { why: `it is not JSON: ${message}` } };
    return { ...none, refused: { words: notJson(text, message), errors: [], offset: offset + marks } };
  }
  const schema = plainValue(read.json);
  const draft = draftOf(schema);
  if (draft === undefined)
    return { ...none, notJudged: { why: 'it is of a draft of JSON Schema that is not known here' } };
  return { schema, draft, ...seen(file, schema, draft) };
});

/** What reads several values one after the other has words of its own. */
function notJson(text: string, message: string): string {
  if (text.trim() === '') return 'EOF';
  if (message.endsWith('after top-level value')) return 'invalid character after top-level value';
  return message === 'unexpected end of JSON input' ? 'unexpected EOF' : message;
}

function seen({ text }: ChartFile, schema: Value, draft: Draft): Pick<Read, 'refused' | 'notJudged'> {
  const { notJudged, lost, odd } = shapeOf(schema, draft);
  const budget = { left: mostDraftWork };
  const isMixed = holdsBelow(schema, isOfOwnDraft);
  const refusedAt = (part: Value, ref: string) => refusedBy({ draft, asksFormats: true, budget }, part, ref);
  const refusedOdd = () => firstFound(odd, (ref) => refusedAt(refTarget(schema, ref)!, ref));
  try {
    const refused = refusedAt(schema, '#') ?? lostIn(text, lost) ?? refusedOdd();
    if (refused && !isMixed) return { refused };
    if (notJudged) return { notJudged };
    return isMixed ? { notJudged: { why: '`$schema` below the top is not judged here' } } : {};
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return { notJudged: { why: error.message } };
  }
}

/** Whether a part is judged by a draft of its own: without the identifier of that, its `$schema` means nothing, if it can be read. */
function isOfOwnDraft(part: ValueMap): boolean {
  if (!isString(part.get('$schema'))) return false;
  const draft = draftOf(part);
  return draft === undefined || isString(part.get(idOf(draft)));
}

function holdsBelow(value: Value, isWanted: (one: ValueMap) => boolean): boolean {
  if (!isMap(value) && !isList(value)) return false;
  return [...value.values()].some((one) => (isMap(one) && isWanted(one)) || holdsBelow(one, isWanted));
}

/** Parts of a schema that are looked at with parts of that of its draft. */
const mostDraftWork = 3_000_000;

const unwritten: From = { isUnknown: false, runs: () => [] };

function lostIn(text: string, [first]: Shape['lost']): SchemaRefusal | undefined {
  if (!first) return undefined;
  const [ref, words] = first;
  return { words, errors: [], offset: Math.max(text.indexOf(JSON.stringify(ref)), 0) };
}

/** Why the draft refuses a schema, or the part of one that a reference leads to. */
function refusedBy(comparing: Comparing, part: Value, ref: string): SchemaRefusal | undefined {
  const { draft } = comparing;
  const { value } = cellOf(part, unwritten);
  const errors = validate(schemaOfDraft(draft), value, comparing);
  if (errors.length === 0) return undefined;
  const intro = `${quote(address + ref)} is not valid against metaschema: jsonschema validation failed with`;
  const words = [`${intro} '${addressOf(draft)}'`, ...errorLines(errors)].join('\n');
  const path = refPath(ref);
  return {
    words,
    errors: path.length === 0 ? errors : errors.map((error) => ({ ...error, at: [...path, ...error.at] })),
  };
}

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
  const { schema: read, draft, refused, notJudged } = schemaIn(schema);
  if (refused) return { ...known, errors: [], refused };
  if (notJudged) return { ...known, errors: [], notJudged };
  try {
    return { ...known, errors: validate(read, values, { draft }) };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    return { ...known, errors: [], notJudged: { why: error.message } };
  }
}

/** What Helm says instead of rendering; undefined where the values are right. */
export function refusalOf(verdicts: readonly SchemaVerdict[]): string | undefined {
  const texts = verdicts.flatMap(({ chart, errors, refused }) => {
    if (refused) return [`${chart.name}:\n${refused.words}`];
    return errors.length > 0 ? [`${chart.name}:\n${errorLines(errors).join('\n')}\n`] : [];
  });
  const intro = "values don't meet the specifications of the schema(s) in the following chart(s):";
  return texts.length === 0 ? undefined : `${intro}\n${texts.join('')}`;
}
