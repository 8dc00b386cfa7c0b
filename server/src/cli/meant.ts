import { linesAround, type Range } from '../base/text.ts';
import { leftToWebhook } from '../rules/judging/judgeResource.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { ruleOf, severitiesInLogs } from '../rules/model/registry.ts';
import { isKustomization } from '../workspace/fileNames.ts';
import type { Settings } from '../workspace/settings.ts';
import { hasBraces, templateLikeness } from '../workspace/template.ts';
import {
  isArchived,
  isAsset,
  isBelowOne,
  isForReaders,
  isGeneratedExample,
  isOfDeprecated,
  isOfDesigns,
  isOfTests,
  isTestFile,
} from '../workspace/testData.ts';
import { baseName, decode, folderOf } from '../workspace/uri.ts';
import { isCalledPlaceholder, isFilledIn, isInComment, isOpen, lineAbove, openWords } from './placeholders.ts';

// What is true and yet nobody's to mend: a run over a repository notes it, and says how much of it there is.

/**
 * An object of a test that is there to be compared; what a design describes, which is not there yet; what is archived; an
 * example that a program has made; an
 * example of an old version, in a folder called so; a place that readers of a document fill in, an object of which it shows a
 * part, and what they are to choose from; a patch that no kustomization takes; what Crossplane adds to a CRD of a package that
 * it installs; a file that is made only once a kustomization needs it; a kustomization that others leave out in a comment;
 * an object of Flux in a file that its folder's kustomization has in a comment; what
 * a program is to complete that has the object among its assets; a schema that is somewhere else; a version whose CRDs a
 * document says are installed; what is better done in types that are in another repository; an object of Flux that is called as
 * what kustomize reads; what a release of old had; a field that
 * the last of several releases of a CRD does not have, which another one may have; a patch that is applied by itself, to an object
 * that is there; an annotation that a controller knows instead of a field; a field that a webhook adds; a
 * kustomization in a folder of templates, which leads to what is around it where it is copied to; what type checking says of a
 * policy that works; a namespace that a script sets before it builds.
 */
export type Meant =
  | 'in-tests'
  | 'in-designs'
  | 'archived'
  | 'generated'
  | 'old-version'
  | 'placeholder'
  | 'part'
  | 'choices'
  | 'unused-patch'
  | 'packaged'
  | 'made-later'
  | 'left-out'
  | 'turned-off'
  | 'completed'
  | 'elsewhere'
  | 'installed'
  | 'made-elsewhere'
  | 'of-flux'
  | 'later-version'
  | 'earlier-release'
  | 'any-release'
  | 'applied-patch'
  | 'by-annotation'
  | 'by-webhook'
  | 'copied'
  | 'type-checking'
  | 'namespaced-later';

export interface Place {
  readonly uri: string;
  readonly text: string;
  /** What a run was asked to look at. */
  readonly folders: readonly string[];
  /** Whether an object of the file has no name. */
  readonly isNameless: boolean;
  /** Whether it is called a patch, and no kustomization takes it. */
  readonly isUnusedPatch: boolean;
  /** Whether it is called a patch, wherever it is, and no kustomization takes it: a script may. */
  readonly isLoosePatch: boolean;
  /** Whether it is in a package of Crossplane. */
  readonly isPackaged: boolean;
  /** Files that are not there, and that something makes when they are needed. */
  readonly madeLater: ReadonlySet<string>;
  /** Whether it is a kustomization that one beside it has in a comment: `#- ../webhook`. */
  readonly isLeftOut: boolean;
  /** Whether the kustomization of its folder has it in a comment. */
  readonly isTurnedOff: boolean;
  /** Whether what takes it may add what it lacks. */
  readonly isCompleted: boolean;
  /** Whether what may add what it lacks cannot be built. */
  readonly isUnbuilt: boolean;
  /** Words that a script replaces before it applies the file. */
  readonly replaced: ReadonlySet<string>;
  /** Whether a Go program has it inside. */
  readonly isEmbedded: boolean;
  /** Whether a test in Go beside its folder reads what is in that. */
  readonly isReadByTest: boolean;
  /** The ranges of what is a part of a CRD that is whole in another file. */
  readonly crdParts: readonly Range[];
  /** Versions of groups, such as `example.com/v1`, of which a document beside it says that something else brings them. */
  readonly installed: ReadonlySet<string>;
  /** Versions that are later than those of CRDs here, which are of other projects. */
  readonly later: ReadonlySet<string>;
  /** Whether its CRDs are made of Go types that are in another repository. */
  readonly isMadeElsewhere: boolean;
  /** Whether it is in the folder of a release, beside those of later ones. */
  readonly isOfEarlierRelease: boolean;
  /** The ranges of objects whose CRD is kept in several releases, in whose folders they are not. */
  readonly ofAnyRelease: readonly Range[];
  /** Whether it is called a patch, and a kustomization takes it as a resource. */
  readonly isAppliedPatch: boolean;
  /** Whether a script gives what is built of it a namespace. */
  readonly isNamespacedLater: boolean;
}

