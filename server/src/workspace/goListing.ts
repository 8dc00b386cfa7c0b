import { isListed, isTest, isWithin, type Listing, type Look, listing } from '../controllergen/listing.ts';
import type { PackageFile } from '../controllergen/packages.ts';
import { comesWithGo } from '../controllergen/standard.ts';
import { goRelease, namedModules } from './sources/goModules.ts';
import { baseName, isInside, resolve, withFolders } from './uri.ts';

/** How many packages of a module are looked at for what `go list` says. */
const mostListed = 2_000;

/** What is asked of the reader of packages. */
export interface ListingReader {
  /** Go files of a folder by their addresses, without tests. */
  sources(folder: string): Promise<ReadonlyMap<string, string>>;
  /** Tests among them. */
  tests(folder: string): Promise<ReadonlyMap<string, string>>;
  parse(uri: string, text: string): PackageFile;
  text(uri: string): Promise<string | undefined>;
  /** Go fetches modules that go.mod does not name. */
  readonly isFetched: boolean;
  /** The folder of the module that a folder is in. */
  moduleOf(folder: string): Promise<string>;
}

/** What `go list` says of packages in folders of one module, and of those that they import from it. */
export async function goListing(
  module: { readonly folder: string; readonly path: string },
  roots: ReadonlyMap<string, string>,
  reader: ListingReader,
): Promise<Listing> {
  const outside = await outsideOf(module, reader);
  const packages = new Map<string, ReturnType<Look>>();
  const open = [...roots];
  for (let next = open.shift(); next && packages.size < mostListed; next = open.shift()) {
    const [path, folder] = next;
    if (packages.has(path)) continue;
    const found = await listed(module, path, folder, outside, reader);
    packages.set(path, found);
    if (!found || 'missing' in found) continue;
    for (const { path: imported } of found.files.flatMap(({ name, go }) => (isTest(name) ? [] : go.imports))) {
      const at = folderIn(module, imported);
      if (at !== undefined) open.push([imported, at]);
    }
  }
  return listing([...roots.keys()], (path) =>
    isWithin(path, module.path) ? packages.get(path) : notOutside(path, outside),
  );
}

type Module = Parameters<typeof goListing>[0];

function folderIn({ folder, path }: Module, imported: string): string | undefined {
  if (imported === path) return folder;
  const at = isWithin(imported, path) ? resolve(folder, imported.slice(path.length + 1)) : folder;
  return at !== folder && isInside(at, folder) ? at : undefined;
}

async function listed(
  module: Module,
  path: string,
  folder: string,
  outside: Outside,
  reader: ListingReader,
): Promise<ReturnType<Look>> {
  const [sources, tests] = [await reader.sources(folder), await reader.tests(folder)];
  const isOther = (await reader.moduleOf(folder)) !== module.folder;
  if (isOther || sources.size + tests.size === 0) return nothingAt(module, path, outside);
  const files = [...sources, ...tests]
    .map(([uri, text]) => ({ name: baseName(uri), uri, go: reader.parse(uri, text).go }))
    .filter(({ name, go }) => isListed(name, go))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const isTests = sources.size === 0;
  return files.length === 0 && !isTests ? undefined : { path, folder, files, isTests };
}

function nothingAt(module: Module, path: string, { named, isTogether }: Outside): ReturnType<Look> {
  const isOthers = named.some((one) => one !== module.path && isWithin(path, one));
  return isOthers || isTogether ? undefined : { missing: notProvided(path) };
}

function notProvided(path: string): string {
  return `no required module provides package ${path}; to add it:\n\tgo get ${path}`;
}

async function hasWorkspace({ folder }: Module, reader: ListingReader): Promise<boolean> {
  for (const at of withFolders(folder)) if ((await reader.text(resolve(at, 'go.work'))) !== undefined) return true;
  return false;
}

/** The first release whose go.mod names all modules that packages of the module are taken from. */
const namesAll = 17;

/** What packages may be taken from beside their own module. */
interface Outside {
  readonly named: readonly string[];
  /** A `go.work` has modules that go.mod does not name. */
  readonly isTogether: boolean;
  /** Whether go.mod tells what there is. */
  readonly isTold: boolean;
}

async function outsideOf(module: Module, reader: ListingReader): Promise<Outside> {
  const goMod = (await reader.text(`${module.folder}/go.mod`)) ?? '';
  const isVendored = (await reader.text(`${module.folder}/vendor/modules.txt`)) !== undefined;
  const isTogether = await hasWorkspace(module, reader);
  const isTold = !reader.isFetched && goRelease(goMod) >= namesAll && !isVendored && !isTogether;
  return { named: namedModules(goMod), isTogether, isTold };
}

/** What other modules do not provide, as far as go.mod tells. */
function notOutside(path: string, { named, isTold }: Outside): ReturnType<Look> {
  if (!isTold || comesWithGo(path) || path === 'C' || named.some((one) => isWithin(path, one))) return undefined;
  return { missing: path.split('/', 1)[0]!.includes('.') ? notProvided(path) : `package ${path} is not in std` };
}
