import { quote } from '../gostd/quote.ts';
import { mayBeLeftOut } from './constraints.ts';
import type { GoPackage, Packages } from './packages.ts';
import { comesWithGo } from './standard.ts';
import { badImportOf } from './syntax/fault.ts';
import type { GoFile } from './syntax/model.ts';

/** A folder of Go files as `go list` looks at it before controller-gen sees anything. */
export interface ListedPackage {
  readonly path: string;
  readonly folder: string;
  /** In the order of their names. Those that may be left out, for build constraints, are not among them. */
  readonly files: readonly ListedFile[];
  /** There are no files but those of tests. */
  readonly isTests: boolean;
}

export interface ListedFile {
  readonly name: string;
  readonly uri: string;
  readonly go: GoFile;
}

/** What is at an import path: a package, why there is none, or undefined where that cannot be seen. */
export type Look = (path: string) => ListedPackage | { readonly missing: string } | undefined;

/** What `go list` says. */
export interface ListFault {
  readonly message: string;
  /** The folder that the message ends with. */
  readonly folder?: string;
  /** The import that it is about; undefined for one of a package as a whole. */
  readonly place: ListPlace | undefined;
}

export interface ListPlace {
  readonly file: ListedFile;
  readonly at: number;
}

interface ImportPlace extends ListPlace {
  /** Behind the name. */
  readonly ofPath: ListPlace;
}

export interface Listing {
  readonly faults: readonly ListFault[];
  /** Import paths that nothing provides. */
  readonly missing: ReadonlySet<string>;
  /** What packages call themselves: files of other names are not theirs. */
  readonly names: ReadonlyMap<string, string>;
  /** What packages import, but do not get, for a cycle; with the name that it has. */
  readonly cut: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Packages that were looked at, those that are imported first. */
  readonly packages: readonly ListedPackage[];
}

export const nothingListed: Listing = {
  faults: [],
  missing: new Set(),
  names: new Map(),
  cut: new Map(),
  packages: [],
};

export function listing(roots: readonly string[], look: Look): Listing {
  const loader = new Loader(look);
  for (const root of [...roots].sort()) loader.load(root, undefined, []);
  loader.cutCycles(new Set(roots));
  return loader;
}

interface Loaded {
  readonly found: ListedPackage;
  readonly imports: readonly [path: string, place: ImportPlace][];
  /** Its own imports are still being loaded. */
  isOpen: boolean;
  /** Of a package one thing is said. */
  hasFault: boolean;
}

class Loader implements Listing {
  readonly faults: ListFault[] = [];
  readonly missing = new Set<string>();
  readonly names = new Map<string, string>();
  readonly cut = new Map<string, Map<string, string>>();
  private readonly look: Look;
  private readonly loaded = new Map<string, Loaded | undefined>();
  readonly packages: ListedPackage[] = [];
  private hasCycle = false;

  constructor(look: Look) {
    this.look = look;
  }

  load(path: string, place: ListPlace | undefined, stack: readonly string[]): void {
    if (this.loaded.has(path)) {
      const known = this.loaded.get(path);
      if (known?.isOpen) this.cycle(known, [...stack, path]);
      return;
    }
    const found = isClean(path) ? this.look(path) : undefined;
    if (!found || 'missing' in found) {
      this.loaded.set(path, undefined);
      if (!found) return;
      this.missing.add(path);
      this.faults.push({ message: found.missing, place });
      return;
    }
    const one: Loaded = { found, imports: importsOf(found), isOpen: true, hasFault: false };
    this.loaded.set(path, one);
    this.own(one, place);
    for (const [imported, at] of one.imports) {
      this.load(imported, at, [...stack, path]);
      const message = refusal(found, imported, this.loaded.get(imported)?.found);
      if (message !== undefined) this.say(one, { message, place: at });
    }
    one.isOpen = false;
    this.packages.push(found);
  }

  private say(about: Loaded, fault: ListFault): void {
    if (!about.hasFault) this.faults.push(fault);
    about.hasFault = true;
  }

  private own(one: Loaded, place: ListPlace | undefined): void {
    const { path, folder, files, isTests } = one.found;
    if (isTests) {
      this.say(one, { message: 'no non-test Go files', folder, place: undefined });
      return;
    }
    const [first, ...others] = files;
    if (!first) return;
    const name = nameIn(first);
    this.names.set(path, name);
    const other = others.find((file) => nameIn(file, name) !== name);
    if (!other) return;
    const otherName = nameIn(other);
    const message = `found packages ${name} (${first.name}) and ${otherName} (${other.name})`;
    this.say(one, { message, folder, place });
  }

  private cycle(again: Loaded, stack: readonly string[]): void {
    this.hasCycle = true;
    const message = `import cycle not allowed: import stack: [${stack.join(' ')}]`;
    this.say(again, { message, place: undefined });
  }

