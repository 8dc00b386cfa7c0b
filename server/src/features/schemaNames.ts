import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../base/value.ts';

/** A value that follows from the schema around it, and the type of what it names. */
export interface Implied {
  readonly text: string;
  readonly detail: string;
}

const nameLists: ReadonlySet<unknown> = new Set(['required', 'x-kubernetes-list-map-keys']);

/** What a CRD's own schema implies for the value at a path: names of properties, and paths to fields. */
export function impliedValues(crd: ValueMap, at: Path): Implied[] {
  // In a flow list the place of a new item is the list's own.
  const path = nameLists.has(at.at(-1)) ? [...at, -1] : at;
  const last = path.at(-1);
  const list = typeof last === 'number' ? path.at(-2) : undefined;
  if (list === 'required')
    return unused(
      crd,
      path,
      propertiesOf(valueAt(crd, path.slice(0, -2)), () => true),
    );
  if (list === 'x-kubernetes-list-map-keys') {
    const items = valueAt(crd, [...path.slice(0, -2), 'items']);
    return unused(
      crd,
      path,
      propertiesOf(items, (type) => scalars.has(type)),
    );
  }
  if (last === 'fieldPath') return fieldPaths(valueAt(crd, path.slice(0, -3)), '', () => true);
  const rule = pathRules.find(({ key, within }) => key === last && path.includes(within));
  if (!rule) return [];
  const schema = valueAt(crd, [...path.slice(0, 3), 'schema', 'openAPIV3Schema']);
  return fieldPaths(schema, '', rule.accepts).filter(({ text }) => rule.under.some((start) => text.startsWith(start)));
}

const scalars: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

interface PathRule {
  readonly key: string;
  readonly within: string;
  readonly under: readonly string[];
  accepts(type: string): boolean;
}

const pathRules: readonly PathRule[] = [
  { key: 'specReplicasPath', within: 'scale', under: ['.spec.'], accepts: (type) => type === 'integer' },
  { key: 'statusReplicasPath', within: 'scale', under: ['.status.'], accepts: (type) => type === 'integer' },
  { key: 'labelSelectorPath', within: 'scale', under: ['.spec.', '.status.'], accepts: (type) => type === 'string' },
  {
    key: 'jsonPath',
    within: 'selectableFields',
    under: ['.'],
    accepts: (type) => scalars.has(type) && type !== 'number',
  },
  { key: 'jsonPath', within: 'additionalPrinterColumns', under: ['.'], accepts: (type) => scalars.has(type) },
];

function typeOf(schema: Value | undefined): string {
  const type = isMap(schema) ? schema.get('type') : undefined;
  return isString(type) ? type : '';
}

function propertiesOf(schema: Value | undefined, accepts: (type: string) => boolean): Implied[] {
  const properties = isMap(schema) ? schema.get('properties') : undefined;
  if (!isMap(properties)) return [];
  return [...properties]
    .map(([text, property]) => ({ text, detail: typeOf(property) }))
    .filter(({ detail }) => accepts(detail));
}

/** Without what the list names already, the entry under the cursor excepted. */
function unused(crd: ValueMap, path: Path, names: readonly Implied[]): Implied[] {
  const list = valueAt(crd, path.slice(0, -1));
  const others = isList(list) ? list.filter((_, i) => i !== path.at(-1)) : [];
  return names.filter(({ text }) => !others.includes(text));
}

const deepest = 8;
const most = 200;

/** Paths to the fields below a schema, not into lists: `.spec.size`. */
function fieldPaths(schema: Value | undefined, prefix: string, accepts: (type: string) => boolean): Implied[] {
  if (prefix.split('.').length > deepest) return [];
  const found = propertiesOf(schema, () => true).flatMap(({ text: name, detail }): Implied[] => {
    if (!/^[\w-]+$/.test(name)) return [];
    const text = `${prefix}.${name}`;
    const below = fieldPaths(valueAt(schema, ['properties', name]), text, accepts);
    return accepts(detail) ? [{ text, detail }, ...below] : below;
  });
  return found.slice(0, most);
}
