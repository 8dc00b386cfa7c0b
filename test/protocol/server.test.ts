import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, modernDocument, startClient } from './client.ts';

interface Diagnostic {
  readonly range: { start: Position; end: Position };
  readonly code: string;
  readonly severity: number;
  readonly message: string;
  readonly data: unknown;
}
interface Position {
  readonly line: number;
  readonly character: number;
}

const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
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
                size: {type: integer, description: How large it is.}
`;
const widget = (body: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n${body}`;

function workspace(files: Readonly<Record<string, string | Uint8Array>>): {
  folder: string;
  uri(name: string): string;
} {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-protocol-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return { folder, uri: (name) => pathToFileURL(path.join(folder, name)).href };
}

async function withServer(
  files: Readonly<Record<string, string | Uint8Array>>,
  capabilities: Readonly<Record<string, object>> & { readonly textDocument?: Readonly<Record<string, object>> },
  body: (client: Client, uri: (name: string) => string) => Promise<void>,
): Promise<void> {
  const { folder, uri } = workspace(files);
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { ...capabilities, textDocument: modern(capabilities.textDocument) },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
    initializationOptions: { files: true, trusted: true, copy: true },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  try {
    await body(client, uri);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What editors of today say of documents, and what a test asks for beside it. */
function modern(given: Readonly<Record<string, object>> = {}): object {
  const codeAction = { ...modernDocument.codeAction, ...given.codeAction };
  return { ...modernDocument, ...given, codeAction };
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

const pulls = { textDocument: { diagnostic: {} } };

async function pull(client: Client, uri: string): Promise<readonly Diagnostic[]> {
  const report = await client.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return report.items;
}

test('diagnostics are given to a client that asks, and follow an edit of the CRD', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3\n'));
    const [unknown] = await pull(client, uri('widget.yaml'));
    assert.equal(unknown?.code, 'cr/unknown-field');
    assert.deepEqual(unknown.range, { start: { line: 5, character: 2 }, end: { line: 5, character: 6 } });
    open(client, uri('crd.yaml'), crd);
    const line = crd.split('\n').findIndex((text) => text.includes('size:'));
    const range = { start: { line, character: 16 }, end: { line, character: 20 } };
    client.notify('textDocument/didChange', {
      textDocument: { uri: uri('crd.yaml'), version: 2 },
      contentChanges: [{ range, text: 'sise' }],
    });
    assert.deepEqual(await pull(client, uri('widget.yaml')), []);
  }));

test('diagnostics are sent to a client that cannot ask, and taken back when the file is closed', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, {}, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3\n'));
    const sent = await client.next<{ diagnostics: Diagnostic[] }>('textDocument/publishDiagnostics');
    assert.deepEqual(
      sent.diagnostics.map(({ code }) => code),
      ['cr/unknown-field'],
    );
    client.notify('textDocument/didClose', { textDocument: { uri: uri('widget.yaml') } });
    const taken = await client.next<{ diagnostics: Diagnostic[] }>('textDocument/publishDiagnostics');
    assert.deepEqual(taken.diagnostics, []);
  }));

test('characters are counted in UTF-8 where the client asks for it', () =>
  withServer(
    { 'crd.yaml': crd, 'widget.yaml': '' },
    { ...pulls, general: { positionEncodings: ['utf-8'] } },
    async (client, uri) => {
      open(client, uri('widget.yaml'), widget('  {size: 1, "é😀": 2}\n'));
      const [unknown] = await pull(client, uri('widget.yaml'));
      assert.deepEqual(unknown?.range, { start: { line: 5, character: 12 }, end: { line: 5, character: 20 } });
    },
  ));

test('a quick fix renames the field', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3 # how large\n'));
    const diagnostics = await pull(client, uri('widget.yaml'));
    const actions = await client.request<{ title: string; edit: { changes: Record<string, { newText: string }[]> } }[]>(
      'textDocument/codeAction',
      { textDocument: { uri: uri('widget.yaml') }, range: diagnostics[0]!.range, context: { diagnostics } },
    );
    const rename = actions.find(({ title }) => title === 'Rename to `size`');
    assert.deepEqual(
      rename?.edit.changes[uri('widget.yaml')]?.map(({ newText }) => newText),
      ['size'],
    );
  }));

