import type { Range } from '../../base/text.ts';
import type { Wordless } from '../../rules/model/diagnostic.ts';
import { ruleOf } from '../../rules/model/registry.ts';
import type { Listing } from '../../workspace/files.ts';
import { isCompleted } from '../../workspace/kustomized.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { promptFiles } from '../../workspace/sources/nodeFiles.ts';
import { isOfTests } from '../../workspace/testData.ts';
import { baseName, folderOf } from '../../workspace/uri.ts';
import type { Builds } from '../kustomizations.ts';
import { isOnlyBundled } from './bundled.ts';
import { isCopiedByScript, isWrittenByScript } from './copied.ts';
import { isMadeElsewhere, laterVersions } from './elsewhere.ts';
import { isEmbedded, isReadByTest } from './embedded.ts';
import { isFetched, isFetchedByScript, isUnpacked } from './fetched.ts';
import { chartAround, isOfFileMadeLater } from './filesOfCharts.ts';
import { installedVersions } from './installed.ts';
import { keptLocal } from './keptLocal.ts';
import {
  isAppliedPatch,
  isBegun,
  isBesidePatches,
  isLeftOut,
  isLoosePatch,
  isOfTurnedOff,
  isTurnedOff,
  isUnbuilt,
  isUnlisted,
  isUnusedPatch,
  madeLater,
} from './kustomized.ts';
import { isOnlyLinted, valuesGivenInCi } from './linted.ts';
import { isNamespacedLater } from './namespaced.ts';
import { isOfOuterChart, missingTemplate } from './outerChart.ts';
import { isOverlaid } from './overlaid.ts';
import { openWords } from './placeholders.ts';
import { isCompletedByProgram, isConverted } from './programs.ts';
import { isOfEarlierRelease } from './releases.ts';
import { replacedWords } from './replaced.ts';
import { isInsideProgram } from './resources.ts';
import { fieldsSetByScripts } from './setByScripts.ts';
import { isFieldSetLater } from './setLater.ts';
import { isPrinted, kindBefore, missingFile, namedVersions } from './signs.ts';

/** A file with findings, and where in it objects are that may be meant as they are. */
export interface FoundFile extends Pick<SourceFile, 'uri' | 'text'>, Partial<Pick<SourceFile, 'stream' | 'manifests'>> {
  readonly found: readonly Wordless[];
  /** The ranges of what is a part of a CRD that is whole in another file. */
  readonly crdParts: readonly Range[];
  /** The ranges of objects whose CRD is kept in several releases, in whose folders they are not. */
  readonly ofAnyRelease: readonly Range[];
}

/** What a run knows when it comes to a file. */
export interface Known {
  readonly snapshot: Snapshot;
  readonly builds: Builds;
  readonly listing: Listing;
  /** What the run was asked to look at. */
  readonly folders: readonly string[];
}

export type Around = ReturnType<typeof aroundOf>;

