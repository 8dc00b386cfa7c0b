/** Templates with marks in their text: where a mark comes to in what is rendered is where the cursor is there. */
import { memo } from '../../base/memo.ts';
import { lastNotAbove } from '../../base/text.ts';
import type { ChartFile } from '../../helm/chart.ts';
import { judgedText } from '../../helm/judgedText.ts';
import { isFailure } from '../../helm/render.ts';
import { clusterFor } from '../../workspace/charts/cluster.ts';
import { type MadeOfTemplate, renderingsOf } from '../../workspace/charts/renderings.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { sourceFile } from '../../workspace/sourceFile.ts';

import { actionsOf } from './actions.ts';
import { headOf, scopedOf } from './scopes.ts';
import { type Seen, templatesOf } from './seen.ts';

/** A character of nobody's, which no function changes. */
export const mark = '\ue0c5';

/** How many templates are rendered to find one that comes to a place in a helper. */
const mostTemplatesTried = 12;

/** Renderings of a chart with marks at some offsets of a file, in which the marks are: the values as they are first. */
export function* markedRenderings(seen: Seen, offsets: readonly number[]): Generator<MadeOfTemplate> {
  const { snapshot, folder, file } = seen;
  if (file.text.includes(mark)) return;
  const text = [0, ...offsets].map((at, i) => file.text.slice(at, offsets[i])).join(mark);
  const renderings = renderingsOf(folder.withText(file.id, text), clusterFor(snapshot, folder.root));
  const seenTexts = new Set<string>();
  for (const name of namesComingTo(seen, offsets[0]!)) {
    for (const [set, frame] of renderings.all) {
      if (!frame.names.includes(name)) continue;
      const rendered = frame.render(name);
      if (isFailure(rendered) || !rendered.text.includes(mark)) continue;
      seenTexts.add(rendered.text);
      yield { name, set, assumptions: [], rendered };
    }
    for (const made of renderings.madeOf(name).made)
      if (made.rendered.text.includes(mark) && !seenTexts.has(made.rendered.text)) yield made;
  }
}

/** The templates that are rendered and come to a place: the file itself, or for a helper those that include it. */
function namesComingTo({ renderings, folder, file }: Seen, offset: number): readonly string[] {
  const own = renderings.nameOf(file.id);
  const around = definedAround(file, offset);
  if (own !== undefined && around === undefined) return [own];
  if (around === undefined) return [];
  return includersOf(folder, around)
    .flatMap(({ id }) => renderings.nameOf(id) ?? [])
    .slice(0, mostTemplatesTried);
}

/** The name of the definition that an offset is in. */
function definedAround(file: ChartFile, offset: number): string | undefined {
  const { starts, blocks } = definesIn(file);
  const around = blocks[lastNotAbove(starts, offset)];
  return around && offset <= around.end ? around.name?.text : undefined;
}

/** They are never in each other. */
const definesIn = memo((file: ChartFile) => {
  const blocks = scopedOf(file).blocks.filter(({ word }) => word === 'define');
  return { blocks, starts: blocks.map(({ action }) => action.start) };
});

/** How many templates are between one and those that come to it. */
const deepestIncludes = 20;

/** The files that include a template, be it through others. */
function includersOf(folder: Seen['folder'], name: string): readonly ChartFile[] {
  const names = new Set([name]);
  const found = new Set<ChartFile>();
  const all = templatesOf(folder).map(([, file]) => file);
  for (let size = 0, level = 0; size < names.size && level < deepestIncludes; level++) {
    size = names.size;
    for (const file of all) {
      for (const { text, start } of includedIn(file)) {
        if (!names.has(text)) continue;
        const outer = definedAround(file, start);
        if (outer === undefined) found.add(file);
        else names.add(outer);
      }
    }
  }
  return [...found];
}

/** The names of templates that a file includes, with where they are. */
export function includedIn(file: ChartFile) {
  return actionsOf(file).flatMap((action) =>
    action.tokens.flatMap((token, i) => {
      const before = action.tokens[i - 1];
      const isName = before?.kind === 'word' && (before.text === 'include' || before.text === 'template');
      const isBlock = i === 1 && headOf(action) === 'block';
      return token.kind === 'string' && (isName || isBlock) ? [token] : [];
    }),
  );
}

/** A place in what was made. */
export interface InMade {
  readonly snapshot: Snapshot;
  readonly uri: string;
  readonly offset: number;
  readonly text: string;
}

/** What was made with a mark in it, as a file without it: the place is where the mark was. */
export function withoutMark({ snapshot, file }: Seen, made: MadeOfTemplate): InMade {
  const marked = judgedText(made.rendered).text;
  const offset = marked.indexOf(mark);
  const text = marked.replaceAll(mark, '');
  const uri = `${file.id}#${encodeURIComponent(made.set.name)}`;
  return { snapshot: withOpen(snapshot, sourceFile(uri, text, { made: true })), uri, offset, text };
}
