/** The part of a URI up to and without its last segment. */
export function folderOf(uri: string): string {
  const slash = uri.lastIndexOf('/');
  return slash === -1 ? '' : uri.slice(0, slash);
}

/** A place and the folders around it, from the inside to the outside, without the root. */
export function* withFolders(uri: string): Generator<string> {
  for (let at = uri; /^[^/]*:\/\/[^/]*\/./.test(at); at = folderOf(at)) yield at;
}

/** The folder of a file and those around it, as far as they are in one of some folders. */
export function* foldersWithin(uri: string, within: readonly string[]): Generator<string> {
  const isWithin = (at: string) => within.some((folder) => at === folder || isInside(at, folder));
  for (let at = folderOf(uri); isWithin(at); at = folderOf(at)) yield at;
}

export function baseName(uri: string): string {
  return decode(uri.slice(uri.lastIndexOf('/') + 1));
}

export function isInside(uri: string, folder: string): boolean {
  return uri.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What files are called in the folder that they are in; the address of one that is in none. */
export const nameIn = (folders: readonly string[]) => (uri: string) => {
  const folder = folders.find((one) => isInside(uri, one));
  return decode(folder === undefined ? uri : uri.slice(folder.length).replace(/^\//, ''));
};

/** A relative path, as a manifest writes it, from the folder of a URI. */
export function resolve(fromFolder: string, relative: string): string {
  const parts = fromFolder.split('/');
  for (const step of relative.split('/')) {
    if (step === '..') parts.pop();
    else if (step !== '.' && step !== '') parts.push(encodeURIComponent(step));
  }
  return parts.join('/');
}

/** The relative path that leads from a folder to a file of the same origin. */
export function relative(fromFolder: string, uri: string): string {
  const shared = nearness(fromFolder, uri);
  const up = fromFolder.split('/').length - shared;
  return [...Array.from({ length: up }, () => '..'), ...uri.split('/').slice(shared).map(decode)].join('/');
}

/** How many folders two addresses share, from the root: the more, the nearer. */
export function nearness(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  let shared = 0;
  while (shared < left.length && left[shared] === right[shared]) shared++;
  return shared;
}

/** How many of the folders in which two addresses part are called the same, such as `aws` in `charts/aws` and `examples/aws`. */
export function sharedNames(a: string, b: string): number {
  const shared = nearness(a, b);
  const names = new Set(a.split('/').slice(shared, -1));
  return new Set(
    b
      .split('/')
      .slice(shared, -1)
      .filter((name) => names.has(name)),
  ).size;
}

const release = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?![\d.])/;

/** The release that a folder is called after, such as `v1.2.3`. */
export function releaseOf(name: string): readonly number[] | undefined {
  return release.exec(name)?.slice(1).map(Number);
}

/** Which of two lists of numbers comes first: the first number that differs decides, as in releases. */
export function compareRanks(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((rank, at) => rank !== b[at]);
  return i === -1 ? 0 : a[i]! - b[i]!;
}

const releasedFile = /[-_](v?\d{1,4}\.\d{1,4}\.\d{1,4})(?!\.?\d)/;

/** A file called after a release, such as `operator-v1.2.3.yaml`, and what it is called without that. */
export function releasedName(name: string): { readonly rest: string; readonly release: readonly number[] } | undefined {
  const version = releasedFile.exec(name)?.[1];
  const of = version === undefined ? undefined : releaseOf(version);
  return of && { rest: name.replace(version!, '*'), release: of };
}

/**
 * A file that is called after a release, or is in such a folder, in which another is not, is of that release: the later, the
 * higher, and of none is higher than of any.
 */
export function otherRelease(uri: string, other: string): readonly number[] {
  const own = uri.split('/').slice(nearness(uri, other), -1);
  const found = own.map(releaseOf).find((one) => one !== undefined) ?? releasedName(baseName(uri))?.release;
  return found ? [0, ...found] : [1, 0, 0, 0];
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not every client escapes a percent sign; such a name is shown as it came.
    return text;
  }
}

/** Whether a file is a copy of another module's, as Go keeps them: `vendor/example.com/module`. */
export function isVendored(uri: string): boolean {
  const steps = uri.split('/');
  return steps.some((step, i) => step === 'vendor' && i + 2 < steps.length && steps[i + 1]!.includes('.'));
}

/** Whether a file is where the repository of an operator has the CRDs that are made of its types. */
export const isOfOperator = (uri: string) => /\/config\/crds?\//.test(uri);

/** Whether a file is of a bundle for OLM that another is not of, as `make bundle` and those before it write them. */
export function isInBundle(uri: string, other: string): boolean {
  const own = uri.split('/').slice(nearness(uri, other), -1);
  const bundle = own.indexOf('bundle');
  return own.includes('olm-catalog') || (bundle !== -1 && own.includes('manifests', bundle));
}

/** The folder of test data that a file is in, if it is in one: as Go, JavaScript and Maven call them. */
export function testDataFolder(uri: string): string | undefined {
  const steps = uri.split('/');
  const at = steps.findIndex((step, i) => i < steps.length - 1 && (testData.test(step) || isMavenTests(steps, i)));
  return at === -1 ? undefined : `${steps.slice(0, at + 1).join('/')}/`;
}

const testData =
  /^(?:_?test[-_]?data|\.?(?:test[-_])?fixtures?|mock[-_]?data|__(?:snapshots?|tests|fixtures|mocks)__)$/i;

/** Whether a step ends `src/test/resources`. */
function isMavenTests(steps: readonly string[], at: number): boolean {
  return steps[at] === 'resources' && steps[at - 1] === 'test' && steps[at - 2] === 'src';
}
