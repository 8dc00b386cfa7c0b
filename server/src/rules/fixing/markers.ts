import { capitalized } from '../../base/text.ts';
import { equalValues, isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { printJson } from '../../go/jsonPrint.ts';
import { parseDocument } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';
import type { Fix, Marker } from '../model/diagnostic.ts';
import { ruleOf } from '../model/registry.ts';
import type { Problem } from '../model/rule.ts';
import { editedText } from './fixes.ts';
import { isGenerated } from './generated.ts';

/** What in the Go source makes the change that a fix makes in the generated CRD: read off from both texts. */
export function markersFor({ document, manifest }: Problem, { edits }: Fix): Marker[] {
  if (!manifest || !isGenerated(manifest)) return [];
  const after = valueAt(valueOf(parseDocument(editedText(document.text, edits))), manifest.at);
  return isMap(after) ? unique(specMarkers(manifest.value, after)).map(({ text, on }) => ({ text, on })) : [];
}

/** A marker, and the part of the CRD whose Go field or type it belongs to. */
export interface PlacedMarker extends Marker {
  readonly path: Path;
}

/** What makes one CRD of another, in its Go source. */
export function markersBetween(before: Value | undefined, after: Value | undefined): readonly PlacedMarker[] {
  return isMap(before) && isMap(after) ? specMarkers(before, after) : [];
}

function specMarkers(before: ValueMap, after: ValueMap): PlacedMarker[] {
  const kind = String(valueAt(after, ['spec', 'names', 'kind']) ?? 'the kind');
  const scope = changed(before, after, ['spec', 'scope']);
  const versions = valueAt(after, ['spec', 'versions']);
  const found = (isList(versions) ? versions : []).flatMap((version, i) => {
    const old = valueAt(before, ['spec', 'versions', i]);
    const path = ['spec', 'versions', i];
    return isMap(version) ? versionMarkers(isMap(old) ? old : new Map(), version, kind, path) : [];
  });
  const scoped = { text: `+kubebuilder:resource:scope=${scope}`, on: kind, path: ['spec', 'scope'] };
  return [...(scope === undefined ? [] : [scoped]), ...found];
}

/** Versions of a kind often come from the same Go text. */
function unique<T extends Marker>(markers: readonly T[]): T[] {
  return markers.filter(({ text, on }, i) => markers.findIndex((one) => one.text === text && one.on === on) === i);
}

/** What the new value has at a path and the old one does not. */
function changed(before: Value, after: Value, path: Path): Value | undefined {
  const now = valueAt(after, path);
  return equalValues(now, valueAt(before, path)) ? undefined : now;
}

function versionMarkers(before: ValueMap, after: ValueMap, kind: string, path: Path): PlacedMarker[] {
  const of = (...path: Path) => changed(before, after, path);
  const schema = valueAt(after, ['schema', 'openAPIV3Schema']);
  const old = valueAt(before, ['schema', 'openAPIV3Schema']);
  const scale = of('subresources', 'scale');
  const texts = [
    ...(of('storage') === true ? ['+kubebuilder:storageversion'] : []),
    ...(of('served') === false ? ['+kubebuilder:unservedversion'] : []),
    ...(of('deprecated') === true || of('deprecationWarning') !== undefined ? [deprecated(after)] : []),
    ...(of('subresources', 'status') === undefined ? [] : ['+kubebuilder:subresource:status']),
    ...(isMap(scale) ? [`+kubebuilder:subresource:scale:${args(scale, scaleArgs)}`] : []),
    ...items(before, after, 'additionalPrinterColumns').map(
      (one) => `+kubebuilder:printcolumn:${args(one, columnArgs)}`,
    ),
    ...items(before, after, 'selectableFields').map((one) => `+kubebuilder:selectablefield:${args(one, fieldArgs)}`),
  ];
  const root = { on: kind, prefix: '', path: [...path, 'schema', 'openAPIV3Schema'] };
  const below = isMap(schema) ? schemaMarkers(isMap(old) ? old : new Map(), schema, root) : [];
  return [...texts.map((text) => ({ text, on: kind, path })), ...below];
}

function deprecated(version: ValueMap): string {
  const warning = version.get('deprecationWarning');
  return `+kubebuilder:deprecatedversion${warning === undefined ? '' : `:warning=${quoted(warning)}`}`;
}

/** The items of a list that the old one does not have. */
function items(before: ValueMap, after: ValueMap, key: string): ValueMap[] {
  const [old, now] = [before.get(key), after.get(key)];
  const known = isList(old) ? old : [];
  return (isList(now) ? now : []).filter(isMap).filter((item) => !known.some((one) => equalValues(one, item)));
}

type Args = readonly (readonly [key: string, argument: string])[];

const scaleArgs: Args = [
  ['specReplicasPath', 'specpath'],
  ['statusReplicasPath', 'statuspath'],
  ['labelSelectorPath', 'selectorpath'],
];
const columnArgs: Args = [
  ['name', 'name'],
  ['type', 'type'],
  ['jsonPath', 'JSONPath'],
  ['format', 'format'],
  ['priority', 'priority'],
  ['description', 'description'],
];
const fieldArgs: Args = [['jsonPath', 'JSONPath']];
const ruleArgs: Args = ['rule', 'message', 'messageExpression', 'reason', 'fieldPath', 'optionalOldSelf'].map(
  (name) => [name, name],
);

function args(map: ValueMap, wanted: Args): string {
  const given = wanted.filter(([key]) => map.has(key));
  return given.map(([key, argument]) => `${argument}=${written(map.get(key)!)}`).join(',');
}

// Schemas

/** The field or type that markers go to, what is put before them there, and where its schema is. */
interface Owner {
  readonly on: string;
  readonly prefix: string;
  readonly path: Path;
}

function schemaMarkers(before: ValueMap, after: ValueMap, owner: Owner): PlacedMarker[] {
  const { on, prefix, path } = owner;
  const own = [...after].flatMap(([keyword, value]) => {
    if (equalValues(before.get(keyword), value)) return [];
    return keywordMarkers(keyword, value, before, after).map((text) => ({ text: prefixed(text, prefix), on, path }));
  });
  const inner = (key: string) => [mapAt(before, key), mapAt(after, key)] as const;
  const [oldItems, nowItems] = inner('items');
  const [oldValues, nowValues] = inner('additionalProperties');
  const ofItems = { on, prefix: `${prefix}items:`, path };
  // There is no way from a field to the values of its map: they need a type of their own.
  const ofValues = { on: `the values of ${on}`, prefix: '', path: [...path, 'additionalProperties'] };
  return [
    ...own,
    ...requiredMarkers(before, after, path),
    ...propertyMarkers(...inner('properties'), path),
    ...(nowItems ? schemaMarkers(oldItems ?? new Map(), nowItems, ofItems) : []),
    ...(nowValues ? schemaMarkers(oldValues ?? new Map(), nowValues, ofValues) : []),
  ];
}

function mapAt(map: ValueMap, key: string): ValueMap | undefined {
  const value = map.get(key);
  return isMap(value) ? value : undefined;
}

function propertyMarkers(before: ValueMap | undefined, after: ValueMap | undefined, path: Path): PlacedMarker[] {
  return [...(after ?? [])].flatMap(([name, schema]) => {
    const old = before?.get(name);
    const owner = { on: name, prefix: '', path: [...path, 'properties', name] };
    return isMap(schema) && isMap(old) ? schemaMarkers(old, schema, owner) : [];
  });
}

function requiredMarkers(before: ValueMap, after: ValueMap, path: Path): PlacedMarker[] {
  const marked = (text: string) => (on: string) => ({ text, on, path: [...path, 'properties', on] });
  const names = (schema: ValueMap) => {
    const required = schema.get('required');
    return isList(required) ? required.map(String) : [];
  };
  const [old, now] = [names(before), names(after)];
  return [
    ...now.filter((name) => !old.includes(name)).map(marked('+required')),
    ...old.filter((name) => !now.includes(name)).map(marked('+optional')),
  ];
}

const prefixed = (text: string, prefix: string) =>
  text.replace('+kubebuilder:validation:', `+kubebuilder:validation:${prefix}`);

const validations: ReadonlySet<string> = new Set(
  `type format enum pattern maximum minimum exclusiveMaximum exclusiveMinimum multipleOf maxLength minLength maxItems
   minItems uniqueItems maxProperties minProperties`.split(/\s+/),
);

const flags: Readonly<Record<string, string>> = {
  nullable: '+nullable',
  'x-kubernetes-preserve-unknown-fields': '+kubebuilder:pruning:PreserveUnknownFields',
  'x-kubernetes-embedded-resource': '+kubebuilder:validation:EmbeddedResource',
  'x-kubernetes-int-or-string': '+kubebuilder:validation:XIntOrString',
};

function keywordMarkers(keyword: string, value: Value, before: ValueMap, after: ValueMap): string[] {
  if (validations.has(keyword)) return [`+kubebuilder:validation:${capitalized(keyword)}=${written(value, keyword)}`];
  if (Object.hasOwn(flags, keyword)) return value === true ? [flags[keyword]!] : [];
  switch (keyword) {
    case 'default':
      return [`+kubebuilder:default=${written(value)}`];
    case 'x-kubernetes-list-type':
      return [`+listType=${String(value)}`];
    case 'x-kubernetes-list-map-keys':
      return isList(value) ? value.map((key) => `+listMapKey=${String(key)}`) : [];
    case 'x-kubernetes-map-type':
      return [`${after.has('properties') ? '+structType' : '+mapType'}=${String(value)}`];
    case 'x-kubernetes-validations':
      return items(before, after, keyword).map((rule) => `+kubebuilder:validation:XValidation:${args(rule, ruleArgs)}`);
    default:
      return [];
  }
}

/** A value as markers write it. */
function written(value: Value, keyword = ''): string {
  if (keyword === 'enum' && isList(value)) return value.map((one) => bare(one)).join(';');
  if (isList(value)) return `{${value.map((one) => written(one)).join(',')}}`;
  if (isMap(value)) return `{${[...value].map(([key, one]) => `${quoted(key)}:${written(one)}`).join(',')}}`;
  if (keyword === 'type' || keyword === 'format') return String(value);
  return typeof value === 'string' ? quoted(value) : printJson(value);
}

const bare = (value: Value) => (typeof value === 'string' && /^\w+$/.test(value) ? value : written(value));

/** In backquotes where that saves escapes. */
function quoted(value: Value): string {
  const text = String(value);
  return /["\\]/.test(text) && !/[`\r\n]/.test(text) ? `\`${text}\`` : JSON.stringify(text);
}

// What a problem says by itself, before anyone asks for a fix

/** Which marker in the Go source is about what a problem is about; undefined for a CRD that is written by hand. */
export function markerHint({ code, manifest }: Problem): string | undefined {
  return manifest && isGenerated(manifest) ? ruleOf(code)?.marker : undefined;
}
