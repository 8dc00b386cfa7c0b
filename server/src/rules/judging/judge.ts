import { append } from '../../base/append.ts';
import { bug } from '../../base/bug.ts';
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import { isString, valueAt } from '../../base/value.ts';
import { countingWork, mostFileWork } from '../../cel/eval/work.ts';
import { aroundPolicies } from '../../crdtest/policyDocumentRun.ts';
import { watchedObject } from '../../kubernetes/policy/worlds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import type { Committed } from '../../workspace/baseline/baseline.ts';
import { builtinFor, builtinKindsFor } from '../../workspace/builtin.ts';
import { type Config, isConfig } from '../../workspace/config.ts';
import { asNear, type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { fillingsFor } from '../../workspace/delivery/filled.ts';
import { judgingDefinitions } from '../../workspace/delivery/installations.ts';
import { isChartValues, isTestFile } from '../../workspace/fileNames.ts';
import { isNamedBy } from '../../workspace/glob.ts';
import { keyOfWanted, readerOf, wantedKind } from '../../workspace/kinds.ts';
import { crdAsBuilt } from '../../workspace/kustomizations/asBuilt.ts';
import { placeInSource } from '../../workspace/kustomizations/builtCrds.ts';
import { mayLackParts } from '../../workspace/kustomized.ts';
import { isPartial, isTooDeep, type Manifest, manifestsOf, metadataOf } from '../../workspace/manifest.ts';
import { mutatorOf } from '../../workspace/mutators.ts';
import { expressionsIn } from '../../workspace/policyPlace.ts';
import { policyTypesFor } from '../../workspace/policyTypes.ts';
import { isRgd } from '../../workspace/rgd.ts';
import type { Settings } from '../../workspace/settings.ts';
import {
  committedObject,
  configFor,
  formerName,
  newestOf,
  type Snapshot,
  settingsFor,
} from '../../workspace/snapshot.ts';
import { placedIn, type SourceFile } from '../../workspace/sourceFile.ts';
import { folderOf, relative, testDataFolder } from '../../workspace/uri.ts';
import type { Variables } from '../../workspace/variables.ts';
import { isXrd } from '../../workspace/xrd.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { definedTwice } from '../cr/kindDefinedTwice.ts';
import { patternsLeftOut } from '../cr/patternLeftOut.ts';
import { isBySops, isEncryptedText } from '../cr/placeholders.ts';
import { unknownKind } from '../cr/unknownKind.ts';
import { outdated } from '../crd/v1beta1.ts';
import { lintCrd } from '../lints/lintCrd.ts';
import { lints, ruleOf, ruleTitles } from '../model/registry.ts';
import type { Problem } from '../model/rule.ts';
import { unknownDirectives } from '../yaml/directive.ts';
import { unknownVersion } from '../yaml/fileVersion.ts';
import { notJudged, tooDeep, tooMuch } from '../yaml/notJudged.ts';
import { judgeBuiltinObject, judgeInWorlds, noBuiltinKind } from './judgeBuiltin.ts';
import { judgeConfig } from './judgeConfig.ts';
import { judgeCrd } from './judgeCrd.ts';
import { judgeEmbedded } from './judgeEmbedded.ts';
import { judgeFilled } from './judgeFilled.ts';
import { judgePolicyTypes, judgeWatched } from './judgePolicyTypes.ts';
import { judgeResource } from './judgeResource.ts';
import { judgeRgd } from './judgeRgd.ts';
import { judgeTests } from './judgeTests.ts';
import { judgeXrd } from './judgeXrd.ts';
import { judgeYaml, lacksSeparator, saysSeparator } from './judgeYaml.ts';
import { locateInFile } from './locate.ts';

interface Judged {
  /** What the verdict rests on beside the document: it holds while all of this is the same. */
  readonly basis: readonly unknown[];
  readonly problems: readonly Problem[];
  /** What evaluating the rules on its objects came to. */
  readonly work: number;
}

/** By document, one for each Kubernetes version that it is judged for. */
const verdicts = memo((_: YamlDocument, __: string): { last?: Judged } => ({}));

/** The same, with a problem of its own where judging fails: the other documents of the file are judged all the same. */
export function judgeSafely(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly Problem[] {
  try {
    return judge(snapshot, file, document);
  } catch (error) {
    const why = error instanceof Error ? error : new Error(String(error));
    bug(`judging ${file.uri} failed: ${why.stack ?? why.message}`);
    return [notJudged(document, why.message)];
  }
}

/** All problems of a document. They are kept while neither it nor what it is judged by changes. */
export function judge(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly Problem[] {
  return judged(snapshot, file, document).problems;
}

/** What the evaluation of rules comes to where a document is judged. */
export function workOf(snapshot: Snapshot, file: SourceFile, document: YamlDocument): number {
  return judged(snapshot, file, document).work;
}

/** What evaluation came to before each document of a file, as far as that was asked for. */
interface WorkSoFar {
  readonly before: Map<YamlDocument, number>;
  next: number;
  sum: number;
}

const workSoFar = memo((_: SourceFile, __: Snapshot): WorkSoFar => ({ before: new Map(), next: 0, sum: 0 }));

/** What evaluating the rules on the objects of a file comes to before it gets to a document. */
function workBefore(snapshot: Snapshot, file: SourceFile, document: YamlDocument): number {
  const known = workSoFar(file, snapshot);
  const { documents } = file.stream;
  for (; !known.before.has(document) && known.next < documents.length; known.next++) {
    const one = documents[known.next]!.document;
    known.before.set(one, known.sum);
    if (one === document) break;
    known.sum += judged(snapshot, file, one).work;
  }
  return known.before.get(document) ?? 0;
}

function judged(snapshot: Snapshot, file: SourceFile, document: YamlDocument): Judged {
  // Whether too much was done before is all that matters: a verdict does not change with every count.
  const isSpent = workBefore(snapshot, file, document) > mostFileWork;
  const settings = settingsFor(snapshot, file.uri);
  const manifests = manifestsOf(document);
  const isFirst = file.stream.documents[0]?.document === document;
  const isJudged = !file.ignored && !isNamedBy(settings.exclude, file.uri);
  const basis = [
    settings,
    isFirst,
    isJudged,
    isSpent,
    snapshot.adviceLater.has(file.uri),
    snapshot.placed.has(file.uri),
    mayLackParts(snapshot.kustomized, file.uri),
    snapshot.variables.get(file.uri),
    ...fillingsFor(snapshot, file.uri),
    // Tests run against CRDs, and not every file with one is theirs.
    ...(isTestFile(file.uri) ? testBasis(snapshot, file, document) : []),
    ...manifests.flatMap((manifest) => basisOf(snapshot, file, manifest)),
  ];
  const kept = verdicts(document, settings.kubernetesVersion);
  const known = kept.last;
  if (known?.basis.length === basis.length && basis.every((one, i) => one === known.basis[i])) return known;
  const { result, work } = countingWork(isSpent ? Number.POSITIVE_INFINITY : 0, () =>
    newVerdict(snapshot, file, document, { settings, isFirst, isJudged }),
  );
  const now = { basis, problems: result, work: isSpent ? 0 : work };
  kept.last = now;
  return now;
}

function testBasis(snapshot: Snapshot, file: SourceFile, document: YamlDocument): readonly unknown[] {
  const { definitions, builtin, policyFiles = [] } = aroundPolicies(snapshot, file.uri, document);
  return [definitions, builtin, ...policyFiles];
}

interface Judging {
  readonly settings: Settings;
  readonly isFirst: boolean;
  readonly isJudged: boolean;
}

/** The paths of a config that lead to nothing. */
function nowhereFor({ settings: { configs } }: Snapshot, { uri }: SourceFile): Config['nowhere'] {
  const config = configFor(configs, uri);
  return config?.uri === uri ? config.nowhere : undefined;
}

const ruleCodes: ReadonlySet<string> = new Set(Object.keys(ruleTitles));

function newVerdict(
  snapshot: Snapshot,
  file: SourceFile,
  document: YamlDocument,
  { settings, isFirst, isJudged }: Judging,
): readonly Problem[] {
  const manifests = manifestsOf(document);
  const version = newestOf(settings);
  // What a word of a config means is decided by its setting, not by YAML.
  const isOfProgram = manifests.length > 0 && manifests.every((one) => readerOf(one) === 'program');
  const asRead = judgeYaml(document).filter(
    ({ code }) => (code !== 'yaml/reads-as' || !isConfig(file.uri)) && (code !== 'yaml/ignored' || !isOfProgram),
  );
  const problems = withRelated(asRead);
  append(problems, unknownDirectives(document, ruleCodes));
  append(problems, tooDeep(document));
  append(problems, tooMuch(document));
  if (isFirst) append(problems, unknownVersion(document));
  const isDeep = isTooDeep(document);
  if (isConfig(file.uri) && !isDeep)
    append(problems, judgeConfig(file.uri, document, isFirst, nowhereFor(snapshot, file)));
  if (isTestFile(file.uri) && !isDeep)
    append(problems, judgeTests(document, aroundPolicies(snapshot, file.uri, document), version));
  // An incomplete text is not an object yet, and nobody asks what the server would say about it.
  const broken = problems.some(({ severity }) => severity === 'error');
  if (!broken && isJudged) {
    const isTwo = lacksSeparator(document);
    const lacksParts = mayLackParts(snapshot.kustomized, file.uri);
    const whole = manifests.filter((manifest) => !isPartial(manifest) && !isFragment(manifest, file.uri));
    append(
      problems,
      whole.flatMap((manifest) => {
        const { result, unmatched } = boundedMatching(() => judgeManifest(snapshot, file, manifest, version));
        const found = [...result, ...patternsLeftOut(manifest, unmatched)];
        const whole = lacksParts ? found.filter(({ code }) => !ruleOf(code)?.ofWhole) : found;
        const ours = whole.filter((one) => !isOfEncryption(manifest, one));
        const kept = isTwo ? withoutFirst(manifest, ours, problems, settings) : ours;
        return snapshot.placed.has(file.uri) ? kept.filter((one) => !isPlaced(manifest, one)) : kept;
      }),
    );
  }
  return problems;
}

/** Whether a problem is about what SOPS has encrypted, or added to the object: it is gone before anything is applied. */
function isOfEncryption(manifest: Manifest, { path }: Problem): boolean {
  if (!isBySops(manifest)) return false;
  const inside = path.slice(manifest.at.length);
  const text = valueAt(manifest.value, inside);
  return inside[0] === 'sops' || (isString(text) && isEncryptedText(text));
}

/** The keys that the first of two objects without a line between them leaves the second are refused for want of the line. */
function withoutFirst({ at }: Manifest, found: readonly Problem[], before: Problem[], { fieldValidation }: Settings) {
  const kept = found.filter(({ code, path }) => ruleOf(code)?.ofKey !== true || path.length !== at.length + 1);
  const line = kept.length < found.length ? before.findIndex(saysSeparator) : -1;
  if (line !== -1 && fieldValidation === 'Strict') before[line] = { ...before[line]!, severity: 'error' };
  return kept;
}

/** Whether a problem is about what a kustomization replaces: the namespace, which is a Namespace's own name. */
function isPlaced({ at, value, kind }: Manifest, { path }: Problem): boolean {
  const [first, second] = path.slice(at.length);
  if (first !== 'metadata') return false;
  return second === 'namespace' || (second === 'name' && kind === 'Namespace' && value.get('apiVersion') === 'v1');
}

/**
 * Tests keep parts of objects, such as a status alone, and values of charts may be called `kind` and `apiVersion`: there an
 * object without a name was never meant to be one.
 */
function isFragment(manifest: Manifest, uri: string): boolean {
  const isNamed = metadataOf(manifest)?.has('name') || metadataOf(manifest)?.has('generateName');
  return manifest.role === 'resource' && !isNamed && (testDataFolder(uri) !== undefined || isChartValues(uri));
}

function judgeManifest(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: KubernetesVersion,
): Problem[] {
  const committed = committedObject(snapshot, file.uri, manifest);
  if (manifest.role === 'crd') {
    const isLater = snapshot.adviceLater.has(file.uri);
    const found = isLater
      ? []
      : lintCrd(lints, manifest, version, settingsFor(snapshot, file.uri), {
          committed,
          formerName: formerName(snapshot, file.uri, manifest),
        });
    const twice = definedTwice(manifest, file.uri, definitionsOf(snapshot, manifest));
    return withRelated([...judgeCrd(manifest, version, committed), ...found, ...twice]);
  }
  if (manifest.role === 'crd-v1beta1') return [outdated(manifest)];
  const variables = snapshot.variables.get(file.uri);
  const whole = variables ? filledInLater(manifest, variables) : manifest;
  const judge = (one: Manifest) => judgeOther(snapshot, file, one, version, committed);
  const fillings = manifest.document.text.includes('$') ? fillingsFor(snapshot, file.uri) : [];
  return fillings.length === 0 ? judge(whole) : judgeFilled(snapshot, whole, fillings, judge);
}

/** Of kinds that Kubernetes has built in, kustomize itself knows more fields than labels and annotations. */
const filledInLater = memo((manifest: Manifest, { names, everywhere }: Variables): Manifest => {
  return { ...manifest, variables: { names, everywhere: everywhere || readerOf(manifest) === 'kubernetes' } };
});

/** An object that defines no kind. */
function judgeOther(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: KubernetesVersion,
  committed: Committed | undefined,
): Problem[] {
  // What a program reads no API server sees, whatever CRDs are made of its types.
  const isForProgram = readerOf(manifest) === 'program';
  const isOfKubernetes = readerOf(manifest) === 'kubernetes';
  // A kind that the API server has built in is served as it is there, whatever CRD says the same.
  const builtin = isOfKubernetes ? builtinFor(snapshot, file.uri, manifest) : undefined;
  if (builtin) {
    const found = judgeBuiltinObject(manifest, builtin, version, committed);
    return withRelated([...found, ...typeProblems(snapshot, file, manifest, version, found)]);
  }
  const definitions = isForProgram ? [] : judgingDefinitions(snapshot, manifest, file.uri);
  if (definitions.length === 0 && isOfKubernetes) {
    const kinds = builtinKindsFor(snapshot, file.uri);
    return [...(kinds ? noBuiltinKind(manifest, kinds, version) : []), ...judgeInWorlds(manifest, version)];
  }
  if (isXrd(manifest)) {
    const own = judgeObject(snapshot, file, manifest, { definitions, version, committed });
    const isTaken = !own.some(({ code, severity }) => (severity ?? ruleOf(code)?.severity) === 'error');
    const settings = settingsFor(snapshot, file.uri);
    const committedOf = (crd: Manifest) => committedObject(snapshot, file.uri, crd);
    const made = judgeXrd(manifest, { kubernetes: version, committedOf, settings, lints, isTaken });
    return [...own, ...withRelated(made)];
  }
  if (isRgd(manifest)) {
    const own = judgeObject(snapshot, file, manifest, { definitions, version, committed });
    const isTaken = !own.some(({ code, severity }) => (severity ?? ruleOf(code)?.severity) === 'error');
    const committedOf = (crd: Manifest) => committedObject(snapshot, file.uri, crd);
    return [...own, ...(isTaken ? withRelated(judgeRgd(manifest, { kubernetes: version, committedOf })) : [])];
  }
  return judgeObject(snapshot, file, manifest, { definitions, version, committed });
}

interface Objects {
  readonly definitions: readonly Definition[];
  readonly version: KubernetesVersion;
  readonly committed: Committed | undefined;
}

/** A custom resource, by the CRDs of its kind. */
function judgeObject(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  { definitions, version, committed }: Objects,
): Problem[] {
  const inExpressions = [...judgeInWorlds(manifest, version), ...watchedProblems(snapshot, file, manifest, version)];
  if (definitions.length === 0) {
    const settings = settingsFor(snapshot, file.uri);
    const isOfOther = definitionsFor(snapshot.definitions, manifest, file.uri).length > 0;
    const unknown = unknownKind(manifest, snapshot.definitions, snapshot.missing, settings, isOfOther);
    return [...unknown, ...inExpressions];
  }
  const kinds = () => builtinKindsFor(snapshot, file.uri);
  const { ways, isSettled } = crdAsBuilt(snapshot, definitions[0]!, file.uri);
  const patching = isSettled ? 'known' : isPatched(snapshot, definitions[0]!) ? 'maybe' : 'no';
  const judgedBy = (definition: Definition) => {
    const own = judgeResource(manifest, definition, version, committed, {
      patching,
      mutator: mutatorOf(snapshot.mutators, definition),
    });
    const embedded = judgeEmbedded(manifest, definition, kinds, version);
    const unsaid = embedded.filter(({ range }) => !own.some((one) => isWithin(range, one.range)));
    const said = withRelated([...own, ...unsaid], definition);
    return isSettled ? inSource(said, definition) : said;
  };
  const found = inAllWays(ways.map(judgedBy));
  const others = isSettled || found.length === 0 ? [] : asNear(snapshot.definitions, manifest, file.uri, definitions);
  const sure = inOthers(found, others.slice(0, mostCompared), judgedBy, file.uri);
  return withOrigin([...sure, ...withRelated(inExpressions)], definitions[0]);
}

/**
 * Where several CRDs are as near to an object, what one of them does not say is a note: it may be the one of the cluster. What each
 * refuses for a reason of its own is refused.
 */
function inOthers(
  found: readonly Problem[],
  others: readonly Definition[],
  judgedBy: (definition: Definition) => readonly Problem[],
  uri: string,
): readonly Problem[] {
  const verdicts = others.map((other) => ({ said: judgedBy(other), place: relative(folderOf(uri), other.file.uri) }));
  return found.map((problem) => {
    const severity = severityOf(problem);
    if (severity === 'hint' || severity === 'off') return problem;
    const isThere = ({ range }: Problem) => range.start === problem.range.start;
    const isSaid = (one: Problem) => isThere(one) && one.code === problem.code && lackSame(one, problem);
    const refusal = (said: readonly Problem[]) => said.find((one) => isThere(one) && severityOf(one) === 'error');
    const differing = verdicts.filter(({ said }) => !said.some(isSaid));
    const silent = differing.find(({ said }) => severity !== 'error' || !refusal(said));
    if (silent) return unlessOther(problem, silent.place);
    const [other] = differing;
    if (!other) return problem;
    const words = `By the CRD in ${other.place}, which is as near: ${refusal(other.said)!.message}`;
    return { ...problem, message: `${problem.message} (${words})` };
  });
}

const severityOf = ({ severity, code }: Problem) => severity ?? ruleOf(code)?.severity;

function unlessOther(problem: Problem, place: string): Problem {
  const message = `${problem.message} (Unless the CRD in ${place} counts, which is as near and does not say so.)`;
  return { ...problem, message, severity: 'information', says: { ...problem.says, isOfOneCrd: true } };
}

/** Whether two problems are about a field that both say is missing, unless they are about something else. */
function lackSame({ says: one }: Problem, { says: other }: Problem): boolean {
  return one?.required === undefined || one.required.some((field) => other?.required?.includes(field));
}

/** Where builds make several CRDs of one, what some of them say holds only there. */
function inAllWays([first = [], ...others]: readonly (readonly Problem[])[]): readonly Problem[] {
  const isIn = (all: readonly Problem[], { code, message, range }: Problem) =>
    all.some((one) => one.code === code && one.message === message && one.range.start === range.start);
  return first.filter((problem) => others.every((all) => isIn(all, problem)));
}

/** The places of a CRD that is built are where they were written. */
function inSource(problems: readonly Problem[], definition: Definition): readonly Problem[] {
  return problems.map((problem) => {
    const { related } = problem;
    if (!related?.some(({ uri }) => uri === definition.file.uri)) return problem;
    const led = related.map((one) =>
      one.uri === definition.file.uri ? { ...one, ...placeInSource(definition, one.range) } : one,
    );
    return { ...problem, related: led };
  });
}

function isWithin(range: Range, outer: Range): boolean {
  return outer.start <= range.start && range.end <= outer.end;
}

/** What expressions about objects of a kind name that these do not have. */
function watchedProblems(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: KubernetesVersion,
): Problem[] {
  return expressionsIn(manifest, version).flatMap((one) => {
    if (one.host.world !== watchedObject) return [];
    const types = policyTypesFor(snapshot, file.uri, manifest, one.path);
    return types ? judgeWatched(manifest, one, types, version) : [];
  });
}

/** What type checking says of a policy that can be decoded. */
function typeProblems(
  snapshot: Snapshot,
  file: SourceFile,
  manifest: Manifest,
  version: KubernetesVersion,
  found: readonly Problem[],
): Problem[] {
  const isPolicy =
    manifest.kind === 'ValidatingAdmissionPolicy' && !found.some(({ code }) => code === 'builtin/decode');
  const types = isPolicy ? policyTypesFor(snapshot, file.uri, manifest, []) : undefined;
  if (!types) return [];
  const refused = found.filter(({ code }) => code.startsWith('policy/'));
  const paths = new Set(refused.map(({ path }) => path.slice(manifest.at.length).join('/')));
  return judgePolicyTypes(manifest, types, version, paths);
}

/** Findings say by which CRD, where that is not one of the workspace. */
function withOrigin(problems: readonly Problem[], definition: Definition | undefined): Problem[] {
  const origin = definition?.file.origin;
  if (!definition || !origin) return [...problems];
  const place = locateInFile(definition.file, definition.manifest, ['spec', 'names', 'kind'], 'value');
  const by = { ...place, message: `judged by this CRD (${origin.text})` };
  return problems.map((problem) => ({ ...problem, related: [...(problem.related ?? []), by] }));
}

/** How many problems of a document get related places that take their time to find. */
const mostSlow = 10;

/** Problems with the other places that their rules know of. */
function withRelated(problems: readonly Problem[], definition?: Definition): Problem[] {
  let left = mostSlow;
  return problems.map((problem) => {
    const rule = ruleOf(problem.code);
    if (!rule?.related || (rule.slowRelated && left-- <= 0)) return problem;
    const related = rule.related(problem, definition);
    return related.length === 0 ? problem : { ...problem, related: [...(problem.related ?? []), ...related] };
  });
}

/** What a manifest is judged by: what is committed of it, and the CRDs of its kind, wherever they are by now. */
function basisOf(snapshot: Snapshot, file: SourceFile, manifest: Manifest): unknown[] {
  const definitions = judgingDefinitions(snapshot, manifest, file.uri);
  // What kinds there are, and which are not to be found, is asked for only where none is this one.
  const isUnknown = manifest.role === 'resource' && definitions.length === 0;
  const [first] = manifest.role === 'resource' ? definitions : [];
  const built = first && crdAsBuilt(snapshot, first, file.uri);
  return [
    committedObject(snapshot, file.uri, manifest),
    formerName(snapshot, file.uri, manifest),
    isUnknown ? snapshot.definitions : undefined,
    isUnknown ? missingOf(snapshot, manifest) : undefined,
    manifest.role === 'resource' ? snapshot.builtin : undefined,
    ...(manifest.role === 'crd' ? othersOf(definitionsOf(snapshot, manifest)) : []),
    definitions.length,
    ...(first ? definitions.map((one) => mutatorOf(snapshot.mutators, one)) : []),
    built?.isSettled,
    ...(built?.isSettled ? built.ways.flatMap((one) => [one.manifest, one.file.uri]) : []),
    ...definitions.flatMap((one) => [one.manifest, one.file.uri, startOf(one), isPatched(snapshot, one)]),
  ];
}

/** What a CRD is compared with. Where it is the only one of its kind, that is nothing, whatever else its file defines. */
function othersOf(definitions: readonly Definition[]): readonly unknown[] {
  if (definitions.length < 2) return [];
  return definitions.flatMap((one) => [one.manifest, one.file.uri, startOf(one), one.file.origin, one.file.template]);
}

/** Whether a kustomization may make another CRD of this one. */
function isPatched({ kustomized }: Snapshot, { file }: Definition): boolean {
  return mayLackParts(kustomized, file.uri);
}

const none: readonly Definition[] = [];
const mostCompared = 50;

/** All CRDs of the kind that a CRD defines, as far as they are compared. */
function definitionsOf({ definitions }: Snapshot, { value }: Manifest): readonly Definition[] {
  const [group, kind] = [
    ['spec', 'group'],
    ['spec', 'names', 'kind'],
  ].map((path) => valueAt(value, path));
  const all = definitions.get(`${group}/${kind}`) ?? none;
  // Each of very many would be compared again with every one that comes.
  return all.length > mostCompared ? none : all;
}

/** The same object as long as nothing was looked for again. */
function missingOf({ missing }: Snapshot, manifest: Manifest): unknown {
  const wanted = wantedKind(manifest);
  return wanted && missing.get(keyOfWanted(wanted));
}

/** Problems point into the CRD's file: a line more above its document moves all of that. */
function startOf({ file, manifest }: Definition): number | undefined {
  return placedIn(file, manifest.document)?.start;
}
