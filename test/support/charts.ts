import type { Dependency } from '../../server/src/helm/metadata.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';

/** A chart of texts by their paths, as if it had been read. */
export function chartOf(
  files: Readonly<Record<string, string>>,
  root = 'file:///chart',
  missing: readonly Dependency[] = [],
): ChartFolder {
  const all = Object.entries(files).map(([path, text]) => ({ path, text, id: `${root}/${path}` }));
  return new ChartFolder({ root, files: all, archives: [], notes: [], missing, standIns: [] });
}
