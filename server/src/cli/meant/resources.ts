import { memo } from '../../base/memo.ts';
import { mayHoldManifests } from '../../workspace/fileNames.ts';
import type { Files, Listing } from '../../workspace/files.ts';
import { decode, folderOf, resolve } from '../../workspace/uri.ts';
import { upToRepository } from './beside.ts';
import { sourcesIn } from './programs.ts';

// Programs in Java and its kin have files inside that are in `src/main/resources`, those in Rust what `include_str!` names: they
// complete them before they apply them, as programs in Go do with what they embed.

const mostSources = 1_000;

const resources = '/src/main/resources/';

/** Whether a program of the same module or crate has a file inside, and its sources name it. */
export async function isInsideProgram(files: Files, uri: string, listing: Listing): Promise<boolean> {
  const at = uri.lastIndexOf(resources);
  if (at === -1) return (await includedAround(files, uri, listing)).has(uri);
  const main = `${uri.slice(0, at)}/src/main`;
  const named = await onceEach(ofModules(listing), main, () => namedBelow(files, main));
  const steps = decode(uri.slice(at + resources.length)).split('/');
  // All of it, its name, or the folder that it is in, behind which its name is put together.
  const folders = steps.slice(0, -1).map((_, i) => `${steps.slice(0, i + 1).join('/')}/`);
  return [steps.join('/'), steps.at(-1)!, ...folders].some((one) => named.has(one));
}

const ofModules = memo((_: Listing) => new Map<string, Promise<ReadonlySet<string>>>());
const ofCrates = memo((_: Listing) => new Map<string, Promise<ReadonlySet<string>>>());

/** Each module is read once for all files of a run. */
function onceEach<Found>(known: Map<string, Promise<Found>>, key: string, ask: () => Promise<Found>): Promise<Found> {
  const found = known.get(key) ?? ask();
  known.set(key, found);
  return found;
}

/** The texts in quotes of a module's sources that name a file or a folder: `"/k8s/"`, `"service.yaml"`. */
async function namedBelow(files: Files, main: string): Promise<ReadonlySet<string>> {
  const isSource = (name: string) => /\.(?:java|kt|scala|groovy)$/.test(name);
  const named = new Set<string>();
  for await (const { text } of sourcesIn(files, main, isSource, mostSources)) {
    const texts = Array.from(text.matchAll(/"(?:classpath:)?\/?(\w[\w./-]{0,200})"/g), ([, one]) => one!);
    for (const one of texts) if (one.endsWith('/') || mayHoldManifests(one)) named.add(one);
  }
  return named;
}

/** What the sources of the crate around a file include. */
async function includedAround(files: Files, uri: string, listing: Listing): Promise<ReadonlySet<string>> {
  for await (const { folder, names } of upToRepository(files, uri, ['Cargo.toml']))
    if (names.includes('Cargo.toml'))
      return await onceEach(ofCrates(listing), folder, () => includedBelow(files, folder));
  return new Set();
}

const tests = /#\[test\]|#\[cfg\(test\)\]\s{1,20}mod \w{1,80}\s{0,20}\{/;

/** The files that `include_str!("../a.yaml")` and its kin name, from where the source is or, with `concat!`, from the crate. */
async function includedBelow(files: Files, crate: string): Promise<ReadonlySet<string>> {
  const included = new Set<string>();
  const isSource = (name: string) => name.endsWith('.rs') && name !== 'tests.rs';
  for await (const { uri, text: whole } of sourcesIn(files, crate, isSource, mostSources)) {
    // A test reads what is applied by others as it is.
    if (/\/(?:tests|benches)\//.test(uri.slice(crate.length))) continue;
    const text = whole.slice(0, tests.exec(whole)?.index);
    const own = text.matchAll(/\binclude_(?:str|bytes)!\(\s*"([^"\n]{1,300})"/g);
    const ofCrate = text.matchAll(
      /\binclude_(?:str|bytes)!\(\s*concat!\(\s*env!\("CARGO_MANIFEST_DIR"\),\s*"\/([^"\n]{1,300})"/g,
    );
    for (const [, way] of own) included.add(resolve(folderOf(uri), way!));
    for (const [, way] of ofCrate) included.add(resolve(crate, way!));
  }
  return included;
}
