import type { Range } from '../../base/text.ts';
import type { Path, Value } from '../../base/value.ts';
import type { About } from '../../kubernetes/finding.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definition } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import type { Severity } from '../../workspace/settings.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import type { Ask, Fix } from './diagnostic.ts';
import type { Says } from './says.ts';

/** The parts of a problem that do not depend on its code. Ranges are offsets in the document. */
export interface Located {
  readonly message: string;
  /** The message without the value that it shows, where it shows one. */
  readonly detail?: string;
  readonly range: Range;
  readonly document: YamlDocument;
  readonly manifest?: Manifest | undefined;
  /** Where in the document; empty for problems of the text. */
  readonly path: Path;
  /** The names that the map at the path lacks, where something is missing. */
  readonly missing?: Path;
  /** The API server's own name of the place, where a reader of the document would not know it again. */
  readonly serverField?: string | undefined;
  /** The Kubernetes version that judged; the newest where it is not given. */
  readonly kubernetes?: KubernetesVersion | undefined;
  /** Set where the rule's own severity does not fit this case. */
  readonly severity?: Severity;
  readonly unnecessary?: boolean;
  /** The API server does not say it yet, since other errors keep it from looking. */
  readonly later?: true;
  /** An unknown field may be the missing one, misspelled. Where the API server refuses that field first, this finding comes later. */
  readonly follows?: Problem;
  /** It is about the value at the path, even where that is too large to be pointed at. */
  readonly ofValue?: true;
  /** It is about a part that something adds to what the document says, so that it has no place of its own there. */
  readonly isAdded?: true;
  /** The name of the CRD that is refused, where that is made of the document. */
  readonly inCrd?: string;
  /** What the committed object has at the path, where the update may not change it. */
  readonly restores?: { readonly ref: string; readonly value: Value };
  readonly related?: readonly RelatedProblem[];
  /** What it says, in parts. */
  readonly says?: Says;
}

/** What was found, on its way to a person, with the facts that belong to its code. */
export type Problem<Code extends string = string, Facts = unknown> = About<Code, Facts> & Located;

/** A problem with one of the codes of a table of facts. */
export type ProblemOf<FactsByCode, Code extends keyof FactsByCode = keyof FactsByCode> = {
  [C in Code & string]: Problem<C, FactsByCode[C]>;
}[Code & string];

export interface RelatedProblem {
  /** The file's, and the range is in it; without one the range is in the problem's own document. */
  readonly uri?: string;
  readonly range: Range;
  readonly message: string;
}

