import { counted } from '../base/text.ts';
import { fetchMissing } from '../fetch/missing.ts';
import { type Keep, keep } from '../fetch/store.ts';
import type { FetchTools } from '../workspace/fetcher.ts';
import { type Absent, keyOfWanted, namesKind, type WantedKind, wantedKind, wantedOf } from '../workspace/kinds.ts';
import { settingsFor } from '../workspace/snapshot.ts';
import { type FetchSource, sourceText } from '../workspace/sources/lock.ts';
import { publicCatalogue } from '../workspace/sources/published.ts';
import { programName } from './called.ts';
import { expandAll, namedSources, readable } from './inputs.ts';
import { complain, print } from './terminal.ts';
import { testReason } from './testData.ts';
import { openWorkspace } from './workspace.ts';

/** Kinds that are used below this folder and that nothing on this machine defines, with what may hold their CRDs. */
type Missing = ReadonlyMap<string, readonly Absent[]>;

export interface MissingOptions {
  readonly cluster: string | undefined;
  readonly catalogue: string | undefined;
  /** From the charts that files here name. */
  readonly charts: boolean;
  readonly kinds: readonly string[];
}

/** Fetches the CRDs of all kinds that have none, or says where they can be had; gives the exit code. */
export async function missingCrds(
  options: MissingOptions,
  tools: FetchTools,
  places: { readonly cache: Keep; readonly save: Keep | undefined },
): Promise<number> {
  const missing = await missingHere(options.kinds);
  const kinds = [...missing.keys()].map(wantedOf);
  if (kinds.length === 0) {
    print('all kinds that are used here have a CRD');
    return 0;
  }
  const charts = chartsOf(missing);
  const sources = sourcesOf(options, charts);
  if (sources.length === 0) {
    for (const line of offer(missing, charts)) print(line);
    return 1;
  }
  const { brought, left, failures } = await fetchMissing(sources, kinds, tools);
  for (const { source, crds } of brought) {
    await keep(crds, source, places.save ?? places.cache);
    print(`${counted(crds.length, 'CRD')} fetched from ${sourceText(source)}`);
  }
  for (const failure of failures) complain(failure);
  for (const line of stillMissing(left)) print(line);
  if (left.length === 0) return 0;
  return failures.length > 0 ? 2 : 1;
}

async function missingHere(globs: readonly string[]): Promise<Missing> {
  const listing = await expandAll(['.'], { exclude: [], gitignore: true }, () => true);
  const workspace = await openWorkspace(listing, { crds: [], without: [], paths: ['.'] }, { chosen: {} });
  const missing = new Map<string, readonly Absent[]>();
  let { snapshot } = workspace;
  for await (const file of readable(namedSources(listing.uris), () => {})) {
    if (file.template || testReason(file.uri, ['.']) !== undefined) continue;
    snapshot = await workspace.knowing(snapshot, file);
    const { knownKinds } = settingsFor(snapshot, file.uri);
    for (const wanted of file.manifests.flatMap((manifest) => wantedKind(manifest) ?? [])) {
      const absent = snapshot.missing.get(keyOfWanted(wanted));
      const { group, kind } = wanted;
      const isAsked = globs.length === 0 || namesKind(globs, group, kind);
      if (absent && isAsked && !namesKind(knownKinds, group, kind)) missing.set(keyOfWanted(wanted), absent);
    }
  }
  return missing;
}

/** The charts that files here name, as far as they may hold what is missing. */
function chartsOf(missing: Missing): FetchSource[] {
  const sources = [...missing.values()].flatMap((all) => all.flatMap(({ fetch }) => fetch ?? []));
  return [...new Map(sources.map((one) => [JSON.stringify(one), one])).values()];
}

/** In the order of what they tell: charts have the CRD of the version in use, a cluster that which it has, a catalogue a schema. */
function sourcesOf({ cluster, catalogue, charts }: MissingOptions, named: readonly FetchSource[]): FetchSource[] {
  return [
    ...(charts ? named : []),
    ...(cluster === undefined ? [] : [{ from: 'cluster', context: cluster } as const]),
    ...(catalogue === undefined ? [] : [{ from: 'catalogue', url: catalogue } as const]),
  ];
}

/** The address of a catalogue that an option names. */
export function catalogueNamed(text: string): string {
  return text === 'public' ? publicCatalogue : text;
}

/** What is missing, those together of which the same is known, and what brings it here. */
function offer(missing: Missing, charts: readonly FetchSource[]): string[] {
  const known = new Map<string, string[]>();
  for (const [key, absent] of [...missing].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const what = absent.map((one) => one.what).join(' ') || 'It is not known where its CRD is published.';
    known.set(what, [...(known.get(what) ?? []), key]);
  }
  const named = charts.length === 1 ? sourceText(charts[0]!) : `the ${charts.length} charts that files here name`;
  return [
    `${counted(missing.size, 'kind')} without a known CRD:`,
    ...[...known].flatMap(([what, keys]) => [...keys.map((key) => `  ${key}`), `    ${what}`]),
    'Fetch their CRDs from one of these, or from several at once:',
    ...(charts.length > 0 ? [`  ${programName()} crds fetch --missing --charts             # ${named}`] : []),
    `  ${programName()} crds fetch --missing --cluster CONTEXT    # a cluster that has them, through your kubectl`,
    `  ${programName()} crds fetch --missing --catalogue public   # ${publicCatalogue}`,
  ];
}

function stillMissing(left: readonly WantedKind[]): string[] {
  if (left.length === 0) return [];
  return [`${counted(left.length, 'kind')} still without a known CRD:`, ...left.map((one) => `  ${keyOfWanted(one)}`)];
}
