import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Unserved } from '../../rules/model/says.ts';
import type { Files, Listing } from '../../workspace/files.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';
import { publishedFor } from '../../workspace/packaged.ts';
import { textOf } from '../../workspace/scan.ts';
import type { Published } from '../../workspace/sources/published.ts';
import { baseName } from '../../workspace/uri.ts';
import { packagedText } from '../data.ts';
import { upToRepository } from './beside.ts';
import { hasTypesOfOthersOnly } from './programs.ts';

// A CRD that is generated from types in another repository has to be fixed there.

const madeByControllerGen = /^ {4}controller-gen\.kubebuilder\.io\/version:/m;

const mostModules = 20;
const mostModuleBytes = 200_000;
const mostCrds = 10;

/**
 * Whether a file has CRDs of Go types, and no module here is about such types; or those of a well-known project, of whose owner
 * no module here is. Where there are types, it is one whose group none of them has.
 */
export async function isMadeElsewhere(
  files: Files,
  { uri, text }: { readonly uri: string; readonly text: string },
  listing: Listing,
  folders: readonly string[],
): Promise<boolean> {
  const owners = await ownersOf(text);
  if (owners.length === 0 && !madeByControllerGen.test(text)) return false;
  const modules = await modulesAround(files, uri, listing.leads);
  const isOwn = (module: string) =>
    owners.length > 0 ? owners.some((owner) => isOf(module, owner)) : module.includes('k8s.io/apimachinery');
  return !modules.some(isOwn) || (await hasTypesOfOthersOnly(files, uri, groupsIn(text), listing, folders));
}

function groupsIn(text: string): string[] {
  return Array.from(text.matchAll(/^ {2}group: ["']?([\w.-]{1,253})/gm), ([, group]) => group!).slice(0, mostCrds);
}

/**
 * Of versions that CRDs here do not serve, those that are later than all that they serve, of kinds of a well-known project that is
 * not this one: what is applied where the object is has been installed since.
 */
export async function laterVersions(
  files: Files,
  uri: string,
  unserved: readonly Unserved[],
  { leads }: Pick<Listing, 'leads'>,
): Promise<ReadonlySet<string>> {
  const later = new Set<string>();
  for (const { kind, apiVersion, served } of unserved) {
    const { group, version: wanted } = splitApiVersion(apiVersion);
    if (group === '' || served === undefined) continue;
    const isLater = served.every((one) => compareVersions(wanted, one.slice(one.indexOf('/') + 1)) < 0);
    const published = isLater ? await publishedFor({ group, kind, version: '' }, packagedText) : undefined;
    if (!published) continue;
    const modules = await modulesAround(files, uri, leads);
    if (!modules.some((module) => ownersIn(published).some((owner) => isOf(module, owner))))
      later.add(`${group}/${wanted}`);
  }
  return later;
}

const isOf = (module: string, owner: string) => /^module\s+(\S+)/m.exec(module)?.[1]?.includes(owner) === true;

/** As the paths of Go modules have them: `github.com/example/`. None where one of the CRDs is of a project that is not known. */
async function ownersOf(text: string): Promise<string[]> {
  const kinds = [...text.matchAll(/^ {4}kind: ["']?(\w{1,63})/gm)];
  const all = groupsIn(text).map((group, i) =>
    publishedFor({ group, kind: kinds[i]?.[1] ?? '', version: '' }, packagedText),
  );
  const published = await Promise.all(all);
  return published.includes(undefined) ? [] : published.flatMap((one) => ownersIn(one!));
}

function ownersIn({ repository, module = `github.com/${repository}` }: Published): string[] {
  return [`github.com/${repository.split('/')[0]}/`, module.split('/').slice(0, 2).join('/')];
}

/** The texts of `go.mod` among what is checked, and around a file as far as its repository goes. */
async function modulesAround(files: Files, uri: string, leads: readonly string[]): Promise<string[]> {
  const found = new Set(leads.filter((lead) => baseName(lead) === 'go.mod').slice(0, mostModules));
  for await (const { folder, names } of upToRepository(files, uri, ['go.mod']))
    if (names.includes('go.mod')) found.add(`${folder}/go.mod`);
  const texts = await Promise.all([...found].map((one) => files.read(one, mostModuleBytes)));
  return texts.map((one) => textOf(one) ?? '');
}
