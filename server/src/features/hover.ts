import type { Range } from '../base/text.ts';
import { isMap, isString, type ManifestPath, type ValueMap, valueAt } from '../base/value.ts';
import type { Definition } from '../workspace/definitions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { type SchemaNode, schemaAt } from '../workspace/schemaNode.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import { type ExpressionAt, expressionAt } from './cel/expressionAt.ts';
import { hoverRule } from './cel/hoverRule.ts';
import { cursorAt, schemaOf } from './cursor.ts';
import { explainField, explainKind } from './explain.ts';
import { builtinLimits, explainBuiltinKind } from './explainBuiltin.ts';
import { isPropertyName } from './keywordsAt.ts';
import { kindPlace } from './links.ts';
import { type Location, placeIn } from './location.ts';
import { untrusted } from './markdown.ts';

export interface Hover {
  readonly markdown: string;
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
    const range = { start: target.range.start + placed.start, end: target.range.end + placed.start };
    const [definition] = cursor.definitions;
    const markdown = withOrigin(explainKind(definition, manifest.apiVersion), cursor.definitions);
    return { markdown, range, definedIn: kindPlace(definition) };
  }
  if (manifest && path.length === 1 && path[0] === 'kind' && cursor.builtin) {
    const range = { start: target.range.start + placed.start, end: target.range.end + placed.start };
    return { markdown: explainBuiltinKind(cursor.builtin), range };
  }
  const property = manifest?.role === 'crd' && target.at === 'key' ? propertyCard(manifest, path) : undefined;
  if (property !== undefined)
    return {
      markdown: property,
      range: { start: target.range.start + placed.start, end: target.range.end + placed.start },
    };
  const root = schemaOf(cursor);
  const name = path.findLast((step) => typeof step === 'string');
  const node = root && schemaAt(root, path);
  if (!root || !node || name === undefined) return undefined;
  const parent = schemaAt(root, path.slice(0, -1));
  const of = manifest ? `${manifest.kind} (${manifest.apiVersion}) ` : '';
  const markdown = explainField(String(name), node, parent, of + dotted(path));
  const range = { start: target.range.start + placed.start, end: target.range.end + placed.start };
  const whole = cursor.builtin
    ? `${markdown}\n\n${builtinLimits(cursor.builtin)}`.trim()
    : withOrigin(markdown, cursor.definitions);
  return { markdown: whole, range, ...definedIn(node) };
}

/** With where the CRD comes from, unless it is the only one, and one of the workspace. */
function withOrigin(markdown: string, [definition, ...others]: readonly Definition[]): string {
  const origin = definition?.file.origin;
  const why =
    others.length === 0
      ? ''
      : `one of ${others.length + 1} CRDs of this kind, the nearest to this file that has its version`;
  const words = [...(origin ? [`CRD: ${untrusted(origin.text)}`] : []), ...(why === '' ? [] : [why])];
  return words.length === 0 ? markdown : `${markdown}\n\n*${words.join('; ')}*`;
}

/** On the name of a property in a CRD: what its own schema says of it, as in a resource. */
function propertyCard({ value }: Manifest, path: ManifestPath): string | undefined {
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
