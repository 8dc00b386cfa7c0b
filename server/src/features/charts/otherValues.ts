import { valueAt } from '../../base/value.ts';
import { yamlOf } from '../../helm/chart.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { ownValues } from '../../workspace/charts/valueSets.ts';
import { isChartValues } from '../../workspace/fileNames.ts';
import { valueOf } from '../../yaml/value.ts';

/** Whether a value for want of which a template fails is in another file of values beside the chart's own: it comes with that. */
export function isInOtherValues({ files, root }: Pick<ChartFolder, 'files' | 'root'>, message: string): boolean {
  const path = /\.Values\.([\w.]{1,200})/.exec(message)?.[1]?.split('.');
  if (!path) return false;
  const others = files.filter((file) => file.path !== ownValues && isChartValues(`${root}/${file.path}`));
  return others.some((file) =>
    yamlOf(file).documents.some(({ document }) => valueAt(valueOf(document), path) !== undefined),
  );
}
