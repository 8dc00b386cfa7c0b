import { equalValues } from '../../base/value.ts';
import { isKnownFormat } from '../../kubernetes/schema/formats.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { isResourceField, itemsPlace, propertyPlace, type SchemaPlace, valuesPlace } from '../lints/linted.ts';
import { breaks, type Change, shown } from './change.ts';
import { fieldChanges } from './fields.ts';
import { junctorChanges } from './junctors.ts';
import { type ChangedLimit, changedLimits } from './limits.ts';
import { listTypeChanges } from './listTypes.ts';
import { ruleChanges } from './rules.ts';
import { type ComparedSchema, notForgiven, refusedLater, schemaChange } from './schemaChange.ts';

/**
 * By schema: the one from which it differs in nothing, and the one of which it breaks nothing. Not a memo: only the last
 * such one is kept.
 */
const unchanged = new WeakMap<Structural, Structural>();
const unbroken = new WeakMap<Structural, Structural>();

/** What differs between a schema and the one that it was, with all that is below. */
export function schemaChanges(compared: ComparedSchema): Change[] {
  const { place, old, onlyBroken } = compared;
  const known = onlyBroken ? unbroken : unchanged;
  if (place.schema === old || known.get(place.schema) === old) return [];
  const all = onlyBroken ? nodeChanges(compared).filter(breaks) : nodeChanges(compared);
  if (all.length === 0) known.set(place.schema, old);
  return all;
}

function nodeChanges(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  // Of a schema for other values there is nothing more to compare.
  if (!acceptsType(place.schema, old)) return [typeChanged(compared)];
  return [
    ...typeWidened(compared),
    ...nullability(compared),
    ...limits(compared),
    ...choices(compared),
    ...junctorChanges(compared),
    ...requirements(compared),
    ...defaults(compared),
    ...fieldChanges(compared),
    ...listTypeChanges(compared),
    ...ruleChanges(compared),
    ...descriptions(compared),
    ...below(compared),
  ];
}

function below(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  const to = (next: SchemaPlace | undefined, before: Structural | undefined): Change[] =>
    next && before ? schemaChanges({ ...compared, place: next, old: before }) : [];
  return [
    ...[...(place.schema.properties?.keys() ?? [])].flatMap((name) =>
      isResourceField(place, name) ? [] : to(propertyPlace(place, name), declared(old, name)),
    ),
    ...to(itemsPlace(place), old.items),
    ...to(valuesPlace(place), old.additionalProperties?.schema),
    ...[...(old.properties ?? [])].flatMap(([name, field]) =>
      place.schema.properties?.has(name) ? [] : to(valuesPlace(place), field),
    ),
  ];
}

/** The schema that a field had: its own, or that of all values of the map. */
function declared({ properties, additionalProperties }: Structural, name: string): Structural | undefined {
  return properties?.get(name) ?? additionalProperties?.schema;
}

// Types

/** Whether all values of the old type are of this one. */
function acceptsType(now: Structural, old: Structural): boolean {
  if (sameType(now, old)) return true;
  if (now.extensions.intOrString) return old.type === 'integer' || old.type === 'string';
  return (now.type === 'number' && old.type === 'integer') || now.type === '';
}

const sameType = (now: Structural, old: Structural) =>
  now.type === old.type && now.extensions.intOrString === old.extensions.intOrString;

const typeName = ({ type, extensions }: Structural) =>
  extensions.intOrString ? 'an integer or a string' : type === '' ? 'anything' : `of type ${type}`;

const typeTitle = ({ place, old }: ComparedSchema) => `${typeName(old)} → ${typeName(place.schema)}`;

function typeChanged(compared: ComparedSchema): Change {
  const message = `In ${compared.ref} it is ${typeName(compared.old)}. ${refusedLater(compared, 'Stored objects with such a value')}${notForgiven(compared)}`;
  return schemaChange(compared, 'type-changed', 'breaks', typeTitle(compared), message, ['type'], 'value');
}

function typeWidened(compared: ComparedSchema): Change[] {
  if (sameType(compared.place.schema, compared.old)) return [];
  const message =
    'Every value of the old type still fits. Clients that were written for the old type may not be able to read the other values.';
  return [schemaChange(compared, 'type-widened', 'widens', typeTitle(compared), message, ['type'], 'value')];
}

function nullability(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  if (place.schema.nullable === old.nullable) return [];
  if (place.schema.nullable)
    return [
      schemaChange(compared, 'nullable-added', 'widens', 'nullable', 'It may be `null` now, and `null` is kept.', [
        'nullable',
      ]),
    ];
  const title = 'no longer nullable';
  if (place.step[0] === 'items' && place.schema.type === '' && !place.schema.extensions.intOrString) {
    const message = 'Without a type, an item may be `null` all the same.';
    return [schemaChange(compared, 'limit-reworded', 'changes', title, message)];
  }
  if (place.step[0] === 'items') {
    const message = `In ${compared.ref} an item may be \`null\`. ${refusedLater(compared, 'Stored objects with such an item')}`;
    return [schemaChange(compared, 'nullable-removed', 'breaks', title, message)];
  }
  const instead = place.schema.default === undefined ? 'drops it' : 'puts the default in its place';
  const message = `In ${compared.ref} it may be \`null\`. Now the API server ${instead}: what \`null\` meant to a controller is lost.`;
  return [schemaChange(compared, 'nullable-removed', 'may-break', title, message)];
}

