import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { isIntOrStringChoice } from '../place/keywordsAt.ts';
import { scalarText } from './skeleton.ts';

/** A value that follows from the schema around it, and the type of what it names. */
export interface Implied {
  readonly text: string;
  readonly detail: string;
  /** What is inserted where something is left to fill in. */
  readonly snippet?: string;
  /** The text is YAML already, not a string to be quoted. */
  readonly written?: boolean;
}

/** What a CRD's own schema and names imply for the value at a path. */
export function impliedValues(crd: ValueMap, path: Path): Implied[] {
  const last = path.at(-1);
  const list = typeof last === 'number' ? path.at(-2) : undefined;
  if (list === 'required') return unused(crd, path, requirable(crd, path.slice(0, -2)));
  if (list === 'x-kubernetes-list-map-keys') {
    const items = valueAt(crd, [...path.slice(0, -2), 'items']);
    return unused(
      crd,
      path,
      propertiesOf(items, (type) => scalars.has(type)),
    );
  }
  if (last === 'fieldPath') return fieldPaths(valueAt(crd, path.slice(0, -3)), '', () => true);
  if (last === 'type' && isIntOrStringChoice(crd, path.slice(0, -1))) return choicesOf(crd, path);
  if (last === 'default' || last === 'example') return allowedValues(valueAt(crd, path.slice(0, -1)));
  const derived = derivedNames
    .get(path.join('.'))?.(namesOf(crd))
    .filter((text) => text !== '');
  if (derived) return [...new Set(derived)].map((text) => ({ text, detail: '' }));
  return impliedPaths(crd, path);
}

/** The types of an int-or-string, the one first that its other choice does not name. */
function choicesOf(crd: ValueMap, path: Path): Implied[] {
  const choices = valueAt(crd, path.slice(0, -2));
  const others = isList(choices) ? choices.filter((_, i) => i !== path.at(-2)).map(typeOf) : [];
  const types = ['integer', 'string'].sort((a, b) => Number(others.includes(a)) - Number(others.includes(b)));
  return types.map((text) => ({ text, detail: '' }));
}

/** What a schema allows by naming it: the values of its enum, or both booleans. */
function allowedValues(schema: Value | undefined): Implied[] {
  const values = isMap(schema) ? schema.get('enum') : undefined;
  const allowed = isList(values) ? values : typeOf(schema) === 'boolean' ? [false, true] : [];
  return allowed
    .filter((value) => !isMap(value) && !isList(value))
    .map((value) => ({ text: scalarText(value), detail: '', written: true }));
}

const junctors: ReadonlySet<unknown> = new Set(['allOf', 'anyOf', 'oneOf']);

/** The properties of a schema; of one inside a junctor also those of the schema around it. */
function requirable(crd: ValueMap, schema: Path): Implied[] {
  const own = propertiesOf(valueAt(crd, schema), () => true);
  const outer = junctors.has(schema.at(-2)) ? schema.slice(0, -2) : schema.at(-1) === 'not' ? schema.slice(0, -1) : [];
  const around = outer.length === 0 ? [] : requirable(crd, outer);
  return [...own, ...around.filter(({ text }) => own.every((one) => one.text !== text))];
}

interface Names {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
}

function namesOf(crd: ValueMap): Names {
  const text = (...path: string[]) => {
    const found = valueAt(crd, ['spec', ...path]);
    return isString(found) ? found : '';
  };
  return {
    group: text('group'),
    plural: text('names', 'plural'),
    singular: text('names', 'singular'),
    kind: text('names', 'kind'),
    listKind: text('names', 'listKind'),
  };
}

/** `policies` is a plural of `policy`, `caches` of `cache`, `classes` of `class`. */
function singularOf(plural: string): string {
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`;
  if (/(?:ss|sh|tch|x|zz)es$/.test(plural)) return plural.slice(0, -2);
  return plural.endsWith('s') ? plural.slice(0, -1) : plural;
}

export function pluralOf(singular: string): string {
  if (singular === '') return '';
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}${/(?:s|sh|ch|x|z)$/.test(singular) ? 'es' : 's'}`;
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The names of a kind follow from each other. */
const derivedNames: ReadonlyMap<string, (names: Names) => string[]> = new Map([
  ['metadata.name', ({ plural, group }) => (plural === '' || group === '' ? [] : [`${plural}.${group}`])],
  ['spec.names.singular', ({ kind, plural }) => [kind.toLowerCase(), singularOf(plural)]],
  ['spec.names.plural', ({ kind, singular }) => [pluralOf((singular || kind).toLowerCase())]],
  [
    'spec.names.listKind',
    ({ kind, plural }) => {
      const base = kind || capitalised(singularOf(plural));
      return base === '' ? [] : [`${base}List`];
    },
  ],
  [
    'spec.names.kind',
    ({ listKind, singular, plural }) => [listKind.replace(/List$/, ''), capitalised(singular || singularOf(plural))],
  ],
]);

/** Paths into the objects of the kind, for the fields of a CRD that hold such a path. */
function impliedPaths(crd: ValueMap, path: Path): Implied[] {
  const rule = pathRules.find(({ key, within }) => key === path.at(-1) && path.includes(within));
  if (!rule) return [];
  const schema = valueAt(crd, [...path.slice(0, 3), 'schema', 'openAPIV3Schema']);
  const found = fieldPaths(schema, '', rule.accepts).filter(({ text }) =>
    rule.under.some((start) => text.startsWith(start)),
  );
  return rule.within === 'additionalPrinterColumns' ? columnPaths(crd, path, schema, found) : found;
}

const creationTime: Implied = { text: '.metadata.creationTimestamp', detail: 'string' };

/** A column also shows what the API server writes, a label, or a condition; what is of its type comes first. */
function columnPaths(crd: ValueMap, path: Path, schema: Value | undefined, fields: readonly Implied[]): Implied[] {
  const column = typeOf(valueAt(crd, path.slice(0, -1)));
  const more = [
    ...conditionPaths(schema),
    { text: '.metadata.name', detail: 'string' },
    { text: '.metadata.labels', detail: 'object', snippet: '.metadata.labels.${1:app}' },
  ];
  const own = fields.filter(({ text }) => text !== creationTime.text);
  const all = column === 'date' ? [creationTime, ...own, ...more] : [...own, ...more, creationTime];
  const suits = ({ detail }: Implied) => column === '' || column === 'date' || detail === column;
  return [...all.filter(suits), ...all.filter((one) => !suits(one))];
}

/** Lists of conditions, as the status of most kinds has one, each with the condition that most kinds have. */
function conditionPaths(schema: Value | undefined): Implied[] {
  const status = valueAt(schema, ['properties', 'status', 'properties']);
  return [...(isMap(status) ? status : [])].flatMap(([name, list]) => {
    const fields = propertiesOf(valueAt(list, ['items']), () => true).map(({ text }) => text);
    if (!fields.includes('type') || !fields.includes('status')) return [];
    return fields
      .filter((field) => field !== 'type')
      .sort((a, b) => Number(b === 'status') - Number(a === 'status'))
      .map((field) => ({ text: `.status.${name}[?(@.type=="Ready")].${field}`, detail: 'string' }));
  });
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
