import { movedRange, type Range } from '../../base/text.ts';
import { isMap, isString, type ManifestPath, type ValueMap, valueAt } from '../../base/value.ts';
import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { type SchemaNode, schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { kindPlace } from '../navigate/links.ts';
import { cursorAt, schemaOf } from '../place/cursor.ts';
import { type ExpressionAt, expressionAt } from '../place/expressionAt.ts';
import { isPropertyName } from '../place/keywordsAt.ts';
import { type Location, placeIn } from '../place/location.ts';
import { explainField, explainKind } from '../words/explain.ts';
import { builtinLimits, explainBuiltinKind } from '../words/explainBuiltin.ts';
import { blocks, type Markdown, md } from '../words/markdown.ts';
import { hoverRule } from './hoverRule.ts';

export interface Hover {
  readonly markdown: Markdown;
  readonly range: Range;
  /** Where what is explained is written down. */
  readonly definedIn?: Location;
}

/** What is under the cursor, explained. */
export function hover(snapshot: Snapshot, uri: string, offset: number): Hover | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  if (expression) return inExpression(expression);
  if (!cursor || (cursor.target.at !== 'key' && cursor.target.at !== 'value')) return undefined;
  const { manifest, path, placed, target } = cursor;
  if (manifest && path.length === 1 && path[0] === 'kind' && cursor.definitions[0]) {
    const range = movedRange(target.range, placed.start);
    const [definition] = cursor.definitions;
    const markdown = withOrigin(explainKind(definition, manifest.apiVersion), cursor.definitions);
    return { markdown, range, definedIn: kindPlace(definition) };
  }
  if (manifest && path.length === 1 && path[0] === 'kind' && cursor.builtin) {
    const range = movedRange(target.range, placed.start);
    return { markdown: explainBuiltinKind(cursor.builtin), range };
  }
  const property = manifest?.role === 'crd' && target.at === 'key' ? propertyCard(manifest, path) : undefined;
  if (property !== undefined)
    return {
      markdown: property,
      range: movedRange(target.range, placed.start),
    };
  const root = schemaOf(cursor);
  const name = path.findLast((step) => typeof step === 'string');
  const node = root && schemaAt(root, path);
  if (!root || !node || name === undefined) return undefined;
  const parent = schemaAt(root, path.slice(0, -1));
  const of = manifest ? `${manifest.kind} (${manifest.apiVersion}) ` : '';
  const markdown = explainField(String(name), node, parent, of + dotted(path));
  const range = movedRange(target.range, placed.start);
  const whole = cursor.builtin
    ? blocks(markdown, builtinLimits(cursor.builtin))
    : withOrigin(markdown, cursor.definitions);
  return { markdown: whole, range, ...definedIn(node) };
}

/** With where the CRD comes from, unless it is the only one, and one of the workspace. */
function withOrigin(markdown: Markdown, [definition, ...others]: readonly Definition[]): Markdown {
  const origin = definition?.file.origin;
  const why =
    others.length === 0
      ? ''
      : `one of ${others.length + 1} CRDs of this kind, the nearest to this file that has its version`;
  const words = [...(origin ? [`CRD: ${origin.text}`] : []), ...(why === '' ? [] : [why])];
  return words.length === 0 ? markdown : md`${markdown}\n\n*${words.join('; ')}*`;
}

/** On the name of a property in a CRD: what its own schema says of it, as in a resource. */
function propertyCard({ value }: Manifest, path: ManifestPath): Markdown | undefined {
  const schema = valueAt(value, path);
  const around = valueAt(value, path.slice(0, -2));
  if (!isPropertyName(path) || !isMap(schema) || !isMap(around)) return undefined;
  const kind = valueAt(value, ['spec', 'names', 'kind']);
  const version = valueAt(value, [...path.slice(0, 3), 'name']);
  const label = [kind, version].filter(isString).join(' ');
  const node = (of: ValueMap) => ({ schema: of, path: undefined, definition: undefined });
  return explainField(String(path.at(-1)), node(schema), node(around), `${label} ${wayTo(path)}`.trim());
}

/** The way in resources to what a path in a schema describes. */
function wayTo(path: ManifestPath): string {
  let way = '';
  for (let i = path.indexOf('openAPIV3Schema') + 1; i < path.length; i++) {
    if (path[i] === 'properties') way += `.${path[++i]}`;
    else if (path[i] === 'items' || path[i] === 'additionalProperties') way += '[]';
  }
  return way;
}

function definedIn({ definition, path }: SchemaNode): Pick<Hover, 'definedIn'> {
  return definition && path ? { definedIn: placeIn(definition, path, 'key') } : {};
}

function inExpression({ place, offset, toFile }: ExpressionAt): Hover | undefined {
  const found = hoverRule(place, offset);
  return found && { markdown: found.markdown, range: toFile(found.range) };
}

function dotted(path: readonly (string | number)[]): string {
  return path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
}
