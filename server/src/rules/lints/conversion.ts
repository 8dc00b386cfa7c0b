import { memo } from '../../base/memo.ts';
import { valueAt } from '../../base/value.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { mayGetWebhook } from '../fixing/generated.ts';
import { type Found, lintFamily } from './lint.ts';
import { type Linted, type LintedVersion, lintPlace, versionsOf } from './linted.ts';

type ConversionFacts = { 'lint/conversion-lossy': undefined };

/** With the strategy None only `apiVersion` is exchanged, and each schema prunes what the other has more. */
function lintConversion(linted: Linted): Found<undefined>[] {
  const { crd, manifest } = linted;
  const strategy = valueAt(manifest.value, ['spec', 'conversion', 'strategy']) ?? 'None';
  if (strategy !== 'None' || crd.preserveUnknownFields) return [];
  const versions = versionsOf(linted);
  const storage = versions.find(({ version }) => version.storage);
  if (!storage) return [];
  return versions
    .filter(({ version }) => version.served && version !== storage.version)
    .flatMap((other) => lintPair(linted, storage, other));
}

function lintPair(linted: Linted, storage: LintedVersion, other: LintedVersion): Found<undefined>[] {
  const [stored, name] = [storage.version.name, other.version.name];
  const written = lost(other.root.schema, storage.root.schema, true);
  const hidden = lost(storage.root.schema, other.root.schema, true);
  const parts = [
    ...(written.length === 0 ? [] : [`written as ${name}, objects lose ${listed(written)}`]),
    ...(hidden.length === 0
      ? []
      : [`read as ${name}, they lack ${listed(hidden)}, which is lost when they are written back`]),
  ];
  if (parts.length === 0) return [];
  const maybePatched = mayGetWebhook(linted.manifest);
  const unless = maybePatched ? ', unless a patch adds one' : '';
  const message = `Without a conversion webhook${unless}, each version prunes the fields it does not know. Stored as ${stored}: ${parts.join('; ')}.`;
  const at = [...storage.path, 'storage'];
  const storedAt = { ...lintPlace(linted, at), message: `${stored} is the storage version` };
  const severity = maybePatched && { severity: 'information' as const };
  return [{ message, at: [...other.path, 'name'], anchor: 'value', related: [storedAt], ...severity }];
}

const most = 5;

function listed(fields: readonly string[]): string {
  const named = fields.slice(0, most).map((field) => `\`${field}\``);
  const more = fields.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ').replace(/, ([^,]*)$/, ' and $1');
}

const ofEveryObject = new Set(['apiVersion', 'kind', 'metadata']);

/** The fields of one schema that another prunes, the topmost of each. Two schemas are compared once. */
const lost = memo((from: Structural, to: Structural, isRoot: boolean): readonly string[] => [
  ...lostProperties(from, to, isRoot),
  ...(from.items && to.items ? below('[]', lost(from.items, to.items, false)) : []),
  ...lostValues(from, to),
]);

const below = (step: string, fields: readonly string[]) => fields.map((field) => step + field);

function lostProperties(from: Structural, to: Structural, isRoot: boolean): string[] {
  const isResource = isRoot || from.extensions.embeddedResource;
  return [...(from.properties ?? [])].flatMap(([name, schema]) => {
    if (isResource && ofEveryObject.has(name)) return [];
    const same = to.properties?.get(name) ?? to.additionalProperties?.schema;
    if (same) return below(`.${name}`, lost(schema, same, false));
    return keepsAnything(to) ? [] : [`.${name}`];
  });
}

function lostValues(from: Structural, to: Structural): string[] {
  const values = from.additionalProperties?.schema;
  if (!values) return [];
  const same = to.additionalProperties?.schema;
  if (same) return below('[*]', lost(values, same, false));
  return keepsAnything(to) || to.properties ? [] : ['[*]'];
}

function keepsAnything({ extensions, additionalProperties, type }: Structural): boolean {
  // Values that are not objects have nothing to prune: nobody compares their types.
  return (
    extensions.preserveUnknownFields || additionalProperties?.allowed === true || (type !== 'object' && type !== '')
  );
}

const versions = (old: string, now: string) => `#- use: spec
versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${now}}}}}}
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${old}}}}}}
`;

export const conversionLints = lintFamily<ConversionFacts>()({
  'lint/conversion-lossy': {
    meantInTests: true,
    severity: 'warning',
    ofConversion: true,
    title: 'Versions have different fields but no conversion webhook',
    explanation: `With the strategy \`None\`, which is the default, only \`apiVersion\` changes when an object is read
in another version than it is stored in. The schema of that version then prunes every field that it does not have. A
field that was renamed between versions is empty in the other one, and a client of the old version that reads an object
and writes it back deletes everything that only the new version has, without any error.
Give all served versions the same fields (new ones may be optional in the old version), write a conversion webhook, or
stop serving the old version.`,
    bad: versions('colour: {type: string}', 'color: {type: string}'),
    good: versions('color: {type: string}', 'color: {type: string}'),
    restsOn: 'crd',
    endsWith: ['spec', 'conversion'],
    endsInOne: true,
    check: lintConversion,
  },
});
