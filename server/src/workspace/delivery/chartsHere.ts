/** The charts that are here, by their folders and by their names. */
import { isInRange } from '../../template/semver.ts';
import { archiveStem } from '../fileNames.ts';
import type { Delivery } from './index.ts';
import type { DeliveryOnDisk } from './onDisk.ts';

/** Whether there is any chart that somebody may install. */
export function hasCharts({ charts, archives }: DeliveryOnDisk): boolean {
  return charts.size > 0 || archives.length > 0;
}

/** The chart in a folder. */
export function chartAt({ disk }: Delivery, folder: string): string | undefined {
  return disk.charts.has(folder) ? folder : undefined;
}

/**
 * The chart of a name, in a version that fits; undefined where there is none, or where several are. Without a version the name
 * alone says too little: charts that wrap others mostly have their names.
 */
export function chartNamed({ disk }: Delivery, name: string, version: string): string | undefined {
  if (!/\d/.test(version)) return undefined;
  const fits = (known: string) => known === version || isInRange(known, version);
  const folders = [...disk.charts]
    .filter(([, one]) => one.name === name && fits(one.version))
    .map(([folder]) => folder);
  const outermost = folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)));
  if (outermost.length > 0) return outermost.length === 1 ? outermost[0] : undefined;
  const archives = disk.archives.filter((uri) => {
    const stem = archiveStem(uri);
    return stem.startsWith(`${name}-`) && /^\d/.test(stem.slice(name.length + 1)) && fits(stem.slice(name.length + 1));
  });
  // The same one may be here and in Helm's cache.
  const [first] = archives;
  const isOne = first !== undefined && archives.every((uri) => archiveStem(uri) === archiveStem(first));
  return isOne ? `${first}!` : undefined;
}
