import { memo } from '../base/memo.ts';
import { lineIndex } from '../base/text.ts';
import type { ValueMap } from '../base/value.ts';
import {
  type KaptestCase,
  type KaptestFiles,
  type KaptestSuite,
  policyOf,
  runKaptestCase,
} from '../crdtest/kaptestSuite.ts';
import { groundOfPolicies, namedFiles, objectsIn, type PolicyGround } from '../crdtest/policyGround.ts';
import { inVersions } from '../crdtest/run.ts';
import { type Allowance, sizeOf } from '../crdtest/size.ts';
import { type Snapshot, versionsFor } from '../workspace/snapshot.ts';
import type { SourceFile } from '../workspace/sourceFile.ts';
import type { PlacedDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { nameOf } from './report.ts';
import { complain } from './terminal.ts';
import { type Counted, counted } from './testOutcome.ts';
import { builtinFile, type CrdOptions, filesNamedIn } from './workspace.ts';

/** The cases of a suite in the form of kaptest. What cannot be asked is named, and counted as skipped. */
export async function* importedKaptest(
  suite: KaptestSuite,
  file: SourceFile,
  { start, document }: PlacedDocument,
  snapshot: Snapshot,
  options: CrdOptions & { readonly paths: readonly string[]; readonly filter: string },
  allowance: Allowance,
): AsyncGenerator<Counted> {
  const lines = lineIndex(file.text);
  const name = nameOf(file.uri);
  for (const key of suite.unread) complain(`${name}: \`${key}\` is not looked at`);
  const around = { files: filesNamedIn(options), uri: file.uri, definitions: snapshot.definitions };
  const policies = await namedFiles(suite.policies, around);
  const resources = await namedFiles(suite.resources, around);
  const why = policies.why ?? resources.why;
  if (why !== undefined) {
    const line = lines.lineAt(start + document.rootStart) + 1;
    yield counted({ file: name, line, name: 'the file can be read', failures: [why], milliseconds: 0, isFault: true });
    return;
  }
  const objects = { policies: objectsIn(policies.files, []), resources: objectsIn(resources.files, []) };
  const versions = versionsFor(snapshot, file.uri);
  const builtin = await builtinFile();
  // A policy that the server refuses fails its own cases, and no others.
  const groundOf = memo((policy: ValueMap) => groundOfPolicies([policy], undefined, { ...around, builtin }, versions));
  const size = versions.length * sizeOfAll([...objects.policies, ...objects.resources]);
  for (const one of suite.cases) {
    const range = rangeOf(document, one.path, 'value');
    const line = lines.lineAt(start + (range?.start ?? document.rootStart)) + 1;
    const about = { file: name, line, name: one.name, milliseconds: 0 };
    if (!one.name.includes(options.filter)) {
      yield ['skipped'];
    } else if (one.unexpressed !== undefined) {
      complain(`${name}:${line}: ${one.name}: skipped: ${one.unexpressed}`);
      yield ['skipped'];
    } else {
      const tooMuch = allowance.take(size);
      const policy = policyOf(one, objects);
      const ground = policy && groundOf(policy);
      const run = () => (ground ? runKaptestIn(one, objects, ground, policy) : [`there is no policy ${one.policy}`]);
      yield counted({ ...about, failures: tooMuch === undefined ? allowance.counting(run) : [tooMuch] });
    }
  }
}

function runKaptestIn(
  one: KaptestCase,
  objects: KaptestFiles,
  { servers, refused }: PolicyGround,
  policy: ValueMap,
): string[] {
  if (refused.length > 0) return [...refused];
  return inVersions([...servers.keys()], (version) =>
    runKaptestCase(one, policy, objects.resources, servers.get(version)!, version),
  );
}

function sizeOfAll(objects: readonly ValueMap[]): number {
  return objects.reduce((sum, one) => sum + sizeOf(one).values, 0);
}
