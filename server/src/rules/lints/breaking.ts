import { equalValues, type Path, type Value } from '../../base/value.ts';
import { printJson } from '../../go/jsonPrint.ts';
import { isKnownFormat } from '../../kubernetes/schema/formats.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { type Found, lintFamily } from './lint.ts';
import {
  fieldName,
  isResourceField,
  itemsPlace,
  type Linted,
  propertyPlace,
  type SchemaPlace,
  schemaPath,
  valuesPlace,
  versionsOf,
} from './linted.ts';
import { type Tightened, tightenedLimits } from './tightened.ts';

// What a change of a CRD breaks for stored objects and for clients. The API server accepts all of it: when a CRD
// changes, it does not look at the objects.

type BreakingFacts = {
  'lint/limit-tightened': undefined;
  'lint/enum-value-removed': undefined;
  'lint/type-changed': undefined;
  'lint/field-removed': undefined;
  'lint/field-now-required': undefined;
  'lint/version-removed': undefined;
  'lint/crd-renamed': undefined;
};

type Code = keyof BreakingFacts;
type Broken = { readonly code: Code; readonly found: Found<undefined> };

/** A schema beside the committed one. */
interface Change {
  readonly place: SchemaPlace;
  readonly old: Structural;
  readonly linted: Linted;
  readonly ref: string;
  /** The status is written through an endpoint of its own. */
  readonly ownStatus: boolean;
}

const known = new WeakMap<Linted, readonly Broken[]>();

/** All that a change of a CRD breaks, looked for once for the lints that each tell of one kind. */
function brokenBy(linted: Linted): readonly Broken[] {
  const before = known.get(linted);
  if (before) return before;
  const all = [...renamed(linted), ...changedVersions(linted), ...changedSchemas(linted)];
  known.set(linted, all);
  return all;
}

const tells = (code: Code) => ({
  restsOn: 'crd' as const,
  check: (linted: Linted) => brokenBy(linted).flatMap((one) => (one.code === code ? [one.found] : [])),
});

function broken(code: Code, message: string, at: Path, anchor: Found['anchor']): Broken {
  return { code, found: { message, at, anchor } };
}

// Names and versions

function renamed({ formerName, settings }: Linted): Broken[] {
  if (formerName === undefined) return [];
  const message = `In ${settings.baseline} the CRD of this kind is called \`${formerName}\`. To the API server this is a different CRD: the old one stays, and its objects stay with it. They do not move to the new one.`;
  return [broken('lint/crd-renamed', message, ['metadata', 'name'], 'value')];
}

function changedVersions({ committed, crd }: Linted): Broken[] {
  return (committed?.crd.versions ?? []).flatMap((old) => {
    if (!old.served) return [];
    const i = crd.versions.findIndex(({ name }) => name === old.name);
    if (i !== -1 && crd.versions[i]!.served) return [];
    const at = i === -1 ? ['spec', 'versions'] : ['spec', 'versions', i, 'served'];
    const message = `${committed!.ref} serves ${old.name}: clients and manifests that still use it will fail, because the kind no longer exists there. Stored objects stay, and are served in the other versions.`;
    return [broken('lint/version-removed', message, at, i === -1 ? 'key' : 'value')];
  });
}

// Schemas

function changedSchemas(linted: Linted): Broken[] {
  const { committed } = linted;
  return versionsOf(linted).flatMap(({ version, root }) => {
    const old = committed?.crd.versions.find(({ name, served }) => name === version.name && served);
    if (!committed || !old?.structural || !version.served) return [];
    return compare({ place: root, old: old.structural, linted, ref: committed.ref, ownStatus: version.status });
  });
}

/** By schema: the committed one from which it takes nothing away. */
const harmless = new WeakMap<Structural, Structural>();

function compare(change: Change): Broken[] {
  const { place, old } = change;
  if (place.schema === old || harmless.get(place.schema) === old) return [];
  const all = compareNode(change);
  if (all.length === 0) harmless.set(place.schema, old);
  return all;
}

function compareNode(change: Change): Broken[] {
  const { place, old } = change;
  if (!acceptsType(place.schema, old)) return [typeChanged(change)];
  const tightened = tightenedLimits(place.schema, old, formatsOf(change)).map((one) => limitTightened(change, one));
  return [...tightened, ...choicesRemoved(change), ...nowRequired(change), ...fieldsRemoved(change), ...below(change)];
}

function below(change: Change): Broken[] {
  const { place, old } = change;
  const to = (next: SchemaPlace | undefined, before: Structural | undefined): Broken[] =>
    next && before ? compare({ ...change, place: next, old: before }) : [];
  return [
    ...[...(place.schema.properties?.keys() ?? [])].flatMap((name) =>
      isResourceField(place, name) ? [] : to(propertyPlace(place, name), declared(old, name)),
    ),
    ...to(itemsPlace(place), old.items),
    ...to(valuesPlace(place), old.additionalProperties?.schema),
  ];
}

