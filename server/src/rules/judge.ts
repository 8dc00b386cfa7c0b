import { kubernetesVersion, newestVersion } from '../kubernetes/releases/all.ts';
import { type Definition, definitionsFor } from '../workspace/definitions.ts';
import { isNamedBy } from '../workspace/glob.ts';
import { type Manifest, manifestsOf } from '../workspace/manifest.ts';
import { isPartial } from '../workspace/partial.ts';
import { committedObject, type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { judgeCrd } from './judgeCrd.ts';
import { judgeResource } from './judgeResource.ts';
import { judgeYaml } from './judgeYaml.ts';
import { lintCrd } from './lints/lintCrd.ts';
import { problemAt } from './problemAt.ts';
import { withRelated } from './related.ts';
import type { Problem } from './rule.ts';
import { unknownVersion } from './yaml/fileVersion.ts';

interface Judged {
  /** What the verdict rests on beside the document: it holds while all of this is the same. */
  readonly basis: readonly unknown[];
  readonly problems: readonly Problem[];
}

const memo = new WeakMap<YamlDocument, Judged>();

/** All problems of a document. They are kept while neither it nor what it is judged by changes. */
export function judge(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly Problem[] {
  const settings = settingsFor(snapshot, file.uri);
  const manifests = manifestsOf(document);
  const isFirst = file.stream.documents[0]?.document === document;
  const isJudged = !file.leftAlone && !isNamedBy(settings.exclude, file.uri);
  const basis = [settings, isFirst, isJudged, ...manifests.flatMap((manifest) => basisOf(snapshot, file, manifest))];
  const known = memo.get(document);
  if (known?.basis.length === basis.length && basis.every((one, i) => one === known.basis[i])) return known.problems;
  const version = kubernetesVersion(settings.kubernetes) ?? newestVersion;
  const problems = withRelated(judgeYaml(document));
  if (isFirst) problems.push(...unknownVersion(document));
  // Half a text is no object yet: what the server would say about it is nobody's question.
  const broken = problems.some(({ severity }) => severity === 'error');
  if (!broken && isJudged) {
    const whole = manifests.filter((manifest) => !isPartial(manifest));
    problems.push(...whole.flatMap((manifest) => judgeManifest(snapshot, file, manifest, version)));
  }
  memo.set(document, { basis, problems });
  return problems;
}

function judgeManifest(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: typeof newestVersion,
): Problem[] {
  const committed = committedObject(snapshot, file.uri, manifest);
  if (manifest.role === 'crd') {
    const lints = lintCrd(manifest, version, settingsFor(snapshot, file.uri));
    return withRelated([...judgeCrd(manifest, version, committed), ...lints]);
  }
  if (manifest.role === 'crd-v1beta1') return [outdated(manifest)];
  const definitions = definitionsFor(snapshot.definitions, manifest, file.uri);
  return withRelated(judgeResource(manifest, definitions, version, committed), definitions[0]);
}

/** In the words of whoever asks the API server for a version that it does not serve. */
function outdated(manifest: Manifest): Problem {
  const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"`;
  return problemAt(manifest, 'crd/v1beta1', message, ['apiVersion'], 'value');
}

/** What a manifest is judged by: what is committed of it, and the CRDs of its kind, wherever they stand by now. */
function basisOf(snapshot: Snapshot, file: SourceFile, manifest: Manifest): unknown[] {
  const definitions = definitionsFor(snapshot.definitions, manifest, file.uri);
  return [
    committedObject(snapshot, file.uri, manifest),
    definitions.length,
    ...definitions.flatMap((one) => [one.manifest, one.file.uri, startOf(one)]),
  ];
}

/** Problems point into the CRD's file: a line more above its document moves all of that. */
function startOf({ file, manifest }: Definition): number | undefined {
  return file.stream.documents.find(({ document }) => document === manifest.document)?.start;
}