test('what several diagnostics at one place offer alike is offered once, and comments that silence come last', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3\n  siez: 3\n'));
    const diagnostics = await pull(client, uri('widget.yaml'));
    assert.equal(diagnostics.length, 2);
    const actions = await client.request<{ title: string }[]>('textDocument/codeAction', {
      textDocument: { uri: uri('widget.yaml') },
      range: diagnostics[0]!.range,
      context: { diagnostics, only: ['quickfix'] },
    });
    const titles = actions.map(({ title }) => title);
    const last = ['Ignore `cr/unknown-field` here', 'Ignore `cr/unknown-field` here', 'Ignore this object'];
    assert.deepEqual(titles.slice(-4), [...last, 'Ignore this file'], titles.join());
  }));

test('all safe fixes of a kind are offered beside one, and all of the file on saving', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client, uri) => {
    const wrong = crd.replace('type: integer', 'type: integer, minimun: 1');
    const text = wrong.replace('scope: Namespaced', 'scope: namespaced\n  scop: x\n  preserveUnknownField: false');
    open(client, uri('crd.yaml'), text);
    const textDocument = { uri: uri('crd.yaml') };
    const diagnostics = await pull(client, uri('crd.yaml'));
    const ask = (context: object) =>
      client.request<{ title: string; kind: string; edit: { changes: Record<string, unknown[]> } }[]>(
        'textDocument/codeAction',
        { textDocument, range: diagnostics[0]!.range, context },
      );
    const quick = await ask({ diagnostics });
    const all = quick.find(({ title }) => title === 'Fix all `crd/unknown-field` in this file');
    assert.equal(all?.kind, 'quickfix');
    assert.equal(all.edit.changes[uri('crd.yaml')]?.length, 2);
    assert.deepEqual(await ask({ diagnostics, only: ['refactor'] }), []);
    const [saving, ...more] = await ask({ diagnostics: [], only: ['source.fixAll'] });
    assert.equal(saving?.kind, 'source.fixAll.kubeCrd');
    assert.deepEqual(more, []);
  }));

test('a client that can ask later gets the edits of a whole file when the action is chosen', () =>
  withServer(
    { 'crd.yaml': crd },
    { textDocument: { ...pulls.textDocument, codeAction: { resolveSupport: { properties: ['edit'] } } } },
    async (client, uri) => {
      const text = crd.replace('scope: Namespaced', 'scope: Namespaced\n  scop: x\n  preserveUnknownField: false');
      open(client, uri('crd.yaml'), text.replace('type: integer', 'type: integer, minimun: 1'));
      const diagnostics = await pull(client, uri('crd.yaml'));
      const actions = await client.request<{ title: string; edit?: object }[]>('textDocument/codeAction', {
        textDocument: { uri: uri('crd.yaml') },
        range: diagnostics[0]!.range,
        context: { diagnostics },
      });
      const all = actions.find(({ title }) => title === 'Fix all `crd/unknown-field` in this file');
      assert.ok(all && !all.edit);
      const chosen = await client.request<{ edit: { changes: Record<string, unknown[]> } }>('codeAction/resolve', all);
      assert.equal(chosen.edit.changes[uri('crd.yaml')]?.length, 2);
    },
  ));

test('the marker of a generated CRD can be copied by a client that has the command', () =>
  withServer({ 'crd.yaml': crd }, { ...pulls, initializationOptions: { copy: true } }, async (client, uri) => {
    const generated = crd.replace(
      'name: widgets.example.com',
      'name: widgets.example.com\n  annotations: {controller-gen.kubebuilder.io/version: v0.19.0}',
    );
    open(client, uri('crd.yaml'), generated.replace('type: integer', "type: integer, default: '9'"));
    const diagnostics = await pull(client, uri('crd.yaml'));
    const actions = await client.request<{ title: string; command?: { command: string; arguments: string[] } }[]>(
      'textDocument/codeAction',
      { textDocument: { uri: uri('crd.yaml') }, range: diagnostics[0]!.range, context: { diagnostics } },
    );
    const commands = actions.flatMap(({ command }) => (command ? [command] : []));
    assert.deepEqual(
      commands.map(({ command, arguments: args }) => [command, ...args]),
      [['kubeCrd.copy', '// +kubebuilder:default=9']],
    );
  }));

