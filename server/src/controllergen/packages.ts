import { memo } from '../base/memo.ts';
import { collectMarkers } from './markers/collect.ts';
import type { Marker } from './markers/model.ts';
import { badImportOf, faultsOf } from './syntax/fault.ts';
import type { Field, GoFile, TypeDeclaration } from './syntax/model.ts';

/** A package as far as it was read: its files in the order of their names, without tests. */
export interface GoPackage {
  /** Its import path. */
  readonly path: string;
  readonly files: readonly PackageFile[];
}

export interface PackageFile {
  readonly uri: string;
  readonly go: GoFile;
}

/** The packages that were read, by import path; null for one that is nowhere to be found. */
export type Packages = ReadonlyMap<string, GoPackage | null>;

/** A type that is declared in a package. */
export interface Declared {
  readonly package: GoPackage;
  readonly file: PackageFile;
  readonly type: TypeDeclaration;
}

/** The types of a package by name. */
export const typesOf = memo((of: GoPackage): ReadonlyMap<string, Declared> => {
  const types = new Map<string, Declared>();
  for (const file of of.files) {
    for (const type of file.go.types) if (!types.has(type.name)) types.set(type.name, { package: of, file, type });
  }
  return types;
});

/** The methods of a package by the type they belong to. */
export const methodsOf = memo((of: GoPackage): ReadonlyMap<string, ReadonlySet<string>> => {
  const methods = new Map<string, Set<string>>();
  for (const { go } of of.files) {
    for (const { receiver, name, signature } of go.methods) {
      const own = methods.get(receiver) ?? new Set();
      methods.set(receiver, own.add(`${name}${signature}`));
    }
  }
  return methods;
});

/** The markers of a type. */
export function markersOfType({ file, type }: Declared): readonly Marker[] {
  return collectMarkers(file.go).ofType.get(type) ?? [];
}

export function markersOfField({ go }: PackageFile, field: Field): readonly Marker[] {
  return collectMarkers(go).ofField.get(field) ?? [];
}

/** All that belong to something. */
export const markersIn = memo((go: GoFile): readonly Marker[] => {
  const { package: own, ofType, ofField } = collectMarkers(go);
  return [...own, ...[...ofType.values()].flat(), ...[...ofField.values()].flat()];
});

/** The import path that a name stands for in a file. */
export function importOf({ go }: PackageFile, name: string, packages: Packages): string | undefined {
  return importsOf(go, packages).get(name);
}

const importsOf = memo((go: GoFile, packages: Packages): ReadonlyMap<string, string> => {
  const paths = new Map<string, string>();
  for (const { name, path } of go.imports) {
    const called = name ?? nameOfPackage(path, packages);
    if (!paths.has(called)) paths.set(called, path);
  }
  return paths;
});

/** What names stand for because of `import . "path"`. */
export interface Dotted {
  readonly types: ReadonlyMap<string, Declared>;
  /** The first of these packages that was not read: it may have any name that those before it do not have. */
  readonly unread: string | undefined;
}

export const dottedImports = memo((go: GoFile, packages: Packages): Dotted => {
  const types = new Map<string, Declared>();
  for (const path of new Set(go.imports.filter(({ name }) => name === '.').map((one) => one.path))) {
    const read = packages.get(path);
    if (!read) return { types, unread: path };
    for (const [name, declared] of typesOf(read)) if (!types.has(name)) types.set(name, declared);
  }
  return { types, unread: undefined };
});

/** The markers of a package, of all of its files. */
export const packageMarkers = memo((of: GoPackage): readonly { file: PackageFile; marker: Marker }[] =>
  of.files.flatMap((file) => collectMarkers(file.go).package.map((marker) => ({ file, marker }))),
);

/** Whether controller-gen knows none of a package's types. */
export function isLeftOut(of: GoPackage): boolean {
  return packageMarkerNames(of).has('kubebuilder:skip');
}

/** The names of the markers of a package that are known. */
export const packageMarkerNames = memo(
  (of: GoPackage): ReadonlySet<string> =>
    new Set(packageMarkers(of).flatMap(({ marker: { definition } }) => definition?.name ?? [])),
);

/** What the constants of a type are written as, by the name of the type; undefined for one that only repeats the last. */
export const constantsOf = memo((of: GoPackage): ReadonlyMap<string, readonly (string | undefined)[]> => {
  const found = new Map<string, (string | undefined)[]>();
  const declared = new Set<string>();
  for (const { names, type, values } of of.files.flatMap(({ go }) => go.constants)) {
    for (const [i, name] of names.entries()) {
      // A second one of a name is none to Go's checker.
      if (declared.has(name)) continue;
      if (name !== '_') declared.add(name);
      if (type?.kind !== 'name') continue;
      found.set(type.name, [...(found.get(type.name) ?? []), values[i]]);
    }
  }
  return found;
});

/** What a package calls itself; for one that was not read, what its path lets expect. */
function nameOfPackage(path: string, packages: Packages): string {
  const read = packages.get(path)?.files[0]?.go.package.name;
  if (read !== undefined) return read;
  const parts = path.split('/');
  const last = parts[parts.length - 1]!;
  const unversioned =
    /^v[0-9]+$/.test(last) && parts.length > 1 && parts.length <= 4 ? last : last.replace(/\.v[0-9]+$/, '');
  return unversioned.replace(/^go-|-go$|\.go$/g, '');
}

/** A package as controller-gen sees it: with a file that Go cannot parse, or cannot find the imports of, nothing is in it. */
export function withoutBroken(of: GoPackage): GoPackage {
  return isBroken(of) ? { path: of.path, files: [] } : of;
}

export function isBroken({ files }: GoPackage): boolean {
  return files.some(({ go }) => faultsOf(go).length > 0 || badImportOf(go) !== undefined);
}

/** What Go says of a package's files as texts, at a place in one of them. */
export interface FileFault {
  readonly file: PackageFile;
  readonly at: number;
  readonly message: string;
  /** Said of the package as a whole, before the place. */
  readonly isOfPackage: boolean;
}

export function fileFaults({ files }: GoPackage): readonly FileFault[] {
  const faults = files.flatMap((file) => faultsOf(file.go).map((fault) => ({ ...fault, file, isOfPackage: false })));
  return faults.length > 0 ? faults : importFaults(files);
}

function importFaults(files: readonly PackageFile[]): readonly FileFault[] {
  const file = files.find(({ go }) => badImportOf(go));
  const bad = file && badImportOf(file.go);
  if (!bad) return [];
  // Of such a file no import is looked for, and the first that no other file has is missing.
  const looked = new Set(
    files.filter(({ go }) => !badImportOf(go)).flatMap(({ go }) => go.imports.map(({ path }) => path)),
  );
  const { range, path } = file.go.imports.find((one) => !looked.has(one.path)) ?? bad;
  return [
    { file, at: bad.range.start, message: `invalid import path: ${bad.path}`.trimEnd(), isOfPackage: true },
    { file, at: range.end - path.length - 2, message: 'no such package located', isOfPackage: false },
  ];
}
