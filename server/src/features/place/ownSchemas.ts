import type { Value, ValueMap } from '../../base/value.ts';
import { crdTestsSchema, expressionTestsSchema, policyTestsSchema } from '../../crdtest/schema.ts';
import { ruleTitles } from '../../rules/model/registry.ts';
import { isConfig } from '../../workspace/config.ts';
import { configSchema } from '../../workspace/configSchema.ts';
import { isKustomization, isPlayground, isTestFile } from '../../workspace/fileNames.ts';
import type { SchemaNode } from '../../workspace/schemaNode.ts';
import { type Json, settingsTable } from '../../workspace/settings.ts';
import { kustomizationSchema } from './kustomizationSchema.ts';
import { playgroundSchema } from './playground.ts';

/** The schema of a file that is ours, for completion and hover; undefined for all others. */
export function ownSchema(uri: string, text = ''): SchemaNode | undefined {
  if (isConfig(uri)) return configRoot;
  if (isPlayground(uri)) return playgroundRoot;
  if (isKustomization(uri)) return kustomizationRoot;
  if (!isTestFile(uri)) return undefined;
  if (/^expressions:/m.test(text)) return expressionTestsRoot;
  return /^policy:/m.test(text) ? policyTestsRoot : crdTestsRoot;
}

const rootOf = (schema: Json): SchemaNode => ({
  schema: toValue(schema) as ValueMap,
  path: undefined,
  definition: undefined,
  isWhole: true,
});

/** Names to choose from are offered wherever they are among what is allowed, and the first of several types is shown. */
function toValue(json: Json): Value {
  if (Array.isArray(json)) return json.map(toValue);
  if (typeof json !== 'object' || json === null) return json as Value;
  const map = new Map(Object.entries(json).map(([key, value]) => [key, toValue(value)]));
  const [type] = [map.get('type')].flat();
  if (typeof type === 'string') map.set('type', type);
  const [choices] = (json as { readonly anyOf?: readonly Readonly<Record<string, Json>>[] }).anyOf ?? [];
  return choices?.enum === undefined ? map : map.set('enum', toValue(choices.enum));
}

const configRoot = rootOf(configSchema(settingsTable(ruleTitles)));
const kustomizationRoot = rootOf(kustomizationSchema);
const crdTestsRoot = rootOf(crdTestsSchema);
const expressionTestsRoot = rootOf(expressionTestsSchema);
const policyTestsRoot = rootOf(policyTestsSchema);
const playgroundRoot = rootOf(playgroundSchema);
