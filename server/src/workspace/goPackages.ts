import { isBuilt } from '../controllergen/constraints.ts';
import { generate } from '../controllergen/crd/generate.ts';
import type { Generated, GeneratedCrd, Kept } from '../controllergen/crd/model.ts';
import { crdOptionsText, readCrdOptions } from '../controllergen/crd/options.ts';
import { type CrdOptions, noOptions } from '../controllergen/crd/optionTypes.ts';
import { asListed, isTest, type Listing, nothingListed, withMissing } from '../controllergen/listing.ts';
import { type GoPackage, type PackageFile, type Packages, withoutBroken } from '../controllergen/packages.ts';
import { comesWithGo, standardPackage } from '../controllergen/standard.ts';
import { parseGo } from '../controllergen/syntax/parse.ts';
import { isBuildFile } from './fileNames.ts';
import { type Entry, type Files, skippedFolders } from './files.ts';
import { callFor, type GeneratorCall, generatorCalls } from './generatorCalls.ts';
import { goListing, type ListingReader } from './goListing.ts';
import { goLibrary, type PackagedData } from './packaged.ts';
import { textOf } from './scan.ts';
import { moduleFolder, modulePath, requirements } from './sources/goModules.ts';
import { baseName, folderOf, isInside, resolve } from './uri.ts';

/** How many bytes of one Go file are read. */
export const mostGoBytes = 4_000_000;
/** How many characters the files of one folder, and those of all folders, may have together. */
const most = { ofFolder: 32_000_000, ofAll: 256_000_000 };
/** How often packages are looked for that those read before have named. */
const mostRounds = 40;
/** How many folders are looked into for the types of a generated CRD. */
const mostFolders = 2_000;

/** A module as far as its packages were read. */
interface Module {
  /** Where its go.mod is. */
  readonly folder: string;
  /** Its own import path. */
  readonly path: string;
  /** The folders of the modules that it requires, by import path. */
  readonly required: ReadonlyMap<string, readonly string[]>;
  readonly packages: Map<string, GoPackage | null>;
  /** Where controller-gen is called for it; undefined as long as nobody looked. */
  calls: readonly GeneratorCall[] | undefined;
  /** Of the newest run with some options. */
  readonly kept: Map<string, Kept | undefined>;
}

export interface GoResult extends Omit<Generated, 'kept'> {
  readonly roots: readonly GoPackage[];
  /** Which options were in force, and where they are given; not for packages that controller-gen makes without any. */
  readonly calls: readonly GeneratorCall[];
  /** What it is made with. */
  callOf(crd: GeneratedCrd): GeneratorCall | undefined;
  /** What `go list` says, where it was asked. */
  readonly listed: readonly Listing[];
  /** What would be made if a file had another text. */
  remade(uri: string, text: string): GoResult;
}

/**
 * All packages, as far as they can be read, or as controller-gen those alone that Go can parse and list; `fetched` where Go
 * is told to fetch modules that go.mod does not name.
 */
type Reads = 'all' | 'whole' | 'fetched';

function generateWhole(
  roots: readonly GoPackage[],
  packages: Packages,
  options: CrdOptions,
  listed: Listing,
): Generated {
  const asSeen = (of: GoPackage, isRoot: boolean) => asListed(withoutBroken(of), listed, isRoot);
  const whole = new Map([...packages].map(([path, of]) => [path, of && asSeen(of, false)] as const));
  const seen = roots.map((root) => asSeen(root, true));
  return generate(seen, withMissing(whole, listed), options);
}

/** What was made of the packages of one module. */
interface Made extends Generated {
  readonly roots: readonly GoPackage[];
  readonly packages: Packages;
  readonly call: GeneratorCall | undefined;
  readonly listed?: Listing;
}

function resultOf(made: readonly Made[]): GoResult {
  return {
    crds: made.flatMap(({ crds }) => crds),
    mistakes: made.flatMap(({ mistakes }) => mistakes),
    wanted: new Set(made.flatMap(({ wanted }) => [...wanted])),
    roots: made.flatMap(({ roots }) => roots),
    calls: made.flatMap(({ call }) => (call && (Object.keys(call.options).length > 0 || !call.isWhole) ? [call] : [])),
    listed: [...new Set(made.flatMap(({ listed }) => listed ?? []))],
    callOf: (crd) => made.find(({ crds }) => crds.includes(crd))?.call,
    remade: (uri, text) => resultOf(made.map((one) => withText(one, uri, text))),
  };
}

