import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { lintFamily } from '../../server/src/rules/lints/lint.ts';
import { lintCrd } from '../../server/src/rules/lints/lintCrd.ts';
import type { Severity } from '../../server/src/workspace/settings.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';

// What is known of a schema is kept, so a check must find the same whatever was asked of the schema before.

const words = { title: '', explanation: '', bad: '', good: '' };

/** Two lints of our own: one finds nothing, the other, which is off unless asked for, marks every string. */
const lints = Object.values(
  lintFamily<{ 'lint/quiet': undefined; 'lint/strings': undefined }>()({
    'lint/quiet': { ...words, severity: 'hint', restsOn: 'schema', check: () => [] },
    'lint/strings': {
      ...words,
      severity: 'off',
      restsOn: 'schema',
      check: ({ schema, name }) =>
        schema.type === 'string' ? [{ message: name ?? '', at: ['type'], anchor: 'value' }] : [],
    },
  }),
);

const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                color: {type: string}
                tags: {type: array, items: {type: string}}
`;

function found(file: ReturnType<typeof sourceFile>, rules: [string, Severity | 'off'][]): string[] {
  const settings = { rules: new Map(rules) };
  return lintCrd(lints, file.manifests[0]!, newestVersion, settings).map(
    ({ code, message, path }) => `${code} ${message} ${path.slice(-3).join('.')}`,
  );
}

const all = ['lint/strings color properties.color.type', 'lint/strings  tags.items.type'];

test('a lint that is off unless asked for finds as much after a pass without it', () => {
  const file = sourceFile('crd.yaml', text);
  assert.deepEqual(found(file, []), []);
  assert.deepEqual(found(file, [['lint/strings', 'warning']]), all);
  assert.deepEqual(found(file, []), []);
  assert.deepEqual(found(file, [['lint/strings', 'warning']]), all);
});

test('a lint that is switched off is not looked for, and others are', () => {
  const file = sourceFile('crd.yaml', text);
  const strings: [string, Severity][] = [['lint/strings', 'warning']];
  assert.deepEqual(found(file, [...strings, ['lint/quiet', 'off']]), all);
  assert.deepEqual(found(file, [['lint/quiet', 'off']]), []);
});

test('a lint that goes by a name is asked for each name of one and the same schema', () => {
  const byName = Object.values(
    lintFamily<{ 'lint/name': undefined }>()({
      'lint/name': {
        ...words,
        severity: 'hint',
        restsOn: 'schema',
        check: ({ name }) => (name === 'colour' ? [{ message: '', at: [], anchor: 'key' }] : []),
      },
    }),
  );
  const twice = text.replace('color: {type: string}', 'color: &same {type: string}\n                colour: *same');
  const before = sourceFile('crd.yaml', text);
  const after = sourceFile('crd.yaml', text.replace('color:', 'colour:'), { previous: before });
  const count = (file: typeof before) =>
    lintCrd(byName, file.manifests[0]!, newestVersion, { rules: new Map() }).length;
  assert.deepEqual([count(before), count(after), count(sourceFile('crd.yaml', twice))], [0, 1, 1]);
});
