import type { Files } from '../files.ts';
import type { Absent, WantedKind } from '../kinds.ts';
import { sourceLimits } from '../limits.ts';
import type { Library } from '../lookUp.ts';
import type { SourceFile } from '../sourceFile.ts';
import { ownTypesOf } from './ownTypes.ts';
import type { Place } from './place.ts';
import { allPlaces, type Leads, type LibraryOptions } from './places.ts';
import type { Published } from './published.ts';
import { shelfOf } from './shelf.ts';

/**
 * The sources of CRDs beside the workspace's own files. The order of `localSources` is their precedence, after what the
 * settings name. Nothing is read before a kind is asked for, and what was read of an archive or module is not read again.
 */
export function libraryOf(files: Files, leads: Leads, options: LibraryOptions): Library {
  const notes: string[] = [];
  const { limits = sourceLimits } = options;
  const note = (what: string) => notes.push(what);
  const shelf = shelfOf(files, limits, note);
  const ownTypes = ownTypesOf(files, leads.workspace, options.folders);
  let shelves: Promise<readonly (readonly Place[])[]> | undefined;
  return {
    notes: () => [...new Set(notes)],
    find: async (wanted, published) => {
      shelves ??= allPlaces(files, leads, options, shelf, note);
      const all = await shelves;
      for (const places of all) {
        const files = await firstIn(places, wanted, (place, error) =>
          notes.push(`${place.origin.text}: ${error.message}`),
        );
        if (files.length > 0) return { files, absent: [] };
      }
      const own = await ownTypes(wanted);
      return { files: [], absent: own ? [own] : await absentFrom(all.flat(), wanted, published) };
    },
  };
}

/** More would not be read. */
const mostAbsent = 3;

/** What is named and not here: of the lock files, and of the likeliest places to hold the kind. */
async function absentFrom(
  places: readonly Place[],
  wanted: WantedKind,
  published: Published | undefined,
): Promise<Absent[]> {
  const isLock = ({ origin }: Place) => origin.source === 'lockFile';
  const others = places.filter((place) => !isLock(place) && mayBring(place, wanted, published));
  const like = ({ name }: Place) => likeness(name, wanted.group);
  const found = await absentIn(places.filter(isLock), wanted);
  for (const most of [...new Set(others.map(like))].sort((a, b) => b - a)) {
    const alike = others.filter((place) => like(place) === most);
    const named = await absentIn(alike, wanted);
    if (named.length > 0) return [...found, ...named].slice(0, mostAbsent);
  }
  return found.slice(0, mostAbsent);
}

/** Whether a module or chart may have a kind's CRD: where its module is known, that one alone has. */
function mayBring({ name, origin }: Place, { group }: WantedKind, published: Published | undefined): boolean {
  if (origin.source === 'goModules' && published?.module !== undefined)
    return unversioned(name) === unversioned(published.module);
  return name === published?.chart || mayHold(name, group);
}

const unversioned = (module: string) => module.replace(/\/v\d+$/, '');

/** Each place once, however many files name it. */
async function absentIn(places: readonly Place[], wanted: WantedKind): Promise<Absent[]> {
  const found = new Map<string, Absent>();
  for (const place of places) {
    if (found.size === mostAbsent) break;
    const absent = found.has(place.name) ? undefined : await place.absent?.(wanted);
    if (absent) found.set(place.name, absent);
  }
  return [...found.values()];
}

/** The files of the likeliest place that knows a kind, and of its other versions; which of these counts depends on who asks. */
async function firstIn(
  places: readonly Place[],
  wanted: WantedKind,
  failed: (place: Place, error: Error) => void,
): Promise<SourceFile[]> {
  const likely = [...places].sort((a, b) => likeness(b.name, wanted.group) - likeness(a.name, wanted.group));
  const found: SourceFile[] = [];
  let name: string | undefined;
  for (const place of likely) {
    if (name !== undefined && place.name !== name) continue;
    const file = await place.find(wanted).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      failed(place, error);
      return undefined;
    });
    if (!file) continue;
    name = place.name;
    found.push(file);
  }
  return found;
}

/** Parts of names that say nothing about whose they are. */
const common: ReadonlySet<string> = new Set(['api', 'apis', 'com', 'dev', 'github', 'io', 'k8s', 'net', 'org', 'sigs']);

/** How many letters of a group's words a name has too. */
export function likeness(name: string, group: string): number {
  const words = new Set(name.toLowerCase().split(/[/._-]+/));
  const own = group.split(/[._-]+/).filter((word) => !common.has(word) && words.has(word));
  return own.reduce((sum, word) => sum + word.length, 0);
}

/** Labels of groups that many modules and charts have in their names, whosever they are. */
const general: ReadonlySet<string> = new Set([
  'apps',
  'config',
  'core',
  'gateway',
  'helm',
  'internal',
  'kubernetes',
  'networking',
  'operator',
  'policy',
  'security',
  'source',
  'spec',
  'storage',
]);

/** Whether a module or chart shares a whole label with a group that says whose it is, such as `cert-manager`. */
export function mayHold(name: string, group: string): boolean {
  // Kubernetes' own modules hold its own groups, such as `cluster.x-k8s.io`.
  if (/^(?:sigs\.)?k8s\.io\//.test(name) && !/(?:^|[.-])k8s\.io$/.test(group)) return false;
  const segments = name
    .toLowerCase()
    .split(/[/.]/)
    .map((segment) => `-${segment}-`);
  const labels = group.split('.').filter((label) => label.length > 3 && !common.has(label) && !general.has(label));
  const isShared = (segment: string) => labels.some((label) => segment.includes(`-${label}-`));
  const isOwners = segments[0] === '-github-' && isShared(segments[2] ?? '') && segments.length > 3;
  // An owner has many modules: tools, libraries and tests beside what holds kinds.
  if (isOwners) return segments.slice(3).some((one) => isShared(one) || holdsKinds.test(one));
  return withoutSubdomains(name, segments).some(isShared);
}

/** What is before the name of a domain says nothing of whose it is, such as in `cloud.google.com`. */
function withoutSubdomains(name: string, segments: readonly string[]): readonly string[] {
  const host = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
  return host.includes('.') ? segments.slice(host.split('.').length - 2) : segments;
}

const holdsKinds = /-(?:apis?|client|controllers?|crds?|manager|operators?|types)-/;
