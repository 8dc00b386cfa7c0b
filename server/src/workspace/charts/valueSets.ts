/** The values that a chart is rendered with. */
import type { ChartFile } from '../../helm/chart.ts';
import { readValues } from '../../helm/values.ts';
import type { GoMap } from '../../template/value.ts';
import { isTestValues } from '../fileNames.ts';

/** Values of one file, laid over those of the chart; without one, those of the chart alone. */
export interface ValueSet {
  /** As findings name it. */
  readonly name: string;
  readonly file: ChartFile | undefined;
  readonly given: GoMap | undefined;
}

/** Values files of one chart that are looked at. */
const mostValueSets = 30;

export function valueSetsOf(files: readonly ChartFile[]): readonly ValueSet[] {
  const own: ValueSet = { name: 'values.yaml', file: undefined, given: undefined };
  const others = files.filter(({ path }) => path.startsWith('ci/') && isTestValues(path)).slice(0, mostValueSets);
  return [own, ...others.flatMap(setOf)];
}

function setOf(file: ChartFile): ValueSet[] {
  const { values, error } = readValues(file.text, file.id);
  return error === undefined ? [{ name: file.path, file, given: values }] : [];
}
