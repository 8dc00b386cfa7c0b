import type { Range } from '../../base/text.ts';
import { isList, isMap, type Value } from '../../base/value.ts';
import { type SchemaNode, schemaAt } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import { type Cursor, schemaOf } from '../place/cursor.ts';
import { valuesFirst } from '../place/keywordsAt.ts';
import type { Marked } from '../place/marked.ts';
import { inOrder } from './completeFields.ts';
import { completeTypeMeta } from './completeKind.ts';
import type { Completion } from './completion.ts';
import { referredNames } from './objectNames.ts';
import { type Implied, impliedValues } from './schemaNames.ts';
import { scalarText } from './skeleton.ts';
/** What can be the value where a mark stands. */
export function valuesAt(snapshot: Snapshot, found: Marked | undefined, range: Range): Completion[] {
  if (!found) return [];
  const { cursor } = found;
  if (isTypeMeta(cursor)) return completeTypeMeta(snapshot, cursor, range);
  const root = schemaOf(cursor);
  if (!root) return [];
  const implied = cursor.manifest?.role === 'crd' ? impliedValues(cursor.manifest.value, cursor.path) : [];
  if (implied.length > 0) return namedValues(implied, range);
  return [...values(cursor, root, range), ...namedValues(referred(snapshot, cursor, root), range)];
}

/** In a resource, what a reference of its can name; a schema's own choices go before. */
function referred(snapshot: Snapshot, cursor: Cursor, root: SchemaNode) {
  const isChosen = schemaAt(root, cursor.path)?.schema.has('enum');
  return cursor.manifest?.role === 'crd' || isChosen ? [] : referredNames(snapshot, cursor, root);
}

function namedValues(named: readonly Implied[], range: Range): Completion[] {
  return named.map(({ text, detail, snippet, written }, i) => ({
    label: text,
    kind: 'value',
    ...(detail === '' ? {} : { detail }),
    range,
    text: snippet ?? (written ? text : quoteIfNeeded(text)),
    snippet: snippet !== undefined,
    order: String(i).padStart(4, '0'),
  }));
}

function isTypeMeta({ path }: Cursor): boolean {
  return path.length === 1 && (path[0] === 'apiVersion' || path[0] === 'kind');
}

function values({ manifest, path }: Cursor, root: SchemaNode, range: Range): Completion[] {
  const node = schemaAt(root, path);
  if (!node) return [];
  const first = manifest?.role === 'crd' ? valuesFirst(manifest.value, path) : [];
  const [standard, example] = ['default', 'example'].map((keyword) => node.schema.get(keyword)).map(writtenScalar);
  return inOrder([...new Set(choices(node))], first).map((value, i) => ({
    label: value,
    kind: 'value',
    ...(value === standard ? { detail: 'default', preselect: true } : value === example ? { detail: 'example' } : {}),
    range,
    text: value,
    snippet: false,
    order: String(i).padStart(4, '0'),
  }));
}

function writtenScalar(value: Value | undefined): string | undefined {
  return value === undefined || isMap(value) || isList(value) ? undefined : scalarText(value);
}

/** The values that a schema names: its enum, both booleans, its default and example. */
function choices({ schema }: SchemaNode): string[] {
  const values = schema.get('enum');
  const enumerated = isList(values) ? values : schema.get('type') === 'boolean' ? [true, false] : [];
  const named = [...enumerated, schema.get('default'), schema.get('example')];
  return named.map(writtenScalar).filter((value) => value !== undefined);
}
