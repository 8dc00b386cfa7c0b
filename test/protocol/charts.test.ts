import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startClient } from './client.ts';

// Files of a chart, with raw requests: what is found in what the chart renders stands in its templates and values.

interface Sent {
  readonly code: string;
  readonly severity: number;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'values.yaml': 'replicas: two\nport: 8080\ndebug: false\n',
  'templates/_helpers.tpl': '{{- define "shop.labels" -}}\napp: {{ .Release.Name }}\n{{- end -}}\n',
  'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels:
    {{- include "shop.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {app: shop}
  template:
    metadata:
      labels: {app: shop}
    spec:
      containers:
        - name: shop
          image: shop
          prots:
            - containerPort: {{ .Values.port }}
          {{- if .Values.debug }}
          comand: [sleep]
          {{- end }}
`,
};

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-chart-'));
const uriOf = (file: string) => pathToFileURL(path.join(home, file)).href;
mkdirSync(path.join(home, 'templates'));
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);

const client = startClient();
after(async () => {
  await client.end();
  rmSync(home, { recursive: true });
});

await client.request('initialize', {
  processId: null,
  rootUri: pathToFileURL(home).href,
  workspaceFolders: [{ uri: pathToFileURL(home).href, name: 'chart' }],
  capabilities: {
    textDocument: {
      diagnostic: {},
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
    },
  },
  initializationOptions: { trusted: true },
});
client.notify('initialized', {});

let version = 1;
function open(file: keyof typeof files): void {
  const textDocument = { uri: uriOf(file), languageId: 'yaml', version, text: files[file] };
  client.notify('textDocument/didOpen', { textDocument });
}

function change(file: keyof typeof files, from: string, to: string): void {
  const text = files[file].replace(from, to);
  assert.notEqual(text, files[file]);
  client.notify('textDocument/didChange', {
    textDocument: { uri: uriOf(file), version: ++version },
    contentChanges: [{ text }],
  });
}

/** What is said of a file, once there are as many things. */
async function problems(file: keyof typeof files, count: number): Promise<readonly string[]> {
  for (;;) {
    const asked = { textDocument: { uri: uriOf(file) } };
    const { items } = await client.request<{ items: Sent[] }>('textDocument/diagnostic', asked);
    if (items.length === count) {
      return items.map(({ code, severity, range: { start }, message }) => {
        return `${start.line + 1}:${start.character + 1} ${severity} ${code} ${message.split('\n').join(' ')}`;
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('what a template renders is judged at its place, and under values that are made up too', async () => {
  open('templates/deployment.yaml');
  assert.deepEqual(await problems('templates/deployment.yaml', 2), [
    '18:11 3 builtin/unknown-field Once the other errors are fixed: unknown field "spec.template.spec.containers[0].prots", did you mean `ports`?',
    '21:11 3 builtin/unknown-field Once the other errors are fixed: unknown field "spec.template.spec.containers[0].comand", did you mean `command`? (With `debug: true`)',
  ]);
});

test('a misspelled field of a template has its fix, and others are offered', async () => {
  const uri = uriOf('templates/deployment.yaml');
  const { items } = await client.request<{ items: object[] }>('textDocument/diagnostic', { textDocument: { uri } });
  const range = { start: { line: 17, character: 12 }, end: { line: 17, character: 12 } };
  const asked = { textDocument: { uri }, range, context: { diagnostics: items } };
  const actions = await client.request<{ title: string }[]>('textDocument/codeAction', asked);
  assert.deepEqual(
    actions.map(({ title }) => title),
    ['Rename to `ports`', 'Rename to `command`'],
  );
  const position = { line: 5, character: 24 };
  const offered = await client.request<{ items: { label: string }[] }>('textDocument/completion', {
    textDocument: { uri },
    position,
  });
  assert.deepEqual(
    offered.items.map(({ label }) => label),
    ['shop.labels'],
  );
});

test('a value leads to a file that is not open', async () => {
  const uri = uriOf('templates/deployment.yaml');
  const asked = { textDocument: { uri }, position: { line: 5, character: 20 } };
  const found = await client.request<{ uri: string }[]>('textDocument/definition', asked);
  assert.deepEqual(
    found.map((one) => one.uri),
    [uriOf('templates/_helpers.tpl')],
  );
});

test('a wrong value is reported at the value', async () => {
  open('values.yaml');
  assert.deepEqual(await problems('values.yaml', 1), [
    '1:11 1 builtin/decode Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
  ]);
});

test('what is mended is gone with the next key, in the template and in the values', async () => {
  change('templates/deployment.yaml', 'prots', 'ports');
  change('values.yaml', 'two', '2');
  assert.deepEqual(await problems('values.yaml', 0), []);
  assert.deepEqual(await problems('templates/deployment.yaml', 1), [
    '21:11 2 builtin/unknown-field unknown field "spec.template.spec.containers[0].comand", did you mean `command`? (With `debug: true`)',
  ]);
});
