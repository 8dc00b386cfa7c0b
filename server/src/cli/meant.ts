import { lineStartBefore, type Range } from '../base/text.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { ruleOf, severitiesInLogs } from '../rules/model/registry.ts';
import type { Settings } from '../workspace/settings.ts';
import {
  isArchived,
  isAsset,
  isForReaders,
  isOfDeprecated,
  isOfDesigns,
  isOfTests,
  isTestFile,
} from '../workspace/testData.ts';
import { baseName } from '../workspace/uri.ts';
import { wordsIn } from './replaced.ts';

// What is true and yet nobody's to mend: a run over a repository notes it, and says how much of it there is.

/**
 * An object of a test that is there to be compared; what a design describes, which is not there yet; what is archived; an
 * example of an old version, in a folder called so; a place that readers of a document fill in, an object of which it shows a
 * part, and what they are to choose from; a patch that no kustomization takes; what Crossplane adds to a CRD of a package that
 * it installs; a file that is made only once a kustomization needs it; a kustomization that others leave out in a comment; what
 * a program is to complete that has the object among its assets; a schema that is somewhere else; a version whose CRDs a
 * document says are installed.
 */
export type Meant =
  | 'in-tests'
  | 'in-designs'
  | 'archived'
  | 'old-version'
  | 'placeholder'
  | 'part'
  | 'choices'
  | 'unused-patch'
  | 'packaged'
  | 'made-later'
  | 'left-out'
  | 'completed'
  | 'elsewhere'
  | 'installed';

/**
 * Whether a text stands for a value in documents: `...`, `<name>`, `[NAME]`, `{NAME}`, `**name**`, `MY_NAME`, an empty one,
 * words that ask for base64, what says PLACEHOLDER itself; and `SECRETNAME` where it is how the text is written that counts,
 * not which of some it is.
 */
