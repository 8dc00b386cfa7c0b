/** The part of a URI up to and without its last segment. */
export function folderOf(uri: string): string {
  const slash = uri.lastIndexOf('/');
  return slash === -1 ? '' : uri.slice(0, slash);
}

/** A place and the folders around it, from the inside to the outside, without the root. */
export function* withFolders(uri: string): Generator<string> {
  for (let at = uri; /^[^/]*:\/\/[^/]*\/./.test(at); at = folderOf(at)) yield at;
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

/** The folder of test data that a file is in, if it is in one: as Go, JavaScript and Maven call them. */
export function testDataFolder(uri: string): string | undefined {
  const steps = uri.split('/');
  const at = steps.findIndex((step, i) => i < steps.length - 1 && (testData.test(step) || isMavenTests(steps, i)));
  return at === -1 ? undefined : `${steps.slice(0, at + 1).join('/')}/`;
}

const testData = /^(?:_?test[-_]?data|fixtures?|mock[-_]?data|__snapshots?__)$/i;

/** Whether a step ends `src/test/resources`. */
function isMavenTests(steps: readonly string[], at: number): boolean {
  return steps[at] === 'resources' && steps[at - 1] === 'test' && steps[at - 2] === 'src';
}
