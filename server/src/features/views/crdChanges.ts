import { lineIndex } from '../../base/text.ts';
import { isString, valueAt } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Change, type Effect, effects, effectTitles } from '../../rules/changes/change.ts';
import { compareCrd } from '../../rules/changes/compare.ts';
import { crdAdded, crdRemoved, crdRenamed } from '../../rules/changes/crds.ts';
import { type ResourceOutcome, type ResourceOutcomes, resourceOutcomes } from '../../rules/changes/resources.ts';
import type { StoredTotals } from '../../rules/changes/storedTotals.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { type Manifest, metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import {
  committedObject,
  fileAt,
  formerName,
  kubernetesFor,
  type Snapshot,
  settingsFor,
} from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { blocks, list, type Markdown, md, own, words } from '../words/markdown.ts';
import { storedEffect, storedOverview, storedSection } from './storedObjects.ts';

/** An object in its file. */
export interface Placed {
  readonly file: SourceFile;
  readonly manifest: Manifest;
}

/** A place as a person reads it: lines and columns count from 1. */
export interface Spot {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

/** What changes for the users of a CRD between two states. */
export interface ChangedCrd {
  readonly name: string;
  readonly kind: string;
  /** The file of the new state; of the old one where there is no new one. */
  readonly uri: string;
  readonly changes: readonly (Change & { readonly spot: Spot })[];
  readonly notes: readonly string[];
  readonly resources: {
    readonly asked: number;
    readonly worse: readonly (ResourceOutcome & { readonly spot: Spot })[];
  };
  /** What becomes of the objects that a cluster stores, where one was asked. */
  readonly stored?: StoredTotals | undefined;
}

/** A CRD beside what it was; of one that came or went, only that it did. */
export function changedCrd(
  old: Placed | undefined,
  now: Placed | undefined,
  resources: readonly Placed[],
  ref: string,
  kubernetes: KubernetesVersion,
  formerly?: string,
): ChangedCrd {
  const shown = (now ?? old)!;
  const { changes, notes } =
    old && now
      ? compareCrd(old.manifest, now.manifest, ref, kubernetes)
      : { changes: [formerly !== undefined ? crdRenamed(formerly, ref) : now ? crdAdded() : crdRemoved()], notes: [] };
  const manifests = resources.map(({ manifest }) => manifest);
  const fileOf = new Map(resources.map(({ file, manifest }) => [manifest, file]));
  const outcomes: ResourceOutcomes =
    old && now ? resourceOutcomes(old.manifest, now.manifest, manifests, kubernetes) : { asked: 0, worse: [] };
  const kind = valueAt(shown.manifest.value, ['spec', 'names', 'kind']);
  return {
    name: metadataText(shown.manifest, 'name'),
    kind: isString(kind) ? kind : '',
    uri: shown.file.uri,
    changes: changes.map((change) => ({ ...change, spot: spotOf(shown, change) })),
    notes,
    resources: {
      asked: outcomes.asked,
      worse: outcomes.worse.map((one) => {
        const file = fileOf.get(one.resource)!;
        return {
          ...one,
          spot: spotOf({ file, manifest: one.resource }, { at: ['metadata', 'name'], anchor: 'value' }),
        };
      }),
    },
  };
}

function spotOf({ file, manifest }: Placed, { at, anchor }: Pick<Change, 'at' | 'anchor'>): Spot {
  const { start } = locateInFile(file, manifest, at, anchor).range;
  const lines = lineIndex(file.text);
  const line = lines.lineAt(start);
  return { uri: file.uri, line: line + 1, column: start - lines.lineStart(line) + 1 };
}

/** The worst that happens; undefined where nothing does. */
export function worstOf(all: readonly ChangedCrd[]): Effect | undefined {
  return effects.find((effect) =>
    all.some(
      ({ changes, resources, stored }) =>
        changes.some((change) => change.effect === effect) ||
        (effect === 'breaks' && resources.worse.length > 0) ||
        (stored !== undefined && effect === storedEffect(stored)),
    ),
  );
}

/** What a change is about, in front of what it is. */
export function subjectOf({ version, field }: Change): string {
  return [...(version === undefined ? [] : [version]), ...(field === '' ? [] : [`\`${field}\``])].join(' ');
}

/** What becomes of a resource, in a sentence. */
export function outcomeText({ resource, errors, dropped, forgiven }: ResourceOutcome): string {
  const lost = dropped.length === 0 ? [] : [`it loses fields (${dropped.join(', ')})`];
  const refused = errors.length === 0 ? [] : [`the API server would refuse it: ${errors.join('; ')}`];
  const later = errors.length > 0 && forgiven ? ' As it is stored, updates that leave this as it is pass.' : '';
  return `\`${metadataText(resource, 'name')}\`: ${[...refused, ...lost].join('; ')}.${later}`;
}

const mostResources = 20;

/** A page in Markdown. `nameOf` says what files are called in it. */
export function changesPage(
  all: readonly ChangedCrd[],
  title: string,
  nameOf: (uri: string) => string,
  showValues = false,
): Markdown {
  const changed = all.filter(({ changes, notes, stored }) => changes.length + notes.length > 0 || stored !== undefined);
  const body = changed.map((one) => crdSection(one, nameOf, showValues));
  const empty = own('Nothing changes for anybody who uses these CRDs.');
  const stored = changed.flatMap((one) => (one.stored ? [one.stored] : []));
  const overview = stored.length > 0 ? [storedOverview(stored)] : [];
  return md`${blocks(md`# ${title}`, ...overview, ...(body.length > 0 ? body : [empty]))}\n`;
}

function crdSection(crd: ChangedCrd, nameOf: (uri: string) => string, showValues: boolean): Markdown {
  const lists = effects.flatMap((effect) => {
    const some = crd.changes.filter((change) => change.effect === effect);
    if (some.length === 0) return [];
    return [md`### ${effectTitles[effect]}`, list(some.map(changeText))];
  });
  const file = md`In ${nameOf(crd.uri)}.`;
  const stored = crd.stored ? storedSection(crd.stored, showValues) : [];
  return blocks(
    md`## ${crd.name}`,
    file,
    ...crd.notes.map(words),
    ...lists,
    ...resourceSection(crd, nameOf),
    ...stored,
  );
}

function changeText(change: ChangedCrd['changes'][number]): Markdown {
  const subject = subjectOf(change);
  const about = subject === '' ? '' : md`**${words(subject)}** · `;
  return md`${about}${words(change.title)} (line ${change.spot.line})<br>${words(change.message)}`;
}

function resourceSection({ kind, resources }: ChangedCrd, nameOf: (uri: string) => string): Markdown[] {
  const { asked, worse } = resources;
  if (asked === 0) return [];
  if (worse.length === 0) return [own('### Known resources'), unchangedText(asked, kind)];
  const rows = worse
    .slice(0, mostResources)
    .map((one) => md`${nameOf(one.spot.uri)}:${one.spot.line} ${words(outcomeText(one))}`);
  const more = worse.length > mostResources ? [md`and ${worse.length - mostResources} more`] : [];
  return [
    own('### Known resources'),
    md`${worse.length} of ${asked} known resources of ${kind}:`,
    list([...rows, ...more]),
  ];
}

function unchangedText(asked: number, kind: string): Markdown {
  if (asked === 1) return md`The one known resource of ${kind} stays as it is.`;
  return md`All ${asked} known resources of ${kind} stay as they are.`;
}

/** The resources of a kind in a file. */
export function resourcesOf(file: SourceFile, { group, kind }: Pick<Definition, 'group' | 'kind'>): Placed[] {
  const isOfKind = ({ apiVersion, kind: own }: Manifest) => own === kind && splitApiVersion(apiVersion).group === group;
  return file.template || file.ignored
    ? []
    : file.manifests.flatMap((manifest) => (isOfKind(manifest) ? [{ file, manifest }] : []));
}

/** Why a file has no committed state; undefined where it has one, be its objects in it or not. */
function whyNoBaseline({ baselines }: Snapshot, uri: string, ref: string): Markdown | undefined {
  const baseline = baselines.get(uri);
  if (ref === 'none') return own('`kubeCrd.baseline` is `none`.');
  if (!baseline) return own('git cannot be run here. In Restricted Mode it waits until you trust the workspace.');
  if (baseline.isOutside) return own('this file is in no git repository, or git is not installed.');
  if (baseline.unknownRef) return md`git knows no commit ${ref}, which \`kubeCrd.baseline\` names.`;
  return baseline.commit === '' ? own('this repository has no commit yet.') : undefined;
}

/** The changes of a file's CRDs against what git has; undefined where the file holds no CRD. */
export function changesAgainstBaseline(
  snapshot: Snapshot,
  uri: string,
  resources: readonly Placed[],
  nameOf: (uri: string) => string,
): Markdown | undefined {
  const file = fileAt(snapshot, uri);
  const crds = file?.manifests.flatMap(crdsFrom) ?? [];
  if (!file || crds.length === 0) return undefined;
  const ref = settingsFor(snapshot, uri).baseline;
  const why = whyNoBaseline(snapshot, uri, ref);
  if (why) return md`${blocks(own('# Changes'), md`There is no committed state to compare with: ${why}`)}\n`;
  const kubernetes = kubernetesFor(snapshot, uri);
  const all = crds.map((manifest) => {
    const committed = committedObject(snapshot, uri, manifest);
    const old = committed && { file, manifest: committed.manifest };
    const former = formerName(snapshot, uri, manifest);
    return changedCrd(old, { file, manifest }, resources, ref, kubernetes, former);
  });
  return changesPage(all, `Changes against ${ref}`, nameOf);
}
