import { isList, isMap, type Path, type Value } from '../base/value.ts';

// `spec.ports[*].x-kubernetes-validations[0]`: fields of an object, `[*]` for items of a list, `*` for values of a map.

export const rulesKey = 'x-kubernetes-validations';

/** Which rule of a schema is meant. */
export interface RulePath {
  /** A way in an object to the value that the rule judges. */
  readonly object: Path;
  /** The same way in the schema. */
  readonly schema: Path;
  readonly nth: number;
}

/** Undefined where a text names no rule. */
export function rulePathOf(text: string): RulePath | undefined {
  const [, place, nth] = /^(?:(.*)\.)?x-kubernetes-validations\[(\d+)\]$/.exec(text) ?? [];
  if (nth === undefined) return undefined;
  const steps = (place ?? '').match(/[^.[\]]+|\[\*\]/g) ?? [];
  const schema = steps.flatMap((step) =>
    step === '[*]' ? ['items'] : step === '*' ? ['additionalProperties'] : ['properties', step],
  );
  return { object: steps.map((step) => (step === '[*]' ? 0 : step)), schema, nth: Number(nth) };
}

/** A rule of a schema, with the text that names it. */
export interface NamedRule {
  readonly text: string;
  /** Its path in the schema. */
  readonly path: Path;
}

/** All rules of a schema, by the way to them; those in `allOf` and its kin are none that the server evaluates. */
export function rulesIn(schema: Value | undefined, place = '', path: Path = []): NamedRule[] {
  if (!isMap(schema)) return [];
  const list = schema.get(rulesKey);
  const own = (isList(list) ? list : []).map((_, i) => ({
    text: `${place === '' ? '' : `${place}.`}${rulesKey}[${i}]`,
    path: [...path, rulesKey, i],
  }));
  const properties = schema.get('properties');
  const dot = place === '' ? '' : `${place}.`;
  return [
    ...own,
    ...[...(isMap(properties) ? properties : [])].flatMap(([name, one]) =>
      rulesIn(one, `${dot}${name}`, [...path, 'properties', name]),
    ),
    ...rulesIn(schema.get('items'), `${place}[*]`, [...path, 'items']),
    ...rulesIn(schema.get('additionalProperties'), `${dot}*`, [...path, 'additionalProperties']),
  ];
}
