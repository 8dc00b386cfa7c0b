import { memo } from '../base/memo.ts';
import type { GoPackage } from './packages.ts';
import { parseGo } from './syntax/parse.ts';

/**
 * The types of the packages that come with Go, as far as controller-gen looks at them: the file
 * server/data/goLibrary.json.gz, which `npm run go-library` writes.
 */
export interface StandardLibrary {
  /** Of which release of Go. */
  readonly go: string;
  /** Go text, by import path. */
  readonly packages: Readonly<Record<string, string>>;
}

const scheme = 'go:';

/** A package that comes with Go; undefined where it has none of that name. */
export function standardPackage(library: StandardLibrary, path: string): GoPackage | undefined {
  return packagesOf(library)(path);
}

const packagesOf = memo((library: StandardLibrary) => {
  const read = new Map<string, GoPackage>();
  return (path: string): GoPackage | undefined => {
    if (!Object.hasOwn(library.packages, path)) return undefined;
    const known = read.get(path);
    if (known) return known;
    const made = { path, files: [{ uri: `${scheme}${path}`, go: parseGo(library.packages[path]!) }] };
    read.set(path, made);
    return made;
  };
});

/** Whether a place is in a package that comes with Go: nobody can mend anything there. */
export function isStandard(uri: string): boolean {
  return uri.startsWith(scheme);
}

/** Whether an import path is one of those that come with Go. */
export function comesWithGo(path: string): boolean {
  return ofGo.has(path.split('/', 1)[0]!);
}

/** What the packages begin with that come with Go. */
const ofGo = new Set([
  ...['archive', 'bufio', 'bytes', 'cmp', 'compress', 'container', 'context', 'crypto', 'database', 'debug', 'embed'],
  ...[
    'encoding',
    'errors',
    'expvar',
    'flag',
    'fmt',
    'go',
    'hash',
    'html',
    'image',
    'index',
    'io',
    'iter',
    'log',
    'maps',
  ],
  ...['math', 'mime', 'net', 'os', 'path', 'plugin', 'reflect', 'regexp', 'runtime', 'slices', 'sort', 'strconv'],
  ...['strings', 'structs', 'sync', 'syscall', 'testing', 'text', 'time', 'unicode', 'unique', 'unsafe', 'weak'],
]);
