import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type CoverageLog, coverageLog } from '../../server/src/crdtest/coverage.ts';
import { coverageText } from '../../server/src/crdtest/coverageText.ts';
import { runFile, type TestResult } from '../../server/src/crdtest/runFile.ts';
import { readSuite } from '../../server/src/crdtest/suite.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { indexDefinitions } from '../../server/src/workspace/definitions.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { builtinFile } from '../support/workspace.ts';

// The cases of these files are what a real API server said (`npm run compare:policies`).
const folder = 'test/conformance/policies';
const names = readdirSync(folder);
const uriOf = (name: string) => pathToFileURL(path.resolve(folder, name)).href;
const textOf = (name: string) => readFileSync(path.join(folder, name), 'utf8');
const definitions = indexDefinitions(
  names.filter((name) => !name.includes('crdtest')).map((name) => sourceFile(uriOf(name), textOf(name))),
);

async function run(name: string, text: string, coverage?: CoverageLog): Promise<TestResult[]> {
  const uri = uriOf(name);
  const around = { files: nodeFiles, uri, definitions, builtin: async () => builtinFile() };
  const results: TestResult[] = [];
  const options = { ...around, usual: [newestVersion], wanted: () => true, coverage };
  for await (const result of runFile(sourceFile(uri, text), options)) results.push(result);
  return results;
}

for (const name of names.filter((one) => one.endsWith('.crdtest.yaml')))
  test(`policies say what the API server says: ${name}`, async () => {
    const results = await run(name, textOf(name));
    assert.ok(results.length > 5);
    assert.deepEqual(
      results
        .filter(({ failures }) => failures?.length !== 0)
        .map((one) => ({ name: one.name, failures: one.failures })),
      [],
    );
  });

const head = `policy: request.yaml
bases:
  notes: {apiVersion: v1, kind: ConfigMap, metadata: {name: notes, namespace: plain}}
cases:
`;

test('coverage has each expression of a policy in the ways that it can go', async () => {
  const coverage = coverageLog();
  await run('validating.crdtest.yaml', textOf('validating.crdtest.yaml'), coverage);
  const text = coverageText(coverage.all(), (uri) => path.basename(uri));
  assert.equal(text, 'replicas: 100% covered: rules 10/10\n');
  const few = coverageLog();
  await run(
    'validating.crdtest.yaml',
    textOf('validating.crdtest.yaml').replace(/ {2}- name: nine are too many\n[\s\S]*/, ''),
    few,
  );
  assert.match(
    coverageText(few.all(), (uri) => path.basename(uri)),
    /validating\.yaml:15: !variables\.isLarge: never false/,
  );
});

test('a case that fails says why', async () => {
  const cases: readonly (readonly [written: string, failures: readonly string[]])[] = [
    ['create: {}\n    denied: [never]', ['expected denial did not come: … never …']],
    [
      'create: {with: {data.say: user}}\n    user: joe\n    denied: [{policy: other}]',
      [
        'expected denial did not come: by other',
        "unexpected denial: ValidatingAdmissionPolicy 'request' with binding 'request' denied request: joe system:authenticated false false",
      ],
    ],
    [
      'create: {with: {data.say: user}}',
      [
        "unexpected denial: ValidatingAdmissionPolicy 'request' with binding 'request' denied request: the message depends on what is not known here: who makes the request",
      ],
    ],
    [
      'create: {with: {data.ask: get}}',
      ['it depends on what is not known here: what the authorizer says (say it with `access`)'],
    ],
    ['create: {}\n    audit: {request/none: x}', ['audit annotation request/none: expected "x", is nothing']],
    ['create: {}\n    expect: not matched', ['expected no policy to be for it, but request is']],
    ['create: {}\n    cost: 1', ['costs 212, more than 1']],
    [
      'create: {apiVersion: v1, kind: Secret, metadata: {name: s}}',
      ['no policy is for it (request: no resourceRule is for it); where that is meant, say `expect: not matched`'],
    ],
    [
      'create: {apiVersion: x.example/v1, kind: Thing, metadata: {name: s}}',
      ['the kind Thing of x.example/v1 is not known: name its CRD with `crd`'],
    ],
    [
      'create: {with: {data: [1]}}',
      [
        'the object cannot be decoded: json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
      ],
    ],
  ];
  for (const [written, failures] of cases) {
    const [result] = await run('mine.crdtest.yaml', `${head}  - name: one\n    ${written}\n`);
    assert.deepEqual(result?.failures, failures, written);
  }
});

test('whether a webhook is called may depend on a namespace that nobody wrote', async () => {
  const rules = "rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]";
  const webhook = `{name: a.example.com, namespaceSelector: {matchLabels: {team: x}}, ${rules}, sideEffects: None,
      admissionReviewVersions: [v1], clientConfig: {url: 'https://a.example.com'}}`;
  const objects = `objects:
  - apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingWebhookConfiguration
    metadata: {name: hooks}
    webhooks: [${webhook}]
`;
  const asked = `${head}  - name: one\n    create: {with: {metadata.namespace: other}}\n    called: []\n`;
  const namespace = '  - {apiVersion: v1, kind: Namespace, metadata: {name: other, labels: {team: x}}}\n';
  const [open] = await run('mine.crdtest.yaml', objects + asked);
  assert.deepEqual(open?.failures, [
    'it depends on what is not known here: the namespaceSelector asks for labels of the namespace other, which is not in the workspace (write the namespace under `objects`)',
  ]);
  const [known] = await run('mine.crdtest.yaml', objects + namespace + asked);
  assert.deepEqual(known?.failures, ['the webhook a.example.com is called']);
});

test('what means nothing in tests of policies is named with its place', () => {
  const { mistakes } = readSuite(
    parseDocument(`policy: [a.yaml, 1]
objects: [text]
user: {nme: x}
access: [{verb: get}, {decision: maybe}, text]
cases:
  - {name: a, rule: x}
  - {name: b, create: {apiVersion: v1, kind: A}, expect: maybe}
  - {name: c, create: {apiVersion: v1, kind: A}, expect: admitted, denied: [x]}
  - {name: d, delete: {apiVersion: v1, kind: A}, each: [{a: 1}]}
  - {name: e, create: {apiVersion: v1, kind: A}, denied: [1, {polcy: x}]}
`),
  );
  assert.deepEqual(
    mistakes.map(({ path, message }) => `${path.join('/')}: ${message}`),
    [
      'policy: expected `policy` to name a file, or several in a list',
      'objects/0: expected an object, such as a namespace or parameters',
      'user/nme: `nme` has no meaning here',
      'user: expected a `name`',
      'access/0/verb: `verb` has no meaning here',
      'access/1/decision: expected `allow`, `deny` or `no opinion`',
      'access/2: expected a row such as `{verbs: [get], resources: [secrets]}`',
      'cases/0/rule: `rule` has no meaning here',
      'cases/0: expected one of `create`, `update`, `status`, `delete`, `connect`',
      'cases/1/expect: expected `admitted`, `denied` or `not matched`',
      'cases/2/denied: a request that is denied is not admitted',
      'cases/3/each: `each` has no meaning here',
      'cases/4/denied/0: expected a part of the message, or a map with `policy`, `binding`, `message`, `contains` or `reason`',
      'cases/4/denied/1/polcy: `polcy` has no meaning here',
    ],
  );
});
