import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Value, valueAt } from '../../server/src/base/value.ts';
import { type Json, plainValue, readJson } from '../../server/src/gostd/json.ts';
import { createCrd } from '../../server/src/kubernetes/crd/create.ts';
import type { CrdFinding } from '../../server/src/kubernetes/crd/findings.ts';
import { updateCrd } from '../../server/src/kubernetes/crd/update.ts';
import type { Verdict } from '../../server/src/kubernetes/crd/verdict.ts';
import { rules } from '../../server/src/rules/model/registry.ts';
import { loadCases } from '../conformance/cases.ts';
import { rawMembers } from '../conformance/protocol.ts';

interface Judged {
  readonly name: string;
  readonly document: Value;
  readonly verdict: Verdict;
}

function json(text: string | undefined): Json {
  const read = readJson(text ?? 'null');
  assert.ok('json' in read);
  return read.json;
}

function judge(name: string, op: string, request: string): Judged | undefined {
  const members = rawMembers(request);
  if (members.has('format')) return undefined;
  const crd = json(members.get('crd'));
  if (op === 'crd.create') return { name, document: plainValue(crd), verdict: createCrd(crd) };
  if (op !== 'crd.update') return undefined;
  const notEstablished = members.get('notEstablished') === 'true';
  return { name, document: plainValue(crd), verdict: updateCrd(json(members.get('old')), crd, { notEstablished }) };
}

const files = loadCases((name) => name.startsWith('crd/'));
const judged = files
  .flatMap((file) => file.cases.map((one) => judge(`${file.name} › ${one.name}`, one.op, one.request)))
  .filter((one) => one !== undefined);

/** Said of what the document need not hold: the server's own state, names that were defaulted, lists left out. */
const aboutNothingWritten = new Set([
  'crd/stored-versions-empty',
  'crd/stored-version-missing',
  'crd/stored-versions-storage',
  'crd/storage-version',
  'crd/name-label',
  'crd/kind-label',
  'crd/list-kind-same',
  'crd/version-name',
  'crd/map-key-undeclared',
  'crd/immutable',
  'metadata/immutable',
  'metadata/name',
]);

/** What is missing is missing from a map; anything else is written where it is found. */
function stands(document: Value, finding: CrdFinding): boolean {
  if (finding.anchor === 'missing') return finding.missing !== undefined && finding.missing.length > 0;
  return aboutNothingWritten.has(finding.code) || valueAt(document, finding.path) !== undefined;
}

test('every finding stands somewhere in the document', () => {
  const lost = judged.flatMap(({ name, document, verdict }) =>
    [...verdict.errors, ...verdict.warnings]
      .filter((finding) => !stands(document, finding))
      .map((finding) => `${finding.code} ${finding.field} → ${JSON.stringify(finding.path)} in ${name}`),
  );
  assert.deepEqual(lost.slice(0, 40), []);
});

/** Codes that no recorded case can show: rules over defaults are not run yet, the rest the server's own doing prevents. */
const unreachable = new Set<string>([
  'crd/default-rule',
  'metadata/namespace',
  'metadata/resource-version',
  'metadata/generation',
  'crd/decode',
  // These are no findings: a crash, and what is said around the verdict.
  'crd/default-left-out',
  'crd/server-panic',
  // The handlers merge owners before anything is validated: recorded over HTTP.
  'metadata/repeated-owner',
  // Only in objects that others embed; in the metadata of a CRD the server replaces it.
  'metadata/managed-fields',
  'crd/storage-version-removed',
  'crd/v1beta1',
]);

const crdCodes = rules.map(({ code }) => code).filter((code) => /^(crd|metadata)\//.test(code));

test('every code is said of some recorded case', () => {
  const said = new Set<string>(
    judged.flatMap(({ verdict }) => [...verdict.errors, ...verdict.warnings].map((f) => f.code)),
  );
  const strict = new Set(judged.flatMap(({ verdict }) => verdict.strict.map((problem) => `crd/${problem.kind}-field`)));
  assert.deepEqual(
    crdCodes.filter((code) => !said.has(code) && !strict.has(code) && !unreachable.has(code)),
    [],
  );
});

test('a hoisted schema is reported at the top and found in the first version', () => {
  const version = { served: true, storage: true, schema: { openAPIV3Schema: { type: 'foo' } } };
  const text = JSON.stringify({ spec: { versions: [{ name: 'v1', ...version }] } });
  const finding = createCrd(json(text)).errors.find((one) => one.code === 'crd/type-unknown');
  assert.equal(finding?.field, 'spec.validation.openAPIV3Schema.type');
  assert.deepEqual(finding?.path, ['spec', 'versions', 0, 'schema', 'openAPIV3Schema', 'type']);
});

test('the webhook is reported without and found with its own name', () => {
  const webhook = { clientConfig: { service: { namespace: 'n' } } };
  const text = JSON.stringify({ spec: { conversion: { strategy: 'Webhook', webhook } } });
  const finding = createCrd(json(text)).errors.find((one) => one.code === 'crd/webhook-service-required');
  assert.equal(finding?.field, 'spec.conversion.webhookClientConfig.service.namespace');
  assert.deepEqual(finding?.path, ['spec', 'conversion', 'webhook', 'clientConfig', 'service']);
});

test('an update of a CRD that passes create is judged the same without another look at its spec', () => {
  const requests = files
    .flatMap((file) => file.cases.filter(({ op }) => op === 'crd.update'))
    .map(({ request }) => rawMembers(request))
    .filter((members) => !members.has('format'));
  const passing = requests.filter((members) => createCrd(json(members.get('crd'))).errors.length === 0);
  assert.ok(passing.length > 100, `${passing.length} of ${requests.length} pass create`);
  for (const members of passing) {
    const [old, crd] = [json(members.get('old')), json(members.get('crd'))];
    assert.deepEqual(updateCrd(old, crd, { specPassesCreate: true }).errors, updateCrd(old, crd).errors);
  }
});