/** Why a finding of a file is meant; undefined where it is not, or where its severity was chosen. */
export function whyMeant(diagnostic: Diagnostic, place: Place, { rules }: Settings): Meant | undefined {
  const { code, severity } = diagnostic;
  if (isLeftToWebhook(diagnostic)) return 'by-webhook';
  if (ruleOf(code)?.ofTypeChecking && severity === 'information' && !rules.has(code)) return 'type-checking';
  const isChosen = rules.has(code) && rules.get(code) !== severitiesInLogs.get(code);
  if (isChosen || ruleOf(code)?.alwaysTold || (severity !== 'error' && severity !== 'warning')) return undefined;
  const { uri, folders, isNameless, isUnusedPatch, isPackaged } = place;
  if (place.isOfEarlierRelease) return 'earlier-release';
  if (isUnusedPatch) return 'unused-patch';
  if (isNameless && isSkeleton(place.text)) return 'placeholder';
  if (isPackaged && ruleOf(code)?.addedByCrossplane) return 'packaged';
  if (isMadeLater(diagnostic, place)) return 'made-later';
  if (isCopied(diagnostic, place)) return 'copied';
  if (place.isNamespacedLater && lacksNamespace(diagnostic)) return 'namespaced-later';
  if (place.isLeftOut && ruleOf(code)?.ofBuild) return 'left-out';
  if (place.isTurnedOff && code.startsWith('flux/')) return 'turned-off';
  if (code.startsWith('chart/') && / is in another file\b/.test(diagnostic.message)) return 'elsewhere';
  if (isWithin(diagnostic, place.crdParts)) return 'part';
  const isUnknown = ruleOf(code)?.ofKey && !diagnostic.message.includes(', did you mean ');
  if (isUnknown && isWithin(diagnostic, place.ofAnyRelease)) return 'any-release';
  if (ruleOf(code)?.ofWarnings && isOfAnnotation(diagnostic, place)) return 'by-annotation';
  if (ruleOf(code)?.ofWarnings && isForBoth(diagnostic, place)) return 'old-version';
  const isAbsence = ruleOf(code)?.meantInTests === true;
  if (place.isAppliedPatch && (isAbsence || ruleOf(code)?.ofWhole)) return 'applied-patch';
  if (place.isMadeElsewhere && isOfCrd(diagnostic)) return 'made-elsewhere';
  if (namedVersions(diagnostic).some((one) => place.later.has(one))) return 'later-version';
  if (ruleOf(code)?.ofBuild && isKustomization(uri) && ofFlux.test(place.text)) return 'of-flux';
  if (place.isLoosePatch && isAbsence) return 'unused-patch';
  const isNotForTests = isAbsence || ruleOf(code)?.ofWhole === true || isAdvice(code);
  if ((isNotForTests || isExpected(uri)) && isOfTests(uri, folders)) return 'in-tests';
  if (isNotForTests && place.isReadByTest && !isForReaders(uri, folders)) return 'in-tests';
  if (isOfDesigns(uri, folders)) return 'in-designs';
  if (isArchived(uri, folders)) return 'archived';
  if (isGeneratedExample(uri, folders)) return 'generated';
  if (isAbsence && isNameless && place.isCompleted) return 'part';
  if (place.isUnbuilt && (isAbsence || isOfNoLabels(diagnostic))) return 'part';
  const isOld =
    isOfOldRelease(uri, folders) || isCalledSo(diagnostic, place) || isOfDeprecated(uri, folders) || isTestFile(uri);
  if ((isOld && ruleOf(code)?.ofVersion) || isOfCrossplane1(diagnostic)) return 'old-version';
  if (isTemplateOfFile(diagnostic, place) || isOfTemplate(diagnostic, place)) return 'placeholder';
  if (openWords(diagnostic, place.text).some((word) => place.replaced.has(word))) return 'placeholder';
  if (isFilledIn(diagnostic, place.text) || isCalledPlaceholder(diagnostic, place.text)) return 'placeholder';
  const isLacking = isAbsence || ruleOf(code)?.ofWhole === true || isNameless;
  if ((isAsset(uri, folders) || place.isEmbedded) && (isLacking || isOpen(diagnostic, place))) return 'completed';
  if (place.isEmbedded && ruleOf(code)?.ofUnfinished) return 'completed';
  if (isAsset(uri, folders) && ruleOf(code)?.ofText && place.text.includes('{{')) return 'completed';
  if (!isForReaders(uri, folders)) return undefined;
  if (namedVersions(diagnostic).some((one) => place.installed.has(one))) return 'installed';
  if (ruleOf(code)?.meantInDocuments && !isOfTests(uri, folders)) return 'choices';
  if ((isNameless && isAbsence) || scaffolded.test(place.text)) return 'part';
  if (isAbsence && calledOut.test(place.text)) return 'part';
  if (isAbsence && isInComment(diagnostic, place.text)) return 'placeholder';
  return isOpen(diagnostic, place) ? 'placeholder' : undefined;
}

