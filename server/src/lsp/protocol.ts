// The requests and notifications of our own, beside the language server protocol's. Types and names only: the client
// imports this file, and nothing else of the server.

/** What the client tells the server before anything else. */
export interface InitializationOptions {
  /** Whether the user trusts the workspace; without trust nothing outside it is read and no program is run. */
  readonly trusted?: boolean;
  /** Whether the client answers {@link readFileRequest} and {@link listFilesRequest}. */
  readonly files?: boolean;
  /** Whether another extension gives YAML its outline, schema hover and schema completion. */
  readonly yamlExtension?: boolean;
  /** Whether another extension checks, completes and explains the kinds that Kubernetes has built in. */
  readonly builtinElsewhere?: boolean;
  /** Whether another extension does so in templates of charts. */
  readonly templatesElsewhere?: boolean;
  /** The folder of what the server reads on demand, where it does not find that beside itself: the browser. */
  readonly data?: string;
  /** Whether the client shows addresses of {@link rulePageScheme}. */
  readonly rulePages?: boolean;
  /** Whether the client opens the list of completions on {@link suggestCommand}. */
  readonly suggests?: boolean;
  /** Whether the client has {@link copyCommand}. */
  readonly copy?: boolean;
  /** Whether the client shows addresses of {@link shownScheme}. */
  readonly shown?: boolean;
  /** Whether the client has {@link nameCrdsCommand} and {@link knownKindCommand}. */
  readonly crdCommands?: boolean;
  /** Whether the client answers {@link pickRequest} and {@link lineRequest}. */
  readonly picks?: boolean;
  /** Whether the client has {@link runTestsHere}, {@link debugTestHere} and {@link showTestsHere}. */
  readonly tests?: boolean;
  /** Whether the client has {@link tryHere}. */
  readonly tries?: boolean;
  /** Settings for clients that cannot be asked for them, as under `kubeCrd`. */
  readonly settings?: unknown;
}

/** The editor's command that opens the list of completions. */
export const suggestCommand = 'editor.action.triggerSuggest';

/** Server to client: what the status bar shows. */
export const statusNotification = 'kubeCrd/status';
export interface Status {
  readonly state: 'starting' | 'ready' | 'limited' | 'failed';
  readonly kubernetes: string;
  /** The versions of open files that have another one: by a folder's setting, or by their own word. */
  readonly byFile: Readonly<Record<string, string>>;
  /** Open files with something that is judged, and what that is. */
  readonly judged: Readonly<Record<string, string>>;
  /** The cluster that files are judged as, on the user's command, and what that means. */
  readonly judgedAs?: { readonly cluster: string; readonly said: string };
  /** How many kinds were met that nothing defines, and that are not said to be known. */
  readonly missing: number;
  /** Open files with something that is not judged, and why. */
  readonly notJudged: Readonly<Record<string, string>>;
  /** One line a limit or trouble each, for the tooltip. */
  readonly notes: readonly string[];
}

/** Client to server: the user granted trust. */
export const trustNotification = 'kubeCrd/trusted';

/** Server to client: the bytes of a file as base64, null where there is none. */
export const readFileRequest = 'kubeCrd/readFile';
export interface ReadFile {
  readonly uri: string;
}

/** Server to client: the names in a folder; none where there is no folder. */
export const readFolderRequest = 'kubeCrd/readFolder';
export interface ReadFolder {
  readonly folder: string;
}
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** Server to client: the files below a folder that are named as one of the globs. */
export const listFilesRequest = 'kubeCrd/listFiles';
export interface ListFiles {
  readonly folder: string;
  readonly globs: readonly string[];
  readonly most: number;
}

/** Server to client: the open files whose schemas are ours, so that a YAML extension leaves them to us. */
export const servedNotification = 'kubeCrd/served';
export interface Served {
  readonly uris: readonly string[];
}

/** The scheme of documents that show what is stored: they are ours, and nothing is said about them. */
export const storedScheme = 'kube-crd-stored';
/** Client to server: the objects of an open file as the API server would store them, as YAML; null where there are none. */
export const storedRequest = 'kubeCrd/stored';
export interface Stored {
  readonly uri: string;
  /** How they are written: as new objects, or over those that are committed; as new ones where it is left out. */
  readonly writing?: 'create' | 'replace' | 'apply';
}

/** Client to server: the versions that the resources of an open file could be shown as, in the order of their priority. */
export const otherVersionsRequest = 'kubeCrd/otherVersions';
export interface OtherVersions {
  readonly uri: string;
}
export interface OtherVersion {
  readonly version: string;
  readonly served: boolean;
  readonly stored: boolean;
}
/** Client to server: the resources of an open file as a client gets them that asks for a version, as YAML. */
export const asVersionRequest = 'kubeCrd/asVersion';
export interface AsVersion {
  readonly uri: string;
  readonly version: string;
}

