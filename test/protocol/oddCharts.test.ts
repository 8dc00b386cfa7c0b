import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startClient } from './client.ts';

// Charts as people have them at times: with other ends of lines, tabs, huge values, half typed, twice, or with parts missing.

const gate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec:
  replica: {{ .Values.count }}
  paused: {{ .Values.paused }}
`;
const values = 'count: 3\npaused: maybe\n';
const about = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const usual = { 'Chart.yaml': about, 'values.yaml': values, 'templates/a.yaml': gate };
const huge = `${values}big:\n${Array.from({ length: 20_000 }, (_, i) => `  k${i}: ${'v'.repeat(90)}\n`).join('')}`;

type Files = Readonly<Record<string, string>>;
type Found = Readonly<Record<string, readonly string[]>>;

/** What is found where, each as "line code", in the files that are open. */
const charts: Readonly<Record<string, readonly [Files, Found]>> = {
  usual: [usual, { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode'] }],
  crlf: [
    Object.fromEntries(Object.entries(usual).map(([name, text]) => [name, text.replaceAll('\n', '\r\n')])),
    { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode'] },
  ],
  bom: [
    Object.fromEntries(Object.entries(usual).map(([name, text]) => [name, `\ufeff${text}`])),
    { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode'] },
  ],
  tabs: [{ ...usual, 'values.yaml': 'count: 3\n\tpaused: 1\n' }, { 'values.yaml': ['1 yaml/syntax'] }],
  huge: [
    { ...usual, 'values.yaml': huge },
    { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode', '2 chart/unused-value'] },
  ],
  half: [
    { ...usual, 'templates/a.yaml': `${gate}  {{ if .Val`, 'templates/b.yaml': gate },
    {
      'templates/a.yaml': ['6 chart/not-rendered'],
      'templates/b.yaml': ['4 builtin/unknown-field'],
      'values.yaml': ['1 builtin/decode'],
    },
  ],
  alone: [
    { 'values.yaml': values, 'templates/a.yaml': gate },
    { 'templates/a.yaml': [], 'values.yaml': [] },
  ],
  library: [
    { 'Chart.yaml': `${about}type: library\n`, 'templates/_a.tpl': '{{ define "a" }}a: {{ .b {{ end }}\n' },
    { 'templates/_a.tpl': ['0 chart/not-rendered'] },
  ],
  'twice/one': [usual, { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode'] }],
  'twice/two': [usual, { 'templates/a.yaml': ['4 builtin/unknown-field'], 'values.yaml': ['1 builtin/decode'] }],
};

const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-odd-'));
const uriOf = (file: string) => pathToFileURL(path.join(home, file)).href;
for (const [name, [files]] of Object.entries(charts)) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name, file)), { recursive: true });
    writeFileSync(path.join(home, name, file), text);
  }
}
after(() => rmSync(home, { recursive: true }));

interface Sent {
  readonly code: string;
  readonly range: { readonly start: { readonly line: number } };
}

for (const languageId of ['yaml', 'helm']) {
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: pathToFileURL(home).href,
    workspaceFolders: [{ uri: pathToFileURL(home).href, name: 'odd' }],
    capabilities: { textDocument: { diagnostic: {} } },
    initializationOptions: { trusted: true },
  });
  client.notify('initialized', {});
  for (const [name, [files, found]] of Object.entries(charts)) {
    for (const file of Object.keys(found)) {
      const id = file.startsWith('templates/') ? languageId : 'yaml';
      const textDocument = { uri: uriOf(`${name}/${file}`), languageId: id, version: 1, text: files[file] };
      client.notify('textDocument/didOpen', { textDocument });
    }
  }

  const found = async (name: string, file: string, wanted: readonly string[]) => {
    const textDocument = { uri: uriOf(`${name}/${file}`) };
    for (let tries = 0; ; tries++) {
      const { items } = await client.request<{ items: Sent[] }>('textDocument/diagnostic', { textDocument });
      const rows = items.map(({ code, range }) => `${range.start.line} ${code}`).sort();
      if (tries > 50 || rows.join() === wanted.join()) return rows;
      await setTimeout(100);
    }
  };

  for (const [name, [files, wanted]] of Object.entries(charts)) {
    test(`${name}, of the language ${languageId}: what is found, and that every question has an answer`, async () => {
      for (const [file, rows] of Object.entries(wanted)) {
        assert.deepEqual(await found(name, file, rows), rows, file);
        const textDocument = { uri: uriOf(`${name}/${file}`) };
        const lines = files[file]!.split('\n').slice(0, 9);
        for (const [line, text] of lines.entries()) {
          const position = { line, character: Math.max(0, text.length - 3) };
          await client.request('textDocument/hover', { textDocument, position });
          await client.request('textDocument/completion', { textDocument, position });
          await client.request('textDocument/definition', { textDocument, position });
        }
        await client.request('textDocument/documentSymbol', { textDocument });
        await client.request('textDocument/foldingRange', { textDocument });
      }
    });
  }
  after(() => client.end());
}
