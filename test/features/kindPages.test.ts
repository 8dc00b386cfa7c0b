import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { resourcesOf } from '../../server/src/features/views/crdChanges.ts';
import { documentationOf, preferredVersion, tablesOf } from '../../server/src/features/views/kindPages.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { emptySnapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';

const crd = readFileSync('examples/crds/databases.yaml', 'utf8');
const snapshot = withOpen(emptySnapshot, sourceFile('file:///crd.yaml', crd));
const [definition] = [...snapshot.definitions.values()].flat();

const database = (name: string, spec: string, version = 'v1') =>
  `apiVersion: storage.example.com/${version}\nkind: Database\nmetadata: {name: ${name}, namespace: shop}\nspec: ${spec}\n`;

test('a table has the columns and cells that kubectl prints, and says what it cannot show', () => {
  const text = `${database('b', '{engine: "mysql|<b>"}')}---\n${database('a', '{engine: postgres}')}---\n${database('c', '{}', 'v9')}`;
  const page = tablesOf(snapshot, definition!, resourcesOf(sourceFile('file:///a.yaml', text), definition!), 0).source;
  assert.equal(
    page,
    `# kubectl get database

## storage.example.com/v1

| NAMESPACE | NAME | ENGINE | READY |
|---|---|---|---|
| shop | a | postgres |  |
| shop | b | mysql&#124;\\<b> |  |

Not shown:

- c: the CRD of Database has no version v9
`,
  );
  assert.match(tablesOf(snapshot, definition!, [], 0).source, /Nothing in the workspace is of this kind\./);
});

test('the documentation of a kind has all of its fields', () => {
  const page = documentationOf(definition!, newestVersion).source;
  assert.match(page, /^# Database\n/);
  for (const field of ['spec.engine', 'spec.storage.size', 'spec.users']) assert.ok(page.includes(field), field);
});

test('kubectl takes no version that is not served', () => {
  const versions = ['{name: v2, served: false}', '{name: v1beta1, served: true}', '{name: v1alpha1, served: true}'];
  const text = (all: readonly string[]) =>
    `kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {group: g.example.com, names: {kind: A}, versions: [${all}]}\n`;
  const preferred = (all: readonly string[]) => {
    const { definitions } = withOpen(emptySnapshot, sourceFile('file:///a.yaml', text(all)));
    return preferredVersion([...definitions.values()].flat()[0]!);
  };
  assert.equal(preferred(versions), 'v1beta1');
  assert.equal(preferred(versions.slice(0, 1)), 'v2');
});