test('hover explains a field', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  size: 3\n'));
    const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri: uri('widget.yaml') },
      position: { line: 5, character: 3 },
    });
    assert.match(hover.contents.value, /How large it is\./);
  }));

test('a client without snippets gets text without placeholders', () =>
  withServer({}, pulls, async (client, uri) => {
    const list = `${crd.trimEnd().replace('size: {type: integer, description: How large it is.}', 'parts:')}
                  type: array
                  items:
                    type: object
                    required: [name, mode]
                    properties: {name: {type: string, example: 'a{$}b'}, mode: {type: string, enum: ["x,y", z]}}
`;
    open(client, uri('crd.yaml'), list);
    open(client, uri('widget.yaml'), widget('  \n'));
    const { items } = await client.request<{ items: { label: string; textEdit: { newText: string } }[] }>(
      'textDocument/completion',
      { textDocument: { uri: uri('widget.yaml') }, position: { line: 5, character: 2 } },
    );
    assert.deepEqual(
      items.filter(({ label }) => label === 'parts').map(({ textEdit }) => textEdit.newText),
      ['parts:\n  - name: "a{$}b"\n    mode: "x,y"'],
    );
  }));

test('hovers and links lead to the line of the CRD', () =>
  withServer({ 'crd.yaml': crd, 'widget.yaml': '' }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  size: 3\n'));
    const textDocument = { uri: uri('widget.yaml') };
    const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', {
      textDocument,
      position: { line: 5, character: 3 },
    });
    assert.ok(hover.contents.value.endsWith(`Defined in [crd.yaml:20](${uri('crd.yaml')}#L20)`), hover.contents.value);
    const links = await client.request<{ range: object; target: string }[]>('textDocument/documentLink', {
      textDocument,
    });
    assert.deepEqual(
      links.map(({ target }) => target),
      [`${uri('crd.yaml')}#L10`, `${uri('crd.yaml')}#L8`],
    );
    assert.deepEqual(links[1]?.range, { start: { line: 1, character: 6 }, end: { line: 1, character: 12 } });
  }));

const ruled = `${crd}              x-kubernetes-validations:
                - rule: |-
                    self.size > 1
                      && has(self.size)
                - rule: self.size < 9
`;

test('expressions are colored, whole files and parts of them, until that is switched off', () =>
  withServer({}, pulls, async (client, uri) => {
    open(client, uri('crd.yaml'), ruled);
    const textDocument = { uri: uri('crd.yaml') };
    const full = await client.request<{ data: number[] }>('textDocument/semanticTokens/full', { textDocument });
    // Line, character, length, type, modifiers: `self` and `.size` of the first rule, then its operator and number.
    assert.deepEqual(full.data.slice(0, 20), [22, 20, 4, 0, 1, 0, 5, 4, 2, 0, 0, 5, 1, 11, 0, 0, 2, 1, 9, 0]);
    const range = { start: { line: 24, character: 0 }, end: { line: 25, character: 0 } };
    const part = await client.request<{ data: number[] }>('textDocument/semanticTokens/range', { textDocument, range });
    assert.deepEqual(part.data, [24, 24, 4, 0, 1, 0, 5, 4, 2, 0, 0, 5, 1, 11, 0, 0, 2, 1, 9, 0]);
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { semanticTokens: false } } });
    await client.next('kubeCrd/status');
    assert.deepEqual(await client.request('textDocument/semanticTokens/full', { textDocument }), { data: [] });
  }));