function withText(made: Made, uri: string, text: string): Made {
  const before = made.roots.find(({ files }) => files.some((file) => file.uri === uri));
  if (!before) return made;
  const files = before.files.map((file) => (file.uri === uri ? { uri, go: parseGo(text) } : file));
  const after: GoPackage = { path: before.path, files };
  const packages = new Map(made.packages).set(after.path, after);
  const roots = made.roots.map((root) => (root === before ? after : root));
  return { ...generate(roots, packages, made.call?.options, made.kept), roots, packages, call: made.call };
}

/** Go packages, read from files when something asks for them. */
export class GoPackages {
  private readonly files: Files;
  private readonly cache: string | undefined;
  private readonly data: PackagedData;
  private readonly setting: (folder: string) => string;
  private readonly modules = new Map<string, Module>();
  /** The modules of folders, and what files there hold. */
  private readonly moduleOf = new Map<string, Module>();
  private readonly texts = new Map<string, ReadonlyMap<string, string>>();
  private readonly parsed = new Map<string, PackageFile>();
  private readonly packages = new Map<string, GoPackage>();
  /** How much of all files was read. */
  private characters = 0;

  /** `setting` is what is said of controller-gen's options in a folder beside the files that call it; empty for nothing. */
  constructor(files: Files, cache: string | undefined, data: PackagedData, setting = (_folder: string) => '') {
    this.files = files;
    this.cache = cache;
    this.data = data;
    this.setting = setting;
  }

  /** What controller-gen makes of the packages in folders; open files count as they are in the editor. */
  async generate(
    folders: readonly string[],
    open: ReadonlyMap<string, string> = new Map(),
    reads: Reads = 'all',
  ): Promise<GoResult> {
    for (const folder of folders) await this.read(folder);
    for (const module of this.modulesOf(folders)) module.calls ??= await this.callsFor(module);
    const listed = reads === 'all' ? undefined : await this.list(folders, reads === 'fetched');
    let made = this.generateNow(folders, open, listed)!;
    for (let round = 0; made.wanted.size > 0 && round < mostRounds; round++) {
      for (const module of this.modulesOf(folders)) {
        for (const path of made.wanted) if (!module.packages.has(path)) await this.find(module, path);
      }
      made = this.generateNow(folders, open, listed)!;
    }
    return made;
  }

  /** What `go list` says of the packages in folders, by module. */
  private async list(folders: readonly string[], isFetched: boolean): Promise<ReadonlyMap<Module, Listing>> {
    const listed = new Map<Module, Listing>();
    for (const module of this.modulesOf(folders)) {
      if (module.path === '') continue;
      const own = folders.filter((folder) => this.moduleOf.get(folder) === module);
      const roots = new Map(own.map((folder) => [importPathOf(module, folder), folder]));
      listed.set(module, await goListing(module, roots, { ...this.reader, isFetched }));
    }
    return listed;
  }

  private readonly reader: Omit<ListingReader, 'isFetched'> = {
    sources: async (folder) => {
      await this.read(folder);
      return this.texts.get(folder)!;
    },
    tests: async (folder) => {
      const texts = new Map<string, string>();
      for (const { name, isFolder } of await this.files.entries(folder)) {
        if (isFolder || !isTest(name) || /^[._]/.test(name)) continue;
        const text = await this.text(resolve(folder, name));
        if (text !== undefined) texts.set(resolve(folder, name), text);
      }
      return texts;
    },
    parse: (uri, text) => this.parse(uri, text),
    text: (uri) => this.text(uri),
    moduleOf: async (folder) => (await this.moduleAround(folder)).folder,
  };

  /** The same from what was read before; undefined where that is not enough to begin with. */
  generateNow(
    folders: readonly string[],
    open: ReadonlyMap<string, string>,
    listed?: ReadonlyMap<Module, Listing>,
  ): GoResult | undefined {
    if (folders.some((folder) => !this.texts.has(folder) || !this.moduleOf.has(folder))) return undefined;
    const runs = new Map<Module, Map<string, { call: GeneratorCall | undefined; roots: GoPackage[] }>>();
    for (const folder of folders) {
      const module = this.moduleOf.get(folder)!;
      const root = this.packageIn(folder, importPathOf(module, folder), open);
      if (!root) continue;
      module.packages.set(root.path, root);
      const call = this.callOf(module, folder);
      // Versions of a group that are made with the same options belong together, whatever calls name them.
      const options = crdOptionsText(call?.options ?? noOptions);
      const ofModule = runs.get(module) ?? new Map();
      const run = ofModule.get(options) ?? { call, roots: [] };
      run.roots.push(root);
      runs.set(module, ofModule.set(options, run));
    }
    const made = [...runs].flatMap(([module, ofModule]) =>
      [...ofModule].map(([text, { call, roots }]) => {
        const packages = new Map(module.packages);
        const options = call?.options ?? noOptions;
        if (listed) {
          const ofModule = listed.get(module) ?? nothingListed;
          return { ...generateWhole(roots, packages, options, ofModule), roots, packages, call, listed: ofModule };
        }
        const generated = generate(roots, packages, options, module.kept.get(text));
        module.kept.set(text, generated.kept);
        return { ...generated, roots, packages, call };
      }),
    );
    return resultOf(made);
  }

