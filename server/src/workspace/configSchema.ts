import type { Json, Setting, SettingsTable } from './settings.ts';
import { severities } from './settings.ts';

type Schema = { readonly [keyword: string]: Json };

/** The JSON schema of `.kube-crd.yaml`. */
export function configSchema(table: SettingsTable): Schema {
  const all = Object.entries<Setting>(table);
  const some = all.filter(([, { scope }]) => scope === 'resource');
  const files: Schema = {
    type: 'array',
    items: { type: 'string' },
    description:
      'Globs of the files that these settings are for, from the folder of this file: `legacy/**`, `*.test.yaml`.',
  };
  const overrides: Schema = {
    type: 'array',
    description: 'Settings for some of the files, which hold above those for all of them; the last that fits wins.',
    items: {
      type: 'object',
      required: ['files'],
      properties: { files, ...properties(some) },
      additionalProperties: false,
    },
  };
  return { type: 'object', properties: { ...properties(all), overrides }, additionalProperties: false };
}

function properties(settings: readonly (readonly [string, Setting])[]): Schema {
  return Object.fromEntries(settings.map(([name, setting]) => [name, property(setting)]));
}

function property({ schema, description }: Setting): Schema {
  const { allOf: _, default: fallback = null, ...rest } = schema;
  const numeric = asNumber(schema);
  const { enum: names = null, ...others } = rest;
  // A default of many values says nothing.
  const shown = typeof fallback === 'object' ? {} : { default: fallback };
  return {
    description,
    ...others,
    ...(names && !numeric.anyOf && { enum: names }),
    ...shown,
    ...numeric,
    ...byCode(schema),
  };
}

/** 1.34 is a number to YAML, and the name of a version to us. */
function asNumber({ enum: own, anyOf }: Schema): Schema {
  const ways = Array.isArray(anyOf) ? (anyOf as readonly Schema[]) : own ? [{ enum: own }] : [];
  const names = ways[0]?.enum;
  if (!Array.isArray(names) || !/^\d+\.\d+$/.test(String(names.at(-1)))) return {};
  // The names alone would keep the number out.
  return { type: ['string', 'number'], anyOf: [...ways, { type: 'number' }] };
}

/** Rules all have the same values; a schema that is read for one of them says so there. */
function byCode({ allOf, properties: codes }: Schema): Schema {
  if (!allOf || !codes) return {};
  const each = Object.entries(codes as Schema).map(([code, schema]) => [
    code,
    { ...(schema as Schema), enum: severities },
  ]);
  return { properties: Object.fromEntries(each) };
}
