import { memo } from '../../base/memo.ts';
import { judgedText } from '../../helm/judgedText.ts';
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
  const uri = `${made.rendered.file.id}#${encodeURIComponent(made.set.name)}`;
  return { made, source: sourceFile(uri, printed.text, { made: true }), places: new RenderedPlaces(chart, printed) };
});
