import { isResourceField, itemsPlace, propertyPlace, type SchemaPlace, valuesPlace } from './linted.ts';

/** A step of a path: into a field, or into the items of a list. */
export type PathStep = { readonly field: string; readonly start: number; readonly end: number } | 'items';

const step =
  /\.((?:\\.|[^\s.[\](){}\\,*?@'"])+)|\[\s*(?:'([^']*)'|"([^"]*)"|(-?\d+|\*|-?\d*:-?\d*(?::-?\d+)?|\?\(.*?\)))\s*\]/y;

/** The steps of a simple JSON path such as `.status.conditions[?(@.type=="Ready")].status`; undefined for others. */
export function pathSteps(path: string): PathStep[] | undefined {
  const found: PathStep[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const start = step.lastIndex;
    const match = step.exec(path);
    if (!match) return undefined;
    const [, dotted, single, double, list] = match;
    const field = dotted?.replace(/\\(.)/g, '$1') ?? single ?? double;
    found.push(list === undefined ? { field: field!, start, end: step.lastIndex } : 'items');
  }
  return found;
}

/** Where a path leads: to a schema, nowhere (what is missing, and from where), or where the schema says nothing. */
export type Lead =
  | { readonly kind: 'schema'; readonly place: SchemaPlace }
  | { readonly kind: 'nowhere'; readonly missing: PathStep; readonly from: SchemaPlace }
  | { readonly kind: 'unknown' };

const unknown: Lead = { kind: 'unknown' };

export function follow(root: SchemaPlace, steps: readonly PathStep[]): Lead {
  let place = root;
  for (const step of steps) {
    const next = step === 'items' ? itemsPlace(place) : intoField(place, step.field);
    if (next === 'unknown') return unknown;
    if (!next) return isOpen(place) ? unknown : { kind: 'nowhere', missing: step, from: place };
    place = next;
  }
  return { kind: 'schema', place };
}

function intoField(place: SchemaPlace, name: string): SchemaPlace | 'unknown' | undefined {
  // What a CRD says of metadata only restricts what every object has there.
  if (isResourceField(place, name)) return 'unknown';
  return propertyPlace(place, name) ?? valuesPlace(place);
}

/** Whether there may be something that the schema does not describe. */
function isOpen({ schema }: SchemaPlace): boolean {
  const { preserveUnknownFields, intOrString } = schema.extensions;
  return preserveUnknownFields || intOrString || schema.additionalProperties?.allowed === true || schema.type === '';
}
