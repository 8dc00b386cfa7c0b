import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { quote } from '../../gostd/quote.ts';
import { type KeywordDoc, keywordDoc } from '../../kubernetes/api/editor.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { requiredNames, rootSchema, type SchemaNode, textOf, typeLabel } from '../../workspace/schemaNode.ts';
import { blocks, code, fenced, joined, list, type Markdown, md, own, prose, table, text, words } from './markdown.ts';

/** What a field is, as `kubectl explain` would tell, in Markdown. */
export function explainField(name: string, node: SchemaNode, parent: SchemaNode | undefined, kind: string): Markdown {
  const required = parent && requiredNames(parent).has(name) ? own(' · **required**') : own('');
  const doc = parent && keywordDoc(parent.schema, name);
  return blocks(
    md`${code(name)} · ${code(typeLabel(node))}${required}`,
    descriptionOf(node, doc),
    doc ? keywordText(doc) : own(''),
    list(constraints(node)),
    rules(node),
    md`*${kind}*`,
  );
}

/** What a field is for; of a CRD's own fields in words of ours. */
export function descriptionOf(node: SchemaNode, doc: KeywordDoc | undefined): Markdown {
  return doc ? own(doc.text) : prose(textOf(node, 'description'));
}

/** What the API server demands of a CRD's field, since when there is one, and how it looks. */
export function keywordText({ demands, since, example }: KeywordDoc): Markdown {
  return blocks(md`**Requirements:** ${own(demands)}`, md`Since Kubernetes ${since}.`, fenced('yaml', example));
}

/** What a kind is, and its versions in the order of their priority. */
export function explainKind(definition: Definition, apiVersion: string): Markdown {
  const root = rootSchema(definition, apiVersion);
  const spec = definition.manifest.value.get('spec');
  const rows = isMap(spec) ? versionRows(spec) : [];
  const scope = isMap(spec) && !definition.file.origin?.fromSchema ? spec.get('scope') : undefined;
  return blocks(
    md`**${definition.kind}** · ${code(definition.group)}${isString(scope) ? ` · ${scope}` : ''}`,
    prose(root ? textOf(root, 'description') : ''),
    table(['version', 'served', 'storage', 'deprecated'], rows),
  );
}

function versionRows(spec: ValueMap): Markdown[][] {
  const versions = spec.get('versions');
  const mark = (version: ValueMap, key: string) => (version.get(key) === true ? 'yes' : '');
  const name = (version: ValueMap) => String(version.get('name') ?? '');
  return (isList(versions) ? versions : [])
    .filter(isMap)
    .sort((a, b) => compareVersions(name(a), name(b)))
    .map((version) =>
      [name(version), mark(version, 'served'), mark(version, 'storage'), mark(version, 'deprecated')].map(text),
    );
}

const bounds: readonly (readonly [keyword: string, before: string, after?: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'at least', 'characters'],
  ['maxLength', 'at most', 'characters'],
  ['minItems', 'at least', 'items'],
  ['maxItems', 'at most', 'items'],
  ['minProperties', 'at least', 'keys'],
  ['maxProperties', 'at most', 'keys'],
  ['multipleOf', 'a multiple of'],
  ['pattern', 'matches'],
  ['format', 'format'],
];

/** Defaults, choices and limits, each in a few words. */
export function constraints({ schema }: SchemaNode): Markdown[] {
  const lines: Markdown[] = [];
  const values = schema.get('enum');
  if (isList(values)) lines.push(md`one of ${inRow(values.map((value) => code(show(value))))}`);
  const standard = schema.get('default');
  if (standard !== undefined) lines.push(md`default ${code(show(standard))}`);
  for (const [keyword, words, counted] of bounds) {
    const value = schema.get(keyword);
    if (value === undefined) continue;
    const exclusive = schema.get(keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum') === true;
    const strict =
      exclusive && keyword === 'minimum' ? 'more than' : exclusive && keyword === 'maximum' ? 'less than' : words;
    lines.push(md`${strict} ${code(isString(value) ? value : show(value))}${counted ? ` ${counted}` : ''}`);
  }
  if (schema.get('nullable') === true) lines.push(own('may be null'));
  const listType = schema.get('x-kubernetes-list-type');
  const keys = schema.get('x-kubernetes-list-map-keys');
  if (isString(listType))
    lines.push(md`list type ${code(listType)}${isList(keys) ? ` by ${keys.map(show).join(', ')}` : ''}`);
  if (schema.get('x-kubernetes-preserve-unknown-fields') === true) lines.push(own('keeps unknown fields'));
  return lines;
}

const inRow = (all: readonly Markdown[]) => joined(all, ', ');

function rules({ schema }: SchemaNode): Markdown {
  const written = schema.get('x-kubernetes-validations');
  if (!isList(written)) return own('');
  const lines = written.flatMap((one) => {
    if (!isMap(one)) return [];
    const [rule, message] = [one.get('rule'), one.get('message')];
    return isString(rule)
      ? [md`${code(rule.replace(/\s+/g, ' ').trim())}${isString(message) ? md`: ${words(message)}` : ''}`]
      : [];
  });
  return lines.length === 0 ? own('') : md`Rules:\n${list(lines)}`;
}

/** A value on one line, as JSON. */
export function show(value: Value): string {
  if (isList(value)) return `[${value.map(show).join(', ')}]`;
  if (isMap(value)) return `{${[...value].map(([key, item]) => `${quote(key)}: ${show(item)}`).join(', ')}}`;
  return isString(value) ? quote(value) : String(value);
}
