/** The values that a chart is rendered with. */
import type { ChartFile } from '../../helm/chart.ts';
import { readValues } from '../../helm/values.ts';
import type { GoMap } from '../../template/value.ts';

/** Values of one file, laid over those of the chart; without one, those of the chart alone. */
export interface ValueSet {
  /** As findings name it. */
  readonly name: string;
  readonly file: ChartFile | undefined;
  readonly given: GoMap | undefined;
}

/** Files that tests of charts install it with (`ci/`), each on its own. */
const ciValues = /^ci\/[^/]*values\.ya?ml$/;

/** Values files of one chart that are looked at. */
export const mostValueSets = 30;

export function valueSetsOf(files: readonly ChartFile[]): readonly ValueSet[] {
  const own: ValueSet = { name: 'values.yaml', file: undefined, given: undefined };
  const others = files.filter(({ path }) => ciValues.test(path)).slice(0, mostValueSets);
  return [own, ...others.flatMap(setOf)];
}

function setOf(file: ChartFile): ValueSet[] {
  const { values, error } = readValues(file.text, file.id);
  return error === undefined ? [{ name: file.path, file, given: values }] : [];
}
