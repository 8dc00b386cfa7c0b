import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from '../support/program.ts';
import { crd, invented, valid } from './invented.ts';

// The protocol's own client, which checks every answer against the protocol's types, over the program as it is shipped.

const root = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-mcp-'));
const put = (name: string, text: string) => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
put('crd.yaml', crd);
put('widget.yaml', valid.widget!);
put(
  'widget.crdtest.yaml',
  'crd: crd.yaml\ncases:\n  - {name: it is taken, create: widget.yaml}\n  - {name: it is refused, create: widget.yaml, errors: [none]}\n',
);
put('api/go.mod', 'module example.com/api\n\ngo 1.24\n\nrequire k8s.io/apimachinery v0.34.0\n');
put(
  'api/v1/types.go',
  `// +groupName=example.com
// +versionName=v1
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

type Lamp struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata,omitempty"\`
	Watts int32 \`json:"watts"\`
}
`,
);

async function connected(mode: 'legacy' | 'auto' | { pin: string }): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], cwd: root, stderr: 'inherit' }),
  );
  return client;
}

let client: Client;
before(async () => {
  client = await connected('legacy');
});
after(async () => {
  await client.close();
  rmSync(root, { recursive: true, force: true });
});

async function called(name: string, given: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: given });
  const [content] = result.content as { type: 'text'; text: string }[];
  return { text: content!.text, structured: result.structuredContent as never, isError: result.isError === true };
}

for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
  test(`the tools are listed for a client of ${typeof mode === 'string' ? mode : mode.pin}`, async () => {
    const one = await connected(mode);
    const { tools } = await one.listTools();
    const names = ['check', 'explain', 'complete', 'eval', 'test', 'render', 'diff', 'generate'];
    assert.deepEqual(
      tools.map(({ name }) => name),
      names,
    );
    const { isError } = await one.callTool({ name: 'eval', arguments: { expression: '1 + 1' } });
    assert.equal(isError, false);
    await one.close();
  });
}

test('a draft is checked by the CRDs of the workspace, with fixes that were tried', async () => {
  const text = valid.widget!.replace('color: red', 'colour: red');
  const { structured, isError } = await called('check', { text });
  const { findings, exitCode } = structured as { findings: Finding[]; exitCode: number };
  assert.deepEqual([isError, exitCode, findings.length], [false, 1, 1]);
  assert.match(findings[0]!.message, /^unknown field "spec\.colour"/);
  assert.equal(findings[0]!.fixes[0]!.safe, true);
});

test('each tool answers what its command does', async () => {
  const answers = {
    complete: await called('complete', { what: 'widget.spec.backup' }),
    explain: await called('explain', { what: 'cr/unknown-field' }),
    eval: await called('eval', { expression: 'self.spec.size + 1', resource: 'widget.yaml' }),
    test: await called('test', {}),
    render: await called('render', { paths: ['widget.yaml'] }),
    diff: await called('diff', { old: 'crd.yaml', new: 'crd.yaml' }),
    generate: await called('generate', { paths: ['./api/v1'] }),
  };
  for (const [name, { isError, text }] of Object.entries(answers)) assert.equal(isError, false, `${name}: ${text}`);
  const { fields } = answers.complete.structured as { fields: { name: string; constraints?: string[] }[] };
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['enabled', 'keepDays'],
  );
  assert.match(fields[1]!.constraints!.join(), /90/);
  assert.match(answers.explain.text, /^# /);
  assert.match(answers.eval.text, /^4\ntype: int\n/);
  assert.match(answers.test.text, /it is refused/);
  assert.match(answers.render.text, /color: red/);
  assert.match(answers.generate.text, /plural: lamps/);
});

test('nothing outside of the workspace is named, and nothing is taken for an option', async () => {
  const outside = ['..', '/etc', '../*.yaml', 'crd.yaml/../../x', path.dirname(root), '~/x', 'HEAD:../x', '-', '--fix'];
  for (const one of outside) {
    const { isError, text } = await called('check', { paths: [one] });
    assert.deepEqual([isError, /workspace/.test(text)], [true, true], `${one}: ${text}`);
  }
  const { isError, text } = await called('explain', { what: '--output-file=stolen' });
  assert.equal(isError, true, text);
  assert.match((await called('check', { paths: ['widget.yaml'], crds: ['/etc'] })).text, /outside of the workspace/);
});

