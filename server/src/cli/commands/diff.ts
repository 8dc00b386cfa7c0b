import { counted } from '../../base/text.ts';
import { isString, valueAt } from '../../base/value.ts';
import {
  type ChangedCrd,
  changedCrd,
  changesPage,
  outcomeText,
  type Placed,
  subjectOf,
  worstOf,
} from '../../features/views/crdChanges.ts';
import { plainText } from '../../features/words/markdown.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Effect, effects, effectTitles } from '../../rules/changes/change.ts';
import { definedKind } from '../../workspace/baseline/committed.ts';
import { metadataText, splitApiVersion } from '../../workspace/manifest.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { nameOf, tooOld } from '../report.ts';
import { readSide, type Side } from '../sides.ts';
import { command } from '../table/command.ts';
import { choice, texts } from '../table/option.ts';
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
  const title = `${options.old} → ${options.now ?? old.path}`;
  emit(writers[options.format](all, title));
  if (options.format === 'text') complain(totalsText(all, options.failOn));
  if ([old, now, ...more].some(({ unread }) => unread > 0)) return 2;
  const worst = worstOf(all);
  const { failOn } = options;
  return worst && failOn && effects.indexOf(worst) <= effects.indexOf(failOn) ? 1 : 0;
}

/** The CRDs of a side by name; of several of a name, the first. */
function crdsOf({ files, name: side }: Side): Map<string, Placed> {
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

type Writer = (all: readonly ChangedCrd[], title: string) => string;

const writers: Readonly<Record<DiffFormat, Writer>> = {
  text: (all) => all.map(crdText).join(''),
  json: jsonText,
  markdown: (all, title) => changesPage(all, title, nameOf).source,
};

function crdText(crd: ChangedCrd): string {
  const lines = [
    ...crd.notes.map((note) => `  ${plain(note)}`),
    ...effects.flatMap((effect) => {
      const some = crd.changes.filter((change) => change.effect === effect);
      return some.length === 0 ? [] : [`  ${effectTitles[effect]}:`, ...some.flatMap(changeLines)];
    }),
    ...resourceLines(crd),
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

function jsonText(all: readonly ChangedCrd[]): string {
  const place = ({ uri, line, column }: { readonly uri: string; readonly line: number; readonly column: number }) => ({
    file: nameOf(uri),
    line,
    column,
  });
  const crds = all.map(({ name, kind, changes, notes, resources }) => ({
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
  }));
  return `${json({ version: 1, crds, totals: countsOf(all) }, 2)}\n`;
}

export const diffCommand = command({
  name: 'diff',
  about: 'says what changes for the users of CRDs between two states: what is refused, breaks, or only widens',
  inShort:
    'says what a changed CRD does to its users, between two folders or commits: what is refused, breaks or only widens, and which known resources would no longer pass',
  takes: 'OLD [NEW]',
  explains: `Says what changes for the users of CRDs: what the API server would refuse as an update, which stored objects and clients break, what only widens, and which of the known resources the API server would no longer accept.

OLD and NEW are files or folders, or those of a commit: REF:PATH, with the path from the folder that it runs in. merge-base:REF:PATH is where the branch left REF. Without NEW, a commit is compared with the same path on disk. - is standard input.`,
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
    format: format(diffFormats, 'text'),
    kubernetes,
  },
  exits:
    'Exit code 0: nothing breaks, 1: something is refused, breaks or may break, 2: wrong usage, or files that could not be read.',
  examples: [
    'kube-crd diff main:config/crd',
    'kube-crd diff --format markdown merge-base:origin/main:config/crd',
    'kube-crd diff --resources config/samples old/crds new/crds',
  ],
  run: async ({ failOn, ...values }, [old, now, ...more]) => {
    if (old === undefined || more.length > 0) throw new Error('diff takes an old and a new state');
    const version = await oneVersion(values.kubernetes, now);
    return diff({ ...values, old, now, version, failOn: failOn === 'none' ? undefined : failOn });
  },
});
