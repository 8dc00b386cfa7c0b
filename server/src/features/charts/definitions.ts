/** The named templates of a chart: where they are defined, and where they are included. */
import { memo } from '../../base/memo.ts';
import type { Range } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import type { ChartFolder } from '../../workspace/charts/chartFolder.ts';
import { includedIn } from './markedTemplate.ts';
import { type Block, scopedOf } from './scopes.ts';
import { templatesOf } from './seen.ts';

export interface DefinedTemplate {
  readonly name: string;
  readonly file: ChartFile;
  readonly block: Block;
  /** Its name, without quotes. */
  readonly range: Range;
}

const definedIn = memo((file: ChartFile): readonly DefinedTemplate[] =>
  scopedOf(file).blocks.flatMap((block) => {
    const { word, name } = block;
    const isNamed = name !== undefined && (word === 'define' || word === 'block');
    return isNamed ? [{ name: name.text, file, block, range: name.content }] : [];
  }),
);

/** All of a chart, and of those in it. */
export const definitionsOf = memo((folder: ChartFolder): readonly DefinedTemplate[] =>
  templatesOf(folder).flatMap(([, file]) => definedIn(file)),
);

/** Where a template is included, by its name. */
export function includesOf(folder: ChartFolder, name: string): { readonly uri: string; readonly range: Range }[] {
  return templatesOf(folder).flatMap(([, file]) =>
    includedIn(file)
      .filter(({ text }) => text === name)
      .map(({ content }) => ({ uri: file.id, range: content })),
  );
}
