import { kubernetesVersion, newestVersion } from '../kubernetes/versions.ts';
import type { Committed } from '../workspace/baseline/baseline.ts';
import { type Definition, definitionsFor } from '../workspace/definitions.ts';
import { isNamedBy } from '../workspace/glob.ts';
import { type Manifest, manifestsOf } from '../workspace/manifest.ts';
import { isPartial } from '../workspace/partial.ts';
import type { Settings } from '../workspace/settings.ts';
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
  /** What the verdict rests on beside the document: it holds while these are the same. */
  readonly settings: Settings;
  readonly definitions: readonly Definition[];
  readonly committed: readonly (Committed | undefined)[];
  readonly problems: readonly Problem[];
}

const memo = new WeakMap<YamlDocument, Judged>();

/** All problems of a document. They are kept while neither it nor what it is judged by changes. */
export function judge(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly Problem[] {
  const settings = settingsFor(snapshot, file.uri);
  const manifests = manifestsOf(document);
  const definitions = manifests.flatMap((manifest) => definitionsFor(snapshot.definitions, manifest, file.uri));
  const committed = manifests.map((manifest) => committedObject(snapshot, file.uri, manifest));
  const known = memo.get(document);
  if (
    known?.settings === settings &&
    sameKinds(known.definitions, definitions) &&
    committed.every((one, i) => one === known.committed[i])
  )
    return known.problems;
  const version = kubernetesVersion(settings.kubernetes) ?? newestVersion;
  const problems = withRelated(judgeYaml(document));
  if (file.stream.documents[0]?.document === document) problems.push(...unknownVersion(document));
  // Half a text is no object yet: what the server would say about it is nobody's question.
  const broken = problems.some(({ severity }) => severity === 'error');
  if (!broken && !file.leftAlone && !isNamedBy(settings.exclude, file.uri)) {
    const whole = manifests.filter((manifest) => !isPartial(manifest));
    problems.push(...whole.flatMap((manifest) => judgeManifest(snapshot, file, manifest, version)));
  }
  memo.set(document, { settings, definitions, committed, problems });
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

/** Definitions are the same while their documents are: a file is parsed anew on every change of it. */
function sameKinds(a: readonly Definition[], b: readonly Definition[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => one.manifest.value === b[i]!.manifest.value && one.file.uri === b[i]!.file.uri)
  );
}
