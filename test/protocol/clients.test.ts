import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type Client, modernDocument, startClient } from './client.ts';

// Editors that know less than VS Code: each is what one of them says of itself, or less.

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Sent {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

interface Session {
  readonly client: Client;
  /** Requests that the server made of the client. */
  readonly asked: readonly string[];
  open(file: string, change?: (text: string) => string): Opened;
}

interface Opened {
  readonly uri: string;
  ask<R>(method: string, at: Position, more?: object): Promise<R>;
  /** The place after a part of the text. */
  after(part: string): Position;
  change(from: string, to: string): void;
}

/** A session over the examples with a client of these capabilities. */
async function withClient(
  capabilities: object,
  body: (session: Session) => Promise<void>,
  initializationOptions: object = {},
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd clients-'));
  cpSync('examples', folder, { recursive: true });
  const asked: string[] = [];
  const noting = (method: string) => () => {
    asked.push(method);
    return null;
  };
  const methods = ['client/registerCapability', 'workspace/configuration', 'window/workDoneProgress/create'];
  const client = startClient(undefined, Object.fromEntries(methods.map((method) => [method, noting(method)])));
  const rootUri = pathToFileURL(folder).href;
  await client.request('initialize', { processId: null, rootUri, capabilities, initializationOptions });
  client.notify('initialized', {});
  const open: Session['open'] = (file, change = (text) => text) => {
    const uri = pathToFileURL(path.join(folder, file)).href;
    let text = change(readFileSync(path.join(folder, file), 'utf8'));
    let version = 1;
    client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version, text } });
    return {
      uri,
      ask: (method, position, more) => client.request(method, { textDocument: { uri }, position, ...more }),
      after: (part) => placeIn(text, text.indexOf(part) + part.length),
      change: (from, to) => {
        text = text.replace(from, to);
        client.notify('textDocument/didChange', {
          textDocument: { uri, version: ++version },
          contentChanges: [{ text }],
        });
      },
    };
  };
  try {
    await body({ client, asked, open });
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true });
  }
}

function placeIn(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

const says = (uri: string, part: string) => (sent: Sent) =>
  sent.uri === uri && sent.diagnostics.some(({ message }) => message.includes(part));

test('a client that can ask for diagnostics but not be told to ask again gets them sent, also after another file changed', () =>
  withClient({ textDocument: { ...modernDocument, diagnostic: {} } }, async ({ client, open }) => {
    const resource = open('database-mistakes.yaml');
    await client.next<Sent>('textDocument/publishDiagnostics', says(resource.uri, 'spec.storage.clas'));
    client.forget('textDocument/publishDiagnostics');
    open('crds/databases.yaml').change('class:', 'clas:');
    await client.next<Sent>(
      'textDocument/publishDiagnostics',
      (sent) => sent.uri === resource.uri && !says(resource.uri, 'spec.storage.clas')(sent),
    );
  }));

test('a client that registers nothing and cannot be asked is asked for nothing', () =>
  withClient({}, async ({ client, asked, open }) => {
    const resource = open('database-mistakes.yaml');
    await client.next<Sent>('textDocument/publishDiagnostics', says(resource.uri, 'spec.replica'));
    assert.deepEqual(asked, []);
    // Its settings come with a notification.
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { fieldValidation: 'Ignore' } } });
    await client.next<Sent>(
      'textDocument/publishDiagnostics',
      (sent) => sent.uri === resource.uri && !says(resource.uri, 'spec.replica')(sent),
    );
  }));

interface Item {
  readonly label: string;
  readonly insertTextFormat: number;
  readonly command?: { readonly command: string };
  readonly documentation?: { readonly kind: string; readonly value: string };
  readonly textEdit: { readonly newText: string };
}

/** Places of every kind at which something is completed: a file, what its text becomes, and after what the cursor is. */
const places: readonly (readonly [string, string, (text: string) => string, string])[] = [
  ['an empty file', 'database.yaml', () => '', ''],
  ['a kind', 'database.yaml', () => 'kind: ', 'kind: '],
  ['a field of a resource', 'database.yaml', (text) => text.replace('  replicas: 2\n', '  \n'), 'postgres\n  '],
  ['a value of a resource', 'database.yaml', (text) => text.replace('postgres', ''), 'engine: '],
  [
    'a field of a schema',
    'crds/databases.yaml',
    (text) => text.replace('minimum: 1\n', 'minimum: 1\n                  \n'),
    'minimum: 1\n                  ',
  ],
  ['a CEL rule', 'crds/databases.yaml', (text) => text.replace('self.replicas <=', 'self. <='), 'rule: self.'],
  [
    'a list in a CEL rule',
    'crds/databases.yaml',
    (text) => text.replace('self.replicas <=', 'self.users. <='),
    'self.users.',
  ],
  ['a file of tests', 'tests/database.crdtest.yaml', (text) => `${text}\n  - \n`, '\n  - \n'.slice(0, -1)],
];

