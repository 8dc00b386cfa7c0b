import { semanticEqual } from '../../kubernetes/crd/equal.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { isResourceField } from '../lints/linted.ts';
import { type Change, listed } from './change.ts';
import { type ComparedSchema, notForgiven, schemaChange } from './schemaChange.ts';

/** Which fields a value may have: what a schema does not declare, the API server drops. */
export function fieldChanges(compared: ComparedSchema): Change[] {
  return [...embedding(compared), ...fieldsRemoved(compared), ...fieldsAdded(compared), ...valuesDeclared(compared)];
}

/** Whether a value may have any key: such a schema says nothing of the keys' values. */
const keepsAny = ({ extensions, additionalProperties }: Structural) =>
  extensions.preserveUnknownFields || (additionalProperties?.allowed === true && !additionalProperties.schema);

/** `additionalProperties: true` keeps keys, but nothing of the objects behind them. */
const keepsInside = ({ extensions }: Structural) => extensions.preserveUnknownFields;

const takesAnyKey = (schema: Structural) => keepsAny(schema) || schema.additionalProperties?.schema !== undefined;

function fieldsRemoved(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const { schema } = place;
  const removed = (title: string, message: string, at: string[] = []) => [
    schemaChange(compared, 'field-removed', 'breaks', title, message, at),
  ];
  if (keepsAny(schema) && !keepsInside(schema) && keepsInside(old)) {
    return removed('fields inside values are dropped', `${ref} keeps whole values here. ${lost('inside of them')}`);
  }
  if (takesAnyKey(schema)) return [];
  if (old.extensions.preserveUnknownFields) {
    return removed('unknown fields are dropped', `${ref} keeps unknown fields here. ${lost('that are not declared')}`);
  }
  if (old.additionalProperties?.allowed) {
    return removed(
      'keys that are not declared are dropped',
      `${ref} allows any key here. ${lost('that are not declared')}`,
    );
  }
  const gone = [...(old.properties ?? [])].filter(([name]) => !schema.properties?.has(name) && !isOwn(compared, name));
  if (gone.length === 0) return [];
  const names = gone.map(([name]) => name);
  const renames = gone.length > mostRenames ? [] : gone.flatMap(([name, was]) => renamed(compared, name, was));
  const message = `${ref} declares ${listed(names)} here. ${lost('that are no longer declared')}${renames.join('')}`;
  return removed(`removed: ${listed(names)}`, message, ['properties']);
}

/** Fields of every object stay, whatever the schema says of them. */
const isOwn = ({ place }: ComparedSchema, name: string) => isResourceField(place, name);

const lost = (which: string) =>
  `Stored objects lose the fields ${which}: the API server drops them when it reads the objects. If clients still send them, they are dropped too, or the request is rejected.`;

/** Where more fields are gone, nobody renamed them one by one. */
const mostRenames = 10;

/** A new field that is what the old one was: whoever renamed it may think that its values go along. */
function renamed({ place, old }: ComparedSchema, name: string, was: Structural): string[] {
  const same = [...(place.schema.properties ?? [])].filter(
    ([other, field]) => !old.properties?.has(other) && semanticEqual(field, was),
  );
  const [first, ...more] = same;
  return first && more.length === 0
    ? [` \`${first[0]}\` has the same schema: if \`${name}\` was renamed, its values do not move to it.`]
    : [];
}

function fieldsAdded(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  const names = [...(place.schema.properties?.keys() ?? [])].filter(
    (name) => !old.properties?.has(name) && !old.additionalProperties?.schema && !isOwn(compared, name),
  );
  const openedHere =
    takesAnyKey(place.schema) &&
    (!takesAnyKey(old) || (keepsInside(place.schema) && keepsAny(old) && !keepsInside(old)));
  const opened = openedHere
    ? [schemaChange(compared, 'field-added', 'widens', 'any key is kept', 'Fields that were dropped are kept now.')]
    : [];
  if (names.length === 0) return opened;
  if (keepsAny(old)) {
    const message = `${compared.ref} keeps any value there. Stored objects whose value does not match what is declared now are rejected once an update changes it, and whatever it does not declare is dropped.${notForgiven(compared)}`;
    return [
      schemaChange(compared, 'field-declared', 'may-break', `declared: ${listed(names)}`, message, ['properties']),
      ...opened,
    ];
  }
  const message = 'Objects may have it now; before, it was dropped.';
  return [
    schemaChange(compared, 'field-added', 'widens', `added: ${listed(names)}`, message, ['properties']),
    ...opened,
  ];
}

/** Values and items that could be anything. */
function valuesDeclared(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const declared = (keyword: 'additionalProperties' | 'items', before: boolean, what: string) => {
    const now = place.schema[keyword];
    if (!now || !before) return [];
    const message = `${ref} keeps any ${what} here. Stored objects with ${what}s that do not match what is declared now are rejected once an update changes them.${notForgiven(compared)}`;
    return [schemaChange(compared, 'field-declared', 'may-break', `declared: \`${keyword}\``, message, [keyword])];
  };
  const openedUp = (was: boolean, is: boolean, what: string) =>
    was && !is
      ? [schemaChange(compared, 'field-added', 'widens', `any ${what}`, `Any ${what} is accepted here now.`)]
      : [];
  const hasValues = place.schema.additionalProperties?.schema !== undefined;
  return [
    ...declared('additionalProperties', hasValues && keepsAny(old), 'value'),
    ...openedUp(old.additionalProperties?.schema !== undefined && takesAnyKey(place.schema), hasValues, 'value'),
    ...declared('items', old.items === undefined && place.schema.items !== undefined, 'item'),
    ...openedUp(old.items !== undefined, place.schema.items !== undefined, 'item'),
    ...undeclared(compared),
  ];
}

/** Fields that are kept although they are no longer declared: nothing checks them any more. */
function undeclared(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  if (!keepsAny(place.schema)) return [];
  const names = [...(old.properties?.keys() ?? [])].filter((name) => !place.schema.properties?.has(name));
  if (names.length === 0) return [];
  const message = 'They are kept, but nothing checks them any more.';
  return [schemaChange(compared, 'field-added', 'widens', `no longer declared: ${listed(names)}`, message)];
}

function embedding(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const [was, is] = [old.extensions.embeddedResource, place.schema.extensions.embeddedResource];
  if (was === is) return [];
  const at = ['x-kubernetes-embedded-resource'];
  if (is) {
    const message = `In ${ref} it is any object. Now objects here need an \`apiVersion\`, a \`kind\` and valid metadata; the API server judges them at every write, also where an update leaves them as they are.`;
    return [schemaChange(compared, 'embedded-added', 'breaks', 'an embedded resource', message, at)];
  }
  const message = `In ${ref} it is an embedded resource. Stored objects lose its \`apiVersion\`, \`kind\` and \`metadata\`, unless they are declared.`;
  return [schemaChange(compared, 'embedded-removed', 'breaks', 'no embedded resource any more', message)];
}
