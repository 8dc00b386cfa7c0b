import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { isList, isMap, isString, type Path, type ValueMap } from '../../base/value.ts';
import { type BuiltinKind, type BuiltinKinds, builtinKindsOf } from '../../kubernetes/builtin/kinds.ts';
import { builtinSchema } from '../../kubernetes/builtin/schema.ts';
import { kubernetesVersion } from '../../kubernetes/releases/all.ts';
import { firstSentence } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { shownUri } from '../../workspace/sources/shown.ts';

// A built-in kind has no file that its fields are defined in. What they lead to is an outline of the kind, in the form of
// an object: each field with its type and the first sentence about it.

interface Outline {
  readonly text: string;
  /** Where each field is, by the names on its way; `-` stands for any item, `*` for any key. */
  readonly fields: ReadonlyMap<string, Range>;
}

export function outlineUri({ group, version, kind }: BuiltinKind, release: string): string {
  return shownUri(`kubernetes-${release}`, `${[kind, version, ...(group === '' ? [] : [group])].join('.')}.yaml`);
}

/** The text at such an address; undefined where it is none, or where the kinds are not known. */
export function outlineAt({ builtin }: Snapshot, uri: string): string | undefined {
  const [, release, name] = /^kube-crd:\/kubernetes-([\d.]+)\/([\w.-]+)\.yaml\?/.exec(uri) ?? [];
  const kubernetes = release === undefined ? undefined : kubernetesVersion(release);
  if (!builtin || !kubernetes || name === undefined) return undefined;
  const kinds = builtinKindsOf(builtin, kubernetes);
  const [kind, version, ...group] = name.split('.');
  const apiVersion = [group.join('.'), version].filter((part) => part !== '').join('/');
  const found = kinds.kinds.get(`${apiVersion}/${kind}`);
  return found && !found.isGone ? outlineOf(kinds, found, kubernetes.name).text : undefined;
}

/** Where the outline has the field that a path of an object leads to; its beginning for anything else. */
export function placeInOutline(kinds: BuiltinKinds, kind: BuiltinKind, release: string, path: Path): Range {
  const { fields } = outlineOf(kinds, kind, release);
  let way = '';
  for (const step of path) {
    const next = ['-', `${step}`, '*'].map((one) => `${way}/${one}`).find((one) => fields.has(one));
    if (next === undefined) break;
    way = next;
  }
  return fields.get(way) ?? { start: 0, end: 0 };
}

const outlineOf = memo((kinds: BuiltinKinds, kind: BuiltinKind, release: string): Outline => {
  const lines = [
    `# ${kind.kind} (${kind.apiVersion}) of Kubernetes ${release}: its fields, as its Go types have them.`,
  ];
  const fields = new Map<string, Range>();
  let length = lines[0]!.length + 1;
  const write = (line: string) => {
    lines.push(line);
    length += line.length + 1;
  };
  const describe = (schema: ValueMap, way: string, indent: string, dash: string) => {
    const properties = schema.get('properties');
    if (!isMap(properties)) return;
    let lead = dash;
    for (const [name, field] of properties) if (isMap(field)) lead = entry(name, field, way, indent, lead);
  };
  /** One field with all below it. Gives what the next one begins with. */
  const entry = (name: string, schema: ValueMap, way: string, indent: string, lead: string): string => {
    const here = `${way}/${name}`;
    const text = schema.get('description');
    const said = isString(text) ? firstSentence(text) : '';
    const start = length + lead.length;
    // A bare asterisk would be an alias.
    const key = name === '*' ? '"*"' : name;
    fields.set(here, { start, end: start + key.length });
    write(`${lead}${key}: # ${typeText(schema)}${said === '' ? '' : `. ${said}`}`);
    below(schema, here, `${indent}  `);
    return indent;
  };
  const below = (schema: ValueMap, way: string, indent: string) => {
    const [items, values] = [schema.get('items'), schema.get('additionalProperties')];
    if (isMap(items)) {
      fields.set(`${way}/-`, fields.get(way)!);
      if (isMap(items.get('properties'))) describe(items, `${way}/-`, `${indent}  `, `${indent}- `);
    } else if (isMap(values)) entry('*', values, way, indent, indent);
    else describe(schema, way, indent, indent);
  };
  const schema = builtinSchema(kinds, kind);
  if (schema) describe(schema, '', '', '');
  return { text: `${lines.join('\n')}\n`, fields };
});

function typeText(schema: ValueMap): string {
  const [items, values, type, words] = ['items', 'additionalProperties', 'type', 'enum'].map((key) => schema.get(key));
  if (isMap(items)) return `list of ${typeText(items)}`;
  if (isMap(values)) return `map of ${typeText(values)}`;
  if (isList(words)) return words.filter(isString).join(' | ');
  return isString(type) ? type : 'integer or string';
}
