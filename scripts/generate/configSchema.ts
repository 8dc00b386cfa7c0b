import { crdTestsSchema, expressionTestsSchema, policyTestsSchema } from '../../server/src/crdtest/schema.ts';
import { ruleTitles } from '../../server/src/rules/model/registry.ts';
import { configSchema } from '../../server/src/workspace/configSchema.ts';
import { settingsTable } from '../../server/src/workspace/settings.ts';

const draft = 'http://json-schema.org/draft-07/schema#';

/** `*.crdtest.yaml` for other programs. */
export function publishedTestSchema(): object {
  const title = '*.crdtest.yaml: tests of a CRD, of policies or of other expressions';
  return { $schema: draft, title, anyOf: [crdTestsSchema, policyTestsSchema, expressionTestsSchema] };
}

/** `.kube-crd.yaml` for other programs: what an override may set is said once. */
export function publishedConfigSchema(): object {
  const whole = JSON.parse(JSON.stringify(configSchema(settingsTable(ruleTitles))));
  const { properties } = whole.properties.overrides.items;
  for (const name of Object.keys(properties)) if (name !== 'files') properties[name] = { $ref: `#/properties/${name}` };
  const title = '.kube-crd.yaml: settings of kube-crd for the files below its folder';
  return { $schema: draft, title, ...whole };
}