  /** The folders beside one that hold other versions of its group. */
  async versionsBeside(folder: string): Promise<string[]> {
    if (!versionName.test(baseName(folder))) return [folder];
    const around = folderOf(folder);
    const entries = await this.files.entries(around);
    const names = entries.filter(({ name, isFolder }) => isFolder && versionName.test(name)).map(({ name }) => name);
    const all = new Set([folder, ...names.map((name) => resolve(around, name))]);
    return [...all].sort();
  }

  /** The folders of the packages with some API groups, in the module around a folder. */
  async foldersOf(from: string, groups: readonly string[]): Promise<string[]> {
    const { folder: module, path } = await this.moduleAround(from);
    if (path === '') return [];
    const found: string[] = [];
    const open = [module];
    for (let looked = 0; open.length > 0 && looked < mostFolders; looked++) {
      const folder = open.shift()!;
      const entries = await this.files.entries(folder);
      if (isPackageOfTypes(folder, entries) && (await this.hasGroup(folder, groups))) found.push(folder);
      for (const { name, isFolder } of entries) if (isFolder && !isSkipped(name)) open.push(resolve(folder, name));
    }
    return found;
  }

  private async hasGroup(folder: string, groups: readonly string[]): Promise<boolean> {
    await this.read(folder);
    const named = [...this.texts.get(folder)!.values()].flatMap((text) => groupName.exec(text)?.[1] ?? []);
    return named.some((name) => groups.includes(name));
  }

  /** What was read of a file is read again the next time; says whether there was anything. */
  forget(uri: string): boolean {
    const folder = folderOf(uri);
    const ofModules = baseName(uri) === 'go.mod' || isBuildFile(uri);
    const isKnown = this.texts.has(folder) || ofModules;
    for (const text of this.texts.get(folder)?.values() ?? []) this.characters -= text.length;
    this.texts.delete(folder);
    this.parsed.delete(uri);
    for (const { packages } of this.modules.values()) {
      for (const [path, read] of packages) {
        if (!read || read.files.some((file) => folderOf(file.uri) === folder)) packages.delete(path);
      }
    }
    if (ofModules) {
      this.modules.clear();
      this.moduleOf.clear();
    }
    return isKnown;
  }

  /** The text of a file that was read from disk. */
  textOf(uri: string): string | undefined {
    return this.texts.get(folderOf(uri))?.get(uri);
  }

  private modulesOf(folders: readonly string[]): ReadonlySet<Module> {
    return new Set(folders.map((folder) => this.moduleOf.get(folder)!));
  }

  private async callsFor({ path, folder }: Module): Promise<readonly GeneratorCall[]> {
    return path === '' ? [] : await generatorCalls(this.files, folder);
  }

  /** What is written where controller-gen is called; where that says nothing or not all, what the setting says. */
  private callOf({ calls, folder: home }: Module, folder: string): GeneratorCall | undefined {
    const call = callFor(calls ?? [], folder);
    const read = call?.isWhole ? undefined : readCrdOptions(this.setting(folder));
    if (!read) return call;
    return { options: read.options, isWhole: true, written: undefined, folder: home, paths: [] };
  }

  private async read(folder: string): Promise<void> {
    if (!this.moduleOf.has(folder)) this.moduleOf.set(folder, await this.moduleAround(folder));
    if (this.texts.has(folder)) return;
    const entries = await this.files.entries(folder);
    const texts = new Map<string, string>();
    let left = Math.min(most.ofFolder, most.ofAll - this.characters);
    for (const { name, isFolder } of entries) {
      if (isFolder || !isSource(name)) continue;
      const uri = resolve(folder, name);
      const text = await this.text(uri);
      if (text === undefined || text.length > left) continue;
      texts.set(uri, text);
      left -= text.length;
      this.characters += text.length;
    }
    this.texts.set(folder, texts);
  }

