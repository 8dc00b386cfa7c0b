import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type LockRow, printLock, sha256Of } from '../../server/src/workspace/sources/lock.ts';
import { tgz } from '../support/archives.ts';
import { type Client, modernDocument, startClient } from './client.ts';

// Where the CRDs of kinds come from that the workspace only uses.

interface Diagnostic {
  readonly range: object;
  readonly code: string;
  readonly severity: number;
  readonly message: string;
}

interface Action {
  readonly title: string;
  readonly command?: { readonly command: string; readonly arguments: readonly string[] };
}

interface KnownKind {
  readonly kind: string;
  readonly source: string;
  readonly resources: number;
  readonly line: number;
}

interface Options {
  readonly trusted?: boolean;
  readonly settings?: object;
  /** The workspace's folder, where that is one of those that are made. */
  readonly folder?: string;
}

async function withServer(
  files: Readonly<Record<string, string | Uint8Array>>,
  { trusted = true, settings = {}, folder: root = '' }: Options,
  body: (client: Client, uri: (name: string) => string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-kinds-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const client = startClient();
  await client.request('initialize', {
    processId: null,
    rootUri: null,
    capabilities: { textDocument: { ...modernDocument, diagnostic: {} } },
    workspaceFolders: [{ uri: pathToFileURL(path.join(folder, root)).href, name: 'w' }],
    initializationOptions: { files: true, trusted, copy: true, crdCommands: true, shown: true, settings },
  });
  client.notify('initialized', {});
  await client.next<{ state: string }>('kubeCrd/status', ({ state }) => state !== 'starting');
  try {
    await body(client, (name) => pathToFileURL(path.join(folder, name)).href);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true, force: true });
  }
}

function open(client: Client, uri: string, text: string): void {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'yaml', version: 1, text } });
}

async function pull(client: Client, uri: string): Promise<readonly Diagnostic[]> {
  const report = await client.request<{ items: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } });
  return report.items;
}

const box = 'apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nspec: {sise: 3}\n';
const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
`;

test('a kind that nothing defines is said not to be judged, with what can be done', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    open(client, uri('box.yaml'), box);
    const diagnostics = await pull(client, uri('box.yaml'));
    assert.deepEqual(
      diagnostics.map(({ code, severity, message }) => ({ code, severity, message })),
      [
        {
          code: 'cr/unknown-kind',
          severity: 3,
          message: 'No CRD for Box (example.com/v1) is known, so it is not judged.',
        },
      ],
    );
    const actions = await client.request<Action[]>('textDocument/codeAction', {
      textDocument: { uri: uri('box.yaml') },
      range: { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } },
      context: { diagnostics, only: ['quickfix'] },
    });
    assert.deepEqual(
      actions
        // Those that fetch depend on what is installed: see fetching.test.ts.
        .filter(({ command }) => command && command.command !== 'kube-crd.fetch')
        .map(({ title, command }) => [title, command!.command, command!.arguments]),
      [
        ['Name a file or folder with its CRD…', 'kubeCrd.nameCrds', [uri('box.yaml')]],
        ['Do not report `Box` of example.com', 'kubeCrd.addKnownKind', ['example.com/Box', uri('box.yaml')]],
        ['Do not report any kind of example.com', 'kubeCrd.addKnownKind', ['example.com/*', uri('box.yaml')]],
      ],
    );
    const settings = { kubeCrd: { knownKinds: ['example.com/*'] } };
    client.notify('workspace/didChangeConfiguration', { settings });
    assert.deepEqual(await pull(client, uri('box.yaml')), []);
  }));

test('a report that says the same again is not sent again, one that says something else is', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    const ask = (previousResultId?: string) =>
      client.request<{ kind: string; resultId: string; items?: Diagnostic[] }>('textDocument/diagnostic', {
        textDocument: { uri: uri('box.yaml') },
        ...(previousResultId !== undefined && { previousResultId }),
      });
    open(client, uri('box.yaml'), box);
    const first = await ask();
    assert.equal(first.kind, 'full');
    assert.deepEqual(await ask(first.resultId), { kind: 'unchanged', resultId: first.resultId });
    // Who has lost what it was told before is told again.
    const again = await ask();
    assert.deepEqual([again.kind, again.items], ['full', first.items]);
    client.notify('textDocument/didChange', {
      textDocument: { uri: uri('box.yaml'), version: 2 },
      contentChanges: [{ text: `# A line above.\n${box}` }],
    });
    assert.equal((await ask(again.resultId)).kind, 'full');
    open(client, uri('crd.yaml'), crd);
    const known = await ask(again.resultId);
    assert.deepEqual(
      known.items?.map(({ code }) => code),
      ['cr/unknown-field'],
    );
  }));