test('manifests fold and selections grow', () =>
  withServer({}, pulls, async (client, uri) => {
    open(client, uri('crd.yaml'), ruled);
    const textDocument = { uri: uri('crd.yaml') };
    const folds = await client.request<{ startLine: number; endLine: number }[]>('textDocument/foldingRange', {
      textDocument,
    });
    assert.deepEqual(
      folds.filter(({ startLine }) => startLine >= 20),
      [
        { startLine: 20, endLine: 24 },
        { startLine: 21, endLine: 23 },
      ],
    );
    const [grown] = await client.request<{ range: object; parent: { range: object } }[]>(
      'textDocument/selectionRange',
      {
        textDocument,
        positions: [{ line: 22, character: 22 }],
      },
    );
    const start = { line: 22, character: 20 };
    assert.deepEqual(grown?.range, { start, end: { line: 22, character: 24 } });
    assert.deepEqual(grown?.parent.range, { start, end: { line: 22, character: 29 } });
  }));

test('a request for a file that is not open gets an empty answer', () =>
  withServer({}, pulls, async (client, uri) => {
    assert.deepEqual(await pull(client, uri('nowhere.yaml')), []);
    const position = { line: 9, character: 9 };
    assert.equal(await client.request('textDocument/hover', { textDocument: { uri: uri('x.yaml') }, position }), null);
  }));

test('a changed setting takes effect without a restart', () =>
  withServer({}, pulls, async (client, uri) => {
    const text = crd.replace('scope: Namespaced', 'scope: Everywhere');
    open(client, uri('crd.yaml'), text);
    assert.deepEqual(
      (await pull(client, uri('crd.yaml'))).map(({ code }) => code),
      ['crd/scope'],
    );
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { rules: { 'crd/scope': 'off' } } } });
    await client.next('kubeCrd/status');
    assert.deepEqual(await pull(client, uri('crd.yaml')), []);
  }));

test('files that cannot be read are named, and the server lives on', () =>
  withServer(
    { 'huge.yaml': `# ${'x'.repeat(9_000_000)}`, 'binary.yaml': new Uint8Array([0, 1, 2, 3]), 'crd.yaml': crd },
    pulls,
    async (client, uri) => {
      open(client, uri('widget.yaml'), widget('  sise: 3\n'));
      assert.deepEqual(
        (await pull(client, uri('widget.yaml'))).map(({ code }) => code),
        ['cr/unknown-field'],
      );
    },
  ));

test('what is left out of a file is said with its path, not with an address', () =>
  withServer({ 'many documents.yaml': 'a: 1\n' }, {}, async (client, uri) => {
    open(client, uri('many documents.yaml'), 'a: 1\n---\n'.repeat(20_100));
    const { notes } = await client.next<{ notes: string[] }>(
      'kubeCrd/status',
      (status: { notes: string[] }) => status.notes.length > 0,
    );
    assert.deepEqual(notes, ['many documents.yaml: only the first 20000 documents are checked']);
  }));

test('an error at the place of typing waits for a pause; what is shown stays', () =>
  withServer(
    { 'crd.yaml': crd },
    { ...pulls, workspace: { diagnostics: { refreshSupport: true } } },
    async (client, uri) => {
      open(client, uri('widget.yaml'), widget('  size: 1\n  sise: 3\n'));
      const ask = (previousResultId?: string) =>
        client.request<{ kind: string; items?: Diagnostic[]; resultId: string }>('textDocument/diagnostic', {
          textDocument: { uri: uri('widget.yaml') },
          ...(previousResultId === undefined ? {} : { previousResultId }),
        });
      const before = await ask();
      assert.deepEqual(
        before.items?.map(({ code }) => code),
        ['cr/unknown-field'],
      );
      const type = (version: number, character: number, text: string) => {
        const start = { line: 7, character };
        client.notify('textDocument/didChange', {
          textDocument: { uri: uri('widget.yaml'), version },
          contentChanges: [{ range: { start, end: start }, text }],
        });
      };
      type(2, 0, ' ');
      type(3, 1, ' ');
      type(4, 2, 'c');
      assert.equal((await ask(before.resultId)).kind, 'unchanged');
      await client.askedFor('workspace/diagnostic/refresh');
      const after = await ask(before.resultId);
      assert.deepEqual([after.kind, after.items?.map(({ code }) => code)], ['full', ['yaml/syntax']]);
    },
  ));

