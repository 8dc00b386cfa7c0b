import type { Value, ValueMap } from '../base/value.ts';
import { ruleTitles } from '../rules/model/registry.ts';
import { configSchema } from '../workspace/configSchema.ts';
import type { SchemaNode } from '../workspace/schemaNode.ts';
import { type Json, settingsTable } from '../workspace/settings.ts';

/** The schema of `.kube-crd.yaml`, for completion and hover. */
export const configRoot: SchemaNode = {
  schema: toValue(configSchema(settingsTable(ruleTitles))) as ValueMap,
  path: undefined,
  definition: undefined,
  isWhole: true,
};

/** Names to choose from are offered wherever they are among what is allowed. */
function toValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  const map = new Map(Object.entries(json).map(([key, value]) => [key, toValue(value)]));
  const [type] = [map.get('type')].flat();
  if (typeof type === 'string') map.set('type', type);
  const [choices] = (json as { readonly anyOf?: readonly Readonly<Record<string, Json>>[] }).anyOf ?? [];
  return choices?.enum === undefined ? map : map.set('enum', toValue(choices.enum));
}