/** The scheme of documents that show the CRD of Go types, live. */
export const goCrdScheme = 'kube-crd-go';
/** Client to server: a CRD that comes of the types of an open Go file; null where none does. */
export const goCrdRequest = 'kubeCrd/goCrd';
export interface GoCrd {
  readonly uri: string;
  /** What it is part of is wanted… */
  readonly position?: Position;
  /** …or the one of this name. */
  readonly name?: string;
}
export interface GoCrdShown {
  readonly name: string;
  readonly text: string;
  /** Where what was asked for has come to. */
  readonly line: number;
}

/** The scheme of documents that show what a template renders, live. */
export const renderedScheme = 'kube-crd-rendered';
/** Client to server: what an open template of a chart renders; null where that is nothing. */
export const renderedRequest = 'kubeCrd/rendered';
export interface RenderedAsked {
  readonly uri: string;
  /** The first rendering that comes to it is wanted… */
  readonly position?: Position;
  /** …unless there is one with these values. */
  readonly values?: string;
}
export interface RenderedShown {
  readonly name: string;
  readonly text: string;
  readonly values: string;
  /** Values to choose from. */
  readonly choices: readonly string[];
  /** For each line of the text, the line of the template that it comes from; -1 where it comes from none. */
  readonly lines: readonly number[];
}

/** The scheme of pages about a file. */
export const pageScheme = 'kube-crd-page';
/** Client to server: a page about an open file, in Markdown; null where it holds nothing that the page is about. */
export const pageRequest = 'kubeCrd/page';
export interface Page {
  readonly uri: string;
  /**
   * What changes in its CRDs since the commit; of its kinds all fields, what `kubectl get` prints, or the versions in the
   * order of their priority.
   */
  readonly page: 'changes' | 'documentation' | 'table' | 'versions';
}

/**
 * Client to server: a rule over the resources of its kind, or the expression of a playground over its values. The rule is
 * the one at the position, or, where there is none, the one that is named; null where there is neither.
 */
export const tryRequest = 'kubeCrd/try';
export interface Try {
  readonly uri: string;
  readonly position: Position;
  readonly rule?: RuleRef;
}
export interface Position {
  readonly line: number;
  readonly character: number;
}
/** A rule by the number of its CRD in the file and its path in that. */
export interface RuleRef {
  readonly manifest: number;
  readonly path: readonly (string | number)[];
}
export interface Tried {
  /** Undefined for a playground. */
  readonly rule?: RuleRef;
  readonly title: string;
  readonly expression: string;
  readonly kubernetes: string;
  /** Why it cannot be evaluated at all. */
  readonly problem?: string;
  readonly facts: readonly string[];
  readonly objects: readonly TriedObject[];
  readonly more: number;
  /** It is a policy, which lets objects in or not. */
  readonly isPolicy?: true;
}
export interface TriedObject {
  readonly name: string;
  /** The file as a person names it. */
  readonly file: string;
  readonly uri: string;
  readonly range: TestRange;
  readonly outcome: 'true' | 'false' | 'error' | 'none' | 'value';
  readonly said: string;
  readonly values: readonly TriedValue[];
  readonly more: number;
}
export interface TriedValue {
  /** Where the value is in the object, such as `spec.users[0]`; '' for all of it. */
  readonly at: string;
  readonly outcome: TriedObject['outcome'];
  readonly said: string;
  /** The parts with their values, indented by how deep they are in the expression. */
  readonly lines: readonly string[];
}

/** A command of the client: tries the rule or policy at a position (its second argument) of a file (its first). */
export const tryHere = 'kubeCrd.tryRuleAt';

/** Client to server: a new object of the kind and version that a rule is about, as a snippet; null where nothing is known. */
export const scratchRequest = 'kubeCrd/scratch';
export interface Scratch {
  readonly uri: string;
  readonly rule: RuleRef;
}

/** Client to server: the text of a new playground. */
export const playgroundRequest = 'kubeCrd/playground';

/** Client to server: a link to the playground that holds an open file and the CRDs of its kinds; nothing is sent for it. */
export const playgroundLinkRequest = 'kubeCrd/playgroundLink';
export interface PlaygroundLinkAsked {
  readonly uri: string;
}
export interface PlaygroundLink {
  /** Undefined where there is none. */
  readonly address?: string;
  /** The files that it holds. */
  readonly names: readonly string[];
  /** Why there is none. */
  readonly problem?: string;
}

/** Client to server: which resources could be named by {@link showValuesRequest} for the CRDs of a file. */
export const resourcesRequest = 'kubeCrd/resources';
export interface Resources {
  readonly uri: string;
}
export interface ResourceOfKind {
  readonly kind: string;
  readonly name: string;
  readonly file: string;
  readonly uri: string;
  readonly range: TestRange;
}