test('what is half written on one line of a rule is not reported on another while it is typed', () =>
  withServer({}, { ...pulls, workspace: { diagnostics: { refreshSupport: true } } }, async (client, uri) => {
    const textDocument = { uri: uri('crd.yaml') };
    const ask = (previousResultId?: string) =>
      client.request<{ kind: string; items?: Diagnostic[]; resultId: string }>('textDocument/diagnostic', {
        textDocument,
        ...(previousResultId === undefined ? {} : { previousResultId }),
      });
    const half = ruled
      .replace('&& has(self.size)', '')
      .replace('rule: |-', 'message: too small\n                  rule: |-');
    open(client, textDocument.uri, half);
    const before = await ask();
    const errors = (items: readonly Diagnostic[] = []) => items.filter(({ severity }) => severity === 1);
    assert.deepEqual(errors(before.items), []);
    let version = 1;
    const type = (line: number, character: number, text: string) => {
      const start = { line, character };
      client.notify('textDocument/didChange', {
        textDocument: { ...textDocument, version: ++version },
        contentChanges: [{ range: { start, end: start }, text }],
      });
    };
    for (const [i, char] of [...'&& has('].entries()) {
      type(24, 22 + i, char);
      assert.equal((await ask(before.resultId)).kind, 'unchanged', `after ${char}`);
    }
    // A change of the CRD asks for a refresh as well, before typing has paused.
    let after = await ask(before.resultId);
    while (after.kind === 'unchanged') {
      await client.askedFor('workspace/diagnostic/refresh');
      after = await ask(before.resultId);
    }
    assert.ok(errors(after.items).length > 0);
  }));

test('unknown fields are judged as the setting says', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3\n'));
    const severities = async (fieldValidation: string) => {
      client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { fieldValidation } } });
      await client.next('kubeCrd/status');
      return (await pull(client, uri('widget.yaml'))).map(({ severity }) => severity);
    };
    assert.deepEqual(
      [await severities('Strict'), await severities('Warn'), await severities('Ignore')],
      [[1], [2], []],
    );
  }));

test('the object as it would be stored is given on request', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  sise: 3\n  size: 1\n'));
    const stored = await client.request<string>('kubeCrd/stored', { uri: uri('widget.yaml') });
    assert.match(stored, /^spec:\n {2}size: 1\n$/m);
    assert.ok(!stored.includes('sise'));
  }));

test('the whole workspace is checked on request; what was sent of a file is taken back when it is opened', () =>
  withServer(
    { 'crd.yaml': crd, 'widget.yaml': widget('  sise: 3\n'), 'other.yaml': 'a: 1\n' },
    pulls,
    async (client, uri) => {
      assert.deepEqual(await client.request('kubeCrd/check'), { checked: 2, errors: 1, others: 0, tests: 0 });
      const sent = await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri('widget.yaml'),
      );
      assert.deepEqual(
        sent.diagnostics.map(({ code }) => code),
        ['cr/unknown-field'],
      );
      open(client, uri('widget.yaml'), widget('  sise: 3\n'));
      const taken = await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri('widget.yaml'),
      );
      assert.deepEqual(taken.diagnostics, []);
    },
  ));

test('charts are rendered when the whole workspace is checked, and what is found is sent for their files', () =>
  withServer(
    {
      'crd.yaml': crd,
      'chart/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
      'chart/values.yaml': 'size: many\n',
      'chart/templates/widget.yaml': widget('  sise: {{ .Values.size }}\n'),
    },
    pulls,
    async (client, uri) => {
      assert.deepEqual(await client.request('kubeCrd/check'), { checked: 2, errors: 1, others: 0, tests: 0 });
      const sent = await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri('chart/templates/widget.yaml'),
      );
      assert.deepEqual(
        sent.diagnostics.map(({ code }) => code),
        ['cr/unknown-field'],
      );
    },
  ));