/** What is around a file with findings. What has to be read for it is read once a reason asks, and once. */
export function aroundOf(file: FoundFile, known: Known) {
  const { uri, text, found, crdParts, ofAnyRelease } = file;
  const { snapshot, builds, listing, folders } = known;
  const setByScripts = once(() => fieldsSetByScripts(promptFiles, uri, folders));
  const versions = () => found.flatMap(namedVersions);
  const goneKinds = new Set<string | undefined>(
    found.flatMap(({ says: { unserved } }) => (unserved?.isGone ? unserved.kind : [])),
  );
  return {
    ...{ uri, text, folders, crdParts, ofAnyRelease },
    /** Whether an object of the file has no name. */
    isNameless: found.some(({ code }) => ruleOf(code)?.unnamed),
    isUnusedPatch: () => isUnusedPatch(snapshot, { uri, text }),
    isLoosePatch: () => isLoosePatch(snapshot, uri),
    isBesidePatches: () => isBesidePatches(snapshot, uri),
    /** Whether patches of what applies the file set the field that a finding is about. */
    isSetLater: (finding: Wordless) => isFieldSetLater(snapshot, file, finding),
    /** Whether ytt lays another value over the one that a finding is about. */
    isOverlaid: async (finding: Wordless) => {
      const kind = kindBefore(finding, text);
      const path = finding.about?.path ?? [];
      return kind !== undefined && path.length > 1 && (await isOverlaid(promptFiles, listing, uri, kind, path));
    },
    isAppliedPatch: () => isAppliedPatch(snapshot, uri),
    /** Whether what takes it may add what it lacks. */
    isCompleted: () => isCompleted(snapshot.kustomized.completed, uri),
    isUnbuilt: () => isUnbuilt(snapshot, builds, uri),
    isLeftOut: once(() => isLeftOut(snapshot, uri)),
    isOfTurnedOff: once(() => isOfTurnedOff(snapshot, uri)),
    isTurnedOff: once(() => isTurnedOff(uri)),
    /** Whether it is a kustomization to which something is still to be added. */
    isBegun: once(() => isBegun(snapshot, uri, text)),
    /** Files that are not there, and that something makes when they are needed. */
    madeLater: once(() =>
      madeLater(
        uri,
        found.flatMap((one) => missingFile(one) ?? []),
        folders,
      ),
    ),
    /** Whether what a finding is about is in a file of a chart that something makes when it is needed. */
    isOfFileMadeLater: (finding: Wordless) => isOfFileMadeLater(promptFiles, { uri, text }, finding.range, folders),
    isInChart: once(async () => (await chartAround(promptFiles, uri)) !== undefined),
    isPackaged: once(() => isPackaged(uri)),
    isOfEarlierRelease: once(() => isOfEarlierRelease(promptFiles, uri, folders)),
    /** Whether a script gives what is built of it a namespace. */
    isNamespacedLater: once(
      async () => snapshot.kustomized.listed.has(uri) && (await isNamespacedLater(promptFiles, uri, folders)),
    ),
    /** Whether a script puts a kustomization elsewhere before it is built, or writes it. */
    isCopiedByScript: once(
      async () => (await isCopiedByScript(promptFiles, uri, folders)) || (await isWrittenByScript(promptFiles, uri)),
    ),
    /** The ranges of what is for programs on the way alone. */
    keptLocal: keptLocal(file),
    /** Whether a chart is rendered with the templates of one around it, which has what a template lacks. */
    isOfOuterChart: async (finding: Wordless) => {
      const name = missingTemplate(finding);
      return name !== undefined && (await isOfOuterChart(promptFiles, uri, folders, name));
    },
    /** Whether values in `ci` are for a linter alone. */
    isOnlyLinted: once(() => isOnlyLinted(promptFiles, uri, folders)),
    valuesGivenInCi: once(() => valuesGivenInCi(promptFiles, uri, folders)),
    /** Whether it is one of a pair, of which something is to take one and refuse the other. */
    isInvalidBesideValid: once(() => isInvalidBesideValid(uri, folders)),
    /** Whether a program has it inside. */
    isEmbedded: once(
      async () => (await isEmbedded(promptFiles, uri)) || (await isInsideProgram(promptFiles, uri, listing)),
    ),
    /** Whether a program here replaces what it has in angle brackets, and reads YAML as loosely as Go programs do. */
    isCompletedByProgram: once(() => isCompletedByProgram(promptFiles, { uri, text }, listing, folders)),
    /** Whether scripts set all fields that a finding says are missing. */
    isSetByScript: async ({ says }: Wordless) => {
      const missing = (says.required ?? []).map((field) => field.slice(field.lastIndexOf('.') + 1));
      const set = missing.length === 0 ? undefined : await setByScripts();
      return set !== undefined && missing.every((field) => set.has(field));
    },
    /** Whether all that is built of it goes to a program that makes a bundle of OLM. */
    isOnlyBundled: once(() => isOnlyBundled(promptFiles, snapshot, uri, folders)),
    /** Whether a program here converts the objects of a kind. */
    isConverted: (kind: string) => isConverted(promptFiles, uri, kind, listing, folders),
    /** Whether a test in Go beside its folder reads what is in that. */
    isReadByTest: once(() => isReadByTest(promptFiles, uri)),
    /** Whether its CRDs are made of Go types that are in another repository. */
    isMadeElsewhere: once(
      async () =>
        (await isMadeElsewhere(promptFiles, { uri, text }, listing, folders)) || (await isFetched(promptFiles, uri)),
    ),
    /** Whether a script removes what is in a folder around it, and fetches it again, or it is of a chart that is there as it was fetched. */
    isFetchedChart: once(
      async () => (await isFetchedByScript(promptFiles, uri, folders)) || (await isUnpacked(promptFiles, uri, folders)),
    ),
    /** Whether Kubernetes has no more what a finding is in, which is told in the same file. */
    isOfGoneKind: (finding: Wordless) => goneKinds.has(kindBefore(finding, text)),
    /** Whether `helm template` printed it, of the templates of the chart that it is kept in, and nothing takes it from there. */
    isPrintedByHelm: once(async () => {
      if (!isPrinted(text) || !isUnlisted(snapshot, uri)) return false;
      const names = (await promptFiles.entries(folderOf(uri))).map(({ name }) => name);
      return names.includes('Chart.yaml') && names.includes('templates');
    }),
    /** Versions that are later than those of CRDs here, which are of other projects. */
    laterVersions: once(() =>
      laterVersions(
        promptFiles,
        uri,
        found.flatMap(({ says }) => says.unserved ?? []),
        listing,
      ),
    ),
    /** Versions of groups, such as `example.com/v1`, of which a document beside it says that something else brings them. */
    installedVersions: once(() => installedVersions(promptFiles, uri, new Set(versions()))),
    /** Words that a script replaces before it applies the file. */
    replacedWords: once(() =>
      replacedWords(promptFiles, uri, folders, new Set(found.flatMap((one) => openWords(one, text)))),
    ),
  };
}

function once<Result>(ask: () => Promise<Result>): () => Promise<Result> {
  let answer: Promise<Result> | undefined;
  return () => (answer ??= ask());
}

/** Whether a CRD is in a package of Crossplane. */
async function isPackaged(uri: string): Promise<boolean> {
  const beside = await Promise.all([folderOf(uri), folderOf(folderOf(uri))].map((one) => promptFiles.entries(one)));
  return beside.flat().some(({ name }) => name === 'crossplane.yaml');
}

async function isInvalidBesideValid(uri: string, folders: readonly string[]): Promise<boolean> {
  const isInvalid = /^invalid[-_.]/i.test(baseName(uri));
  // Outside of tests, policies often have such names as well.
  if (!isInvalid && !(/^reject(?:ed|s)?[-_]/i.test(baseName(uri)) && isOfTests(uri, folders))) return false;
  const opposite = isInvalid ? /^valid[-_.]/i : /^accept(?:ed|s)?[-_]/i;
  return (await promptFiles.entries(folderOf(uri))).some(({ name }) => opposite.test(name));
}
