// CRDs and custom resources, judged as the API server would: for programs, in Node and in browsers.
// The types here are the package's interface: they name nothing of the rest of the program.

import { applyEdits, lineIndex } from '../base/text.ts';
import { fixesFor } from '../features/mend/fixes.ts';
import { diagnose } from '../features/problems/diagnose.ts';
import { storedText } from '../features/views/preview.ts';
import { kubernetesVersions as known, newestVersion } from '../kubernetes/releases/all.ts';
import type { Diagnostic } from '../rules/model/diagnostic.ts';
import { rulePage } from '../rules/model/page.ts';
import { type Committed, objectKey } from '../workspace/baseline/baseline.ts';
import { kindsToLookUp, withLookedUp } from '../workspace/lookUp.ts';
import { defaultSettings, type Settings } from '../workspace/settings.ts';
import { emptySnapshot, type Snapshot, withBaseline, withOpen } from '../workspace/snapshot.ts';
import { sourceFile } from '../workspace/sourceFile.ts';

export interface CheckOptions {
  /** The texts of YAML or JSON files with the CRDs of the resources; those of the text itself count as well. */
  readonly crds?: readonly string[];
  /** The Kubernetes version, such as `1.36`; default: the newest that is known. */
  readonly kubernetes?: string;
  /** The oldest version that the text has to work with. */
  readonly minimumKubernetes?: string;
  /** What is stored: the objects of the text are then checked as updates of those with the same names. */
  readonly stored?: string;
  /** Severities by the code of a rule. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** Globs of `group/Kind` whose CRDs need not be known. */
  readonly knownKinds?: readonly string[];
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** What is said about a place of a text. */
export interface Finding {
  /** The rule, such as `crd/type-required`: `explain` tells more of it. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: Range;
  /** The same in lines and columns. */
  readonly place: Place;
  /** What would mend it; each has been tried. Worked out when it is asked for. */
  readonly fixes: readonly Fix[];
}

/** Offsets in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Lines and columns count from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export interface Fix {
  /** A short command, such as "Add `type: object`". */
  readonly title: string;
  /** What anyone would do: it may be applied without looking. */
  readonly safe: boolean;
  readonly edits: readonly Edit[];
}

export interface Edit {
  readonly range: Range;
  readonly text: string;
}

/** The Kubernetes versions that are known, newest first. */
export const kubernetesVersions: readonly string[] = known.map(({ name }) => name);

const input = 'text:///input.yaml';

/** What the API server would say about the CRDs and custom resources in a text, and our own warnings. */
export function check(text: string, options: CheckOptions = {}): Finding[] {
  const snapshot = snapshotOf(text, options);
  const lines = lineIndex(text);
  return diagnose(snapshot, input).map((diagnostic) => findingOf(snapshot, diagnostic, lines));
}

/** The text after a fix. What is found in it afterwards is found by another `check`. */
export function apply(text: string, { edits }: Fix): string {
  return applyEdits(text, edits);
}

/** The objects of a text as the API server would store them: pruned, with defaults, in the storage version. */
export function stored(text: string, options: CheckOptions = {}): string {
  return storedText(snapshotOf(text, options), input) ?? '';
}

/** The page of a rule, in Markdown; undefined where there is no such rule. */
export function explain(code: string): string | undefined {
  return rulePage(code);
}

function snapshotOf(text: string, options: CheckOptions): Snapshot {
  const settings = settingsOf(options);
  let snapshot: Snapshot = { ...emptySnapshot, settings: { all: settings, folders: new Map(), configs: new Map() } };
  for (const [i, crds] of (options.crds ?? []).entries())
    snapshot = withOpen(snapshot, sourceFile(`text:///crds/${i}.yaml`, crds, { named: true }));
  const file = sourceFile(input, text, { named: true });
  snapshot = withOpen(snapshot, file);
  const unknown = kindsToLookUp(snapshot, file).map((wanted) => ({ wanted, absent: [] }));
  snapshot = withLookedUp(snapshot, { files: [], asked: unknown });
  return options.stored === undefined ? snapshot : withStored(snapshot, options.stored);
}

function settingsOf({ kubernetes = newestVersion.name, minimumKubernetes, rules = {}, knownKinds = [] }: CheckOptions) {
  for (const version of [kubernetes, minimumKubernetes])
    if (version !== undefined && !kubernetesVersions.includes(version))
      throw new Error(`Kubernetes ${version} is not known; there are ${kubernetesVersions.join(', ')}`);
  const settings: Settings = {
    ...defaultSettings,
    kubernetesVersion: kubernetes,
    minimumKubernetesVersion: minimumKubernetes,
    rules: new Map(Object.entries(rules)),
    knownKinds,
  };
  return settings;
}

function withStored(snapshot: Snapshot, text: string): Snapshot {
  const objects = sourceFile('text:///stored.yaml', text, { named: true }).manifests.flatMap(
    (manifest): [string, Committed][] => {
      const key = objectKey(manifest);
      const committed = { ref: 'what is stored', manifest, crd: undefined, storage: new Map<string, string>() };
      return key === undefined ? [] : [[key, committed]];
    },
  );
  const baseline = { ref: 'what is stored', commit: 'stored', unknownRef: false, objects: new Map(objects) };
  return withBaseline(snapshot, input, baseline);
}

function findingOf(snapshot: Snapshot, diagnostic: Diagnostic, lines: ReturnType<typeof lineIndex>): Finding {
  const { code, severity, message, range, key } = diagnostic;
  const [line, endLine] = [lines.lineAt(range.start), lines.lineAt(range.end)];
  const column = (offset: number, at: number) => offset - lines.lineStart(at) + 1;
  let fixes: readonly Fix[] | undefined;
  return {
    code,
    severity,
    message,
    range,
    place: {
      line: line + 1,
      column: column(range.start, line),
      endLine: endLine + 1,
      endColumn: column(range.end, endLine),
    },
    get fixes() {
      fixes ??= fixesFor(snapshot, input, { code, key });
      return fixes;
    },
  };
}