test('with check: workspace, files that are not open are judged, and again when their CRD or they change', () =>
  withServer(
    { 'crd.yaml': crd, 'widget.yaml': widget('  sise: 3\n'), 'other.yaml': 'a: 1\n' },
    pulls,
    async (client, uri) => {
      const codes = async (wanted: readonly string[]) => {
        await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
          'textDocument/publishDiagnostics',
          (one) => one.uri === uri('widget.yaml') && one.diagnostics.map(({ code }) => code).join() === wanted.join(),
        );
      };
      client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { check: 'workspace' } } });
      await codes(['cr/unknown-field']);
      const edited = crd.replace('size: {', 'sise: {');
      open(client, uri('crd.yaml'), edited);
      await codes([]);
      writeFileSync(new URL(uri('widget.yaml')), widget('  size: 3\n'));
      client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri('widget.yaml'), type: 2 }] });
      await codes(['cr/unknown-field']);
    },
  ));

test('with check: workspace, a kind is found to be misspelled once the CRD of its group comes', () =>
  withServer(
    { 'widget.yaml': widget('  size: 3\n').replace('kind: Widget', 'kind: Wigdet') },
    pulls,
    async (client, uri) => {
      client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { check: 'workspace' } } });
      open(client, uri('crd.yaml'), crd);
      await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
        'textDocument/publishDiagnostics',
        (one) => one.uri === uri('widget.yaml') && one.diagnostics.some(({ code }) => code === 'cr/kind-misspelled'),
      );
    },
  ));

test('the status bar hears of files that ask for a version of their own', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client, uri) => {
    open(client, uri('crd.yaml'), `# kube-crd: kubernetes 1.33\n${crd}`);
    const status = await client.next<{ byFile: Record<string, string> }>(
      'kubeCrd/status',
      ({ byFile }) => Object.keys(byFile).length > 0,
    );
    assert.deepEqual(status.byFile, { [uri('crd.yaml')]: '1.33' });
  }));

test('the log says that the workspace was read, and what is in it', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client) => {
    const { message } = await client.next<{ message: string }>('window/logMessage', (one) =>
      one.message.includes('has read the workspace'),
    );
    assert.match(message, /: 1 kind defined in 1 file; it judges for Kubernetes 1\.\d+\.$/);
  }));

interface JudgedFiles {
  readonly judged: Readonly<Record<string, string>>;
  readonly notJudged: Readonly<Record<string, string>>;
}

test('the status bar hears what of a file is judged, what is not, and nothing of files without objects', () =>
  withServer({ 'crd.yaml': crd }, pulls, async (client, uri) => {
    open(client, uri('crd.yaml'), crd);
    open(client, uri('template.yaml'), widget('  size: {{ .Values.size }}\n'));
    open(client, uri('other.yaml'), 'jobs: {}\n');
    open(client, uri('a.crdtest.yaml'), 'crd: crd.yaml\ncases: []\n');
    const of = (name: string) => (files: Readonly<Record<string, string>>) => files[uri(name)];
    const { judged, notJudged } = await client.next<JudgedFiles>(
      'kubeCrd/status',
      (status) =>
        of('template.yaml')(status.notJudged) !== undefined && of('a.crdtest.yaml')(status.judged) !== undefined,
    );
    assert.match(of('crd.yaml')(judged)!, /CustomResourceDefinition/);
    assert.equal(of('crd.yaml')(notJudged), undefined);
    assert.equal(of('template.yaml')(judged), undefined);
    assert.match(of('template.yaml')(notJudged)!, /is a template/);
    assert.deepEqual([of('other.yaml')(judged), of('other.yaml')(notJudged)], [undefined, undefined]);
  }));

const guarded = crd.replace('size: {', 'size: {x-kubernetes-validations: [{rule: self > 1}], ');

