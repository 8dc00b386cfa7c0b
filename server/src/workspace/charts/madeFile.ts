import { memo } from '../../base/memo.ts';
import { judgedText } from '../../helm/judgedText.ts';
import type { Assumption } from '../../helm/made.ts';
import { RenderedPlaces } from '../projections/chart.ts';
import { type SourceFile, sourceFile } from '../sourceFile.ts';
import type { ChartFolder } from './chartFolder.ts';
import type { MadeOfTemplate } from './renderings.ts';

/** What a template came to, as a file that is nowhere but in memory. */
export interface MadeFile {
  readonly made: MadeOfTemplate;
  readonly source: SourceFile;
  readonly places: RenderedPlaces;
}

export const madeFile = memo((chart: ChartFolder, made: MadeOfTemplate): MadeFile => {
  const printed = judgedText(made.rendered);
  const { memory } = chart;
  const rendering = [made.name, made.set.name, ...made.assumptions.map(assumptionText)].join('\n');
  const uri = `${made.rendered.file.id}#${encodeURIComponent(made.set.name)}`;
  const source = sourceFile(uri, printed.text, { made: true, previous: memory.sourceBefore(rendering) });
  memory.keepSource(rendering, source);
  return { made, source, places: new RenderedPlaces(chart, printed) };
});

/** What is assumed, in words. */
export function assumptionText(one: Assumption): string {
  switch (one.kind) {
    case 'served':
      return `${one.apiVersion} ${one.isServed ? 'served' : 'not served'}`;
    case 'kubernetes':
      return `Kubernetes ${one.version.replace(/^v|\.0$/g, '')}`;
    case 'value':
      return `\`${one.path.join('.')}: ${one.shown}\``;
  }
}
