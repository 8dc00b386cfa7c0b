import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { findingsIn } from '../../server/src/features/charts/diagnoseChart.ts';
import { diagnoseGo } from '../../server/src/features/golang/diagnoseGo.ts';
import { markerMistakes } from '../../server/src/features/golang/markerMistakes.ts';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { updateCrd } from '../../server/src/kubernetes/crd/update.ts';
import { ruleOf, rules } from '../../server/src/rules/model/registry.ts';
import type { AnyRule } from '../../server/src/rules/model/rule.ts';
import { configName } from '../../server/src/workspace/fileNames.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { valueOf } from '../../server/src/yaml/value.ts';
import { chartOf } from '../support/charts.ts';
import { viewOfText } from '../support/goFiles.ts';
import { type Notation, readSuite, type SuiteCase } from '../support/suite.ts';
import { applyEdits, sharedFile, snapshotOf, snapshotOfCase } from '../support/workspace.ts';

// What the documentation shows is true: the wrong example gives exactly its code, the right one gives nothing, and the
// safe fix turns the one into the other.
for (const rule of rules) {
  const { code, good, notShown, onUpdate, language } = rule;
  if (language === 'go') {
    if (code === 'go/unread') testUnread(rule);
    else testGo(rule);
    continue;
  }
  if (language === 'helm') {
    testTemplate(rule);
    continue;
  }
  if (onUpdate && !notShown) testUpdate(rule);
  else if (!notShown) testAlone(rule);
  if (onUpdate) continue;
  test(`${code}: the right example gives nothing`, () => {
    assert.deepEqual(codes(example(good, code)), []);
  });
}

