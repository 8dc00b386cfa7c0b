import { firstFound } from '../base/firstFound.ts';
import { isList, isMap, type Value } from '../base/value.ts';
import { compareStrings } from '../gostd/jsonPrint.ts';

// The Go types that Helm reads Chart.yaml into, and what it says of what does not fit them.

interface GoType {
  /** As Go calls it. */
  readonly name: string;
  readonly items?: GoType;
  readonly values?: GoType;
  readonly fields?: Readonly<Record<string, GoType>>;
}

const text: GoType = { name: 'string' };
const bool: GoType = { name: 'bool' };
const texts: GoType = { name: '[]string', items: text };
const anything: GoType = { name: 'interface {}' };

const maintainer: GoType = { name: 'v2.Maintainer', fields: { name: text, email: text, url: text } };

const dependency: GoType = {
  name: 'v2.Dependency',
  fields: {
    ...{ name: text, version: text, repository: text, condition: text, alias: text },
    ...{ tags: texts, enabled: bool, 'import-values': { name: '[]interface {}', items: anything } },
  },
};

const metadata: GoType = {
  name: 'v2.Metadata',
  fields: {
    ...{ name: text, home: text, version: text, description: text, icon: text, apiVersion: text, condition: text },
    ...{
      tags: text,
      appVersion: text,
      kubeVersion: text,
      type: text,
      deprecated: bool,
      sources: texts,
      keywords: texts,
    },
    annotations: { name: 'map[string]string', values: text },
    maintainers: { name: '[]*v2.Maintainer', items: maintainer },
    dependencies: { name: '[]*v2.Dependency', items: dependency },
  },
};

/** What Helm says of the first value that does not fit, in the order of the keys. */
export function misfit(value: Value): string | undefined {
  const found = misfitOf(value, metadata, 'Go value');
  return found && `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found}`;
}

/** `into`: the struct and the fields on the way, or that it is the whole. */
function misfitOf(value: Value, type: GoType, into: string): string | undefined {
  const { items, values, fields } = type;
  if (value === null || type === anything) return undefined;
  if (items ? !isList(value) : values || fields ? !isMap(value) : !fitsPlain(value, type)) {
    return `${kindOf(value)} into ${into} of type ${type.name}`;
  }
  if (isList(value)) return firstFound(value, (item) => misfitOf(item, items!, into));
  if (!isMap(value)) return undefined;
  const pairs = [...value].sort(([a], [b]) => compareStrings(a, b));
  return firstFound(pairs, ([key, inner]) => {
    if (values) return misfitOf(inner, values, into);
    const name = fieldNamed(key, fields!);
    return name === undefined ? undefined : misfitOf(inner, fields![name]!, fieldIn(type, into, name));
  });
}

/** Numbers and booleans are read as texts where a text is wanted. */
function fitsPlain(value: Value, type: GoType): boolean {
  return type === text ? !isList(value) && !isMap(value) : typeof value === 'boolean';
}

/** JSON in Go takes a key for a field whatever its case. */
function fieldNamed(key: string, fields: Readonly<Record<string, GoType>>): string | undefined {
  return Object.keys(fields).find((name) => name.toLowerCase() === key.toLowerCase());
}

/** `Go struct field Dependency.dependencies.tags`: the innermost struct, and all fields on the way. */
function fieldIn({ name: struct }: GoType, into: string, field: string): string {
  const [, before] = /^Go struct field \w+\.(.*)$/.exec(into) ?? [];
  return `Go struct field ${struct.replace('v2.', '')}.${before === undefined ? '' : `${before}.`}${field}`;
}

function kindOf(value: Value): string {
  if (isList(value)) return 'array';
  if (isMap(value)) return 'object';
  return typeof value === 'string' ? 'string' : typeof value === 'boolean' ? 'bool' : 'number';
}