test('a client without snippets and Markdown gets neither, wherever it completes', () =>
  withClient({}, async ({ open }) => {
    open('crds/databases.yaml');
    const counted = new Set<string>();
    for (const [name, file, change, part] of places) {
      const document = open(file, change);
      const { items } = await document.ask<{ items: Item[] }>('textDocument/completion', document.after(part));
      for (const { label, insertTextFormat, textEdit, documentation } of items) {
        assert.equal(insertTextFormat, 1, `${name}: ${label}`);
        assert.doesNotMatch(textEdit.newText, /\$\{?\d/, `${name}: ${label}`);
        if (documentation) assert.equal(documentation.kind, 'plaintext', `${name}: ${label}`);
        if (documentation) assert.doesNotMatch(documentation.value, /\*\*|```|\]\(/, `${name}: ${label}`);
      }
      if (items.length > 0) counted.add(name);
    }
    assert.deepEqual(
      places.map(([name]) => name).filter((name) => !counted.has(name)),
      [],
      'every place offers something',
    );
  }));

/** Keys, whether a client is to open the list once more behind them, in a file that becomes a text. */
const goingOn: readonly (readonly [string, string, string, boolean])[] = [
  ['database.yaml', '', 'apiVersion', true],
  ['database.yaml', 'apiVersion: example.com/v1\n', 'kind', true],
  ['database.yaml', '', 'CustomResourceDefinition', false],
  ['tests/database.crdtest.yaml', '', 'crd', true],
];

for (const suggests of [true, false]) {
  test(`behind a key the list of its values ${suggests ? 'opens' : 'is left to a client that does not know how'}`, () =>
    withClient(
      { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
      async ({ open }) => {
        for (const [file, text, label, isOpened] of goingOn) {
          const document = open(file, () => text);
          const { items } = await document.ask<{ items: Item[] }>('textDocument/completion', document.after(text));
          const command = items.find((item) => item.label === label)!.command?.command;
          const wanted = isOpened && suggests ? 'editor.action.triggerSuggest' : undefined;
          assert.equal(command, wanted, `${file}: ${label}`);
        }
      },
      { suggests },
    ));
}

test('a client without Markdown gets plain cards, hints and signatures', () =>
  withClient({}, async ({ client, open }) => {
    const crd = open('crds/databases.yaml', (text) =>
      text.replace('self == oldSelf', "self.replace('a', 'b') == oldSelf"),
    );
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { costHintThreshold: 0 } } });
    for (const part of ['listKind', 'scale', 'x-kubernetes-validations', 'self.repl', "self.replace('a', 'b')"]) {
      const card = await crd.ask<{ contents: { kind: string; value: string } }>('textDocument/hover', {
        ...crd.after(part),
        character: crd.after(part).character - 2,
      });
      assert.equal(card.contents.kind, 'plaintext', part);
      assert.doesNotMatch(card.contents.value, /\*\*|```|\]\(/, part);
    }
    const range = { start: { line: 0, character: 0 }, end: { line: 200, character: 0 } };
    const hints = await crd.ask<{ tooltip: { kind: string } }[]>('textDocument/inlayHint', range.start, { range });
    assert.ok(hints.length > 0);
    assert.ok(hints.every(({ tooltip }) => tooltip.kind === 'plaintext'));
    interface Signatures {
      readonly signatures: readonly { readonly label: string; readonly parameters: readonly { label: unknown }[] }[];
    }
    const help = await crd.ask<Signatures>('textDocument/signatureHelp', crd.after("replace('a',"));
    for (const { label, parameters } of help.signatures) {
      assert.ok(parameters.length > 0, label);
      for (const parameter of parameters)
        assert.ok(typeof parameter.label === 'string' && label.includes(parameter.label), label);
    }
  }));
