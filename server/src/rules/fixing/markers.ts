import { equalValues, isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { argumentMarker, schemaMarkers, versionMarkers } from '../../controllergen/markers/inverse.ts';
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
    return isMap(version) ? ofVersion(isMap(old) ? old : new Map(), version, kind, path) : [];
  });
  if (scope === undefined) return found;
  return [
    { text: argumentMarker('kubebuilder:resource', 'scope', scope), on: kind, path: ['spec', 'scope'] },
    ...found,
  ];
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

function ofVersion(before: ValueMap, after: ValueMap, kind: string, path: Path): PlacedMarker[] {
  const schema = valueAt(after, ['schema', 'openAPIV3Schema']);
  const old = valueAt(before, ['schema', 'openAPIV3Schema']);
  const whole = [...path, 'schema', 'openAPIV3Schema'];
  const root = { on: kind, path: whole, at: whole, items: 0 };
  const below = isMap(schema) ? ofSchema(isMap(old) ? old : new Map(), schema, root) : [];
  return [...versionMarkers({ before, after }).map((text) => ({ text, on: kind, path })), ...below];
}

// Schemas

/** The field or type that markers go to, and where the schema of that is. */
interface Owner {
  readonly on: string;
  readonly path: Path;
  /** The schema that is looked at: of what is in a list, its items. */
  readonly at: Path;
  /** How far inside of lists that is: there are markers for the items of a list, and none for the items of those. */
  readonly items: number;
}

function ofSchema(before: ValueMap, after: ValueMap, owner: Owner): PlacedMarker[] {
  const { on, path, at, items } = owner;
  const own = [...after].flatMap(([keyword, value]) => {
    if (items > 1 || equalValues(before.get(keyword), value)) return [];
    return schemaMarkers(keyword, { before, after }, items === 1).map((text) => ({ text, on, path }));
  });
  const inner = (key: string) => [mapAt(before, key), mapAt(after, key)] as const;
  const [oldItems, nowItems] = inner('items');
  const [oldValues, nowValues] = inner('additionalProperties');
  const ofItems = { on, path, at: [...at, 'items'], items: items + 1 };
  // There is no way from a field to the values of its map: they need a type of their own.
  const values = [...at, 'additionalProperties'];
  const ofValues = { on: `the values of ${on}`, path: values, at: values, items: 0 };
  return [
    ...own,
    ...requiredMarkers(before, after, at),
    ...propertyMarkers(...inner('properties'), at),
    ...(nowItems ? ofSchema(oldItems ?? new Map(), nowItems, ofItems) : []),
    ...(nowValues ? ofSchema(oldValues ?? new Map(), nowValues, ofValues) : []),
  ];
}

function mapAt(map: ValueMap, key: string): ValueMap | undefined {
  const value = map.get(key);
  return isMap(value) ? value : undefined;
}

function propertyMarkers(before: ValueMap | undefined, after: ValueMap | undefined, path: Path): PlacedMarker[] {
  return [...(after ?? [])].flatMap(([name, schema]) => {
    const old = before?.get(name);
    const own = [...path, 'properties', name];
    const owner = { on: name, path: own, at: own, items: 0 };
    return isMap(schema) && isMap(old) ? ofSchema(old, schema, owner) : [];
  });
}

function requiredMarkers(before: ValueMap, after: ValueMap, path: Path): PlacedMarker[] {
  const marked = (text: string) => (on: string) => ({ text, on, path: [...path, 'properties', on] });
  const names = (schema: ValueMap) => {
    const required = schema.get('required');
    return isList(required) ? required.map(String) : [];
  };
  const [old, now] = [new Set(names(before)), new Set(names(after))];
  return [
    ...[...now].filter((name) => !old.has(name)).map(marked('+required')),
    ...[...old].filter((name) => !now.has(name)).map(marked('+optional')),
  ];
}

// What a problem says by itself, before anyone asks for a fix

/** Which marker in the Go source is about what a problem is about; undefined for a CRD that is written by hand. */
export function markerHint({ code, manifest }: Problem): string | undefined {
  return manifest && isGenerated(manifest) ? ruleOf(code)?.marker : undefined;
}
