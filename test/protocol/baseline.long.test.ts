import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { hungGit } from '../support/hungGit.ts';
import { type Client, startClient } from './client.ts';

interface Published {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string; readonly message: string }[];
}

const scope = (name: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: ${name}
  names: {kind: Box, plural: boxes}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
`;

/** A repository whose CRD was committed as namespaced, and a server over it in which it is open as cluster-scoped. */
async function withRepository(
  trusted: boolean,
  body: (client: Client, uri: string, git: (...args: string[]) => void) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-git-'));
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const git = (...args: string[]) =>
    void execFileSync('git', ['-C', folder, ...identity, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const file = path.join(folder, 'crd.yaml');
  git('init', '--quiet');
  writeFileSync(file, scope('Namespaced'));
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
  writeFileSync(file, scope('Cluster'));
  const client = startClient();
  const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'w' }];
  const initializationOptions = { trusted, files: true };
  await client.request('initialize', { processId: null, capabilities: {}, workspaceFolders, initializationOptions });
  client.notify('initialized', {});
  const uri = pathToFileURL(file).href;
  const textDocument = { uri, languageId: 'yaml', version: 1, text: scope('Cluster') };
  client.notify('textDocument/didOpen', { textDocument });
  try {
    await body(client, uri, git);
  } finally {
    assert.equal(await client.end(), 0);
    rmSync(folder, { recursive: true, force: true });
  }
}

const published = (client: Client, fits: (codes: readonly string[]) => boolean) =>
  client.next<Published>('textDocument/publishDiagnostics', ({ diagnostics }) =>
    fits(diagnostics.map((one) => one.code)),
  );

test('what changes against the commit is given as a page', () =>
  withRepository(true, async (client, uri) => {
    const page = await client.request<string>('kubeCrd/page', { uri, page: 'changes' });
    assert.match(page, /^# Changes against HEAD$/m);
    assert.match(page, /^- \*\*`spec\.scope`\*\* · refused \(line 6\)<br>.*field is immutable$/m);
    assert.match(page, /^In crd\.yaml\.$/m);
  }));

test('a commit is noticed while the server runs', () =>
  withRepository(true, async (client, _, git) => {
    const before = await published(client, (codes) => codes.includes('crd/immutable'));
    assert.match(
      before.diagnostics.map(({ message }) => message).join(),
      /field is immutable \(HEAD has "Namespaced"\)/,
    );
    // Of a time when git had not answered yet.
    client.forget('textDocument/publishDiagnostics');
    git('commit', '--quiet', '--all', '--message', 'second');
    const after = await published(client, (codes) => !codes.includes('crd/immutable'));
    assert.deepEqual(after.diagnostics, []);
    git('reset', '--quiet', '--soft', 'HEAD~1');
    await published(client, (codes) => codes.includes('crd/immutable'));
  }));

test('no program is run in a workspace that is not trusted, and git is asked once it is', () =>
  withRepository(false, async (client) => {
    assert.deepEqual((await published(client, () => true)).diagnostics, []);
    client.notify('kubeCrd/trusted');
    await published(client, (codes) => codes.includes('crd/immutable'));
  }));

test('a baseline that git does not know is said in the status, until it is mended', () =>
  withRepository(true, async (client) => {
    await published(client, (codes) => codes.includes('crd/immutable'));
    const complained = (wanted: boolean) =>
      client.next<{ state: string; notes: string[] }>('kubeCrd/status', ({ state, notes }) => {
        return (state === 'limited' && notes.includes('kubeCrd.baseline: git knows no commit no-such-ref')) === wanted;
      });
    client.forget('kubeCrd/status');
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { baseline: 'no-such-ref' } } });
    await complained(true);
    client.forget('kubeCrd/status');
    client.notify('workspace/didChangeConfiguration', { settings: { kubeCrd: { baseline: 'HEAD' } } });
    await complained(false);
  }));

test('a git that hangs keeps nothing from being judged, and does not outlive the server', async () => {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kube-crd-hung-')));
  mkdirSync(path.join(folder, '.git'));
  const hung = hungGit(folder);
  try {
    const client = startClient(['server', '--stdio'], {}, { ...process.env, PATH: hung.path });
    const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: 'w' }];
    const initializationOptions = { trusted: true };
    await client.request('initialize', { processId: null, capabilities: {}, workspaceFolders, initializationOptions });
    client.notify('initialized', {});
    const uri = pathToFileURL(path.join(folder, 'crd.yaml')).href;
    const textDocument = { uri, languageId: 'yaml', version: 1, text: scope('Nowhere') };
    client.notify('textDocument/didOpen', { textDocument });
    await published(client, (codes) => codes.includes('crd/scope'));
    await hung.begun();
    assert.equal(await client.end(), 0);
    assert.ok((await hung.ended()).length > 0);
  } finally {
    hung.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