  private async find(module: Module, path: string): Promise<void> {
    for (const folder of foldersFor(module, path)) {
      await this.read(folder);
      const found = this.packageIn(folder, path, new Map());
      if (!found) continue;
      module.packages.set(path, found);
      return;
    }
    const library = comesWithGo(path) ? await goLibrary(this.data) : undefined;
    module.packages.set(path, (library && standardPackage(library, path)) ?? null);
  }

  private packageIn(folder: string, path: string, open: ReadonlyMap<string, string>): GoPackage | undefined {
    const texts = new Map(this.texts.get(folder));
    for (const [uri, text] of open) if (folderOf(uri) === folder && isSource(baseName(uri))) texts.set(uri, text);
    const files = [...texts]
      .filter(([, text]) => isBuilt(text))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([uri, text]) => this.parse(uri, text));
    if (files.length === 0) return undefined;
    const kept = this.packages.get(folder);
    if (kept?.path === path && kept.files.length === files.length && kept.files.every((file, i) => file === files[i])) {
      return kept;
    }
    const read = { path, files };
    this.packages.set(folder, read);
    return read;
  }

  private parse(uri: string, text: string): PackageFile {
    const kept = this.parsed.get(uri);
    if (kept?.go.text === text) return kept;
    const file = { uri, go: parseGo(text) };
    this.parsed.set(uri, file);
    return file;
  }

  private async moduleAround(folder: string): Promise<Module> {
    for (let at = folder; at !== '' && !at.endsWith('/'); at = folderOf(at)) {
      const known = this.modules.get(at);
      if (known) return known;
      const text = await this.text(`${at}/go.mod`);
      if (text === undefined) continue;
      const module = this.module(at, text);
      this.modules.set(at, module);
      return module;
    }
    return { folder, path: '', required: new Map(), packages: new Map(), calls: [], kept: new Map() };
  }

  private module(folder: string, goMod: string): Module {
    const required = new Map<string, string[]>();
    for (const { path, module } of requirements(goMod)) {
      const at = moduleFolder(module, `${folder}/go.mod`, this.cache);
      if (at === undefined) continue;
      const known = required.get(path);
      if (known) known.push(at);
      else required.set(path, [at]);
    }
    const path = modulePath(goMod) ?? '';
    return { folder, path, required, packages: new Map(), calls: undefined, kept: new Map() };
  }

  private async text(uri: string): Promise<string | undefined> {
    return textOf(await this.files.read(uri, mostGoBytes));
  }
}

const groupName = /^\/\/[ \t]*\+groupName="?([\w.-]+)/m;

function isPackageOfTypes(folder: string, entries: readonly Entry[]): boolean {
  return versionName.test(baseName(folder)) && entries.some(({ name, isFolder }) => !isFolder && isSource(name));
}

/** Folders that Go looks into as little as others do. */
export function isSkipped(name: string): boolean {
  return skippedFolders.has(name) || /^(?:[._].*|vendor|testdata)$/.test(name);
}

const versionName = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

function isSource(name: string): boolean {
  return name.endsWith('.go') && !name.endsWith('_test.go') && !/^[._]/.test(name);
}

function importPathOf(module: Module, folder: string): string {
  const within = folder.slice(module.folder.length).replace(/^\//, '');
  return [module.path, decodeURIComponent(within)].filter(Boolean).join('/');
}

/** Where a package may be: in the module itself, among what it has copied, or in a module that it requires. */
function foldersFor(module: Module, path: string): string[] {
  const own = withinPath(path, module.path);
  if (own !== undefined) return [below(module.folder, own)];
  const required: string[] = [];
  for (const start of startsOf(path)) {
    for (const folder of (module.required.get(start) ?? []).slice(0, mostOfOne)) {
      required.push(below(folder, path.slice(start.length + 1)));
    }
  }
  return [below(`${module.folder}/vendor`, path), ...required];
}

/** How many characters an import path may have, and how often one module is taken to be required. */
const longestPath = 1_000;
const mostOfOne = 5;

/** `a/b/c`, `a/b` and `a`. */
function startsOf(path: string): string[] {
  if (path.length > longestPath) return [];
  const starts = [path];
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) starts.push(path.slice(0, at));
  return starts;
}

function withinPath(path: string, of: string): string | undefined {
  if (path === of) return '';
  return of !== '' && path.startsWith(`${of}/`) ? path.slice(of.length + 1) : undefined;
}

function below(folder: string, path: string): string {
  const found = path === '' ? folder : resolve(folder, path);
  return path === '' || isInside(found, folder) ? found : folder;
}
