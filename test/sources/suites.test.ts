import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { hover } from '../../server/src/features/at/hover.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { definitionsFor } from '../../server/src/workspace/definitions.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import { loadWorkspace, withLoaded } from '../../server/src/workspace/loader.ts';
import { kindsToLookUp, lookUp, withLookedUp } from '../../server/src/workspace/lookUp.ts';
import type { LocalSource } from '../../server/src/workspace/origin.ts';
import type { DataFile } from '../../server/src/workspace/packaged.ts';
import { emptySnapshot, type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { libraryOf } from '../../server/src/workspace/sources/library.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { tgz } from '../support/archives.ts';
import { type Notation, readSuite, type SuiteCase, type SuiteFile, withMarkers } from '../support/suite.ts';
import { expectFence } from '../support/update.ts';
import { sharedFile } from '../support/workspace.ts';

const notation: Notation = {
  fences: ['sources', 'hover', 'notes'],
  settings: ['crds', 'trusted', 'without'],
  isCode: (word) => ruleOf(word) !== undefined,
};

for (const file of readdirSync('test/sources').filter((name) => name.endsWith('.md') && name !== 'README.md')) {
  for (const one of readSuite(readFileSync(`test/sources/${file}`, 'utf8'), sharedFile, notation)) {
    test(`${file} › ${one.name}`, async () => {
      const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-sources-'));
      try {
        await holds(one, `test/sources/${file}`, home);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    });
  }
}

/** What comes with the program of where CRDs are published, as it is installed. */
const packagedSources = async (name: DataFile) =>
  name === 'crdSources.json.gz' ? gunzipSync(readFileSync(`server/data/${name}`)).toString() : undefined;

async function holds(one: SuiteCase, suite: string, home: string): Promise<void> {
  write(one.files, home);
  const last = one.files.at(-1)!;
  const uri = pathToFileURL(path.join(home, nameOf(last))).href;
  const { snapshot, notes } = await snapshotIn(one, home, uri, last.text);
  markersHold(one, snapshot, uri, last);
  const rows = sourcesOf(snapshot, uri, home);
  if (one.fences.has('sources')) expectFence(suite, one, 'sources', asText(rows));
  if (one.fences.has('notes')) expectFence(suite, one, 'notes', asText(notes));
  if (one.fences.has('hover')) hoverHolds(one, snapshot, uri, last);
}

const asText = (rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');

function nameOf({ uri }: SuiteFile): string {
  return uri.slice('file:///suite/'.length);
}

/** Files below a step that ends in `.tgz` are packed into an archive of that name. */
function write(files: readonly SuiteFile[], home: string): void {
  const archives = new Map<string, { name: string; content: string }[]>();
  for (const file of files) {
    const [, archive, name] = /^(.*?\.tgz)\/(.*)$/.exec(nameOf(file)) ?? [];
    if (archive === undefined) put(path.join(home, nameOf(file)), file.text);
    else archives.set(archive, [...(archives.get(archive) ?? []), { name: name!, content: file.text }]);
  }
  for (const [archive, entries] of archives) put(path.join(home, archive), tgz(entries));
}

function put(file: string, content: string | Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** What the server knows once the last file is open and its kinds were looked for. */
async function snapshotIn({ settings }: SuiteCase, home: string, uri: string, text: string) {
  const address = (name: string) => pathToFileURL(path.join(home, name)).href;
  const folder = address('workspace');
  const isTrusted = settings.trusted !== 'no';
  const own = [await nodeFiles.list(folder, defaultLimits.files)];
  const patterns = isTrusted ? (settings.crds?.split(' ') ?? []) : [];
  const named = await Promise.all(patterns.map((pattern) => nodeFiles.expand(pattern, folder, defaultLimits.files)));
  const options = { limits: defaultLimits, cancelled: () => false };
  const loaded = await loadWorkspace(nodeFiles, { own, named }, options);
  const library = libraryOf(nodeFiles, loaded.leads, {
    caches: isTrusted ? { goModules: address('go'), helm: address('helm'), fetched: address('cache') } : undefined,
    folders: [folder],
    off: new Set(settings.without?.split(' ') as LocalSource[]),
  });
  const opened = withOpen(withLoaded(emptySnapshot, loaded), sourceFile(uri, text));
  const found = await lookUp(library, kindsToLookUp(opened, opened.open.get(uri)!), packagedSources);
  const notes = [...loaded.notes, ...library.notes()].map((note) =>
    note.replaceAll(home, '').replaceAll('file://', ''),
  );
  return { snapshot: withLookedUp(opened, found), notes };
}

function markersHold(one: SuiteCase, snapshot: Snapshot, uri: string, { text, expected }: SuiteFile): void {
  const found = diagnose(snapshot, uri).map(({ range, code, message }) => ({ ...range, code, message }));
  const fits = (wanted: (typeof expected)[number]) =>
    found.some(({ start, code, message }) => {
      return start === wanted.start && code === wanted.code && message.includes(wanted.message);
    });
  if (found.length === expected.length && expected.every(fits)) return;
  assert.fail(`line ${one.line}: expected\n${withMarkers(text, expected)}\nfound\n${withMarkers(text, found)}`);
}

/** For each object its kind, where its CRD comes from, and the CRD's file. */
function sourcesOf(snapshot: Snapshot, uri: string, home: string): string[] {
  return snapshot.open.get(uri)!.manifests.flatMap((manifest) => {
    return definitionsFor(snapshot.definitions, manifest, uri).map(({ file }) => {
      const place = file.uri.replace(`${pathToFileURL(home).href}/`, '').replace(/\?.*/, '');
      return `${manifest.kind}: ${file.origin?.text ?? 'the workspace'} -> ${place}`;
    });
  });
}

/** Each line is in the card of the first kind. */
function hoverHolds(one: SuiteCase, snapshot: Snapshot, uri: string, { text, cursor }: SuiteFile): void {
  const card = hover(snapshot, uri, cursor ?? text.indexOf('kind: ') + 'kind: '.length)?.markdown.source ?? '';
  for (const line of one.fences.get('hover')!.trimEnd().split('\n')) assert.ok(card.includes(line), card);
}