test('that rules wait for other errors is a note of the first of them, and in the status', () =>
  withServer({ 'crd.yaml': guarded }, pulls, async (client, uri) => {
    open(client, uri('widget.yaml'), widget('  size: a\n'));
    const { items } = await client.request<{ items: { code: string; relatedInformation?: { message: string }[] }[] }>(
      'textDocument/diagnostic',
      { textDocument: { uri: uri('widget.yaml') } },
    );
    assert.deepEqual(
      items.map(({ code }) => code),
      ['cr/type'],
    );
    const notes = items[0]!.relatedInformation?.map(({ message }) => message) ?? [];
    assert.match(notes.join('\n'), /some validation rules were not checked/);
    const { notJudged } = await client.next<JudgedFiles>(
      'kubeCrd/status',
      (status) => status.notJudged[uri('widget.yaml')] !== undefined,
    );
    assert.match(notJudged[uri('widget.yaml')]!, /rules of an object are not checked/);
  }));

test('while the workspace is being read, completion says that more may come', async () => {
  const { folder, uri } = workspace({ 'crd.yaml': crd, 'a.yaml': '' });
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    capabilities: {},
    initializationOptions: { files: true, trusted: true },
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'w' }],
  });
  const textDocument = { uri: uri('a.yaml') };
  client.notify('textDocument/didOpen', {
    textDocument: { ...textDocument, languageId: 'yaml', version: 1, text: '' },
  });
  const ask = () =>
    client.request<{ isIncomplete: boolean; items: readonly { label: string }[] }>('textDocument/completion', {
      textDocument,
      position: { line: 0, character: 0 },
    });
  const early = await ask();
  assert.equal(early.isIncomplete, true);
  assert.ok(early.items.some(({ label }) => label === 'apiVersion'));
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  const late = await ask();
  assert.equal(late.isIncomplete, false);
  assert.ok(late.items.some(({ label }) => label === 'Widget (example.com/v1)'));
  assert.equal(await client.end(), 0);
  rmSync(folder, { recursive: true, force: true });
});

test('Enter below a key indents', async () => {
  await withServer({ 'crd.yaml': crd }, {}, async (client, uri) => {
    const textDocument = { uri: uri('a.yaml') };
    const text = 'apiVersion: example.com/v1\nkind: Widget\nspec:\n';
    client.notify('textDocument/didOpen', { textDocument: { ...textDocument, languageId: 'yaml', version: 1, text } });
    const position = { line: 3, character: 0 };
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await client.request('textDocument/onTypeFormatting', { textDocument, position, ch: '\n', options });
    assert.deepEqual(edits, [{ range: { start: position, end: position }, newText: '  ' }]);
  });
});

test('references are found in files that came or changed after the workspace was read', async () => {
  const watching = { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } };
  await withServer({ 'crd.yaml': crd, 'a.yaml': widget('  size: 1\n') }, watching, async (client, uri) => {
    const textDocument = { uri: uri('crd.yaml') };
    client.notify('textDocument/didOpen', {
      textDocument: { ...textDocument, languageId: 'yaml', version: 1, text: crd },
    });
    const found = async () => {
      const places = await client.request<readonly { uri: string }[]>('textDocument/references', {
        textDocument,
        position: { line: 7, character: 30 },
        context: { includeDeclaration: false },
      });
      return places.map((place) => place.uri);
    };
    assert.deepEqual(await found(), [uri('a.yaml')]);
    writeFileSync(new URL(uri('b.yaml')), widget('  size: 2\n'));
    rmSync(new URL(uri('a.yaml')));
    const changes = [
      { uri: uri('b.yaml'), type: 1 },
      { uri: uri('a.yaml'), type: 3 },
    ];
    client.notify('workspace/didChangeWatchedFiles', { changes });
    // The server reads the files while it answers.
    let places = await found();
    for (let tries = 0; tries < 100 && places[0] !== uri('b.yaml'); tries++) places = await found();
    assert.deepEqual(places, [uri('b.yaml')]);
  });
});