/** The schema that a field had: its own, or that of all values of the map. */
function declared({ properties, additionalProperties }: Structural, name: string): Structural | undefined {
  return properties?.get(name) ?? additionalProperties?.schema;
}

/** Whether all values of the committed type are of this one. */
function acceptsType(now: Structural, old: Structural): boolean {
  if (now.type === old.type && now.extensions.intOrString === old.extensions.intOrString) return true;
  if (now.extensions.intOrString) return old.type === 'integer' || old.type === 'string';
  return (now.type === 'number' && old.type === 'integer') || now.type === '';
}

const typeName = ({ type, extensions }: Structural) =>
  extensions.intOrString ? 'an integer or a string' : type === '' ? 'anything' : `of type ${type}`;

function typeChanged(change: Change): Broken {
  const { place, old, ref } = change;
  const message = `In ${ref} it is ${typeName(old)}. ${refusedLater(change, 'Stored objects with such a value')}`;
  return broken('lint/type-changed', message, [...schemaPath(place), 'type'], 'value');
}

function limitTightened(change: Change, { keyword, was }: Tightened): Broken {
  const before = was === undefined ? `${change.ref} has no such limit.` : `In ${change.ref} it is ${shown(was)}.`;
  const message = `${before} ${refusedLater(change, 'Stored objects beyond it')}`;
  const path = [...schemaPath(change.place), keyword];
  return broken('lint/limit-tightened', message, path, 'value');
}

const formatsOf =
  ({ linted }: Change) =>
  (type: string, format: string): boolean =>
    isKnownFormat(type, format, linted.kubernetes);

function choicesRemoved(change: Change): Broken[] {
  const { place, old, ref } = change;
  const allowed = place.schema.validation?.enum;
  const before = old.validation?.enum;
  if (!allowed) return [];
  const removed = before?.filter((value) => !allowed.some((one) => equalValues(one, value)));
  if (removed?.length === 0) return [];
  const was = removed ? `${ref} also allows ${removed.map(shown).join(', ')}.` : `${ref} allows any value.`;
  const message = `${was} ${refusedLater(change, 'Stored objects with a value that is no longer allowed')}`;
  return [broken('lint/enum-value-removed', message, [...schemaPath(place), 'enum'], 'key')];
}

function nowRequired(change: Change): Broken[] {
  const { place, old, ref } = change;
  const before = new Set(old.validation?.required);
  return (place.schema.validation?.required ?? []).flatMap((name, i) => {
    if (place.schema.properties?.get(name)?.default !== undefined) return [];
    const wasFilledIn = old.properties?.get(name)?.default !== undefined;
    if (before.has(name) && !wasFilledIn) return [];
    const message = wasFilledIn
      ? `In ${ref} \`${name}\` has a default. Manifests without it are now rejected; most stored objects have it.`
      : `In ${ref} \`${name}\` is not required. ${refusedLater(change, 'Stored objects without it')} A default would prevent that.`;
    return [broken('lint/field-now-required', message, [...schemaPath(place), 'required', i], 'value')];
  });
}

function fieldsRemoved(change: Change): Broken[] {
  const { place, old, ref } = change;
  const { schema } = place;
  if (schema.extensions.preserveUnknownFields) return [];
  const path = schemaPath(place);
  if (old.extensions.preserveUnknownFields) {
    const message = `${ref} keeps unknown fields here. ${lost('that are not declared')}`;
    return [broken('lint/field-removed', message, path, 'key')];
  }
  if (schema.additionalProperties) return [];
  if (old.additionalProperties?.schema) {
    const message = `${ref} allows any key here. ${lost('that are not declared')}`;
    return [broken('lint/field-removed', message, path, 'key')];
  }
  const names = [...(old.properties?.keys() ?? [])].filter((name) => !schema.properties?.has(name));
  if (names.length === 0) return [];
  const message = `${ref} declares ${names.map((name) => `\`${name}\``).join(', ')} here. ${lost('that are no longer declared')}`;
  return [broken('lint/field-removed', message, [...path, 'properties'], 'key')];
}

const lost = (which: string) =>
  `Stored objects lose the fields ${which}: the API server drops them when it reads the objects. If clients still send them, they are dropped too, or the request is rejected.`;

/** When objects that were right before are rejected: what an update leaves as it is, the API server does not judge again. */
function refusedLater(change: Change, which: string): string {
  const unit = matchedUnit(change.place);
  const field = fieldName(unit);
  const part = field === '' ? 'anything in the object' : `\`${field}\``;
  const { statusRatchets } = change.linted.kubernetes;
  return change.ownStatus && /^status\b/.test(field) && !statusRatchets
    ? `${which} are rejected at the next update of their status: before Kubernetes 1.33 it tolerates no old values.`
    : `${which} are rejected once an update changes ${part}, new ones at once.`;
}

/** The part of an object that has to stay as it is: items are matched with old ones in lists of type map only. */
function matchedUnit(place: SchemaPlace): SchemaPlace {
  const way: SchemaPlace[] = [];
  for (let at: SchemaPlace | undefined = place; at; at = at.parent) way.unshift(at);
  const unmatched = way.find((one, i) => way[i + 1]?.step[0] === 'items' && one.schema.extensions.listType !== 'map');
  return unmatched ?? place;
}