/** The texts of a code, whatever its facts are. */
interface Words {
  /** `off` if the rule has to be turned on. */
  readonly severity: Severity | 'off';
  /** What is wrong, in one line. */
  readonly title: string;
  /** Why the API server (or we) object, and what to do, as you would tell a colleague. Markdown. */
  readonly explanation: string;
  /** The marker in the Go source that it is about, where the CRD is generated. */
  readonly marker?: string;
  /** What the examples are in, where not in YAML. */
  readonly language?: 'go' | 'helm';
  /** YAML that reports exactly this code, and YAML that reports nothing, in the notation of the Markdown suites. */
  readonly bad: string;
  readonly good: string;
  /** The examples are two documents: the object that is stored, and the one that replaces it. */
  readonly onUpdate?: true;
  /** Other codes that the wrong example inevitably reports too. */
  readonly along?: readonly string[];
  /** Why no test can run the wrong example, for problems that need more than a document. */
  readonly notShown?: string;
  /** Behind it nothing else of its object is looked at. */
  readonly hides?: true;
  /** It is looked for only once everything else is right. */
  readonly isLate?: true;
  /** A value is lost, though nothing is refused. */
  readonly damages?: true;
  /** It follows from other errors of the object: an editor shows it as a note of the first of them. */
  readonly asNote?: true;
  /** Said once in a file, however many objects it is about. */
  readonly onceInFile?: true;
  /** It is about the kind that an object is of, or a name that many objects share: text for people shows it once, with how many more there are. */
  readonly ofKind?: true;
  /** Tests have it on purpose: what they expect of an object in part, old versions, CRDs that nobody serves for long. */
  readonly meantInTests?: true;
  /** The object has no name, so that nobody can store it. */
  readonly unnamed?: true;
  /** It is about a key, whatever its value is. */
  readonly ofKey?: true;
  /** It is about how a text is written, not about which: one in capitals may be a place for readers to fill in. */
  readonly ofForm?: true;
  /** Documents have it on purpose, to show what there is to choose from. */
  readonly meantInDocuments?: true;
  /** Before the list of all problems of this rule, in a log. */
  readonly listTitle?: string;
  /** What the end of a run says where it was told of: what settles all of them at once. */
  readonly atEnd?: string;
  /** How severe it is on the command line: in an editor a note is enough, who reads a log has nothing else that tells. */
  readonly inLogs?: Severity;
  /** It is about what is not judged: it is told even where a file has more problems than are shown. */
  readonly alwaysTold?: true;
  /** How severe it is depends on what clients ask of the API server: the setting `fieldValidation`. */
  readonly byFieldValidation?: true;
  /** It is about the building of a kustomization, whoever builds on it. */
  readonly ofBuild?: true;
  /** Where several builds take a file, it is true if it is of all of them. */
  readonly ofAll?: true;
  /** Found by comparing a generated CRD with its Go types. */
  readonly ofTypes?: true;
  /** It compares CRDs in files, which objects are judged by: what is made of Go types is none of them. */
  readonly ofFiles?: true;
  /** It is about the version of a kind: who keeps what an old release had means it. */
  readonly ofVersion?: true;
  /** The version is served still, and said to be old. */
  readonly ofServed?: true;
  /** Files of a chart cannot be read, which what a script fills in may change. */
  readonly ofUnread?: true;
  /** A text where there is none: one in capitals is for a script to replace. */
  readonly ofType?: true;
  /** A key appears twice, of which readers take one. */
  readonly ofDuplicate?: true;
  /** It holds unless something converts objects from one version to another. */
  readonly ofConversion?: true;
  /** One marker in Go makes all the places that it is about. */
  readonly ofOneMarker?: true;
  /** It is about a field of an object that is written in another version than it is stored in. */
  readonly ofStorage?: true;
  /** Crossplane adds what is missing to the CRDs of a package that it installs. */
  readonly addedByCrossplane?: true;
  /** It says which file is missing, which a program may make only when it is needed. */
  readonly ofMissingFile?: true;
  /** What no API server takes without it: a program that has such a file inside adds it before it applies that. */
  readonly ofUnfinished?: true;
  /** It passes on what the API server warns of. */
  readonly ofWarnings?: true;
  /** It passes on what type checking says; what is none of that when an expression runs is an information. */
  readonly ofTypeChecking?: true;
  /** Said of each item of a list, whose value its message begins with. */
  readonly ofItems?: true;
  /** Its message ends with what it comes of, which may be a helper that several templates call. */
  readonly ofHelpers?: true;
  /** It is about a rule that an object is held to, which may end at a field that is missing, as others at the same place do. */
  readonly ofEvaluation?: true;
  /** It is about what a rule costs, which is told by itself and as a part of what all rules cost. */
  readonly ofCost?: true;
  /** It is about a keyword in a junctor, of which each has the same mistake: all of them belong beside it. */
  readonly ofJunctor?: true;
  /** It may be about two fields that do not go together: its message says when the one may not be set. */
  readonly ofPair?: true;
  /** It is about the text of one rule, which all CRDs have that are made of a type. */
  readonly ofRule?: true;
  /** Its message begins with a line number, which differs between copies. */
  readonly numbered?: true;
  /** Something is missing: whoever turns an object on by a value of a chart may have to give that as well. */
  readonly ofMissing?: true;
  /** Something does not fit together in an object that lacks parts: a kustomization may add them. */
  readonly ofWhole?: true;
  /** It is not true any more where this is something else, beside what is at its own place. */
  readonly endsWith?: Path;
  /** One of several kustomizations that change that is enough: the others are built for something else, such as documents. */
  readonly endsInOne?: true;
  /** The text cannot be read, which what a script fills in may change. */
  readonly ofText?: true;
  /** Where there are several, those behind the first mostly follow from it. */
  readonly followed?: true;
  /** What is missing is often added to what controller-gen makes, and nothing in Go says whether it is. */
  readonly oftenAdded?: true;
  /** The related places take their time to find: only the first few problems of a document get them. */
  readonly slowRelated?: true;
}

