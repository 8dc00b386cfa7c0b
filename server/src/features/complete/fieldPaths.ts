import type { Path } from '../../base/value.ts';
import { pathOf } from '../../crdtest/objects.ts';
import { propertyNames, type SchemaNode, schemaAt, stepInto } from '../../workspace/schemaNode.ts';

/** A field of an object by its path, such as `spec.users[0].role`. */
export interface PathOfField {
  readonly text: string;
  readonly node: SchemaNode;
  readonly parent: SchemaNode;
}

const mostPaths = 300;
const usual = ['spec', 'status'];

/** The fields below what was typed so far, the nearest first. */
export function fieldPaths(root: SchemaNode, typed: string): PathOfField[] {
  const before = typed.slice(0, Math.max(typed.lastIndexOf('.'), 0));
  const from: Path | undefined = before === '' ? [] : pathOf(before);
  const start = from && schemaAt(root, from);
  const found: PathOfField[] = [];
  let level = start ? [{ text: before, node: start }] : [];
  while (level.length > 0 && found.length < mostPaths) {
    const below = level.flatMap(({ text, node }) => fieldsIn(node, text));
    for (const one of below) found.push(one);
    // What every object has is in nobody's way.
    level = below.filter(({ text }) => text !== 'metadata');
  }
  return found.slice(0, mostPaths);
}

function fieldsIn(node: SchemaNode, text: string): PathOfField[] {
  const { of, at } = inLists(node, text);
  const isRoot = at === '';
  const names = propertyNames(of, isRoot).filter((name) => !/[.[\]]/.test(name));
  const ordered = isRoot ? [...names].sort((a, b) => Number(usual.includes(b)) - Number(usual.includes(a))) : names;
  return ordered.flatMap((name) => {
    const child = stepInto(of, name, isRoot);
    return child ? [{ text: isRoot ? name : `${at}.${name}`, node: child, parent: of }] : [];
  });
}

/** Fields of lists are those of their first item. */
function inLists(node: SchemaNode, text: string): { of: SchemaNode; at: string } {
  const item = node.schema.get('type') === 'array' && !text.endsWith(']') ? stepInto(node, 0, false) : undefined;
  return item ? { of: item, at: `${text}[0]` } : { of: node, at: text };
}