const longest = 60;

function shown(value: Value): string {
  const text = printJson(value);
  return `\`${text.length > longest ? `${text.slice(0, longest)}…` : text}\``;
}

const ratcheting = `The API server does not check stored objects when a CRD changes. Later, an update may leave an invalid value
as it is; this is called ratcheting. It is rejected as soon as it changes the value itself or a list of type \`set\` or
\`atomic\` that contains it. For \`required\`, \`minItems\` and the like, a change anywhere below the object or list is enough.
Updates of the status endpoint are treated the same way since Kubernetes 1.33; older versions reject them in any case. People
often find out only when a controller can no longer update its objects.

The CRD is compared with the commit that \`kubeCrd.baseline\` names, version by version.`;

const size = (...lines: string[]) => `size:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const update = (old: string, now: string) => `#- use: schema\n${old}---\n${now}`;

export const breakingLints = lintFamily<BreakingFacts>()({
  'lint/limit-tightened': {
    severity: 'warning',
    title: 'A limit is tighter than the committed one',
    explanation: `Objects that the committed CRD allows may exceed the new limit.\n\n${ratcheting}\n\nLeave the limit, or add a new version of the CRD.`,
    onUpdate: true,
    bad: update(size('type: integer', 'maximum: 10'), size('type: integer', 'maximum: 5')),
    good: update(size('type: integer', 'maximum: 10'), size('type: integer', 'maximum: 20')),
    ...tells('lint/limit-tightened'),
  },
  'lint/enum-value-removed': {
    severity: 'warning',
    title: 'A value is no longer allowed',
    explanation: `There may be stored objects with a value that the committed CRD allows and this one does not.\n\n${ratcheting}`,
    onUpdate: true,
    bad: update(size('type: string', 'enum: [small, large]'), size('type: string', 'enum: [large]')),
    good: update(size('type: string', 'enum: [small, large]'), size('type: string', 'enum: [small, large, huge]')),
    ...tells('lint/enum-value-removed'),
  },
  'lint/type-changed': {
    severity: 'warning',
    title: 'The type of a field has changed since the commit',
    explanation: `Stored objects have values of the old type, and clients were written for it: a client in Go cannot read a list of
objects if a single value has another type.\n\n${ratcheting}\n\nAdd a field with another name, or a new version with a conversion webhook.`,
    onUpdate: true,
    bad: update(size('type: integer'), size('type: string')),
    good: update(size('type: integer'), size('x-kubernetes-int-or-string: true')),
    ...tells('lint/type-changed'),
  },
  'lint/field-removed': {
    severity: 'warning',
    title: 'A field of the committed CRD is missing',
    explanation: `The API server drops what the schema does not declare, also from objects that it reads from etcd: no client of
this version can see the values, and they are lost for good once the object is written. To rename a field that is in use, add
the new one, let the controller read both, and remove the old one in a new version.`,
    onUpdate: true,
    bad: update(`${size('type: integer')}color:\n  type: string\n`, size('type: integer')),
    good: update(size('type: integer'), `${size('type: integer')}color:\n  type: string\n`),
    ...tells('lint/field-removed'),
  },
  'lint/field-now-required': {
    severity: 'warning',
    title: 'A field is newly required',
    explanation: `There may be stored objects and manifests without it.\n\n${ratcheting}\n\nWith a \`default\`, the API server fills in the field, also in objects that it reads.`,
    onUpdate: true,
    bad: update(
      'size:\n  type: object\n  properties:\n    unit:\n      type: string\n',
      'size:\n  type: object\n  required:\n    - unit\n  properties:\n    unit:\n      type: string\n',
    ),
    good: update(
      'size:\n  type: object\n  properties:\n    unit:\n      type: string\n',
      'size:\n  type: object\n  required:\n    - unit\n  properties:\n    unit:\n      type: string\n      default: cm\n',
    ),
    ...tells('lint/field-now-required'),
  },
  'lint/version-removed': {
    severity: 'warning',
    title: 'A version is no longer served',
    explanation: `Manifests, controllers and Helm releases that use the version fail. First mark it as \`deprecated: true\`, with a
\`deprecationWarning\` that names its successor, and stop serving it in a later release. Objects that were stored in it are
still served in the other versions.`,
    onUpdate: true,
    bad: `#- use: version\nserved: true\n---\nserved: false\n`,
    good: `#- use: version\nserved: true\n---\nserved: true\ndeprecated: true\n`,
    ...tells('lint/version-removed'),
  },
  'lint/crd-renamed': {
    severity: 'warning',
    title: 'The CRD of this kind has been renamed',
    explanation: `The name of a CRD consists of its plural and its group, and neither can change: a CRD with another name is a new
one, without objects. Tools that delete what is no longer in a repository delete the old CRD and all of its objects with it.`,
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.org
`,
    notShown: 'it needs the commits of a repository',
    good: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
`,
    ...tells('lint/crd-renamed'),
  },
});
