import { linesAround, type Range } from '../../base/text.ts';
import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import { refusedFirst } from '../../rules/model/says.ts';
import { isKustomization } from '../../workspace/fileNames.ts';
import { hasBraces, templateLikeness } from '../../workspace/template.ts';
import { isBelowOne } from '../../workspace/testData.ts';
import { baseName, decode, folderOf } from '../../workspace/uri.ts';
import { lineAbove } from './placeholders.ts';

// What a finding, the text around it and the name of its file show by themselves.

/** A file with findings. */
interface File {
  readonly uri: string;
  readonly text: string;
}

/** What is checked around it. */
interface Below {
  readonly folders: readonly string[];
}

/** Whether a webhook may add what is missing. */
export function isLeftToWebhook({ says }: Wordless): boolean {
  return says.isLeftToWebhook === true;
}

/** A number or boolean where a text belongs: it lacks its quotes. */
export function isUnquoted({ says: { undecoded } }: Wordless): boolean {
  if (undecoded?.isInStruct !== true) return false;
  return undecoded.wanted === 'string' && (undecoded.found === 'bool' || undecoded.found === 'number');
}

/** The kind of the object, or of the CRD, that a finding is in. */
export function kindBefore({ range }: Wordless, text: string): string | undefined {
  const kinds = text.slice(0, range.end).matchAll(/(?:^ {0,8}|[{,] ?)kind: ["']?([A-Z]\w{0,62})/gm);
  return [...kinds].findLast(([, kind]) => kind !== 'CustomResourceDefinition')?.[1];
}

export function isWithin({ range }: Wordless, all: readonly Range[]): boolean {
  return all.some(({ start, end }) => start <= range.start && range.start < end);
}

/** A selector without labels, which a kustomization gives it with those of the pods. */
export function isLackingLabels({ says }: Wordless): boolean {
  return says.isEmptySelector === true;
}

/** GKE's own controller of Ingresses reads its class from the annotation alone. */
export function isOfAnnotation({ says, range }: Wordless, text: string): boolean {
  const isOfClass = says.outOfUse?.name === 'kubernetes.io/ingress.class';
  return isOfClass && /["']?gce(?:-internal)?["']?$/.test(linesAround(text, range).trimEnd());
}

/**
 * The label of control planes of old is wanted beside the one of now, for clusters of both: in a list of expressions, or by a
 * value of a chart that turns it on.
 */
export function isForBoth({ says: { outOfUse }, range }: Wordless, text: string): boolean {
  if (!text.includes('node-role.kubernetes.io/control-plane')) return false;
  if (outOfUse?.name !== 'node-role.kubernetes.io/master') return false;
  return !outOfUse.isSelector || /^\s*\{\{-? *if /.test(lineAbove(text, range.start));
}

/** Whether nodes with a label of old are an alternative to those with the one of now. */
export function isAlternative({ says: { outOfUse }, range }: Wordless, text: string): boolean {
  if (!outOfUse?.name.startsWith('beta.kubernetes.io/') || outOfUse.isSelector) return false;
  const terms = text.lastIndexOf('nodeSelectorTerms:', range.start);
  const lines = terms === -1 ? [] : text.slice(terms, range.end + longestTerms).split('\n');
  const now = `key:${outOfUse.name.slice('beta.'.length)}`;
  return lines.some((line) => line.replace(/["'\s-]/g, '') === now);
}

/** How far behind a label another term is looked for, in characters. */
const longestTerms = 1_000;

/** Whether a file shows all keys that there are, with hardly a value, as programs write them from a schema. */
export function isSkeleton(text: string): boolean {
  const values = Array.from(text.matchAll(/^ *(?:- )?[\w.-]{1,200}: +([^ #\n].*)$/gm), ([, value]) => value!.trim());
  const empty = values.filter((value) => ['""', "''", '0', 'false', '{}', '[]'].includes(value));
  return values.length >= fewestOfSkeleton && empty.length >= values.length * 0.9;
}

const fewestOfSkeleton = 20;

/** What kubebuilder leaves in a sample until somebody writes it, in the object that a finding is of. */
export function isScaffolded({ range }: Wordless, text: string): boolean {
  const isBegun = text.startsWith('---', range.start);
  const start = isBegun ? range.start : Math.max(0, text.lastIndexOf('\n---', range.start));
  const end = text.indexOf('\n---', range.end);
  return /^[ \t]*# *(?:TODO\(user\): )?Add fields here/m.test(text.slice(start, end === -1 ? text.length : end));
}

/**
 * What a page shows of a file, and explains: `replicas: 1 # <1>`, what is in a tag (`# tag::shop[]`), and `- ...` for what it leaves
 * out.
 */
const ofPages = [
  /[ \t]# <\d{1,2}>[ \t\r]*$/m,
  /^[ \t]*#[ \t]*tag::[\w-]{1,80}\[\]/m,
  /[:#-][ \t]{1,4}(?:\.{3}|…)[ \t\r]*$/m,
];

export function isOfPage(text: string): boolean {
  return ofPages.some((one) => one.test(text));
}

/** What a finding says that no CRD serves, as `example.com/v1`. */
export function namedVersions({ says: { unserved } }: Wordless): string[] {
  return unserved?.apiVersion.includes('/') ? [unserved.apiVersion] : [];
}

/** Whether what a program cannot read is a template of what it reads. */
export function isTemplateOfFile({ code, says }: Wordless, { uri, text }: File): boolean {
  const isUnread = ruleOf(code)?.ofUnread === true || (ruleOf(code)?.ofBuild && says.isNoYaml);
  return isUnread === true && templateLikeness(text, hasBraces(text), uri, undefined) !== 'no';
}

/** `name: service_name` in what is called a template: no name has underscores. */
export function isOfTemplate({ says }: Wordless, uri: string): boolean {
  const isCalledSo = /^(?:.{0,200}[._-])?template\.ya?ml$/i.test(baseName(uri));
  return isCalledSo && /^"[a-z]{1,60}(?:_[a-z]{1,60}){1,6}"$/.test(says.error?.shown ?? '');
}

/** Whether a file is what one types into a shell: `kubectl apply -f - <<EOF`, with an object up to that word. */
export function isForShell(text: string): boolean {
  const first = text
    .slice(0, longestBeforeCommand)
    .split('\n')
    .find((line) => !/^\s*(?:#|$)/.test(line));
  const [, word] = /^(?:kubectl|oc|cat) [^<\n]{0,200}<<-? ?["']?([A-Za-z_]\w{0,40})\b/.exec(first ?? '') ?? [];
  return word !== undefined && text.includes(`\n${word}`);
}

const longestBeforeCommand = 2_000;

const ofTemplates = /^(?:templates?|skeletons?|scaffolds?|boilerplates?)$/i;

/** Whether what a kustomization in a folder of templates lacks would be around it: it is built where it is copied to. */
export function isCopied(diagnostic: Wordless, { uri, folders }: Omit<File, 'text'> & Below): boolean {
  const missing = missingFile(diagnostic);
  if (missing === undefined || !isKustomization(uri) || !isBelowOne(uri, folders, ofTemplates)) return false;
  return !`${missing}/`.startsWith(`${decode(folderOf(uri)).replace(/^file:\/\//, '')}/`);
}

const ofStarters = /^[._]?(?:chart[-_]templates?|skel|skeletons?|scaffold(?:ing|s)?|boilerplates?|starters?)$/i;

/** Whether a file of a chart is in a folder of charts that are there to be copied, and completed where they are copied to. */
export function isOfStarter({ uri, folders }: Omit<File, 'text'> & Below): boolean {
  return isBelowOne(uri, folders, ofStarters);
}

/** The file for want of which a kustomization is not built. */
export function missingFile({ code, says }: Wordless): string | undefined {
  return ruleOf(code)?.ofMissingFile ? says.missingFile : undefined;
}

/** Whether a namespace is missing, which kustomize adds where it has one. Of webhooks the API server confuses it with the name. */
export function isAboutNamespace({ says }: Wordless): boolean {
  const isOfWebhook = /\.clientConfig\.service\.name$|(?<!\.clientConfig\.service)\.namespace$/;
  return isOfWebhook.test(says.required?.at(-1) ?? '');
}

/** `fooPort`: a key that somebody made up, and no label, as whose name `foo` may be in the wrong place. */
export function isMadeUpKey({ code, range }: Wordless, text: string): boolean {
  return ruleOf(code)?.ofKey === true && /^(?:foo|bar|baz|qux)[A-Z]\w{0,80}$/.test(text.slice(range.start, range.end));
}

/** Whether it is what a step of kuttl or chainsaw compares, which no program has written. */
export function isAssert(uri: string): boolean {
  return /^(?:\d{1,4}-)?assert(?:[-_.]|$)/i.test(baseName(uri));
}

/** Whether it is called as what a test compares something with. */
export function isExpected(uri: string): boolean {
  const name = baseName(uri);
  const isCalledSo = /^(?:expected|golden|want|assert|errors)(?:[-_.]|$)/i.test(name);
  return (
    isCalledSo ||
    /\.(?:out|golden|expected)\.(?:ya?ml|json)$/i.test(name) ||
    // Steps of kuttl that several tests share, and lead to by names that begin with a number.
    /[-_](?:asserts?|errors)[-_.]/i.test(name) ||
    /\/(?:baselines?|compare|expected|golden)\//.test(uri)
  );
}

/** Whether comments part it into sections for a program, of which one is what that is to find: `### SECTION:EXPECTED ###`. */
export function hasSections(text: string): boolean {
  return /^#{2,8} {0,3}(?:[A-Z]{2,20}[: ] ?)?(?:UN)?EXPECTED[ #:]{0,20}$/m.test(text);
}

/** Whether it has the comments by which `helm template` tells of which template an object comes. */
export function isPrinted(text: string): boolean {
  return /^# Source: [\w.-]{1,100}\/templates\/\S/m.test(text);
}

/** In a name with dots for its underscores. */
const isRelease = /(?:^|[-.])v\d{1,6}\.\d{1,6}\.\d/;

/** Whether a file or a folder on the way to it is called as a release, of which it keeps what that had. */
export function isOfOldRelease(uri: string, folders: readonly string[]): boolean {
  const steps = (folder: string) => uri.slice(folder.length).split('/').slice(0, -1);
  const isFolder = folders.some((folder) => steps(folder).some((step) => /^v?\d+\.\d+\.\d/.test(step)));
  return isFolder || isRelease.test(baseName(uri).replaceAll('_', '.'));
}

/**
 * Whether a file is named after the old version that a finding is about: by its folder or the end of its own name. While a
 * version is deprecated and still served, it may be anywhere in the file's name, as in those of samples.
 */
export function isCalledSo({ code, says, range }: Wordless, { uri, text }: File): boolean {
  const named = says.versions ?? [];
  const used = ruleOf(code)?.ofServed ? /\/(v\d\w{0,20})/.exec(text.slice(range.start, range.end))?.[1] : undefined;
  if (used !== undefined && baseName(uri).split(/[-_.]/).includes(used)) return true;
  return named.some((version) => uri.includes(`/${version}/`) || baseName(uri).includes(`-${version}.`));
}

/** What Crossplane 1 had in claims, and what is composed, and 2 has not. */
export function isOfCrossplane1({ code, says }: Wordless): boolean {
  return ruleOf(code)?.ofKey === true && says.unknown?.field === 'spec.publishConnectionDetailsTo';
}

/** Whether it is about a CRD that the server takes. */
export function isOfCrd({ code, severity }: Wordless): boolean {
  return code.startsWith('lint/') || (code.startsWith('crd/') && severity === 'warning');
}

/** Flux's object of the same kind, in a file called as kustomize wants it: what builds the folder fails, and nothing may. */
export function isKustomizationOfFlux({ uri, text }: File): boolean {
  return isKustomization(uri) && /^apiVersion: *["']?kustomize\.toolkit\.fluxcd\.io\//m.test(text);
}

/** Whether a schema of values refers to one in another file. */
export function isSchemaElsewhere({ says }: Wordless): boolean {
  return says.isElsewhere === true;
}

/** Whether nothing is refused: a test has it as it needs it, also in a version that lacks what another has. */
export function isAdvice({ code }: Wordless): boolean {
  const rule = ruleOf(code);
  return code.startsWith('lint/') || rule?.ofWarnings === true || rule?.ofConversion === true;
}

/** Whether a `Chart.yaml` says what belongs there: `version: A SemVer 2 version (required)`. */
export function isExplainedChart({ code }: Wordless, uri: string, text: string): boolean {
  return (
    code.startsWith('chart/') && baseName(uri) === 'Chart.yaml' && /^(?:apiVersion|version): *\w+ \w+ \w+/m.test(text)
  );
}

/** Whether a value is refused that is nowhere: without the field, the server goes on with 0 or an empty text. */
export function isOfNothing({ says, range, about }: Wordless, text: string): boolean {
  const shown = refusedFirst(says);
  if (!about || (shown !== '0' && shown !== '""') || says.error?.detail === undefined) return false;
  return about.path.slice(0, -1).includes(text.slice(range.start, range.end));
}

/** Whether no list of a kustomization has an item. */
export function takesNothing(text: string): boolean {
  return !text.split('\n').some((line) => line.trimStart().startsWith('- '));
}
