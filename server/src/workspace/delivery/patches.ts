/** What kustomizations say in their patches, as text: whether they may change something that is read here. */
import { memo } from '../../base/memo.ts';
import type { SourceFile } from '../sourceFile.ts';
import type { Delivery } from './index.ts';

const head = /^([ \t]*)patches[A-Za-z0-9]*:/;

/** The lists of patches of a file, each with its lines. */
const patchesOfFile = memo(({ text }: SourceFile): readonly string[] => {
  if (!text.includes('patches')) return [];
  const found: string[][] = [];
  let column: number | undefined;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    // Items of a list may begin where its key does.
    const isInside =
      column !== undefined && (indent === -1 || indent > column || (indent === column && line[indent] === '-'));
    if (!isInside) column = head.exec(line)?.[1]?.length;
    if (isInside) found.at(-1)!.push(line);
    else if (column !== undefined) found.push([line]);
  }
  return found.map((lines) => lines.join('\n'));
});

/** All patches. */
export const patchesIn = memo(({ files }: Delivery): readonly string[] => files.flatMap(patchesOfFile));
