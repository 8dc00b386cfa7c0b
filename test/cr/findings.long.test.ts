import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { type Json, readJson } from '../../server/src/gostd/json.ts';
import { createResource } from '../../server/src/kubernetes/cr/create.ts';
import type { CrFinding } from '../../server/src/kubernetes/cr/findings.ts';
import { type ServedCrd, serveCrd } from '../../server/src/kubernetes/cr/served.ts';
import { updateResource } from '../../server/src/kubernetes/cr/update.ts';
import type { ResourceVerdict } from '../../server/src/kubernetes/cr/verdict.ts';
import { kubernetesVersion, newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { rules } from '../../server/src/rules/model/registry.ts';
import { loadCases } from '../conformance/cases.ts';
import { rawMembers } from '../conformance/protocol.ts';

interface Judged {
  readonly name: string;
  readonly verdict: ResourceVerdict;
}

function json(text: string | undefined): Json {
  const read = readJson(text ?? 'null');
  assert.ok('json' in read);
  return read.json;
}

function serve(document: Json): ServedCrd | undefined {
  const serving = serveCrd(document, newestVersion);
  return 'error' in serving ? undefined : serving;
}

function judge(name: string, request: string): Judged | undefined {
  const members = rawMembers(request);
  const crd = members.has('format') ? undefined : serve(json(members.get('crd')));
  if (!crd) return undefined;
  const obj = json(members.get('obj'));
  if (!members.has('old')) return { name, verdict: createResource(obj, crd) };
  const subresource = members.get('subresource') === '"status"' ? ('status' as const) : undefined;
  return { name, verdict: updateResource(json(members.get('old')), obj, crd, { subresource }) };
}

const judged = loadCases((name) => name.startsWith('cr/'))
  .flatMap((file) => file.cases.map((one) => judge(`${file.name} › ${one.name}`, one.request)))
  .filter((one) => one !== undefined);

const findings = judged.flatMap(({ verdict }) => [...verdict.errors, ...verdict.warnings]);

/** Said of a request before it is validated, or only where the API server itself changes nothing about it. */
const neverFound = new Set<string>([
  'cr/decode',
  'cr/unknown-field',
  'cr/duplicate-field',
  'embedded/metadata',
  'metadata/generation',
  'metadata/resource-version',
  // The handlers merge owners before anything is validated: recorded over HTTP.
  'metadata/repeated-owner',
  // What is said around the verdict is no finding.
  'cr/dumped',
  'cr/kind-defined-twice',
  'cr/kind-misspelled',
  'cr/lost-in-storage',
  'cr/namespace-dropped',
  'cr/no-such-version',
  'cr/pattern-left-out',
  'cr/placeholder',
  'cr/rule-left-out',
  'cr/status-dropped',
  'cr/unknown-kind',
  'cr/version-deprecated',
]);

const crCodes = rules.map(({ code }) => code).filter((code) => /^(cr|embedded|metadata)\//.test(code));

test('every code is drawn by some recorded case', () => {
  const drawn = new Set<string>(findings.map(({ code }) => code));
  assert.deepEqual(
    crCodes.filter((code) => !drawn.has(code) && !neverFound.has(code)),
    [],
  );
});

test('no recorded case leaves a rule out', () => {
  const left = judged.filter(({ verdict }) => verdict.leftOut.length > 0);
  assert.deepEqual(
    left.map(({ name }) => name),
    [],
  );
});

/** What the server adds to a request, or takes from the old object. */
const ofTheServer = new Set(['cr/rules-not-checked', 'metadata/immutable', 'metadata/name', 'cr/scale', 'cr/rule']);

function stands(stored: Value, finding: CrFinding): boolean {
  const { path, anchor, code } = finding;
  if (ofTheServer.has(code) || path[0] === 'metadata') return true;
  const at = valueAt(stored, path);
  return anchor === 'missing' ? at === undefined || isMap(at) : at !== undefined;
}

test('findings stand where the stored object has something, or lacks it', () => {
  const astray = judged.flatMap(({ name, verdict }) => {
    const { stored } = verdict;
    if (stored === undefined) return [];
    return verdict.errors
      .filter((finding) => !stands(stored, finding))
      .map(({ code, path }) => `${name}: ${code} at ${path.join('.')}`);
  });
  assert.deepEqual(astray, []);
});

const definition = `{
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": "widgets.example.com"},
  "spec": {"group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
    "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
      "spec": {"type": "object", "required": ["size"], "properties": {
        "size": {"type": "integer", "maximum": 3}, "mode": {"type": "string", "enum": ["on", "off"]},
        "parts": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
      }, "x-kubernetes-validations": [{"rule": "true"}, {"rule": "self.size > 1", "message": "too small"}]}
    }}}}]}
}`;

function create(spec: string): ResourceVerdict {
  const text = `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": ${spec}}`;
  return createResource(json(text), serve(json(definition))!);
}

test('an unknown field comes with the names that its neighbours could have', () => {
  const { strict } = create('{"size": 2, "parts": [{"nam": "x"}], "sise": 1}');
  assert.deepEqual(
    strict.map(({ message, path, known }) => ({ message, path, known })),
    [
      { message: 'unknown field "spec.parts[0].nam"', path: ['spec', 'parts', 0, 'nam'], known: ['name'] },
      { message: 'unknown field "spec.sise"', path: ['spec', 'sise'], known: ['size', 'mode', 'parts'] },
    ],
  );
});

test('a missing field is found at the map that lacks it', () => {
  const [first] = create('{}').errors;
  assert.equal(first?.code, 'cr/required');
  assert.deepEqual({ path: first.path, anchor: first.anchor }, { path: ['spec'], anchor: 'missing' });
  assert.deepEqual(first.missing, ['size']);
});

test('a wrong value comes with its schema and what it may be', () => {
  const [choice] = create('{"size": 2, "mode": "of"}').errors;
  assert.equal(choice?.code, 'cr/enum');
  assert.deepEqual(choice.facts.allowed, ['on', 'off']);
  assert.equal(choice.facts.schema?.type, 'string');
});

test('a failed rule is named by its place among the rules of its node', () => {
  const [failed] = create('{"size": 1}').errors;
  assert.equal(failed?.code, 'cr/rule');
  const { index, self, rule } = failed.facts;
  assert.deepEqual({ index, self }, { index: 1, self: ['spec'] });
  assert.equal(rule?.rule, 'self.size > 1');
});

test('a CRD is made ready once, however many objects are judged by it', () => {
  const document = json(definition);
  const first = serve(document)!;
  const version = first.versions.get('v1');
  for (const spec of ['{"size": 2}', '{"size": 9}', '{}']) {
    const text = `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": ${spec}}`;
    createResource(json(text), serve(document)!);
  }
  assert.equal(serve(document), first);
  assert.equal(serve(document)!.versions.get('v1'), version);
  assert.notEqual(serveCrd(document, kubernetesVersion('1.33')!), first);
});
