import { isMap } from '../base/value.ts';
import { countingWork } from '../cel/eval/work.ts';
import type { BuiltinFile } from '../kubernetes/builtin/file.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Definitions } from '../workspace/definitions.ts';
import { globOfUri } from '../workspace/glob.ts';
import { fileAt, type Snapshot } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import { folderOf, resolve } from '../workspace/uri.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { mostRuns } from './documentRun.ts';
import { lastRuns } from './lastRun.ts';
import { definitionOf, givenHere, sizeOfCase } from './load.ts';
import { groundOfPolicies, objectsIn } from './policyGround.ts';
import { runAdmission } from './policyRun.ts';
import type { CaseResult } from './run.ts';
import { mostValuesWhileTyping } from './size.ts';
import { readSuite, type Suite, type TestCase, versionsOf } from './suite.ts';

/** What came of the cases of a document of tests of policies, as far as that can be told without reading other files. */
export interface PolicyDocumentRun {
  readonly suite: Suite;
  /** Why the policies cannot be tested. */
  readonly refused: readonly string[];
  /** Undefined for cases whose objects are in files. */
  readonly results: ReadonlyMap<TestCase, CaseResult | undefined>;
}

/** What is known around a document: the files of the workspace, their kinds and the built-in ones. */
export interface PolicyAround {
  readonly uri: string;
  readonly definitions: Definitions;
  /** Undefined as long as nobody has read them: then nothing is run. */
  readonly builtin: BuiltinFile | undefined;
  readonly policyFiles: readonly SourceFile[] | undefined;
}

/** What tests of policies are run with. */
export function aroundPolicies(snapshot: Snapshot, uri: string, document: YamlDocument): PolicyAround {
  const { definitions, builtin } = snapshot;
  return { uri, definitions, builtin, policyFiles: policyFilesOf(snapshot, uri, document) };
}

/** The files that tests name as their policies, or for their expressions; undefined where one of them is not known. */
function policyFilesOf(snapshot: Snapshot, uri: string, document: YamlDocument): readonly SourceFile[] | undefined {
  const { policy, expressions } = readSuite(document).suite ?? {};
  const patterns = policy?.files ?? expressions;
  const found = patterns?.map((pattern) => filesAt(snapshot, resolve(folderOf(uri), pattern)));
  return found?.some((files) => files.length === 0) ? undefined : found?.flat();
}

function filesAt(snapshot: Snapshot, pattern: string): readonly SourceFile[] {
  if (!/%2A|%3F|[*?]/.test(pattern)) {
    const file = fileAt(snapshot, pattern);
    return file ? [file] : [];
  }
  const matches = globOfUri(pattern);
  const uris = new Set([...snapshot.onDisk.keys(), ...snapshot.open.keys()]);
  return [...uris].filter(matches).map((uri) => fileAt(snapshot, uri)!);
}

const lastRun = lastRuns<PolicyDocumentRun>();

/** Undefined where they are no tests of policies, mean nothing, or where something around them is not known. */
export function policyDocumentRun(
  document: YamlDocument,
  around: PolicyAround,
  usual: KubernetesVersion,
): PolicyDocumentRun | undefined {
  const { builtin, definitions, policyFiles } = around;
  if (!builtin || !policyFiles) return undefined;
  return lastRun(document, usual, [builtin, definitions, ...policyFiles], () =>
    runNow(document, { ...around, builtin, policyFiles }, usual),
  );
}

function runNow(
  document: YamlDocument,
  { uri, definitions, builtin, policyFiles }: Required<PolicyAround> & { readonly policyFiles: readonly SourceFile[] },
  usual: KubernetesVersion,
): PolicyDocumentRun | undefined {
  const { suite, mistakes } = readSuite(document);
  if (!suite?.policy || mistakes.length > 0) return undefined;
  const versions = versionsOf(suite, [usual]);
  if (suite.cases.length * versions.length > mostRuns) return undefined;
  const objects = objectsIn(policyFiles, suite.policy.objects.filter(isMap));
  const crd = suite.crd && definitionOf(suite.crd, uri, definitions)?.manifest.value;
  const { servers, refused, size } = groundOfPolicies(objects, crd, { uri, definitions, builtin }, versions);
  const cases = suite.cases.reduce((sum, one) => sum + sizeOfCase(one, suite).values, 0);
  if (servers.size * (size * suite.cases.length + cases) > mostValuesWhileTyping) return undefined;
  const results = new Map<TestCase, CaseResult | undefined>();
  // Whoever asks first, the answer is the same: nothing that was judged before counts.
  countingWork(0, () => {
    for (const one of suite.cases) {
      const given = servers.size > 0 ? givenHere(one, suite) : undefined;
      results.set(one, given && runAdmission(one, given, servers));
    }
  });
  return { suite, refused, results };
}