/** Whether it is a note already, since a webhook may add what is missing. */
function isLeftToWebhook({ severity, message }: Diagnostic): boolean {
  return severity === 'information' && message.endsWith(leftToWebhook);
}

function isWithin({ range }: Diagnostic, all: readonly Range[]): boolean {
  return all.some(({ start, end }) => start <= range.start && range.start < end);
}

/** A selector without labels, which a kustomization gives it with those of the pods. */
function isOfNoLabels({ message }: Diagnostic): boolean {
  return message.includes('empty selector is invalid');
}

/** GKE's own controller of Ingresses reads its class from the annotation alone. */
function isOfAnnotation({ message, range }: Diagnostic, { text }: Place): boolean {
  const isOfClass = message.includes('"kubernetes.io/ingress.class" is deprecated');
  return isOfClass && /["']?gce(?:-internal)?["']?$/.test(linesAround(text, range).trimEnd());
}

/**
 * The label of control planes of old is wanted beside the one of now, for clusters of both: in a list of expressions, or by a
 * value of a chart that turns it on.
 */
function isForBoth({ message, range }: Diagnostic, { text }: Place): boolean {
  if (!text.includes('node-role.kubernetes.io/control-plane')) return false;
  if (message.includes('node-role.kubernetes.io/master is use ')) return true;
  const isSelected = message.includes('nodeSelector[node-role.kubernetes.io/master]');
  return isSelected && /^\s*\{\{-? *if /.test(lineAbove(text, range.start));
}

/** Whether a file shows all keys that there are, with hardly a value, as programs write them from a schema. */
function isSkeleton(text: string): boolean {
  const values = Array.from(text.matchAll(/^ *(?:- )?[\w.-]{1,200}: +([^ #\n].*)$/gm), ([, value]) => value!.trim());
  const empty = values.filter((value) => ['""', "''", '0', 'false', '{}', '[]'].includes(value));
  return values.length >= fewestOfSkeleton && empty.length >= values.length * 0.9;
}

const fewestOfSkeleton = 20;

/** What kubebuilder leaves in a sample until somebody writes it. */
const scaffolded = /^[ \t]*# *(?:TODO\(user\): )?Add fields here/m;

/** `replicas: 1 # <1>`: a page includes the file and explains these lines. */
const calledOut = /[ \t]# <\d{1,2}>[ \t\r]*$/m;

/** What a finding says that no CRD serves, as `example.com/v1`. */
export function namedVersions({ code, message }: Diagnostic): string[] {
  const wanted = ruleOf(code)?.ofVersion ? /in version "([\w.-]{1,253}\/\w{1,63})"/.exec(message)?.[1] : undefined;
  return wanted === undefined ? [] : [wanted];
}

const missingPath = /evalsymlink failure on '([^']{1,4096})'/;
const missingInFolder = /couldn't make target for path '([^']{1,4096})': unable to find one of 'kustomization\.yaml'/;

/** Whether what a program cannot read is a template of what it reads. */
function isTemplateOfFile({ code, message }: Diagnostic, { uri, text }: Place): boolean {
  const isUnread = ruleOf(code)?.ofUnread === true || (ruleOf(code)?.ofBuild && message.includes('yaml: '));
  return isUnread === true && templateLikeness(text, hasBraces(text), uri, undefined) !== 'no';
}

/** `name: service_name` in what is called a template: no name has underscores. */
function isOfTemplate({ message }: Diagnostic, { uri }: Place): boolean {
  const isCalledSo = /^(?:.{0,200}[._-])?template\.ya?ml$/i.test(baseName(uri));
  return isCalledSo && /Invalid value: "[a-z]{1,60}(?:_[a-z]{1,60}){1,6}":/.test(message);
}

const ofTemplates = /^(?:templates?|skeletons?|scaffolds?|boilerplates?)$/i;

/** Whether what a kustomization in a folder of templates lacks would be around it: it is built where it is copied to. */
function isCopied(diagnostic: Diagnostic, { uri, folders }: Place): boolean {
  const missing = missingFile(diagnostic);
  if (missing === undefined || !isKustomization(uri) || !isBelowOne(uri, folders, ofTemplates)) return false;
  return !`${missing}/`.startsWith(`${decode(folderOf(uri)).replace(/^file:\/\//, '')}/`);
}

/** Whether what a kustomization lacks is nothing that is committed. */
function isMadeLater(diagnostic: Diagnostic, { madeLater }: Place): boolean {
  const missing = missingFile(diagnostic);
  return missing !== undefined && madeLater.has(missing);
}

/** The file for want of which a kustomization is not built. */
export function missingFile({ code, message }: Diagnostic): string | undefined {
  if (!ruleOf(code)?.ofMissingFile) return undefined;
  const folder = missingInFolder.exec(message)?.[1];
  return folder === undefined ? missingPath.exec(message)?.[1] : `${folder}/kustomization.yaml`;
}

/** Whether a namespace is missing, which kustomize adds where it has one. Of webhooks the API server confuses it with the name. */
export function lacksNamespace({ message }: Diagnostic): boolean {
  return /(?:\.clientConfig\.service\.name|(?<!\.clientConfig\.service)\.namespace): Required value\b/.test(message);
}

/** Whether it is called as what a test compares something with. */
function isExpected(uri: string): boolean {
  const name = baseName(uri);
  const isCalledSo = /^(?:expected|golden|want|assert)(?:[-_.]|$)/i.test(name);
  return (
    isCalledSo ||
    /\.(?:out|golden|expected)\.(?:ya?ml|json)$/i.test(name) ||
    // Steps of kuttl that several tests share, and lead to by names that begin with a number.
    /[-_](?:asserts?|errors)[-_.]/i.test(name) ||
    /\/(?:baselines?|compare|expected|golden)\//.test(uri)
  );
}

/** In a name with dots for its underscores. */
const isRelease = /(?:^|[-.])v\d{1,6}\.\d{1,6}\.\d/;

/** Whether a file or a folder on the way to it is called as a release, of which it keeps what that had. */
function isOfOldRelease(uri: string, folders: readonly string[]): boolean {
  const steps = (folder: string) => uri.slice(folder.length).split('/').slice(0, -1);
  const isFolder = folders.some((folder) => steps(folder).some((step) => /^v?\d+\.\d+\.\d/.test(step)));
  return isFolder || isRelease.test(baseName(uri).replaceAll('_', '.'));
}

/**
 * Whether a file is named after the old version that a finding is about: by its folder or the end of its own name. While a
 * version is deprecated and still served, it may be anywhere in the file's name, as in those of samples.
 */
function isCalledSo({ code, message, range }: Diagnostic, { uri, text }: Place): boolean {
  const named = message.match(/\bv\d+(?:alpha|beta)\d+\b/g) ?? [];
  const used = ruleOf(code)?.ofServed ? /\/(v\d\w{0,20})/.exec(text.slice(range.start, range.end))?.[1] : undefined;
  if (used !== undefined && baseName(uri).split(/[-_.]/).includes(used)) return true;
  return named.some((version) => uri.includes(`/${version}/`) || baseName(uri).includes(`-${version}.`));
}

/** What Crossplane 1 had in claims, and what is composed, and 2 has not. */
function isOfCrossplane1({ code, message }: Diagnostic): boolean {
  return ruleOf(code)?.ofKey === true && message.startsWith('unknown field "spec.publishConnectionDetailsTo"');
}

/** Whether it is about a CRD that the server takes. */
export function isOfCrd({ code, severity }: Diagnostic): boolean {
  return code.startsWith('lint/') || (code.startsWith('crd/') && severity === 'warning');
}

/** Flux's object of the same kind, in a file called as kustomize wants it: what builds the folder fails, and nothing may. */
const ofFlux = /^apiVersion: *["']?kustomize\.toolkit\.fluxcd\.io\//m;

/** Whether nothing is refused: a test has it as it needs it. */
function isAdvice(code: string): boolean {
  return code.startsWith('lint/') || ruleOf(code)?.ofWarnings === true;
}

const words: Readonly<Record<Meant, readonly [one: string, several: string]>> = {
  'in-tests': ['finding of what a test may mean', 'findings of what tests may mean'],
  archived: ['finding in what is archived', 'findings in what is archived'],
  generated: ['finding in a generated example', 'findings in generated examples'],
  'in-designs': ['finding in a design', 'findings in designs'],
  'old-version': ['example of an old version', 'examples of old versions'],
  placeholder: ['placeholder', 'placeholders'],
  choices: ['place with choices in a document', 'places with choices in documents'],
  'unused-patch': ['finding in a patch that no kustomization takes', 'findings in patches that no kustomization takes'],
  packaged: [
    'field that Crossplane adds when it installs a package',
    'fields that Crossplane adds when it installs a package',
  ],
  'left-out': ['finding in a kustomization that others leave out', 'findings in kustomizations that others leave out'],
  'turned-off': [
    'finding in what a kustomization has in a comment',
    'findings in what kustomizations have in comments',
  ],
  'made-later': ['kustomization of files that are made later', 'kustomizations of files that are made later'],
  part: ['finding in a part of an object', 'findings in parts of objects'],
  elsewhere: ['schema of values that refers to others', 'schemas of values that refer to others'],
  installed: ['version that a document says is installed', 'versions that documents say are installed'],
  completed: ['finding in what a program completes', 'findings in what programs complete'],
  'made-elsewhere': ['remark on a CRD of types that are elsewhere', 'remarks on CRDs of types that are elsewhere'],
  'later-version': [
    'object of a later version than the CRD of another project here',
    'objects of later versions than the CRDs of other projects here',
  ],
  'of-flux': [
    'Kustomization of Flux in a file that kustomize would read',
    'Kustomizations of Flux in files that kustomize would read',
  ],
  'earlier-release': ['finding in an earlier release', 'findings in earlier releases'],
  'any-release': [
    'field that the last of several releases of a CRD does not have',
    'fields that the last of several releases of a CRD does not have',
  ],
  'applied-patch': [
    'finding in a patch that is applied by itself',
    'findings in patches that are applied by themselves',
  ],
  'by-annotation': [
    'annotation that a controller knows instead of a field',
    'annotations that controllers know instead of a field',
  ],
  copied: [
    'kustomization that is copied to where what it takes is',
    'kustomizations that are copied to where what they take is',
  ],
  'by-webhook': ['missing field that a webhook may add', 'missing fields that webhooks may add'],
  'namespaced-later': [
    'namespace that a script sets before it builds',
    'namespaces that scripts set before they build',
  ],
  'type-checking': ['remark of type checking on a policy that works', 'remarks of type checking on policies that work'],
};

/** One line; none where nothing is meant. */
export function meantText(counts: ReadonlyMap<Meant, number>): string[] {
  const parts = [...counts].sort().map(([why, count]) => `${count} ${words[why][count === 1 ? 0 : 1]}`);
  return parts.length === 0 ? [] : [`only notes, which --severity information shows: ${parts.join(', ')}`];
}
