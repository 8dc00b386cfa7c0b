import { noBuiltinKind } from '../../rules/judging/judgeBuiltin.ts';
import { builtinFor, builtinKindsFor } from '../../workspace/builtin.ts';
import { judgingDefinitions } from '../../workspace/delivery/installations.ts';
import { isNamedBy } from '../../workspace/glob.ts';
import { readerOf } from '../../workspace/kinds.ts';
import { chartAt } from '../../workspace/languages/chart.ts';
import { isWantedGo } from '../../workspace/languages/go.ts';
import { type LanguageName, languageNameAt } from '../../workspace/languages/languages.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { isHost } from '../../workspace/policyPlace.ts';
import { fileAt, kubernetesFor, type Snapshot, settingsFor } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';

/** Why a whole file is not judged. */
export type FileReason = 'template' | 'parts' | 'asked' | 'excluded';

/**
 * Why an object is not judged: no CRD is known, Kubernetes serves its kind itself and nothing is known of that, another API server
 * does, or only a program reads it, all of it or but for its expressions.
 */
export type ObjectReason = 'no-crd' | 'built-in' | 'added-server' | 'for-programs' | 'but-expressions';

export function fileReason(snapshot: Snapshot, file: SourceFile): FileReason | undefined {
  if (file.template) return 'template';
  if (snapshot.patches.has(file.uri)) return 'parts';
  if (file.ignored) return 'asked';
  return isNamedBy(settingsFor(snapshot, file.uri).exclude, file.uri) ? 'excluded' : undefined;
}

export function objectReason(snapshot: Snapshot, manifest: Manifest, uri: string): ObjectReason | undefined {
  if (manifest.role !== 'resource') return undefined;
  const reason = reasons[readerOf(manifest)];
  if (reason !== 'for-programs' && judgingDefinitions(snapshot, manifest, uri).length > 0) return undefined;
  if (builtinFor(snapshot, uri, manifest) || (reason === 'built-in' && isUnserved(snapshot, manifest, uri)))
    return undefined;
  return reason === 'for-programs' && isHost(manifest) ? 'but-expressions' : reason;
}

/** Whether that is said of it, as of a version that is gone. */
function isUnserved(snapshot: Snapshot, manifest: Manifest, uri: string): boolean {
  const kinds = builtinKindsFor(snapshot, uri);
  return kinds !== undefined && noBuiltinKind(manifest, kinds, kubernetesFor(snapshot, uri)).length > 0;
}

const reasons = {
  kubernetes: 'built-in',
  'added-server': 'added-server',
  program: 'for-programs',
  crd: 'no-crd',
} as const;

const fileWords: Readonly<Record<FileReason, string>> = {
  template: 'This file is a template: it is not checked before it is filled in.',
  parts: 'This file holds parts of objects, as another file says: it is not checked.',
  asked: 'This file asks not to be checked.',
  excluded: 'This file is left out by `kubeCrd.exclude`.',
};

const ownWords: Readonly<Record<LanguageName, string | undefined>> = {
  yaml: undefined,
  chart: undefined,
  kustomization: 'This kustomization is built, and what comes of it is checked.',
  go: 'The markers of this file are checked, and the CRDs that controller-gen makes of its types.',
  crdtest: 'The tests of this file are checked.',
  config: 'The settings in this file are checked.',
  cel: 'The expression of this file is checked.',
};

function isRendered(snapshot: Snapshot, uri: string): boolean {
  return fileAt(snapshot, uri)?.template === true && chartAt(snapshot, uri) !== undefined;
}

/** What of a file is judged; undefined where nothing is. */
export function whatIsJudged(snapshot: Snapshot, uri: string): string | undefined {
  const language = languageNameAt(snapshot, uri);
  if (language === 'go') return isWantedGo(snapshot, uri) ? ownWords.go : undefined;
  if (isRendered(snapshot, uri)) return 'What the chart renders of this template is checked.';
  const file = fileAt(snapshot, uri);
  if (!file || fileReason(snapshot, file) !== undefined) return undefined;
  const judged = file.manifests.filter((manifest) => {
    const reason = objectReason(snapshot, manifest, uri);
    return reason === undefined || reason === 'but-expressions';
  });
  // What others depend on comes first: of many kinds not all are named.
  const inOrder = [...judged].sort((a, b) => Number(b.role === 'crd') - Number(a.role === 'crd'));
  const kinds = named(new Set(inOrder.map(({ kind, apiVersion }) => `${kind} (${apiVersion})`)));
  return ownWords[language] ?? (judged.length > 0 ? `Checked: ${kinds}.` : undefined);
}

/** What of a file is not judged, and why; undefined where all of it is, or where it holds no objects. */
export function whatIsNotJudged(snapshot: Snapshot, uri: string): string | undefined {
  const file = fileAt(snapshot, uri);
  if (isRendered(snapshot, uri)) return undefined;
  if (file?.template) return fileWords.template;
  if (!file || file.manifests.length === 0) return undefined;
  const whole = fileReason(snapshot, file);
  if (whole !== undefined) return fileWords[whole];
  const kinds = new Map<ObjectReason, Set<string>>();
  for (const manifest of file.manifests) {
    const reason = objectReason(snapshot, manifest, uri);
    if (reason === undefined) continue;
    const known = kinds.get(reason) ?? new Set();
    kinds.set(reason, known.add(`${manifest.kind} (${manifest.apiVersion})`));
  }
  const [unknown, builtin, added, local, hosts] = (
    ['no-crd', 'built-in', 'added-server', 'for-programs', 'but-expressions'] as const
  ).map((one) => named(kinds.get(one)));
  const lines = [
    ...(unknown ? [`No CRD is known for ${unknown}: such objects are not checked.`] : []),
    ...(builtin ? [`Kubernetes serves ${builtin} itself: such objects are not checked.`] : []),
    ...(added ? [`An API server of its own serves ${added}, without a CRD: such objects are not checked.`] : []),
    ...(local ? [`Only a program reads ${local}: such objects are not checked.`] : []),
    ...(hosts ? [`Of ${hosts} only the expressions are checked: only a program reads the rest.`] : []),
  ];
  return lines.length === 0 ? undefined : lines.join(' ');
}

const mostNamed = 5;

function named(kinds: ReadonlySet<string> | undefined): string | undefined {
  if (!kinds) return undefined;
  const more = kinds.size > mostNamed ? ` and ${kinds.size - mostNamed} more kinds` : '';
  return `${[...kinds].slice(0, mostNamed).join(', ')}${more}`;
}
