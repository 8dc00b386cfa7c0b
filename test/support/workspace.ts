import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { xrdGroup } from '../../server/src/crossplane/derive.ts';
import type { BuiltinFile } from '../../server/src/kubernetes/builtin/file.ts';
import { lints as allLints } from '../../server/src/rules/model/registry.ts';
import type { OpenApiTexts } from '../../server/src/serve/openApi/texts.ts';
import { type Baseline, type Committed, objectKey } from '../../server/src/workspace/baseline/baseline.ts';
import { needsBuiltin } from '../../server/src/workspace/builtin.ts';
import type { WantedKind } from '../../server/src/workspace/kinds.ts';
import { kindsToLookUp, withLookedUp } from '../../server/src/workspace/lookUp.ts';
import { fileOf, packagedKind } from '../../server/src/workspace/packaged.ts';
import { defaultSettings, type Severity } from '../../server/src/workspace/settings.ts';
import {
  emptySnapshot,
  type Snapshot,
  settingsOf,
  withBaseline,
  withOpen,
} from '../../server/src/workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../../server/src/workspace/sourceFile.ts';
import type { SuiteCase } from './suite.ts';

/** The built-in kinds, read once. */
let builtin: BuiltinFile | undefined;

const packaged = new Map<string, SourceFile>();

/** The CRDs that come with the program, of those kinds among some that have one. */
export function packagedFiles(wanted: readonly Pick<WantedKind, 'group' | 'kind'>[]): readonly SourceFile[] {
  const kinds = new Set(wanted.flatMap((one) => packagedKind(one) ?? []));
  return [...kinds].map((kind) => {
    const known = packaged.get(kind.data);
    const file = known ?? fileOf(kind, gunzipSync(readFileSync(`server/data/${kind.data}`)).toString());
    packaged.set(kind.data, file);
    return file;
  });
}

/** Crossplane's CRD of its definitions. */
export function crossplaneFile(): SourceFile {
  return packagedFiles([{ group: xrdGroup, kind: 'CompositeResourceDefinition' }])[0]!;
}

export function builtinFile(): BuiltinFile {
  builtin ??= JSON.parse(gunzipSync(readFileSync('server/data/builtinKinds.json.gz')).toString()) as BuiltinFile;
  return builtin;
}

/** What OpenAPI documents say alike. */
export function openApiTexts(): OpenApiTexts {
  return JSON.parse(gunzipSync(readFileSync('server/data/openApi.json.gz')).toString());
}

/** A snapshot in which these files are open. */
export function snapshotOf(
  files: readonly { uri: string; text: string }[],
  { kubernetes = defaultSettings.kubernetesVersion, minimum, lints = 'off', costHints, knownKinds }: CaseSettings = {},
): Snapshot {
  const costHintThreshold = costHints === undefined ? defaultSettings.costHintThreshold : Number(costHints);
  const rules = new Map(allLints.flatMap(({ code }) => lintSeverity(code, lints)));
  const all = {
    ...defaultSettings,
    kubernetesVersion: kubernetes,
    minimumKubernetesVersion: minimum,
    rules,
    costHintThreshold,
    knownKinds: knownKinds?.split(' ') ?? [],
  };
  let snapshot: Snapshot = { ...emptySnapshot, settings: settingsOf(all) };
  for (const { uri, text } of files) snapshot = withOpen(snapshot, sourceFile(uri, text));
  if ([...snapshot.open.values()].some((file) => needsBuiltin(snapshot, file)))
    snapshot = { ...snapshot, builtin: builtinFile() };
  const unknown = [...snapshot.open.values()].flatMap((file) => kindsToLookUp(snapshot, file));
  return withLookedUp(snapshot, {
    files: packagedFiles(unknown),
    asked: unknown.map((wanted) => ({ wanted, absent: [] })),
  });
}

/** Our own warnings would stand all over documents that are about something else, so they have to be asked for. */
export type CaseSettings = Partial<
  Readonly<Record<'kubernetes' | 'minimum' | 'lints' | 'costHints' | 'knownKinds', string | undefined>>
>;

/** `on`: as by default; a code: also that one, which is off by default. */
function lintSeverity(code: string, lints: string): [string, Severity | 'off'][] {
  if (lints === 'off') return [[code, 'off']];
  return lints === code ? [[code, 'warning']] : [];
}

/** The files of a case; its last one is an update of what a `committed` fence holds, its CRD of a `committed-crd`. */
export function snapshotOfCase({ files, settings, fences }: SuiteCase): Snapshot {
  const snapshot = snapshotOf(files, settings);
  const committed = fences.get('committed');
  const last = files.at(-1);
  return committed === undefined || !last
    ? snapshot
    : withBaseline(snapshot, last.uri, baselineOf(last.uri, committed, fences.get('committed-crd')));
}

export function baselineOf(uri: string, text: string, crdText?: string): Baseline {
  const crd = crdText === undefined ? undefined : sourceFile('crd.yaml', crdText).manifests[0]!.value;
  const objects = sourceFile(uri, text).manifests.map((manifest): [string, Committed] => [
    objectKey(manifest)!,
    { ref: 'HEAD', manifest, crd: manifest.role === 'crd' ? undefined : crd, storage: new Map() },
  ]);
  return { ref: 'HEAD', commit: '1', unknownRef: false, objects: new Map(objects) };
}

/** The text of a shared CRD that suites bring in by name. */
export function sharedFile(name: string): string {
  return readFileSync(`test/rules/shared/${name}.yaml`, 'utf8');
}

export function applyEdits(
  text: string,
  edits: readonly { range: { start: number; end: number }; text: string }[],
): string {
  // Later places first; edits at the same place are applied in the given order.
  const ordered = edits.map((edit, i) => ({ ...edit, i })).sort((a, b) => b.range.start - a.range.start || b.i - a.i);
  return ordered.reduce((now, { range, text: put }) => now.slice(0, range.start) + put + now.slice(range.end), text);
}