test('a CRD that comes into the workspace ends that', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    open(client, uri('box.yaml'), box);
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-kind'],
    );
    open(client, uri('crd.yaml'), crd);
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-field'],
    );
    client.notify('textDocument/didClose', { textDocument: { uri: uri('crd.yaml') } });
    assert.deepEqual(
      (await pull(client, uri('box.yaml'))).map(({ code }) => code),
      ['cr/unknown-kind'],
    );
  }));

test('the known kinds are listed with where they come from and how many resources there are', () =>
  withServer({ 'crds/box.yaml': crd, 'box.yaml': box, 'more.yaml': `${box}---\n${box}` }, {}, async (client) => {
    const kinds = await client.request<KnownKind[]>('kubeCrd/knownKinds');
    assert.deepEqual(
      kinds.map(({ kind, source, resources, line }) => ({ kind, source, resources, line })),
      [{ kind: 'Box', source: 'crds/box.yaml', resources: 3, line: 6 }],
    );
  }));

const chart = tgz([
  { name: 'boxes/Chart.yaml', content: 'name: boxes\n' },
  { name: 'boxes/crds/box.yaml', content: crd },
]);
const inChart = { 'charts/boxes-1.2.3.tgz': chart, 'box.yaml': box };

test('a CRD in an archive judges, is named in hover, and can be read', () =>
  withServer(inChart, {}, async (client, uri) => {
    open(client, uri('box.yaml'), box);
    const [found] = await pull(client, uri('box.yaml'));
    assert.equal(found?.code, 'cr/unknown-field');
    const textDocument = { uri: uri('box.yaml') };
    const position = { line: 1, character: 7 };
    const hover = await client.request<{ contents: { value: string } }>('textDocument/hover', {
      textDocument,
      position,
    });
    assert.match(
      hover.contents.value,
      /CRD: boxes 1\.2\.3, from charts\/boxes-1\.2\.3\.tgz\*\n\nDefined in box\.yaml:7$/,
    );
    const [place] = await client.request<{ uri: string }[]>('textDocument/definition', { textDocument, position });
    assert.match(place!.uri, /^kube-crd:\/boxes-1\.2\.3\.tgz\/boxes\/crds\/box\.yaml\?[0-9a-f]+$/);
    assert.equal(await client.request('kubeCrd/shown', { uri: place!.uri }), crd);
    assert.equal(await client.request('kubeCrd/shown', { uri: `${place!.uri}00` }), null);
    // A look at it is no open file of the workspace's.
    open(client, place!.uri, crd);
    assert.deepEqual(await pull(client, place!.uri), []);
    client.notify('textDocument/didClose', { textDocument: { uri: place!.uri } });
    const kinds = await client.request<KnownKind[]>('kubeCrd/knownKinds');
    assert.deepEqual(
      kinds.map(({ kind, source, resources }) => ({ kind, source, resources })),
      [{ kind: 'Box', source: 'boxes 1.2.3, from charts/boxes-1.2.3.tgz', resources: 1 }],
    );
  }));

/** What is said of all open files comes a moment later: the status is awaited that knows of the change. */
const judged = (client: Client, is: boolean) =>
  client.next<{ notJudged: object }>('kubeCrd/status', (status) => (Object.keys(status.notJudged).length === 0) === is);

test('an archive that comes and goes takes effect at once', () =>
  withServer({ 'box.yaml': box }, {}, async (client, uri) => {
    const codes = async () => (await pull(client, uri('box.yaml'))).map(({ code }) => code);
    const changed = async (type: number) => {
      client.forget('kubeCrd/status');
      client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri('boxes-1.2.3.tgz'), type }] });
      await judged(client, type === 1);
    };
    open(client, uri('box.yaml'), box);
    await judged(client, false);
    assert.deepEqual(await codes(), ['cr/unknown-kind']);
    writeFileSync(fileURLToPath(uri('boxes-1.2.3.tgz')), chart);
    await changed(1);
    assert.deepEqual(await codes(), ['cr/unknown-field']);
    rmSync(fileURLToPath(uri('boxes-1.2.3.tgz')));
    await changed(3);
    assert.deepEqual(await codes(), ['cr/unknown-kind']);
  }));