test('what a tool does not take is said', async () => {
  assert.match((await called('check', { path: 'x' })).text, /^check takes no path; it takes paths, text, /);
  assert.match((await called('complete', {})).text, /^complete takes what$/);
  assert.match((await called('check', { paths: 'widget.yaml' })).text, /^check: paths is not a list of texts$/);
  assert.match((await called('complete', { what: 'gizmo' })).text, /no CRD of a kind named gizmo/);
  await assert.rejects(client.callTool({ name: 'fix', arguments: {} }), /there is no tool fix/);
});

test('a call ends when the client no longer wants it, and the next one is answered', async () => {
  const controller = new AbortController();
  const call = client.callTool({ name: 'check', arguments: {} }, { signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  await assert.rejects(call);
  assert.match((await called('eval', { expression: '2 + 2' })).text, /^4\n/);
});

interface Edit {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
}

interface Finding {
  readonly file: string;
  readonly message: string;
  readonly severity: string;
  readonly fixes: readonly { readonly title: string; readonly safe: boolean; readonly edits: readonly Edit[] }[];
}

/** A text after the edits, the last first; those that overlap an earlier one wait for the next round. */
function edited(text: string, edits: readonly Edit[]): string {
  const starts = [0];
  for (const match of text.matchAll(/\n/g)) starts.push(match.index + 1);
  const offset = (line: number, column: number) => starts[line - 1]! + column - 1;
  const placed = edits
    .map((one) => ({ start: offset(one.line, one.column), end: offset(one.endLine, one.endColumn), text: one.text }))
    .sort((a, b) => b.start - a.start);
  let before = Number.POSITIVE_INFINITY;
  let result = text;
  for (const { start, end, text: by } of placed) {
    if (end > before) continue;
    result = result.slice(0, start) + by + result.slice(end);
    before = start;
  }
  return result;
}

/** The findings that a model has to do something about, by file. */
async function errorsOf(names: readonly string[]): Promise<Map<string, Finding[]>> {
  const byFile = new Map<string, Finding[]>();
  for (let i = 0; i < names.length; i += 20) {
    const { structured } = await called('check', { paths: names.slice(i, i + 20) });
    const { findings, more = 0 } = structured as { findings: Finding[]; more?: number };
    assert.equal(more, 0);
    for (const one of findings.filter(({ severity }) => severity === 'error'))
      byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  }
  return byFile;
}

test('what models invent is found, and its fixes lead to what the API server takes in two rounds', async () => {
  const texts = new Map<string, string>();
  for (const [i, [base, from, to]] of invented.entries()) {
    const whole = valid[base]!;
    assert.equal(whole.split(from).length, 2, `${from} is in ${base} once`);
    texts.set(`drafts/${i}.yaml`, whole.replace(from, to));
  }
  for (const [name, text] of Object.entries(valid)) put(`valid/${name}.yaml`, text);
  for (const [name, text] of texts) put(name, text);
  assert.deepEqual([...(await errorsOf(['valid']))], []);
  let left = await errorsOf([...texts.keys()]);
  assert.equal(left.size, texts.size, `not found: ${[...texts.keys()].filter((name) => !left.has(name)).join(' ')}`);
  for (let round = 1; round <= 2 && left.size > 0; round++) {
    for (const [name, findings] of left) {
      const edits = findings.flatMap(({ fixes }) => (fixes.find(({ safe }) => safe) ?? fixes[0])?.edits ?? []);
      texts.set(name, edited(texts.get(name)!, edits));
      put(name, texts.get(name)!);
    }
    left = await errorsOf([...left.keys()]);
  }
  const still = [...left].map(([name, findings]) => `${name}: ${findings.map(({ message }) => message).join('; ')}`);
  assert.deepEqual(still, []);
});
