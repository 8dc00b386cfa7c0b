/** What `values.schema.json` says of a value, in a line. */
import { memo } from '../../base/memo.ts';
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { type ChartFile, yamlOf } from '../../helm/chart.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { valueOf } from '../../yaml/value.ts';
import { blocks, code, list, type Markdown, md, own, prose } from '../words/markdown.ts';
import { partsOf } from './seen.ts';
import type { ValuePath } from './uses.ts';

/** How many references of a schema lead from one to the next. */
const deepestReference = 20;

/** How many names of an enum are shown. */
const mostNames = 20;

const schemaIn = memo((file: ChartFile): Value | undefined => {
  const [placed] = yamlOf(file).documents;
  return placed && valueOf(placed.document);
});

/** The schemas of a value at a path: that of the chart, and that of the chart in it to which the value goes. */
function schemasAt(folder: ChartFolder, path: ValuePath): readonly ValueMap[] {
  return partsOf(folder).flatMap(({ chart: { schema }, keys }) => {
    const root = schema && schemaIn(schema);
    if (!root || !keys.every((key, i) => path[i] === key)) return [];
    const found = path
      .slice(keys.length)
      .reduce<ValueMap | undefined>(
        (at, step) => at && followed(root, step === '*' ? at.get('items') : propertyOf(at, step)),
        followed(root, root),
      );
    return found && found !== root ? [found] : [];
  });
}

function propertyOf(schema: ValueMap, name: string): Value | undefined {
  const properties = schema.get('properties');
  return (isMap(properties) ? properties.get(name) : undefined) ?? schema.get('additionalProperties');
}

/** A schema, or what it refers to in its own file. */
function followed(root: Value, schema: Value | undefined): ValueMap | undefined {
  let at = schema;
  for (let i = 0; i < deepestReference && isMap(at); i++) {
    const reference = at.get('$ref');
    if (!isString(reference)) return at;
    if (!reference.startsWith('#/')) return undefined;
    const steps = reference.slice(2).split('/');
    at = steps.reduce<Value | undefined>((inner, step) => (isMap(inner) ? inner.get(step) : undefined), root);
  }
  return undefined;
}

/** Its type, what it may be, and its description, as far as those are given. */
export function saidBySchema(folder: ChartFolder, path: ValuePath, hasComment: boolean): Markdown {
  const [schema] = schemasAt(folder, path);
  if (!schema) return own('');
  const description = schema.get('description');
  const types = [schema.get('type') ?? []].flat().filter(isString);
  const names = schema.get('enum');
  const choices = isList(names) ? names.slice(0, mostNames).map((one) => code(isString(one) ? one : String(one))) : [];
  return blocks(
    prose(!hasComment && isString(description) ? description : ''),
    types.length === 0 ? own('') : md`By values.schema.json: ${code(types.join(' or '))}`,
    choices.length === 0 ? own('') : blocks(own('One of:'), list(choices)),
  );
}