test('a fetched CRD that comes and goes, and a lock file that changes, take effect at once', async () => {
  const row = {
    group: 'example.com',
    kind: 'Box',
    source: { from: 'cluster', context: 'a' },
    sha256: await sha256Of(crd),
  };
  const lock = printLock([row as LockRow]);
  await withServer({ 'box.yaml': box, 'kube-crd.lock': lock }, {}, async (client, uri) => {
    const messages = async () => (await pull(client, uri('box.yaml'))).map(({ message }) => message);
    const changed = async (name: string, text: string | undefined, is: boolean) => {
      const file = fileURLToPath(uri(name));
      mkdirSync(path.dirname(file), { recursive: true });
      if (text === undefined) rmSync(file);
      else writeFileSync(file, text);
      client.forget('kubeCrd/status');
      client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri(name), type: 2 }] });
      await judged(client, is);
    };
    open(client, uri('box.yaml'), box);
    assert.match((await messages())[0] ?? '', /kube-crd\.lock names its CRD, which is not here\.$/);
    await judged(client, false);
    await changed('.kube-crd/example.com/box.yaml', crd, true);
    assert.match((await messages())[0] ?? '', /unknown field "spec\.sise"/);
    await changed('.kube-crd/example.com/box.yaml', `${crd}# Changed by hand.\n`, false);
    assert.match((await messages())[0] ?? '', /which has been changed since\.$/);
    await changed('.kube-crd/example.com/box.yaml', crd, true);
    await changed('kube-crd.lock', undefined, false);
    assert.match((await messages())[0] ?? '', /is not judged\.$/);
  });
});

test('a go.mod that changes, and a source that is turned off, take effect at once', async () => {
  const cache = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-modules-'));
  mkdirSync(path.join(cache, 'example.com/boxes@v1.0.0/crds'), { recursive: true });
  writeFileSync(path.join(cache, 'example.com/boxes@v1.0.0/crds/box.yaml'), crd);
  const before = process.env.GOMODCACHE;
  process.env.GOMODCACHE = cache;
  const goMod = (version: string) => `module example.com/a\n\nrequire example.com/boxes ${version}\n`;
  try {
    await withServer({ 'box.yaml': box, 'go.mod': goMod('v0.9.0') }, {}, async (client, uri) => {
      const codes = async () => (await pull(client, uri('box.yaml'))).map(({ code }) => code);
      open(client, uri('box.yaml'), box);
      await judged(client, false);
      assert.deepEqual(await codes(), ['cr/unknown-kind']);
      client.forget('kubeCrd/status');
      writeFileSync(fileURLToPath(uri('go.mod')), goMod('v1.0.0'));
      client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: uri('go.mod'), type: 2 }] });
      await judged(client, true);
      assert.deepEqual(await codes(), ['cr/unknown-field']);
      client.forget('kubeCrd/status');
      client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { sources: { goModules: false } } } });
      await judged(client, false);
      assert.deepEqual(await codes(), ['cr/unknown-kind']);
    });
    await withServer({ 'box.yaml': box, 'go.mod': goMod('v1.0.0') }, { trusted: false }, async (client, uri) => {
      open(client, uri('box.yaml'), box);
      await judged(client, false);
      assert.equal((await pull(client, uri('box.yaml')))[0]?.code, 'cr/unknown-kind');
      client.forget('kubeCrd/status');
      client.notify('kubeCrd/trusted');
      await judged(client, true);
      assert.equal((await pull(client, uri('box.yaml')))[0]?.code, 'cr/unknown-field');
    });
  } finally {
    if (before === undefined) delete process.env.GOMODCACHE;
    else process.env.GOMODCACHE = before;
    rmSync(cache, { recursive: true, force: true });
  }
});