// Limits and choices

function limits(compared: ComparedSchema): Change[] {
  const { place, old, kubernetes } = compared;
  const isEnforced = (type: string, format: string) => isKnownFormat(type, format, kubernetes);
  return changedLimits(place.schema, old, isEnforced).map((limit) => limitChange(compared, limit));
}

function limitChange(compared: ComparedSchema, limit: ChangedLimit): Change {
  const { keyword, now, was, is } = limit;
  const title = `\`${keyword}\`: ${was === undefined ? 'none' : shown(was)} → ${is === undefined ? 'none' : shown(is)}`;
  if (now === 'same') {
    const message = 'The same values are accepted as before.';
    return schemaChange(compared, 'limit-reworded', 'changes', title, message, [keyword], 'value');
  }
  if (now === 'looser') {
    const message = 'All values that were accepted still are.';
    return schemaChange(compared, 'limit-loosened', 'widens', title, message, [keyword], 'value');
  }
  const before = was === undefined ? `${compared.ref} has no such limit.` : `In ${compared.ref} it is ${shown(was)}.`;
  const message = `${before} ${refusedLater(compared, 'Stored objects beyond it')}`;
  // What two patterns have in common cannot be told from them.
  const effect = keyword === 'pattern' ? 'may-break' : 'breaks';
  return schemaChange(compared, 'limit-tightened', effect, title, message, [keyword], 'value');
}

function choices(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const allowed = place.schema.validation?.enum;
  const before = old.validation?.enum;
  if (!allowed) {
    return before ? [choiceAdded(compared, 'any value is allowed', 'All values that were accepted still are.')] : [];
  }
  const isIn = (values: typeof allowed) => (value: (typeof allowed)[number]) =>
    values.some((one) => equalValues(one, value));
  const removed = before?.filter((value) => !isIn(allowed)(value));
  const added = before ? allowed.filter((value) => !isIn(before)(value)) : [];
  const more =
    added.length > 0
      ? [
          choiceAdded(
            compared,
            `new: ${added.map(shown).join(', ')}`,
            'Clients that were written for the old values may not expect the new ones.',
          ),
        ]
      : [];
  if (removed?.length === 0) return more;
  const was = removed ? `${ref} also allows ${removed.map(shown).join(', ')}.` : `${ref} allows any value.`;
  const message = `${was} ${refusedLater(compared, 'Stored objects with a value that is no longer allowed')}`;
  const title = removed
    ? `no longer allowed: ${removed.map(shown).join(', ')}`
    : `only ${allowed.map(shown).join(', ')}`;
  return [schemaChange(compared, 'enum-value-removed', 'breaks', title, message, ['enum']), ...more];
}

function choiceAdded(compared: ComparedSchema, title: string, message: string): Change {
  return schemaChange(compared, 'enum-value-added', 'widens', title, message, ['enum']);
}

// Required fields and defaults

function requirements(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const required = place.schema.validation?.required ?? [];
  const before = new Set(old.validation?.required);
  const now = required.flatMap((name, i): Change[] => {
    if (place.schema.properties?.get(name)?.default !== undefined) return [];
    const wasFilledIn = old.properties?.get(name)?.default !== undefined;
    if (before.has(name) && !wasFilledIn) return [];
    const message = wasFilledIn
      ? `In ${ref} \`${name}\` has a default. Manifests without it are now rejected; most stored objects have it.`
      : `In ${ref} \`${name}\` is not required. ${refusedLater(compared, 'Stored objects without it')} A default would prevent that.`;
    const title = `\`${name}\` is required`;
    return [schemaChange(compared, 'field-now-required', 'breaks', title, message, ['required', i], 'value')];
  });
  const optional = [...before].filter((name) => !required.includes(name)).map((name) => nowOptional(compared, name));
  return [...now, ...optional];
}

function nowOptional(compared: ComparedSchema, name: string): Change {
  const message = 'Objects without it are accepted. Controllers may meet objects that lack it.';
  return schemaChange(compared, 'field-now-optional', 'widens', `\`${name}\` is no longer required`, message, [
    'required',
  ]);
}

function defaults(compared: ComparedSchema): Change[] {
  const { place, old, ref } = compared;
  const [was, is] = [old.default, place.schema.default];
  if (was === undefined ? is === undefined : is !== undefined && equalValues(was, is)) return [];
  if (is === undefined) {
    const message = `In ${ref} objects without it get ${shown(was!)}. Now they stay without it, unless it was stored with them.`;
    return [schemaChange(compared, 'default-removed', 'changes', `no default any more: ${shown(was!)}`, message)];
  }
  if (was === undefined) {
    const message = 'Objects without it get the default, stored ones too, when they are read.';
    return [schemaChange(compared, 'default-added', 'changes', `default: ${shown(is)}`, message, ['default'])];
  }
  const message = `New objects get the new default; stored ones keep what they were stored with.`;
  const title = `default: ${shown(was)} → ${shown(is)}`;
  return [schemaChange(compared, 'default-changed', 'changes', title, message, ['default'])];
}

function descriptions(compared: ComparedSchema): Change[] {
  const { place, old } = compared;
  if (place.schema.description === old.description && place.schema.title === old.title) return [];
  const message = 'What `kubectl explain` says changes.';
  return [schemaChange(compared, 'description-changed', 'changes', 'description', message, ['description'])];
}
