import { baseName, decode, isInside, isVendored, nearness, testDataFolder } from './uri.ts';

// What tests read is of no cluster, and its mistakes are often meant: who checks a folder does not ask for it.

/** A folder of test data, objects that say that they are invalid, or copies of what others have. */
export type TestReason = 'test-data' | 'invalid' | 'vendored';

/** Why a file is left to its tests where the folders around it are checked; undefined where it is not. */
export function testReasonIn(uri: string, folders: readonly string[]): TestReason | undefined {
  if (reasonIn(decode(uri)) === undefined) return undefined;
  const around = folders.filter((folder) => uri === folder || isInside(uri, folder));
  const reasons = around.map((folder) => reasonIn(decode(uri.slice(folder.length))));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Whether folders called so lead from each of those that are checked, and hold a file, to it. */
export function isBelowOne(uri: string, folders: readonly string[], called: RegExp): boolean {
  const around = folders.filter((folder) => isInside(uri, folder));
  const isCalled = (folder: string) => {
    const steps = decode(uri.slice(folder.length)).split('/');
    return steps.slice(0, -1).some((step) => called.test(step));
  };
  return around.length > 0 && around.every(isCalled);
}

/** Whether a file is in a folder of tests, which apply some of what is there and compare the rest. */
export function isOfTests(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, tests) || isTestFile(uri) || isForPolicies(uri, folders);
}

/** Whether it is an example of what a policy lets pass, or refuses. */
function isForPolicies(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, forReaders) && isBelowOne(uri, folders, tried);
}

/** Whether a file is in a folder of tests that another is not in. */
export function isOfOtherTests(uri: string, other: string, called = tests): boolean {
  const own = uri.split('/').slice(nearness(uri, other), -1);
  return own.some((step) => called.test(step));
}

/** Whether it is called as data of a test beside it, such as `widgets_test_objects.yaml`, or as what is to be mended. */
export function isTestFile(uri: string): boolean {
  const name = baseName(uri).toLowerCase();
  return name.includes('_test_') || name.startsWith('broken-') || /^test\.[a-z]{3,4}$/.test(name);
}

/** Whether it is documentation or an example: readers fill in what is theirs. */
export function isForReaders(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, forReaders) || isOfTests(uri, folders);
}

const forReaders = /^(?:docs?|documentation|(?:[a-z]{1,40}-)?(?:examples?|samples?)|snippets|website|site|content)$/i;

/** Whether it is part of a design: of what is not there, or was not. */
export function isOfDesigns(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, designs);
}

/** Whether it is kept in a folder for what nobody maintains any more. */
export function isArchived(uri: string, folders: readonly string[]): boolean {
  const isAtTop = folders.some(
    (folder) => isInside(uri, folder) && /^\/?(?:archive|old|obsolete|attic)\//i.test(uri.slice(folder.length)),
  );
  return isAtTop || isBelowOne(uri, folders, /^(?:[._]archive|[._]?archived(?:[-_]\w{1,40})?|[\w.-]{1,80}[-_]old)$/i);
}

/** Whether a program has made it of a page that shows something else, as upjet does of the examples of Terraform's providers. */
export function isGeneratedExample(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, /^(?:examples?|samples?)[-_]generated$/i);
}

/** Whether it is kept among what a program has inside, to complete and apply it. */
export function isAsset(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, /^(?:assets|bindata)$/i);
}

/** Whether it is one of the files to which Quarkus adds what it makes of a program, such as the image. */
export function isForQuarkus(uri: string): boolean {
  return /\/src\/main\/kubernetes\/(?:common|kind|knative|kubernetes|minikube|openshift)\.(?:json|yml)$/.test(uri);
}

/** Whether it is kept in a folder for what is deprecated, or called so itself. */
export function isOfDeprecated(uri: string, folders: readonly string[]): boolean {
  return isBelowOne(uri, folders, /^deprecated$/i) || /^deprecated?[-_.]/i.test(baseName(uri));
}

const designs = /^(?:designs?|design-docs?|proposals?|rfcs?|enhancements?)$/i;

// Kyverno's policies have theirs in `.chainsaw-test` and `.kyverno-test`, and CRDs of others for them in `.chainsaw`.
const tests =
  /^(?:conformance|(?:int|integ|integration|func|functional|unit|system|smoke|acceptance)?[-_]?tests?|terratest|test[-_]?resources|testutils?|e2e|kuttl|\.?chainsaw|\.?[a-z\d]{1,40}[-_](?:e2e|tests?))$/i;
const invalid =
  /(?:^|[-_])(?:bad|broken|invalid|malformed|negative|api-?validations?|(?:expected|lint)[-_]?fail(?:s|ures?)?|duplicated?[-_]keys?)(?:[-_.]|$)/i;
const tried = /^(?:good|pass(?:es|ing)?|compliant|allowed|violations?|violating|non-?compliant|disallowed)$/i;
const refused = /^(?:violations?|violating|non-?compliant|disallowed)$/i;
const invalidFile = /(?:^|[-_])(?:bad|invalid|malformed)(?:[-_.]|$)|^errors?[-_](?:empty|missing|wrong)[-_.]/i;
const invalidFolder = /^invalid(?:[-_](?:examples?|manifests?|objects?|resources?|samples?))?$/i;

/** What is applied is YAML: JSON in `tests/data`, or a crate's `tests`, is what a test gives to a program, or has from one. */
function isJsonOfTests(way: string): boolean {
  return /(?:^|\/)(?:tests?\/data|crates\/[\w-]{1,80}\/tests)\//.test(way) && way.endsWith('.json');
}

function reasonIn(way: string): TestReason | undefined {
  const steps = way.split('/');
  if (testDataFolder(way) !== undefined || isJsonOfTests(way)) return 'test-data';
  if (isVendored(way)) return 'vendored';
  const isInTests = steps.slice(0, -1).some((step) => tests.test(step));
  if (isInTests && steps.some((step) => invalid.test(step))) return 'invalid';
  const isExample = steps.slice(0, -1).some((step) => forReaders.test(step));
  const isRefused = invalidFile.test(steps.at(-1)!) || steps.slice(0, -1).some((step) => refused.test(step));
  if ((isExample && isRefused) || /[-_]invalid\.[a-z]{3,4}$/i.test(steps.at(-1)!)) return 'invalid';
  return steps.slice(0, -1).some((step) => invalidFolder.test(step)) ? 'invalid' : undefined;
}
