import { kubernetesVersion, newestVersion } from '../kubernetes/versions.ts';
import { type Definition, definitionsFor } from '../workspace/definitions.ts';
import { type Manifest, manifestsOf } from '../workspace/manifest.ts';
import { isPartial } from '../workspace/partial.ts';
import { type Snapshot, settingsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { judgeCrd } from './judgeCrd.ts';
import { judgeResource } from './judgeResource.ts';
import { judgeYaml } from './judgeYaml.ts';
import type { Problem } from './rule.ts';

interface Judged {
  /** What the verdict rests on beside the document: it holds while these are the same. */
  readonly kubernetes: string;
  readonly definitions: readonly Definition[];
  readonly problems: readonly Problem[];
}

const memo = new WeakMap<YamlDocument, Judged>();

/** All problems of a document. They are kept while neither it nor what it is judged by changes. */
export function judge(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly Problem[] {
  const { kubernetes } = settingsFor(snapshot, file.uri);
  const manifests = manifestsOf(document);
  const definitions = manifests.flatMap((manifest) => definitionsFor(snapshot.definitions, manifest, file.uri));
  const known = memo.get(document);
  if (known && known.kubernetes === kubernetes && sameKinds(known.definitions, definitions)) return known.problems;
  const version = kubernetesVersion(kubernetes) ?? newestVersion;
  const problems = judgeYaml(document);
  // Half a text is no object yet: what the server would say about it is nobody's question.
  const broken = problems.some(({ severity }) => severity === 'error');
  if (!broken && !file.leftAlone) {
    const whole = manifests.filter((manifest) => !isPartial(manifest));
    problems.push(...whole.flatMap((manifest) => judgeManifest(snapshot, file, manifest, version)));
  }
  memo.set(document, { kubernetes, definitions, problems });
  return problems;
}

function judgeManifest(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: typeof newestVersion,
): Problem[] {
  if (manifest.role === 'crd') return judgeCrd(manifest, version);
  if (manifest.role === 'crd-v1beta1') return [];
  return judgeResource(manifest, definitionsFor(snapshot.definitions, manifest, file.uri), version);
}

/** Definitions are the same while their documents are: a file is parsed anew on every change of it. */
function sameKinds(a: readonly Definition[], b: readonly Definition[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => one.manifest.value === b[i]!.manifest.value && one.file.uri === b[i]!.file.uri)
  );
}
