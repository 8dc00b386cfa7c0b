import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { withConfiguration } from '../../scripts/generate/packageJson.ts';
import { usageText } from '../../server/src/cli/table/help.ts';
import { completeRule } from '../../server/src/features/complete/completeRule.ts';
import { type Json, readJson } from '../../server/src/gostd/json.ts';
import { updateCrd } from '../../server/src/kubernetes/crd/update.ts';
import { kubernetesVersions, newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { KubernetesVersion } from '../../server/src/kubernetes/releases/release.ts';
import { rulePlace } from '../../server/src/workspace/rulePlace.ts';
import { settingsTable } from '../../server/src/workspace/settings.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { v138 } from './1.38.ts';

const versions: [KubernetesVersion, ...KubernetesVersion[]] = [v138, ...kubernetesVersions];

test('package.json offers the release and takes it by default', () => {
  const written = withConfiguration(readFileSync('package.json', 'utf8'), settingsTable({}, versions));
  const { properties } = JSON.parse(written).contributes.configuration;
  assert.equal(properties['kubeCrd.kubernetesVersion'].default, '1.38');
  assert.equal(properties['kubeCrd.kubernetesVersion'].anyOf[0].enum[0], '1.38');
  assert.deepEqual(properties['kubeCrd.minimumKubernetesVersion'].enum.slice(0, 2), ['', '1.38']);
});

test('the command line names the release in its help', () => {
  assert.match(usageText('0.0.0', versions), /Known Kubernetes versions: 1\.38, 1\.37, /);
});

const rule = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  versions:
    - schema:
        openAPIV3Schema:
          type: object
          properties:
            name:
              type: string
              x-kubernetes-validations:
                - rule: self.
`;

function functionsIn(kubernetes: KubernetesVersion): string[] {
  const [manifest] = sourceFile('mem:/crd.yaml', rule).manifests;
  const schema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'properties', 'name'];
  const place = rulePlace(manifest!, [...schema, 'x-kubernetes-validations', 0, 'rule'], kubernetes);
  return completeRule(place!, 'self.'.length).map(({ label }) => label);
}

test('completion offers what came with the release, in it alone', () => {
  assert.ok(functionsIn(v138).includes('shout'));
  assert.ok(!functionsIn(newestVersion).includes('shout'));
});

function crd(version: string): Json {
  const text = `{
    "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {"name": "boxes.example.com", "resourceVersion": "1"},
    "spec": {
      "group": "example.com", "scope": "Namespaced", "names": {"kind": "Box", "plural": "boxes"},
      "versions": [{"name": "${version}", "served": true, "storage": true,
                    "schema": {"openAPIV3Schema": {"type": "object"}}}]
    },
    "status": {"storedVersions": ["v1"]}
  }`;
  const read = readJson(text);
  assert.ok('json' in read);
  return read.json;
}

test('a text that the release changed is said in it alone', () => {
  const messages = (kubernetes: KubernetesVersion) =>
    updateCrd(crd('v1'), crd('v2'), { kubernetes }).errors.map(({ message }) => message);
  assert.match(messages(v138).join(), /must appear in spec\.versions/);
  assert.match(messages(newestVersion).join(), /missing from spec\.versions/);
});