/** All there is to know about one code: how severe it is, what it means, examples that are run as tests, its fixes. */
export interface Rule<Code extends string, Facts> extends Words {
  readonly code: Code;
  /** What is wrong in one plain line, where the server's own words do not begin with it. */
  readonly plain?: (problem: Problem<Code, Facts>) => string | undefined;
  /** What it says, in parts, beside what its message was made of. */
  readonly says?: (problem: Problem<Code, Facts>) => Says;
  /** What stands for a problem where a log lists all of this rule in one line. */
  readonly listed?: (problem: Problem<Code, Facts>) => string;
  /** What fixes a problem; edits are in the document's offsets. */
  readonly fixes?: (problem: Problem<Code, Facts>) => readonly Fix[];
  /** What the user can be asked for that settles a problem outside of the document. */
  readonly asks?: (problem: Problem<Code, Facts>) => readonly Ask[];
  /** Other places that a problem is about. `definition` is the CRD that judged a custom resource. */
  readonly related?: (problem: Problem<Code, Facts>, definition: Definition | undefined) => readonly RelatedProblem[];
}

/**
 * A rule of some code, as it is found by the code of a problem. Only such a problem may be handed to its methods,
 * which is what TypeScript cannot see here, and why they are methods: their parameters are not compared as strictly.
 */
export interface AnyRule extends Words {
  readonly code: string;
  plain?(problem: Problem): string | undefined;
  says?(problem: Problem): Says;
  listed?(problem: Problem): string;
  fixes?(problem: Problem): readonly Fix[];
  asks?(problem: Problem): readonly Ask[];
  related?(problem: Problem, definition: Definition | undefined): readonly RelatedProblem[];
}

/** The rules of a table of facts, one for each code: a code without a rule does not compile. */
export type RulesOf<FactsByCode> = {
  readonly [Code in keyof FactsByCode & string]: Rule<Code, FactsByCode[Code]>;
};

/** A rule as it is written down: its code is its key, and it is an error unless it says otherwise. */
export type Row<FactsByCode, Code extends keyof FactsByCode & string> = Omit<
  Rule<Code, FactsByCode[Code]>,
  'code' | 'severity' | 'along'
> & {
  readonly severity?: Severity | 'off';
  readonly along?: readonly (keyof FactsByCode & string)[];
};

type Rows<FactsByCode> = { readonly [Code in keyof FactsByCode & string]?: Row<FactsByCode, Code> };

/** A key that is not a code of the table has no matching row. */
export type OnlyKnown<FactsByCode, R> = { readonly [Code in Exclude<keyof R, keyof FactsByCode>]: never };

/** Rules of one family, by code; of all codes in the table, or of some. */
export function family<FactsByCode>() {
  return <R extends Rows<FactsByCode>>(
    rows: R & OnlyKnown<FactsByCode, R>,
  ): { readonly [Code in keyof R & keyof FactsByCode & string]: Rule<Code, FactsByCode[Code]> } => coded(rows);
}

/** Rows with their codes written into them. */
export function coded(rows: object) {
  const entries = Object.entries(rows).map(([code, row]) => [code, { severity: 'error', ...row, code }]);
  return Object.fromEntries(entries);
}
