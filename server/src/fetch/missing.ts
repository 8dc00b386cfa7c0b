import { append } from '../base/append.ts';
import { type Brought, type FetchedCrd, FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import { keyOfWanted, type WantedKind } from '../workspace/kinds.ts';
import { type FetchSource, kindOf, sourceText } from '../workspace/sources/lock.ts';
import { fetchCrds } from './fetch.ts';

// The CRDs of all kinds that nothing defines, from several sources in turn: each is asked for what those before it lack, and
// one that fails ends neither the others nor what it has given already.

/** Kinds that are asked for in one run, and sources that they are asked of. */
const mostMissing = 500;
const mostSources = 50;

/** A source that has failed so often in a row is not asked for more. */
const mostFailures = 3;

export async function fetchMissing(
  sources: readonly FetchSource[],
  missing: readonly WantedKind[],
  tools: FetchTools,
): Promise<Brought> {
  const asked = missing.slice(0, mostMissing);
  const failures: string[] = [];
  if (missing.length > mostMissing) failures.push(`of more than ${mostMissing} kinds, the rest are not asked for`);
  if (sources.length > mostSources) failures.push(`of more than ${mostSources} sources, the rest are not asked`);
  const brought: { source: FetchSource; crds: readonly FetchedCrd[] }[] = [];
  let left = asked;
  for (const source of sources.slice(0, mostSources)) {
    if (left.length === 0) break;
    const { crds, why } = await fromSource(source, left, tools);
    if (crds.length > 0) brought.push({ source, crds });
    append(
      failures,
      why.map((one) => `${sourceText(source)}: ${one}`),
    );
    left = withoutKinds(left, crds);
  }
  return { brought, left: [...left, ...missing.slice(mostMissing)], failures };
}

/** What one source has of kinds, and why it has not given more. */
async function fromSource(source: FetchSource, wanted: readonly WantedKind[], tools: FetchTools) {
  const crds: FetchedCrd[] = [];
  const why: string[] = [];
  let failedInARow = 0;
  for (const part of partsFor(source, wanted)) {
    try {
      append(crds, ofKinds(await fetchCrds(source, part, tools), part));
      failedInARow = 0;
    } catch (error) {
      if (!(error instanceof FetchFailure) || tools.signal.aborted) throw error;
      why.push(error.message);
      if (++failedInARow === mostFailures) break;
    }
  }
  return { crds, why };
}

/** A catalogue is asked for each kind, and one that it has in a broken form is no reason to go without the others. */
function partsFor({ from }: FetchSource, wanted: readonly WantedKind[]): readonly (readonly WantedKind[])[] {
  if (from !== 'catalogue') return [wanted];
  const kinds = new Map<string, WantedKind[]>();
  for (const one of wanted) kinds.set(kindOf(one), [...(kinds.get(kindOf(one)) ?? []), one]);
  return [...kinds.values()];
}

function ofKinds(crds: readonly FetchedCrd[], wanted: readonly WantedKind[]): FetchedCrd[] {
  const names = new Set(wanted.map(kindOf));
  // Of a chart that has a CRD twice, such as a standard and an experimental one, the first counts, as it does elsewhere.
  const found = new Map<string, FetchedCrd>();
  for (const crd of crds) if (names.has(kindOf(crd)) && !found.has(kindOf(crd))) found.set(kindOf(crd), crd);
  return [...found.values()];
}

/** What is still missing. A CRD that was made of schemas has the versions of these alone. */
function withoutKinds(wanted: readonly WantedKind[], crds: readonly FetchedCrd[]): WantedKind[] {
  const found = new Set<string>();
  for (const { group, kind, fromSchema } of crds)
    for (const one of wanted)
      if (one.group === group && one.kind === kind && (fromSchema?.includes(one.version) ?? true))
        found.add(keyOfWanted(one));
  return wanted.filter((one) => !found.has(keyOfWanted(one)));
}
