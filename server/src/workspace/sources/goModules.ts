import { folderOf, isInside, resolve } from '../uri.ts';

/** A module at the version that a go.mod asks for, or the folder that it says holds it. */
export type GoModule = { readonly path: string } & ({ readonly version: string } | { readonly folder: string });

/** What a go.mod requires, with what it says replaces it. */
export function goModules(text: string): GoModule[] {
  return requirements(text).map(({ module }) => module);
}

/** What a module calls itself. */
export function modulePath(text: string): string | undefined {
  return directives(text).find(([word]) => word === 'module')?.[1];
}

/** The modules that it requires or replaces. */
export function namedModules(text: string): string[] {
  return directives(text).flatMap(([word, path]) => ((word === 'require' || word === 'replace') && path ? [path] : []));
}

/** The release of Go that it says it is for: 21 for `go 1.21.3`; 0 where it says none. */
export function goRelease(text: string): number {
  const version = directives(text).find(([word]) => word === 'go')?.[1];
  return Number(/^1\.(\d+)/.exec(version ?? '')?.[1] ?? 0);
}

/** The import path of each module that a go.mod requires, and the module that is taken for it. */
export function requirements(text: string): { path: string; module: GoModule }[] {
  const required: { path: string; version: string }[] = [];
  const replaced = new Map<string, Replacement>();
  for (const [word, ...rest] of directives(text)) {
    const [path, version] = rest;
    if (word === 'require' && path && version?.startsWith('v')) required.push({ path, version });
    if (word !== 'replace') continue;
    for (const one of replacement(rest)) {
      const key = keyOf(one.path, one.at);
      if (!replaced.has(key)) replaced.set(key, one);
    }
  }
  return required.map((module) => {
    // One of a version goes before one of all.
    const by = replaced.get(keyOf(module.path, module.version)) ?? replaced.get(keyOf(module.path, undefined));
    return { path: module.path, module: by ? by.module : module };
  });
}

function keyOf(path: string, version: string | undefined): string {
  return version === undefined ? path : `${path}@${version}`;
}

interface Replacement {
  readonly path: string;
  /** The version that is replaced; undefined for all. */
  readonly at: string | undefined;
  readonly module: GoModule;
}

/** `PATH [VERSION] => PATH VERSION`, or `=> FOLDER`. */
function replacement(words: readonly string[]): Replacement[] {
  const arrow = words.indexOf('=>');
  const [path, at] = words.slice(0, arrow);
  const [target, version] = words.slice(arrow + 1);
  if (arrow < 1 || path === undefined || target === undefined) return [];
  const isFolder = version === undefined;
  return [{ path, at, module: isFolder ? { path, folder: target } : { path: target, version } }];
}

/** The directives of a go.mod, one a row, those in parentheses with the word before them. */
function directives(text: string): string[][] {
  const rows: string[][] = [];
  let around: string | undefined;
  for (const line of text.split('\n')) {
    const words = line
      .replace(/\/\/.*/, '')
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map(unquoted);
    if (words[0] === ')') around = undefined;
    else if (words[1] === '(') around = words[0];
    else if (words.length > 0) rows.push(around === undefined ? words : [around].concat(words));
  }
  return rows;
}

function unquoted(word: string): string {
  return /^["`].*["`]$/.test(word) ? word.slice(1, -1) : word;
}

/** Where a module is: in the cache, in which a capital letter is written as `!` and the small one. */
export function moduleFolder(module: GoModule, goMod: string, cache: string | undefined): string | undefined {
  if ('folder' in module) return module.folder.startsWith('/') ? undefined : resolve(folderOf(goMod), module.folder);
  if (cache === undefined) return undefined;
  const folder = resolve(cache, `${escaped(module.path)}@${escaped(module.version)}`);
  return isInside(folder, cache) ? folder : undefined;
}

function escaped(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

/** What people call a module: the last part of its path that is not a version. */
export function moduleName(path: string): string {
  const steps = path.split('/').filter((step) => !/^v\d+$/.test(step));
  return steps.at(-1) ?? path;
}
