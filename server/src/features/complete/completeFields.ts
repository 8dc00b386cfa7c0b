import type { Range } from '../../base/text.ts';
import { isList, type Path, type Value } from '../../base/value.ts';
import { keywordDoc } from '../../kubernetes/api/editor.ts';
import {
  firstSentence,
  propertyNames,
  requiredNames,
  type SchemaNode,
  schemaAt,
  stepInto,
  textOf,
  typeLabel,
} from '../../workspace/schemaNode.ts';
import { quoteIfNeeded } from '../../yaml/quoting.ts';
import type { Cursor } from '../place/cursor.ts';
import { keywordsAt, valuesFirst } from '../place/keywordsAt.ts';
import { descriptionOf, keywordText, show } from '../words/explain.ts';
import { blocks, type Markdown, own, words } from '../words/markdown.ts';
import type { Completion } from './completion.ts';
import { escapeSnippet, flowSnippet, newStops, valueSnippet } from './skeleton.ts';

/** A key that a map may have, with what its schema says of it. */
export interface Field {
  readonly name: string;
  readonly node: SchemaNode | undefined;
  readonly parent: SchemaNode;
  readonly required: boolean;
  readonly order: string;
}

/** The fields of a map that are not there yet, the required ones first, in a CRD those that suit the type before others. */
export function fieldsOf(
  cursor: Pick<Cursor, 'manifest'>,
  root: SchemaNode,
  map: Path,
  used: ReadonlySet<string>,
): Field[] {
  const parent = schemaAt(root, map);
  if (!parent) return [];
  const required = requiredNames(parent);
  const atRoot = map.length === 0;
  const allowed = cursor.manifest?.role === 'crd' ? keywordsAt(cursor.manifest.value, map) : undefined;
  const names = allowed?.names ?? propertyNames(parent, atRoot);
  const offered = [...(allowed?.besides.keys() ?? []), ...names].filter(
    (name) => !used.has(name) && !allowed?.without.has(name),
  );
  const crd = cursor.manifest?.role === 'crd' ? cursor.manifest.value : undefined;
  const nodeOf = (name: string) => {
    const node = stepInto(parent, name, atRoot) ?? allowed?.besides.get(name);
    return crd && node ? withChoicesInOrder(node, valuesFirst(crd, [...map, name])) : node;
  };
  return inOrder(offered, allowed?.first ?? []).map((name, i) => ({
    name,
    node: nodeOf(name),
    parent,
    required: required.has(name),
    order: `${required.has(name) ? 0 : 1}${String(i).padStart(4, '0')}`,
  }));
}

/** A field whose enum has what is likeliest first. */
function withChoicesInOrder(node: SchemaNode, first: readonly string[]): SchemaNode {
  const values = node.schema.get('enum');
  if (first.length === 0 || !isList(values)) return node;
  const place = (value: Value) => first.indexOf(String(value));
  return {
    ...node,
    schema: new Map(node.schema).set(
      'enum',
      [...values].sort((a, b) => place(a) - place(b)),
    ),
  };
}

export function inOrder(names: readonly string[], first: readonly string[]): string[] {
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...names].sort((a, b) => place(a) - place(b));
}

export function keySnippet({ name, node }: Field, indent: string, flow: boolean): string {
  const stops = newStops();
  const value = flow ? flowSnippet(node, stops) : valueSnippet(node, stops, indent);
  return `${escapeSnippet(quoteIfNeeded(name))}:${value}`;
}

/** A field's first sentence; of a CRD's own fields all that is known. */
function documentation({ name, node, parent }: Field): Markdown {
  if (!node) return own('');
  const doc = keywordDoc(parent.schema, name);
  return doc ? blocks(descriptionOf(node, doc), keywordText(doc)) : words(firstSentence(textOf(node, 'description')));
}

export function keyCompletion(field: Field, range: Range, text: string, snippet: boolean): Completion {
  const { name, node, required, order } = field;
  const standard = node?.schema.get('default');
  const detail = [
    node ? typeLabel(node) : '',
    required ? 'required' : '',
    standard === undefined ? '' : `default ${show(standard)}`,
  ];
  const said = documentation(field);
  return {
    label: name,
    kind: 'field',
    detail: detail.filter(Boolean).join(', '),
    ...(said.isEmpty ? {} : { documentation: said }),
    range,
    text,
    snippet,
    order,
  };
}