/** The example is the only template of a chart. */
function testTemplate({ code, bad, good }: AnyRule): void {
  const found = (template: string) => {
    const files = { 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n', 'templates/a.yaml': template };
    const chart = chartOf(files);
    return findingsIn(emptySnapshot, chart, `${chart.root}/templates/a.yaml`).map((one) => one.code);
  };
  test(`${code}: the wrong template gives it, the right one nothing`, () => {
    assert.deepEqual(found(bad), [code]);
    assert.deepEqual(found(good), []);
  });
}

test('only rules whose problem no document shows by itself go without a run of their wrong example', () => {
  const unshown = rules.filter(({ notShown }) => notShown).map(({ code }) => code);
  assert.deepEqual(unshown.sort(), [
    'builtin/duplicate-field',
    'builtin/immutable',
    'builtin/too-long',
    'chart/broken',
    'chart/kube-version',
    'chart/missing-dependency',
    'chart/schema-not-judged',
    'chart/schema-refused',
    'chart/stand-in',
    'chart/too-much',
    'chart/unused-value',
    'chart/values-schema',
    'chart/values-unresolved',
    'cr/additional-properties',
    'cr/duplicate-field',
    'cr/list-map-item',
    'cr/pattern-left-out',
    'cr/rule-unchanged',
    'crd/duplicate-field',
    'crd/storage-version-removed',
    'crd/stored-version-missing',
    'crd/stored-versions-storage',
    'embedded/metadata',
    'file/left-out',
    'file/not-judged',
    'file/too-much',
    'flux/path-not-found',
    'flux/substitution',
    'flux/variable-not-set',
    'go/by-hand',
    'go/stale',
    'go/too-much',
    'kustomize/deprecated-field',
    'kustomize/left-out',
    'kustomize/list-replaced',
    'kustomize/not-built',
    'kustomize/outside',
    'kustomize/patch-changes-nothing',
    'kustomize/patch-matches-nothing',
    'kustomize/too-much',
    'lint/crd-renamed',
    'lint/function-too-new',
    'lint/refused-by-minimum',
    'lint/size-apply',
    'lint/size-etcd',
    'lint/size-request',
    'metadata/annotations-too-long',
    'metadata/generation',
    'metadata/namespace',
    'metadata/resource-version',
    'policy/static-name-warning',
    'test/failed',
  ]);
});

function testAlone({ code, bad, good, along = [] }: AnyRule): void {
  test(`${code}: the wrong example gives this code and those that come with it`, () => {
    assert.deepEqual([...new Set(codes(example(bad, code)))].sort(), [code, ...along].sort());
  });
  test(`${code}: a safe fix of the wrong example gives the right one, any other takes the finding away`, () => {
    const one = example(bad, code);
    const { uri, text } = one.files.at(-1)!;
    const snapshot = snapshotOfCase(one);
    const found = diagnose(snapshot, uri);
    const fixes = found
      .filter((problem) => problem.code === code)
      .flatMap((problem) => fixesFor(snapshot, uri, { code, key: problem.key }));
    for (const { edits, title } of fixes) {
      const fixed = applyEdits(text, edits);
      const left = diagnose(snapshotOf([...one.files.slice(0, -1), { uri, text: fixed }], one.settings), uri);
      const count = (all: readonly { code: string }[]) => all.filter((problem) => problem.code === code).length;
      assert.ok(count(left) < count(found), `${title} leaves the finding:\n${fixed}`);
      // What the API server only warns of shows once nothing is refused any more.
      const added = left.filter(
        (problem) => problem.severity === 'error' && !found.some((before) => before.code === problem.code),
      );
      assert.deepEqual(added, [], `${title} adds findings:\n${fixed}`);
    }
    const safe = fixes.find((fix) => fix.safe);
    if (safe) assert.equal(applyEdits(text, safe.edits), example(good, code).files.at(-1)!.text);
  });
}

function testUnread({ code, bad, good }: AnyRule): void {
  const head = `// +groupName=example.com
package v1

import (
	"example.com/other"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

`;
  test(`${code}: the wrong example gives this code, and the right one nothing`, async () => {
    const codes = async (text: string) =>
      diagnoseGo(emptySnapshot, await viewOfText(`${head}${text}`)).map((problem) => problem.code);
    assert.deepEqual([await codes(bad), await codes(good)], [[code], []]);
  });
}

function testGo({ code, bad, good }: AnyRule): void {
  const found = (text: string) => markerMistakes(parseGo(`package v1\n\n${text}`));
  test(`${code}: the wrong example gives this code alone, and a safe fix leaves nothing of it`, () => {
    const problems = found(bad);
    assert.deepEqual([...new Set(problems.map((problem) => problem.code))], [code]);
    const safe = problems.flatMap(({ fixes }) => fixes.filter((fix) => fix.safe).slice(0, 1));
    if (safe.length < problems.length) return;
    const text = applyEdits(
      `package v1\n\n${bad}`,
      safe.flatMap(({ edits }) => edits),
    );
    assert.deepEqual(markerMistakes(parseGo(text)), []);
  });
  test(`${code}: the right example gives nothing`, () => {
    assert.deepEqual(found(good), []);
  });
}

/** The two documents of an example on update: what is stored, and what replaces it. */
function testUpdate({ code, bad, good, along = [] }: AnyRule): void {
  test(`${code}: the wrong update gives this code and those that come with it`, () => {
    assert.deepEqual([...new Set(updateCodes(bad, code))].sort(), [code, ...along].sort());
  });
  test(`${code}: the right update gives nothing`, () => {
    assert.deepEqual(updateCodes(good, code), []);
  });
}

function updateCodes(text: string, code: string): string[] {
  const [head, ...rest] = text.split('\n');
  const [old, changed] = rest
    .join('\n')
    .split('---\n')
    .map((part) => wholeExample(`${head}\n${part}`));
  if (code.startsWith('lint/')) return lintsOfUpdate(old!, changed!);
  const [before, after] = [old!, changed!].map((one) => valueOf(parseDocument(one))!);
  return updateCrd(before!, after!).errors.map((found) => found.code);
}

function lintsOfUpdate(committed: string, changed: string): string[] {
  const [one] = readSuite(`## example\n\`\`\`\`yaml\n${changed}\`\`\`\`\n`, sharedFile, noNotation);
  return codes({ ...one!, settings: { lints: 'on' }, fences: new Map([['committed', committed]]) });
}

function codes(one: SuiteCase): string[] {
  return diagnose(snapshotOfCase(one), one.files.at(-1)!.uri).map((found) => found.code);
}

/** An example is YAML alone. */
const noNotation: Notation = { fences: [], settings: [], isCode: () => false };

/** With our own warnings where the example is of one of them. */
function example(text: string, code: string): SuiteCase {
  const name = code.startsWith('config/') ? configName : code.startsWith('test/') ? 'a.crdtest.yaml' : '';
  const file = `yaml ${name}`.trim();
  const [one] = readSuite(`## example\n\`\`\`\`${file}\n${wholeExample(text)}\`\`\`\`\n`, sharedFile, noNotation);
  return { ...one!, settings: { ...one!.settings, lints: code.startsWith('lint/') ? lintsFor(code) : 'off' } };
}

/** A warning that is off by default comes alone: its siblings hold of many examples. */
const lintsFor = (code: string) => (ruleOf(code)?.severity === 'off' ? code : 'on');

/** `#- use: PART` at the head of an example says which part of a small CRD it is, `#- name: NAME` what that is called. */
function wholeExample(text: string): string {
  const part = /^#- use: (schema|version|spec|metadata|whole)\n/.exec(text)?.[1];
  if (part === undefined) return text;
  const name = /^#- name: (.*)$/m.exec(text)?.[1] ?? 'widgets.example.com';
  const body = text.replace(/^#- .*\n/gm, '');
  if (part === 'whole') return body;
  const schema = part === 'schema' ? body : 'color: {type: string}\n';
  const version = merged(part === 'version' ? body : '', versionAround(schema));
  const spec = merged(part === 'spec' ? body : '', specAround(version));
  const metadata = part === 'metadata' ? body : `name: ${name}\n`;
  const head = 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n';
  return `${head}metadata:\n${indent(metadata, 2)}spec:\n${indent(spec, 2)}`;
}

const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, ' '.repeat(by));

/** The blocks of the usual text, by key, with those of an example in their place. */
function merged(own: string, usual: string): string {
  const blocks = (text: string) => text.split(/^(?=\S)(?!- )/m).filter(Boolean);
  const key = (block: string) => /^[^:]*/.exec(block)![0];
  const given = blocks(own);
  const replaced = blocks(usual).map((block) => given.find((one) => key(one) === key(block)) ?? block);
  const extra = given.filter((one) => !replaced.includes(one));
  return [...replaced, ...extra].join('');
}

function versionAround(properties: string): string {
  return `name: v1
served: true
storage: true
schema:
  openAPIV3Schema:
    type: object
    properties:
      spec:
        type: object
        properties:
${indent(properties, 10)}`;
}

function specAround(version: string): string {
  return `group: example.com
scope: Namespaced
names: {plural: widgets, kind: Widget}
versions:
  - ${indent(version, 4).trimStart()}`;
}
