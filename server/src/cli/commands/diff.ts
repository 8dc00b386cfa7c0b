import { counted } from '../../base/text.ts';
import { isString, valueAt } from '../../base/value.ts';
import { clusterOf } from '../../cluster/dryRun.ts';
import { storedCrds } from '../../cluster/objects.ts';
import {
  type ChangedCrd,
  changedCrd,
  changesPage,
  outcomeText,
  type Placed,
  subjectOf,
  worstOf,
} from '../../features/views/crdChanges.ts';
import { leftOutText, namesText, storedLines, storedTitle, unharmed } from '../../features/views/storedObjects.ts';
import { plainText } from '../../features/words/markdown.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Effect, effects, effectTitles } from '../../rules/changes/change.ts';
import { type StoredOptions, usualPage } from '../../rules/changes/storedKind.ts';
import type { StoredTotals } from '../../rules/changes/storedTotals.ts';
import { definedKind } from '../../workspace/baseline/committed.ts';
import { metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { storedSide } from '../../workspace/storedCrds.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { clusterVersion } from '../clusterVersion.ts';
import type { Unread } from '../dumped.ts';
import { interruptible } from '../interruptible.ts';
import { nameOf, tooOld } from '../report.ts';
import { readSide, type Side } from '../sides.ts';
import { dumpedCrds, judgedInDump, judgedThere } from '../storedObjects.ts';
import { command } from '../table/command.ts';
import { choice, flag, number, text, texts, typed } from '../table/option.ts';
import { format, kubernetes, oneVersion } from '../table/shared.ts';
import { complain, emit, json, linesText } from '../terminal.ts';

const diffFormats = ['text', 'json', 'markdown'] as const;
type DiffFormat = (typeof diffFormats)[number];

interface DiffOptions {
  readonly old: string;
  /** The files on disk where the old ones come from a commit, if it is not given. */
  readonly now: string | undefined;
  /** Where more resources are, besides those of the new side. */
  readonly resources: readonly string[];
  readonly version: KubernetesVersion;
  readonly format: DiffFormat;
  /** The least effect that fails; undefined where none does. */
  readonly failOn: Effect | undefined;
  readonly showValues: boolean;
}

/** The same beside what a cluster stores. */
interface StoredDiffOptions extends Omit<DiffOptions, 'old' | 'now' | 'resources'>, StoredOptions {
  /** The old CRDs; undefined where the cluster has them, or the files of what it has. */
  readonly old: string | undefined;
  readonly now: string;
  /** Its context; undefined where `objects` are files. */
  readonly cluster: string | undefined;
  readonly objects: readonly string[];
}

/** Prints what changes for the users of CRDs between two states; gives the exit code. */
async function diff(options: DiffOptions): Promise<number> {
  const old = await readSide(options.old);
  if (options.now === undefined && !old.isCommit)
    throw new Error('diff takes two files or folders, or one in a commit such as main:config/crd');
  const now = await readSide(options.now ?? old.path);
  const more = await Promise.all(options.resources.map(readSide));
  const [before, after] = [crdsOf(old), crdsOf(now)];
  if (before.size + after.size === 0) throw new Error(`no CRDs found at ${options.old} and ${options.now ?? old.path}`);
  const all = compareAll(before, after, [now, ...more].flatMap(resourcesIn), old.name, options.version);
  const isWhole = [old, now, ...more].every(({ unread }) => unread === 0);
  return told(all, `${options.old} → ${options.now ?? old.path}`, isWhole, options);
}

/** Prints what changes; gives the exit code. */
function told(
  all: readonly ChangedCrd[],
  title: string,
  isWhole: boolean,
  { format, failOn, showValues }: Pick<DiffOptions, 'format' | 'failOn' | 'showValues'>,
): number {
  emit(writers[format](all, title, showValues));
  if (format === 'text') complain(totalsText(all, failOn));
  if (!isWhole) return 2;
  const worst = worstOf(all);
  return worst && failOn && effects.indexOf(worst) <= effects.indexOf(failOn) ? 1 : 0;
}

/** Prints what changes for the objects that a cluster stores, too; gives the exit code. */
async function diffStored(options: StoredDiffOptions, signal: AbortSignal): Promise<number> {
  const now = await readSide(options.now);
  const after = crdsOf(now);
  if (after.size === 0) throw new Error(`no CRDs found at ${options.now}`);
  const unread = { count: now.unread };
  const { ref, files } = await oldSide(options, [...after.keys()], unread, signal);
  const before = crdsOf({ files, name: ref });
  // Of a cluster's own CRDs the new ones are a part; those that OLD has more are gone.
  if (options.old === undefined) for (const name of before.keys()) if (!after.has(name)) before.delete(name);
  if (before.size === 0) throw new Error(`none of the CRDs of ${options.now} is in ${ref}`);
  const changes = new Map(
    [...before].flatMap(([name, { manifest }]) => {
      const next = after.get(name);
      return next ? [[name, { old: manifest.value, now: next.manifest.value }] as const] : [];
    }),
  );
  const { version, cluster, objects } = options;
  const stored = await (cluster === undefined
    ? judgedInDump(changes, objects, options, version, signal, unread)
    : judgedThere(changes, cluster, options, version, signal, unread));
  const all = compareAll(before, after, [], ref, version).map((one) => ({ ...one, stored: stored.get(one.name) }));
  return told(all, `${ref} → ${options.now}`, unread.count === 0, options);
}

/** The CRDs that stored objects are there under. */
async function oldSide(
  { old, cluster, objects }: StoredDiffOptions,
  names: readonly string[],
  unread: Unread,
  signal: AbortSignal,
): Promise<{ readonly ref: string; readonly files: readonly SourceFile[] }> {
  if (old !== undefined) {
    const side = await readSide(old);
    unread.count += side.unread;
    return { ref: old, files: side.files };
  }
  if (cluster === undefined) {
    const crds = await dumpedCrds(objects, new Set(names), unread);
    return { ref: objects.join(', '), files: storedSide(crds, 'objects') };
  }
  const crds = await storedCrds(cluster, names, { signal, say: () => {} });
  return { ref: cluster, files: storedSide(crds, cluster) };
}

/** The CRDs of a side by name; of several of a name, the first. */
function crdsOf({ files, name: side }: Pick<Side, 'files' | 'name'>): Map<string, Placed> {
  const found = new Map<string, Placed>();
  for (const file of files)
    for (const manifest of file.manifests) {
      if (manifest.role === 'crd-v1beta1') complain(tooOld(file.uri));
      for (const crd of crdsFrom(manifest)) {
        const name = metadataText(crd, 'name');
        if (name === '') continue;
        if (found.has(name)) complain(`${plain(side)} has several CRDs named ${name}: only the first counts`);
        else found.set(name, { file, manifest: crd });
      }
    }
  return found;
}

function resourcesIn({ files }: Side): Placed[] {
  return files.flatMap((file) =>
    file.ignored
      ? []
      : file.manifests.flatMap((manifest) => (manifest.role === 'resource' ? [{ file, manifest }] : [])),
  );
}

function compareAll(
  before: ReadonlyMap<string, Placed>,
  after: ReadonlyMap<string, Placed>,
  resources: readonly Placed[],
  ref: string,
  version: KubernetesVersion,
): ChangedCrd[] {
  const byKind = new Map<string, Placed[]>();
  for (const one of resources) {
    const { group } = splitApiVersion(one.manifest.apiVersion);
    const key = `${group}/${one.manifest.kind}`;
    const known = byKind.get(key);
    if (known) known.push(one);
    else byKind.set(key, [one]);
  }
  const gone = new Map([...before].filter(([name]) => !after.has(name)));
  const formers = new Map(
    [...after].flatMap(([name, now]) => {
      const former = before.has(name) ? undefined : [...gone].find(([, old]) => sameKind(old, now))?.[0];
      return former === undefined ? [] : [[name, former] as const];
    }),
  );
  const renamed = new Set(formers.values());
  return [
    ...[...gone].flatMap(([name, old]) => (renamed.has(name) ? [] : [changedCrd(old, undefined, [], ref, version)])),
    ...[...after].map(([name, now]) =>
      changedCrd(before.get(name), now, byKind.get(kindKey(now)) ?? [], ref, version, formers.get(name)),
    ),
  ];
}

function kindKey({ manifest }: Placed): string {
  return `${textAt(manifest, ['spec', 'group'])}/${textAt(manifest, ['spec', 'names', 'kind'])}`;
}

function textAt({ value }: Placed['manifest'], path: readonly string[]): string {
  const text = valueAt(value, path);
  return isString(text) ? text : '';
}

function sameKind(a: Placed, b: Placed): boolean {
  const kind = definedKind(a.manifest);
  return kind !== undefined && kind === definedKind(b.manifest);
}

type Writer = (all: readonly ChangedCrd[], title: string, showValues: boolean) => string;

const writers: Readonly<Record<DiffFormat, Writer>> = {
  text: (all, _, showValues) => all.map((crd) => crdText(crd, showValues)).join(''),
  json: (all, _, showValues) => jsonText(all, showValues),
  markdown: (all, title, showValues) => changesPage(all, title, nameOf, showValues).source,
};

function crdText(crd: ChangedCrd, showValues: boolean): string {
  const lines = [
    ...crd.notes.map((note) => `  ${plain(note)}`),
    ...effects.flatMap((effect) => {
      const some = crd.changes.filter((change) => change.effect === effect);
      return some.length === 0 ? [] : [`  ${effectTitles[effect]}:`, ...some.flatMap(changeLines)];
    }),
    ...resourceLines(crd),
    ...(crd.stored ? storedTexts(crd.stored, showValues) : []),
  ];
  return lines.length === 0 ? '' : linesText([crd.name, ...lines]);
}

function changeLines(change: ChangedCrd['changes'][number]): string[] {
  const { uri, line, column } = change.spot;
  const subject = subjectOf(change);
  return [
    `    ${nameOf(uri)}:${line}:${column}: ${plain(subject === '' ? change.title : `${subject}: ${change.title}`)}`,
    `      ${plain(change.message)}`,
  ];
}

/** On a terminal backquotes are noise around names, but for texts that they hold together. */
const plain = (text: string) => plainText(text.replaceAll('\n', ' '));

function resourceLines({ kind, resources: { asked, worse } }: ChangedCrd): string[] {
  if (asked === 0) return [];
  if (worse.length === 0) return [`  All ${asked} known resources of ${kind} stay as they are.`];
  return [
    `  ${worse.length} of ${asked} known resources of ${kind}:`,
    ...worse.map(
      (one) => `    ${nameOf(one.spot.uri)}:${one.spot.line}:${one.spot.column}: ${plain(outcomeText(one))}`,
    ),
  ];
}

const mostNames = 3;

function storedTexts(totals: StoredTotals, showValues: boolean): string[] {
  const lines = storedLines(totals, showValues);
  return [
    `  ${storedTitle(totals)}:`,
    ...(lines.length === 0 ? [`    ${unharmed(totals)}`] : []),
    ...lines.flatMap(({ title, objects, causes }) => [
      `    ${objects.count}: ${title}`,
      ...(causes.length === 0 ? [`      ${namesText(objects, mostNames)}`] : []),
      ...causes.map((one) => `      ${one.text} (${one.objects.count}: ${namesText(one.objects, mostNames)})`),
    ]),
    ...(totals.leftOut > 0 ? [`    ${leftOutText(totals)}`] : []),
  ];
}

const short: Readonly<Record<Effect, string>> = {
  refused: 'refused',
  breaks: 'breaking',
  'may-break': 'possibly breaking',
  changes: 'harmless',
  widens: 'widening',
};

function totalsText(all: readonly ChangedCrd[], failOn: Effect | undefined): string {
  const counts = countsOf(all);
  const parts = effects.flatMap((effect) => (counts[effect] === 0 ? [] : [`${counts[effect]} ${short[effect]}`]));
  const crds = counted(all.length, 'CRD');
  if (parts.length === 0) return `${crds}: nothing changes`;
  const found = `${crds}: changes: ${parts.join(', ')}`;
  // Whether those that only may break make a run fail is for everybody to choose, so it is said.
  if (counts['may-break'] === 0) return found;
  return `${found}; ${failOn === undefined ? 'nothing makes this run fail' : `fails on: ${failing(failOn)}`}`;
}

function failing(least: Effect): string {
  return effects
    .slice(0, effects.indexOf(least) + 1)
    .map((effect) => short[effect])
    .join(', ');
}

function countsOf(all: readonly ChangedCrd[]): Record<Effect, number> {
  const counts = { refused: 0, breaks: 0, 'may-break': 0, changes: 0, widens: 0 };
  for (const { changes } of all) for (const { effect } of changes) counts[effect]++;
  return counts;
}

function jsonText(all: readonly ChangedCrd[], showValues: boolean): string {
  const place = ({ uri, line, column }: { readonly uri: string; readonly line: number; readonly column: number }) => ({
    file: nameOf(uri),
    line,
    column,
  });
  const crds = all.map(({ name, kind, changes, notes, resources, stored }) => ({
    name,
    kind,
    notes,
    changes: changes.map(({ kind: what, effect, version, field, title, message, spot }) => {
      return { kind: what, effect, ...(version !== undefined && { version }), field, title, message, ...place(spot) };
    }),
    resources: {
      asked: resources.asked,
      worse: resources.worse.map(({ resource, errors, dropped, forgiven, spot }) => {
        return { name: metadataText(resource, 'name'), errors, dropped, forgiven, ...place(spot) };
      }),
    },
    ...(stored && { stored: storedJson(stored, showValues) }),
  }));
  return `${json({ version: 1, crds, totals: countsOf(all) }, 2)}\n`;
}

/** Without the API server's own words, which show values, unless they are asked for. */
function storedJson({ kind, faults, ...totals }: StoredTotals, showValues: boolean) {
  return { ...totals, faults: faults.map(({ inFull, ...fault }) => (showValues ? { ...fault, inFull } : fault)) };
}

const mostPage = 10_000;

export const diffCommand = command({
  name: 'diff',
  about: 'says what changes for the users of CRDs between two states: what is refused, breaks, or only widens',
  inShort:
    'says what a changed CRD does to its users, between two folders or commits: what is refused, breaks or only widens, and which known resources would no longer pass',
  takes: 'OLD [NEW] | --cluster CONTEXT NEW',
  explains: `Says what changes for the users of CRDs: what the API server would refuse as an update, which stored objects and clients break, what only widens, and which of the known resources the API server would no longer accept.

OLD and NEW are files or folders, or those of a commit: REF:PATH, with the path from the folder that it runs in. merge-base:REF:PATH is where the branch left REF. Without NEW, a commit is compared with the same path on disk. - is standard input.

With --cluster or --objects every stored object is judged under the new CRDs: which of its next writes would be refused, which fields it loses and who wrote them, and which defaults it gets. Values of the objects are not shown, unless --show-values asks for them. With --objects and no OLD, the old CRDs are those in the files.`,
  options: {
    resources: texts('PATH', 'also ask resources from there, besides those of NEW; several times', {
      completes: 'file',
    }),
    failOn: choice(
      'EFFECT',
      [...effects, 'none'],
      `the least effect that fails: ${effects.join(', ')} or none; default: may-break`,
      { fallback: 'may-break' },
    ),
    cluster: text(
      'CONTEXT',
      'NEW beside what that cluster stores: its CRDs are the old ones, and each of its objects is judged; read-only, through your kubectl',
    ),
    objects: texts(
      'PATH',
      'the same for files of what a cluster stores, as kubectl get -o json prints; several times',
      {
        completes: 'file',
      },
    ),
    namespace: text('NAME', 'with --cluster or --objects: only objects of that namespace'),
    selector: text('LABELS', 'with --cluster: only objects with these labels, as kubectl takes them', { short: 'l' }),
    maxObjects: number('NUMBER', 'look at no more objects of each kind', { least: 1, most: Number.MAX_SAFE_INTEGER }),
    chunkSize: number('NUMBER', 'with --cluster: ask for so many objects at once; default: 500', {
      least: 1,
      most: mostPage,
    }),
    showValues: flag('show values of stored objects in what is wrong with them'),
    format: format(diffFormats, 'text'),
    kubernetes,
  },
  exits:
    'Exit code 0: nothing breaks, 1: something is refused, breaks or may break, 2: wrong usage, or files that could not be read.',
  examples: [
    'kube-crd diff main:config/crd',
    'kube-crd diff --format markdown merge-base:origin/main:config/crd',
    'kube-crd diff --resources config/samples old/crds new/crds',
    'kube-crd diff --cluster staging config/crd',
  ],
  run: async ({ failOn, cluster, objects, chunkSize, ...values }, paths) => {
    const { namespace, selector, maxObjects, resources, showValues } = values;
    const isStored = cluster !== undefined || objects.length > 0;
    const least = failOn === 'none' ? undefined : failOn;
    if (!isStored) {
      const given = Object.entries({
        namespace,
        selector,
        maxObjects,
        chunkSize,
        showValues: showValues || undefined,
      }).find(([, value]) => value !== undefined);
      if (given) throw new Error(`${typed(given[0])} goes with --cluster or --objects`);
      const [old, now, ...more] = paths;
      if (old === undefined || more.length > 0) throw new Error('diff takes an old and a new state');
      const version = await oneVersion(values.kubernetes, now);
      return diff({ ...values, old, now, version, failOn: least });
    }
    if (cluster !== undefined && objects.length > 0) throw new Error('--cluster goes without --objects');
    if (resources.length > 0) throw new Error('--resources goes without --cluster and --objects');
    if (cluster === undefined && chunkSize !== undefined) throw new Error('--chunk-size goes with --cluster');
    if (cluster === undefined && selector !== undefined) throw new Error('--selector goes with --cluster');
    const [now, old, ...more] = [...paths].reverse();
    if (now === undefined || more.length > 0 || (cluster !== undefined && old !== undefined))
      throw new Error(cluster === undefined ? 'diff takes [OLD] NEW with --objects' : 'diff takes NEW with --cluster');
    return interruptible(async (signal) => {
      const version = await versionFor(values.kubernetes, cluster, now, signal);
      const options = { ...values, namespace, selector, maxObjects, pageSize: chunkSize ?? usualPage };
      return diffStored({ ...options, old, now, cluster, objects, version, failOn: least }, signal);
    });
  },
});

/** What is asked for; otherwise that of the cluster, if there is one. */
async function versionFor(given: string | undefined, cluster: string | undefined, now: string, signal: AbortSignal) {
  if (given !== undefined || cluster === undefined) return oneVersion(given, now);
  return clusterVersion(clusterOf(cluster, { signal, say: () => {} }), cluster);
}