function isPlaceholder(quoted: string, isForm: boolean): boolean {
  const text = quoted.replace(/^["']/, '').replace(/["']$/, '');
  const [first, inner, last] = [text.slice(0, 1), text.slice(1, -1), text.slice(-1)];
  if (['', '...', '…'].includes(text)) return true;
  if (/[a-z] /i.test(text) && /\bbase64\b/i.test(text)) return true;
  if (`${first}${last}` === '[]') return /^[A-Z][A-Z0-9_ -]*$/.test(inner);
  if (`${first}${last}` === '{}') return /^[A-Za-z][\w -]*$/.test(inner);
  if (/\$\$\w{1,64}\$\$/.test(text)) return true;
  if (/(?<![A-Za-z])PLACEHOLDER(?![A-Za-z])/.test(text)) return true;
  if (isForm && text.split(/[-.]/).some((part) => /^[A-Z][A-Z0-9_]{7,}$/.test(part))) return true;
  if (text.length > 4 && text.startsWith('**') && text.endsWith('**')) return true;
  if (/^[A-Z][A-Z0-9_]*$/.test(text)) return text.includes('_') || (isForm && text.length >= shortestName);
  const open = text.indexOf('<');
  const close = text.indexOf('>', open + 2);
  return open !== -1 && close !== -1 && /^[A-Za-z*][^<=]*$/.test(text.slice(open + 1, close));
}

/** What is shorter is more likely an abbreviation that is meant, or somebody's try at a name. */
const shortestName = 8;

const longestPlaced = 300;

export interface Place {
  readonly uri: string;
  readonly text: string;
  /** What a run was asked to look at. */
  readonly folders: readonly string[];
  /** Whether an object of the file has no name. */
  readonly isNameless: boolean;
  /** Whether it is called a patch, and no kustomization takes it. */
  readonly isUnusedPatch: boolean;
  /** Whether it is in a package of Crossplane. */
  readonly isPackaged: boolean;
  /** Files that are not there, and that something makes when they are needed. */
  readonly madeLater: ReadonlySet<string>;
  /** Whether it is a kustomization that one beside it has in a comment: `#- ../webhook`. */
  readonly isLeftOut: boolean;
  /** Whether what takes it may add what it lacks. */
  readonly isCompleted: boolean;
  /** Words that a script replaces before it applies the file. */
  readonly replaced: ReadonlySet<string>;
  /** Whether a Go program has it inside. */
  readonly isEmbedded: boolean;
  /** The ranges of what is a part of a CRD that is whole in another file. */
  readonly crdParts: readonly Range[];
  /** Versions of groups, such as `example.com/v1`, of which a document beside it says that something else brings them. */
  readonly installed: ReadonlySet<string>;
}

/** Why a finding of a file is meant; undefined where it is not, or where its severity was chosen. */
export function whyMeant(diagnostic: Diagnostic, place: Place, { rules }: Settings): Meant | undefined {
  const { code, severity } = diagnostic;
  const isChosen = rules.has(code) && rules.get(code) !== severitiesInLogs.get(code);
  if (isChosen || ruleOf(code)?.alwaysTold || (severity !== 'error' && severity !== 'warning')) return undefined;
  const { uri, folders, isNameless, isUnusedPatch, isPackaged } = place;
  if (isUnusedPatch) return 'unused-patch';
  if (isNameless && isSkeleton(place.text)) return 'placeholder';
  if (isPackaged && ruleOf(code)?.addedByCrossplane) return 'packaged';
  if (isMadeLater(diagnostic, place)) return 'made-later';
  if (place.isLeftOut && ruleOf(code)?.ofBuild) return 'left-out';
  if (code.startsWith('chart/') && / is in another file\b/.test(diagnostic.message)) return 'elsewhere';
  if (place.crdParts.some(({ start, end }) => start <= diagnostic.range.start && diagnostic.range.start < end))
    return 'part';
  const isAbsence = ruleOf(code)?.meantInTests === true;
  const isNotForTests = isAbsence || ruleOf(code)?.ofWhole === true || code.startsWith('lint/');
  if ((isNotForTests || isExpected(uri)) && isOfTests(uri, folders)) return 'in-tests';
  if (isOfDesigns(uri, folders)) return 'in-designs';
  if (isArchived(uri, folders)) return 'archived';
  if (isNameless && isAbsence && place.isCompleted) return 'part';
  const isOld =
    isOfOldRelease(uri, folders) || isCalledSo(diagnostic, uri) || isOfDeprecated(uri, folders) || isTestFile(uri);
  if (isOld && ruleOf(code)?.ofVersion) return 'old-version';
  if (isSubstituted(diagnostic, place)) return 'placeholder';
  const isLacking = isAbsence || ruleOf(code)?.ofWhole === true || isNameless;
  if ((isAsset(uri, folders) || place.isEmbedded) && (isLacking || isOpen(diagnostic, place))) return 'completed';
  if (place.isEmbedded && ruleOf(code)?.ofUnfinished) return 'completed';
  if (isAsset(uri, folders) && ruleOf(code)?.ofText && place.text.includes('{{')) return 'completed';
  if (!isForReaders(uri, folders)) return undefined;
  if (namedVersions(diagnostic).some((one) => place.installed.has(one))) return 'installed';
  if (ruleOf(code)?.meantInDocuments && !isOfTests(uri, folders)) return 'choices';
  if ((isNameless && isAbsence) || scaffolded.test(place.text)) return 'part';
  return isOpen(diagnostic, place) ? 'placeholder' : undefined;
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

/** What a finding says that no CRD serves, as `example.com/v1`. */
export function namedVersions({ code, message }: Diagnostic): string[] {
  const wanted = ruleOf(code)?.ofVersion ? /in version "([\w.-]{1,253}\/\w{1,63})"/.exec(message)?.[1] : undefined;
  return wanted === undefined ? [] : [wanted];
}

const missingPath = /evalsymlink failure on '([^']{1,4096})'/;
const missingInFolder = /couldn't make target for path '([^']{1,4096})': unable to find one of 'kustomization\.yaml'/;

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

/** Whether it is called as what a test compares something with. */
function isExpected(uri: string): boolean {
  const name = baseName(uri);
  const isCalledSo = /^(?:expected|golden|want|assert)(?:[-_.]|$)/i.test(name);
  return (
    isCalledSo ||
    /\.(?:out|golden|expected)\.(?:ya?ml|json)$/i.test(name) ||
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

/** Whether a file lies in a folder named after a version that is said to be old, or has that version at the end of its name. */
function isCalledSo({ message }: Diagnostic, uri: string): boolean {
  const named = message.match(/\bv\d+(?:alpha|beta)\d+\b/g) ?? [];
  return named.some((version) => uri.includes(`/${version}/`) || baseName(uri).includes(`-${version}.`));
}

/** Whether one of the values that a finding is about is a placeholder, or the key that it is about. */
export function isOpen({ code, range, message }: Diagnostic, { text }: Pick<Place, 'text'>): boolean {
  if (range.end - range.start > longestPlaced) return false;
  const { ofKey, ofForm, ofType } = ruleOf(code) ?? {};
  if (ofKey) return isPlaceholder(text.slice(range.start, range.end), false);
  const end = text.indexOf('\n', range.end);
  const lines = text.slice(lineStartBefore(text, range.start), end === -1 ? undefined : end).split(/\r?\n/);
  const values = lines.map(valueIn).filter((value) => value !== '');
  const isAny = values.some(
    (value) => isPlaceholder(value, ofForm === true) || (ofType && /^[A-Z][A-Z0-9]{3,}$/.test(value)),
  );
  if (message.includes('illegal base64') && isToReplace(text, range.start)) return true;
  return isAny || (lines.length === 1 && isLeftEmpty(lines[0]!, text.slice(range.end)));
}

/**
 * Whether a script puts something else in its place: a name in capitals where there is no text at all, or as a key of nothing.
 * A key with a value is more likely an environment variable that is written in the wrong way.
 */
function isSubstituted(diagnostic: Diagnostic, { text, replaced }: Place): boolean {
  const { code, range, message } = diagnostic;
  if (openWords(diagnostic, text).some((word) => replaced.has(word))) return true;
  // `FILLED BY THE OPERATOR`: no name, label or resource has capitals and blanks or underscores.
  const isOfNames = code.startsWith('metadata/') || code.startsWith('builtin/');
  if (isOfNames && /Invalid value: "[A-Z][A-Z0-9]*(?:[ _][A-Z0-9]+)+"/.test(message)) return true;
  // `release-name-CHART-TEMPLATE`: a chart that is there to be copied.
  if (isOfNames && /Invalid value: "[a-z][a-z0-9.-]{0,200}-[A-Z]{3,60}(?:-[A-Z]{3,60})+\b/.test(message)) return true;
  if (isOfNames && /Invalid value: "[A-Z]{3,60}-TEMPLATE"/.test(message)) return true;
  if (range.end - range.start > longestPlaced) return false;
  const line = lineOf(text, range);
  if (/__[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*__|\(\([A-Z][A-Z0-9_]*\)\)/.test(valueIn(line))) return true;
  // `@name@` of configure scripts, `%NAME%`, `{0}` of message formats, and a name with `<name>` in it.
  if (/(?:^|[^\w.])@[A-Za-z]\w*@(?!\w)|^%[%\w]*%$|\{\d\}/.test(valueIn(line))) return true;
  if (isOfNames && /<[a-z][\w -]*>/.test(valueIn(line))) return true;
  // `<< Name >>`, where braces are for something else.
  if (/<<\s*[A-Za-z][\w.-]*\s*>>/.test(valueIn(line))) return true;
  // `$NAME` somewhere in a map that is shown whole.
  if (isOfNames && /^Invalid value: \{.{0,300}"\$[A-Z][A-Z0-9_]*"/.test(message)) return true;
  // `$NAME` of envsubst, whose form in braces is a value that is not known.
  if (/^["']?\$[A-Z][A-Z0-9_]*["']?$/.test(valueIn(line))) return true;
  // A value that was masked before somebody showed it: `password: ****`.
  if (ruleOf(code)?.ofText && /^\*{2,}$/.test(valueIn(line.split('\n')[0]!))) return true;
  // In a list in brackets envsubst puts items, and YAML would have a map begin.
  if (ruleOf(code)?.ofText && /\[\s*\$\{[A-Za-z_]\w*\}/.test(line)) return true;
  if (ruleOf(code)?.ofForm && /^["']?[A-Z][A-Z0-9_]{7,}["']?$/.test(valueIn(line))) return code.endsWith('/name');
  if (ruleOf(code)?.ofType) return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(valueIn(line));
  const isNothing =
    ruleOf(code)?.ofKey === true && /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text.slice(range.start, range.end));
  return isNothing && /^["']{2}$/.test(valueIn(line));
}

/** Whether the comment right above says what is to be put in its place. */
function isToReplace(text: string, at: number): boolean {
  const above = text
    .slice(Math.max(0, at - longestPlaced), lineStartBefore(text, at))
    .split('\n')
    .slice(0, -1);
  const comment = above.slice(above.findLastIndex((line) => !/^\s*#/.test(line)) + 1).join(' ');
  return /\b[Rr]eplace\b|\bbase64\b/.test(comment);
}

/** The words in capitals of the value that a finding is about. */
export function openWords({ range }: Diagnostic, text: string): string[] {
  return range.end - range.start > longestPlaced ? [] : wordsIn(valueIn(lineOf(text, range)));
}

function lineOf(text: string, range: Range): string {
  const end = text.indexOf('\n', range.end);
  return text.slice(lineStartBefore(text, range.start), end === -1 ? undefined : end);
}

/** Whether a line is a key and nothing is below it but comments, so that it is empty until a reader fills it in. */
function isLeftEmpty(line: string, behind: string): boolean {
  if (!/^[ \t]*(?:- +)?[\w.-]+:[ \t]*(?:[|>][-+]?[ \t]*)?(?:#.*)?$/.test(line)) return false;
  const next = behind
    .split('\n')
    .slice(1)
    .find((one) => !/^\s*(?:#.*)?$/.test(one));
  return next === undefined || indentOf(next) <= indentOf(line);
}

const indentOf = (line: string) => line.search(/[^ ]/);

/** What is behind the key or dash of a line, without a comment. */
function valueIn(line: string): string {
  const comment = line.search(/[ \t]#/);
  const text = comment === -1 ? line : line.slice(0, comment);
  return text
    .replace(/^[ \t]*(?:- +)?(?:(?:[\w./-]+|"[\w./-]+"):[ \t]+)?/, '')
    .trim()
    .replace(/,$/, '');
}

const words: Readonly<Record<Meant, readonly [one: string, several: string]>> = {
  'in-tests': ['finding of what a test may mean', 'findings of what tests may mean'],
  archived: ['finding in what is archived', 'findings in what is archived'],
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
  'made-later': ['kustomization of files that are made later', 'kustomizations of files that are made later'],
  part: ['finding in a part of an object', 'findings in parts of objects'],
  elsewhere: ['schema of values that refers to others', 'schemas of values that refer to others'],
  installed: ['version that a document says is installed', 'versions that documents say are installed'],
  completed: ['finding in what a program completes', 'findings in what programs complete'],
};

/** One line; none where nothing is meant. */
export function meantText(counts: ReadonlyMap<Meant, number>): string[] {
  const parts = [...counts].sort().map(([why, count]) => `${count} ${words[why][count === 1 ? 0 : 1]}`);
  return parts.length === 0 ? [] : [`only notes, which --severity information shows: ${parts.join(', ')}`];
}