/** Client to server: show in the rules of a file what their parts come to in a resource; no more, where none is named. */
export const showValuesRequest = 'kubeCrd/showValues';
export interface ShowValues {
  readonly uri: string;
  /** Where the resource is: its file and a position in it. */
  readonly resource?: { readonly uri: string; readonly position: Position };
}

/** Client to server: what the expressions of a file's CRDs may cost, version by version. */
export const costsRequest = 'kubeCrd/costs';
export interface Costs {
  readonly uri: string;
}
interface Cost {
  readonly cost: string;
  /** Of what all expressions of a version may cost together, in percent. */
  readonly share: number;
  readonly range: TestRange;
}
export interface VersionCost extends Cost {
  readonly kind: string;
  readonly version: string;
  readonly fields: readonly FieldCost[];
  /** How many expressions do not compile. */
  readonly unknown: number;
}
export interface FieldCost extends Cost {
  readonly field: string;
  readonly expressions: readonly ExpressionCost[];
}
export interface ExpressionCost extends Cost {
  readonly keyword: 'rule' | 'messageExpression';
  readonly expression: string;
  /** Of what one expression may cost, in percent. */
  readonly ofOne: number;
  readonly explained: string;
}

/** Client to server: the kind that a position is about; null where it is about none. */
export const kindAtRequest = 'kubeCrd/kindAt';
export interface KindAt {
  readonly uri: string;
  readonly position: Position;
}
/** A kind in one of its versions, by the file that defines it. */
export interface KindRef {
  readonly uri: string;
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** Client to server: what a kind has below the field that some names lead to, or what of that holds a text. */
export const schemaRequest = 'kubeCrd/schema';
export interface SchemaRows {
  readonly kind: KindRef;
  readonly names: readonly string[];
  readonly filter?: string;
}
export interface SchemaRow {
  readonly what: 'field' | 'rule';
  readonly name: string;
  readonly detail: string;
  readonly description: string;
  /** From the object: `spec.users[].name`. */
  readonly path: string;
  readonly names: readonly string[];
  readonly hasMore: boolean;
  readonly uri?: string;
  readonly range?: TestRange;
}

export { isPlayground, isTestFile, isYaml, testGlobs, yamlGlobs } from '../workspace/fileNames.ts';
export { goMarkers } from '../workspace/goMarkers.ts';
export { shownScheme } from '../workspace/sources/shown.ts';
/** Client to server: the text of a document of {@link shownScheme}; null where nothing is known of it. */
export const shownRequest = 'kubeCrd/shown';
export interface Shown {
  readonly uri: string;
}

/** Client to server: judge every file of the workspace, open or not. */
export const checkRequest = 'kubeCrd/check';
export interface Checked {
  readonly checked: number;
  readonly errors: number;
  /** Warnings, and what is only said for information. */
  readonly others: number;
  /** Files that were left to the tests whose data they are. */
  readonly tests: number;
}

/**
 * The scheme of pages that explain a rule, such as `kube-crd-rule:/crd/scope.kube-crd-rule.md`: editors know by the end
 * of the name that they are to be shown as pages, not as text.
 */
export const rulePageScheme = 'kube-crd-rule';
export const rulePageEnd = '.kube-crd-rule.md';
/** Client to server: the page of a rule, in Markdown; null where there is no such rule. */
export const rulePageRequest = 'kubeCrd/rulePage';
export interface RulePage {
  readonly code: string;
}

/** Client to server: the kinds that are known, and where from. */
export const knownKindsRequest = 'kubeCrd/knownKinds';
export interface KnownKind {
  readonly kind: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** Where its CRD comes from: a file of the workspace, or a source such as "cert-manager 1.21.2, from the Go module cache". */
  readonly source: string;
  /** How many resources of the workspace are of it. */
  readonly resources: number;
  /** Where its CRD names the kind. */
  readonly uri: string;
  readonly line: number;
}

/** Client to server: the cases of a file of tests. */
export const testsRequest = 'kubeCrd/tests';
export interface Tests {
  readonly uri: string;
}
export interface TestPlace {
  readonly id: string;
  readonly name: string;
  readonly range: TestRange;
}
interface TestRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Client to server: run the cases of a file, or some of them. */
export const runTestsRequest = 'kubeCrd/runTests';
export interface RunTests {
  readonly uri: string;
  readonly ids?: readonly string[];
}
export interface TestOutcome extends TestPlace {
  /** What is not as expected, none where a case passes; absent where it was not run. */
  readonly failures?: readonly string[];
  /** What was to be stored and what is, as YAML, where both are not the same. */
  readonly unlike?: { readonly wanted: string; readonly found: string };
  readonly milliseconds: number;
}

/** Client to server: run the cases of some files, or of all where none are named, and say what of their CRDs they try. */
export const coverTestsRequest = 'kubeCrd/coverTests';
export interface CoverTests {
  readonly files?: readonly RunTests[];
}
export interface TestCoverage {
  readonly runs: readonly TestRun[];
  readonly crds: readonly CrdFileCoverage[];
  /** The same for people, as `kube-crd test --coverage` prints it. */
  readonly text: string;
}
export interface TestRun {
  readonly uri: string;
  readonly outcomes: readonly TestOutcome[];
}
/** What cases try of the CRDs in a file: how much of its rules, bounds and fields, of the branches of rules, and all of them. */
export interface CrdFileCoverage {
  readonly uri: string;
  readonly statements: CoverageShare;
  readonly branches: CoverageShare;
  readonly points: readonly CoveredPoint[];
}
interface CoverageShare {
  readonly done: number;
  readonly all: number;
}
export interface CoveredPoint {
  readonly kind: 'rule' | 'branch' | 'bound' | 'field';
  readonly what: string;
  readonly range: TestRange;
  /** How it can go, such as `true` and `false`, and how often it did. */
  readonly ways: readonly { readonly name: string; readonly hits: number }[];
}

/** The scheme of pages that show what a case evaluates; the end of the name has editors show them rendered. */
export const debugScheme = 'kube-crd-debug';
export const debugEnd = '.kube-crd-debug.md';
/** Client to server: the page of a case, in Markdown; null where there is no such case. */
export const debugTestRequest = 'kubeCrd/debugTest';
export interface DebugTest {
  readonly uri: string;
  readonly id: string;
}

/**
 * Commands of the server behind lenses, whose answers are those of the requests above: cases of a file (its first argument)
 * are run, all or those named by the second; a case is shown with what it evaluates; the third gives the places of tests.
 */
export const runTestsCommand = 'kube-crd.runTests';
export const debugTestCommand = 'kube-crd.debugTest';
/** Its arguments are files of tests, none for all; the answer is that of {@link coverTestsRequest}. */
export const coverTestsCommand = 'kube-crd.coverTests';
export const showTestsCommand = 'kube-crd.showTests';
/** Writes a case: of the resource at a position (the second argument) of a file (the first), or one that breaks the rule there. */
export const newTestCommand = 'kube-crd.newTest';
/** The commands behind lenses, of a client that has a view of tests. The last is given the place of a rule before those of tests. */
export const runTestsHere = 'kubeCrd.runTests';
export const debugTestHere = 'kubeCrd.debugTest';
export const showTestsHere = 'kubeCrd.showTests';
export const showChangesHere = 'kubeCrd.showChanges';

/** A command of the client: asks for a file or folder with CRDs, for `kubeCrd.crds`. Its argument is the file at hand. */
export const nameCrdsCommand = 'kubeCrd.nameCrds';
/** A command of the client: takes a glob, its first argument, into `kubeCrd.knownKinds` for the file that is its second. */
export const knownKindCommand = 'kubeCrd.addKnownKind';

/**
 * Commands of the server, for `workspace/executeCommand`. The first brings CRDs in: its first argument, which may be left
 * out, says from where, its second is the file at hand. The other looks for changes of what was brought in.
 */
export const fetchCommand = 'kube-crd.fetch';
export const updateCommand = 'kube-crd.update';

/**
 * Commands of the server that ask a cluster through the user's kubectl, which each chooses from the user's contexts, unless
 * its second argument names one; the first is the file at hand. The first command gives the address of a page, or, where
 * the client does not show such addresses, its Markdown; the second has files judged as the cluster would, until the third.
 */
export const compareClusterCommand = 'kube-crd.compareWithCluster';
export const judgeAsClusterCommand = 'kube-crd.judgeAsCluster';
export const leaveClusterCommand = 'kube-crd.stopJudgingAsCluster';
/** How the names of pages about clusters end: editors know by it that they are to be shown as pages. */
export const clusterPageEnd = '.kube-crd-cluster.md';

/** Server to client: lets the user choose a row; null for none. Other clients get a message with the rows as buttons. */
export const pickRequest = 'kubeCrd/pick';
export interface Pick {
  readonly title: string;
  readonly rows: readonly PickRow[];
}
export interface PickRow {
  readonly label: string;
  readonly detail?: string;
}

/** Server to client: lets the user type a line; null where that is cancelled. */
export const lineRequest = 'kubeCrd/line';
export interface Line {
  readonly title: string;
  readonly placeHolder: string;
}

/** A command of the client: puts its argument on the clipboard. */
export const copyCommand = 'kubeCrd.copy';