test('Restricted Mode says what is not used, and offers nothing that needs trust', () =>
  withServer({ 'box.yaml': box, 'crd.yaml': crd }, { trusted: false }, async (client, uri) => {
    const says = (of: RegExp) => (status: { notes: string[] }) => status.notes.some((one) => of.test(one));
    open(client, uri('box.yaml'), box.replace('Box', 'Crate'));
    await client.next<{ notes: string[] }>('kubeCrd/status', says(/^Restricted Mode: CRDs that settings/));
    const titles = async () => {
      const [diagnostic] = await pull(client, uri('box.yaml'));
      const actions = await client.request<{ title: string }[]>('textDocument/codeAction', {
        textDocument: { uri: uri('box.yaml') },
        range: diagnostic!.range,
        context: { diagnostics: [diagnostic] },
      });
      return actions.map(({ title }) => title).join('\n');
    };
    assert.doesNotMatch(await titles(), /Name a file or folder/);
    const page = () => client.request<string>('kubeCrd/page', { uri: uri('crd.yaml'), page: 'changes' });
    open(client, uri('crd.yaml'), crd);
    assert.match(await page(), /no committed state to compare with: .*Restricted Mode/);
    client.forget('kubeCrd/status');
    client.notify('kubeCrd/trusted');
    await client.next<{ notes: string[] }>('kubeCrd/status', (status) => !says(/^Restricted Mode/)(status));
    // What is looked for now may change the finding between its pull and the question for its fixes.
    let offered = await titles();
    for (let left = 40; left > 0 && offered === ''; left--) offered = await titles();
    assert.match(offered, /Name a file or folder/);
    // The folder is in no repository: nothing is called new.
    assert.match(await page(), /no committed state to compare with: this file is in no git repository/);
  }));

test('what is wrong with an archive is in the status', () =>
  withServer({ 'charts/bad-1.0.0.tgz': Buffer.from('no gzip'), 'box.yaml': box }, {}, async (client, uri) => {
    client.forget('kubeCrd/status');
    open(client, uri('box.yaml'), box);
    const { notes } = await client.next<{ notes: string[] }>('kubeCrd/status', (status) => status.notes.length > 0);
    assert.deepEqual(notes, ['bad-1.0.0.tgz: it cannot be unpacked, or it is cut off']);
  }));

test('files are looked into where a kind is only counted once the whole workspace is checked', () =>
  withServer({ ...inChart, 'more/box.yaml': box }, {}, async (client, uri) => {
    const checked = await client.request<{ errors: number }>('kubeCrd/check');
    assert.equal(checked.errors, 2);
    const sent = await client.next<{ uri: string; diagnostics: Diagnostic[] }>(
      'textDocument/publishDiagnostics',
      (params) => params.uri === uri('more/box.yaml'),
    );
    assert.deepEqual(
      sent.diagnostics.map(({ code }) => code),
      ['cr/unknown-field'],
    );
  }));

test('a command that fetches what go.mod names can be copied', () =>
  withServer(
    { 'box.yaml': box, 'go.mod': 'module a\n\nrequire example.com/not/here v1.0.0\n' },
    {},
    async (client, uri) => {
      open(client, uri('box.yaml'), box);
      const diagnostics = await pull(client, uri('box.yaml'));
      assert.match(
        diagnostics[0]?.message ?? '',
        /go\.mod names example\.com\/not\/here 1\.0\.0, which is not in the Go module cache\.$/,
      );
      const actions = await client.request<Action[]>('textDocument/codeAction', {
        textDocument: { uri: uri('box.yaml') },
        range: { start: { line: 1, character: 6 }, end: { line: 1, character: 9 } },
        context: { diagnostics, only: ['quickfix'] },
      });
      const [copy] = actions.filter(({ command }) => command?.command === 'kubeCrd.copy');
      assert.deepEqual(copy?.command?.arguments, ['go mod download example.com/not/here']);
    },
  ));

test('a CRD from elsewhere that is opened and loses its kind is not looked for for ever', () =>
  withServer(
    { 'w/box.yaml': box, 'w/kustomization.yaml': 'crds: [../x/box.yaml]\n', 'x/box.yaml': crd },
    { folder: 'w' },
    async (client, uri) => {
      open(client, uri('w/box.yaml'), box);
      assert.equal((await pull(client, uri('w/box.yaml')))[0]?.code, 'cr/unknown-field');
      open(client, uri('x/box.yaml'), crd.replace('kind: Box', 'kind: Bin'));
      open(client, uri('w/other.yaml'), box);
      assert.equal((await pull(client, uri('w/other.yaml')))[0]?.code, 'cr/unknown-kind');
    },
  ));
