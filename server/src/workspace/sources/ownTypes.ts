import type { Files } from '../files.ts';
import type { Absent, WantedKind } from '../kinds.ts';
import { textOf } from '../scan.ts';
import { baseName, decode, folderOf, isInside } from '../uri.ts';

// A repository that ignores the CRDs that it generates has the Go types all the same: they say where the CRD of a kind comes from.

const mostFolders = 800;
const mostFiles = 800;
const mostFileBytes = 100_000;

/** Where a package says its group: `// +groupName=example.com`. */
const saysGroup = /^(?:doc|groupversion(?:_?info)?|group_?version(?:_info)?|register|api|apis|types|v\d\w*)\.go$/;

const isPassedOver = (name: string) => /^(?:\..*|vendor|third_party|testdata|node_modules|bin|dist|docs?)$/.test(name);

/** The packages with API types below folders with a `go.mod`, by their group. Nothing is read before it is asked for. */
export function ownTypesOf(files: Files, workspace: readonly string[], folders: readonly string[]) {
  let packages: Promise<ReadonlyMap<string, readonly string[]>> | undefined;
  const typesIn = typesReader(files);
  return async ({ group, kind }: WantedKind): Promise<Absent | undefined> => {
    const modules = workspace.filter((uri) => baseName(uri) === 'go.mod').map(folderOf);
    if (modules.length === 0 || group === '') return undefined;
    packages ??= packagesIn(files, modules);
    for (const folder of (await packages).get(group) ?? []) {
      if (!(await typesIn(folder)).has(kind)) continue;
      const around = folders.find((one) => isInside(folder, one));
      const way = around === undefined ? '.' : decode(folder.slice(around.length + 1));
      const what = `Its Go types are in ${way}, and no CRD was generated of them`;
      // Anything else would be another command in a terminal.
      if (!/^[\w./-]+$/.test(way)) return { what: `${what}.` };
      const command = `kube-crd generate --output-folder config/crd/bases ./${way}`;
      return { what: `${what}: \`kube-crd generate ./${way}\` makes it.`, command };
    }
    return undefined;
  };
}

async function packagesIn(files: Files, modules: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const packages = new Map<string, string[]>();
  const open = modules.filter((one) => !modules.some((other) => isInside(one, other)));
  let left = mostFiles;
  for (let at = 0; at < open.length && at < mostFolders; at++) {
    const folder = open[at]!;
    for (const { name, isFolder } of await files.entries(folder)) {
      const uri = `${folder}/${encodeURIComponent(name)}`;
      if (isFolder && !isPassedOver(name)) open.push(uri);
      if (isFolder || !saysGroup.test(name) || left-- <= 0) continue;
      const text = textOf(await files.read(uri, mostFileBytes)) ?? '';
      const group = /^\/\/[ \t]*\+groupName=([\w.-]{1,253})/m.exec(text)?.[1];
      if (group !== undefined) packages.set(group, [...(packages.get(group) ?? []), folder]);
    }
  }
  return packages;
}

/** The names of the structs of a package. Each is read once, however many kinds are looked for. */
function typesReader(files: Files) {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  let left = mostSources;
  const read = async (folder: string): Promise<ReadonlySet<string>> => {
    const names = new Set<string>();
    for (const { name, isFolder } of await files.entries(folder)) {
      if (isFolder || !name.endsWith('.go') || /^zz_generated|_test\.go$/.test(name) || left-- <= 0) continue;
      const text = textOf(await files.read(`${folder}/${encodeURIComponent(name)}`, mostFileBytes)) ?? '';
      for (const [, type] of text.matchAll(/\btype (\w{1,253}) struct/g)) names.add(type!);
    }
    return names;
  };
  return (folder: string) => {
    const types = known.get(folder) ?? read(folder);
    known.set(folder, types);
    return types;
  };
}

/** In all packages together. */
const mostSources = 2_000;
