import type { FetchedCrd, FetchTools } from '../workspace/fetcher.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import type { FetchSource } from '../workspace/sources/lock.ts';
import { fetchFromCatalogue } from './catalogue.ts';
import { fetchFromChart } from './chart.ts';
import { fetchFromCluster } from './cluster.ts';
import { fetchFromUrl } from './url.ts';

/** Brings CRDs from wherever a user said. Fails with a `FetchFailure` whose message is for that user. */
export function fetchCrds(
  source: FetchSource,
  used: readonly WantedKind[],
  tools: FetchTools,
): Promise<readonly FetchedCrd[]> {
  switch (source.from) {
    case 'cluster':
      return fetchFromCluster(source, used, tools);
    case 'chart':
      return fetchFromChart(source, used, tools);
    case 'url':
      return fetchFromUrl(source, used, tools);
    case 'catalogue':
      return fetchFromCatalogue(source, used, tools);
  }
}