  /**
   * What asks `go list` makes a tree of what it says: from the first package that imports nothing of the others on, an
   * import that leads back is cut off.
   */
  cutCycles(roots: ReadonlySet<string>): void {
    if (!this.hasCycle) return;
    const seen = new Map<string, 'open' | 'done'>();
    const visit = (path: string): void => {
      const one = this.loaded.get(path);
      if (!one || seen.has(path)) return;
      seen.set(path, 'open');
      for (const [imported, place] of one.imports) {
        if (seen.get(imported) !== 'open') {
          visit(imported);
          continue;
        }
        if (!roots.has(path)) continue;
        const ofPackage = this.cut.get(path) ?? new Map();
        this.cut.set(path, ofPackage.set(imported, this.names.get(imported) ?? ''));
        this.faults.push({ message: 'no such package located', place: place.ofPath });
      }
      seen.set(path, 'done');
    };
    for (const { path } of this.packages) if (roots.has(path)) visit(path);
  }
}

/** What a package imports, in the order of the paths, each where it is first named. */
function importsOf({ files }: ListedPackage): [string, ImportPlace][] {
  const places = new Map<string, ImportPlace>();
  const sources = files.filter(({ name }) => !isTest(name));
  if (sources.some(({ go }) => badImportOf(go))) return [];
  for (const file of sources) {
    for (const { path, range } of file.go.imports) {
      if (places.has(path)) continue;
      places.set(path, { file, at: range.start, ofPath: { file, at: range.end - path.length - 2 } });
    }
  }
  return [...places].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The package that a file says it is of: tests of a package from outside have a name that ends with `_test`. */
function nameIn({ name, go }: ListedFile, first = ''): string {
  const own = go.package.name;
  return isTest(name) && own.endsWith('_test') && own !== first ? own.slice(0, -'_test'.length) : own;
}

export function isTest(name: string): boolean {
  return name.endsWith('_test.go');
}

/** Why a package may not import another. */
function refusal(by: ListedPackage, path: string, found: ListedPackage | undefined): string | undefined {
  const home = homeOf(path);
  const isGo = home === '' || comesWithGo(path);
  const isClosed = home !== undefined && (isGo || (found && !isWithin(by.path, home)));
  if (isClosed) return `use of internal package ${path} not allowed`;
  const isProgram = found?.files[0] && nameIn(found.files[0]) === 'main' && found !== by;
  if (isProgram) return `import ${quote(path)} is a program, not an importable package`;
  return /^\.\.?(?:\/|$)/.test(path) ? `local import ${quote(path)} in non-local package` : undefined;
}

/** The path around the last `internal`: what is in it may import the package. */
function homeOf(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts.lastIndexOf('internal');
  return at < 0 ? undefined : parts.slice(0, at).join('/');
}

/** Whether a path is that of a module or package, or below it. */
export function isWithin(path: string, home: string): boolean {
  return path === home || path.startsWith(`${home}/`);
}

/** Whether a file is one of its package wherever Go runs. */
export function isListed(name: string, go: GoFile): boolean {
  return !/^[._]/.test(name) && go.package.name !== 'documentation' && !mayBeLeftOut(name, go);
}

/** Of other paths Go says other things. */
function isClean(path: string): boolean {
  return path.split('/').every((part) => part !== '' && !part.startsWith('.'));
}

export function withoutTests({ path, files }: ListedPackage): GoPackage {
  return { path, files: files.filter(({ name }) => !isTest(name)) };
}

/** A package without files of other names; as a root, nothing comes of it where an import is cut off. */
export function asListed(of: GoPackage, { names, cut }: Listing, isRoot: boolean): GoPackage {
  const ofPackage = cut.get(of.path);
  if (ofPackage && isRoot) return { path: of.path, files: [] };
  const name = names.get(of.path);
  const own = name === undefined ? of.files : of.files.filter(({ go }) => go.package.name === name);
  if (!ofPackage) return own.length === of.files.length ? of : { path: of.path, files: own };
  return { path: of.path, files: own.map(({ uri, go }) => ({ uri, go: withoutImports(go, ofPackage) })) };
}

function withoutImports(go: GoFile, cut: ReadonlyMap<string, string>): GoFile {
  const imports = go.imports.map((one) => {
    const name = cut.get(one.path);
    return name === undefined ? one : { ...one, name: one.name ?? name, path: nowhere };
  });
  return { ...go, imports };
}

/** No package has this path. */
const nowhere = '\0';

/** What packages are with those that are not there. */
export function withMissing(packages: Packages, { missing }: Listing): Packages {
  const all = new Map(packages);
  for (const path of [...missing, nowhere]) all.set(path, { path, files: [] });
  return all;
}
