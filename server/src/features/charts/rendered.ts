/** What a template renders, to be shown beside it. */
import { lineIndex } from '../../base/text.ts';
import type { Run } from '../../template/from.ts';
import { assumptionText } from '../../workspace/charts/madeFile.ts';
import type { MadeOfTemplate } from '../../workspace/charts/renderings.ts';
import { namesComingTo } from './markedTemplate.ts';
import { type Seen, templatesOf } from './seen.ts';

export interface ShownRendering {
  /** The template's name, as Helm says it. */
  readonly name: string;
  readonly text: string;
  /** With which values: by these words it can be asked for. */
  readonly values: string;
  /** All that there is to choose from. */
  readonly choices: readonly string[];
  /** For each line of the text, the line of the file that it comes from; -1 where it comes from none. */
  readonly lines: readonly number[];
}

/** What is asked for: by the words for its values, or else the first rendering that comes to a place. */
export interface WantedRendering {
  readonly offset: number;
  readonly values?: string | undefined;
}

/** How many of what a template comes to are to choose from. */
const mostChoices = 100;

export function shownRendering(seen: Seen, { offset, values }: WantedRendering): ShownRendering | undefined {
  const { renderings, file, folder } = seen;
  if (!templatesOf(folder).some(([, one]) => one.id === file.id)) return undefined;
  const [name] = namesComingTo(seen, offset);
  if (name === undefined) return undefined;
  const { made, failed } = renderings.madeOf(name);
  const all = made.slice(0, mostChoices);
  const choices = all.map(wordsOf);
  const line = lineIndex(file.text).lineAt(offset);
  const wanted = choices.indexOf(values ?? '');
  const reaching = all.findIndex((one) => linesOf(seen, one).includes(line));
  const found = all[wanted !== -1 ? wanted : Math.max(0, reaching)];
  if (found) return { name, text: found.rendered.text, values: wordsOf(found), choices, lines: linesOf(seen, found) };
  const why = failed[0]?.failure.message.replaceAll('\n', '\n# ');
  return why === undefined ? undefined : { name, text: `# ${why}\n`, values: failed[0]!.set.name, choices, lines: [] };
}

function wordsOf({ set, assumptions }: MadeOfTemplate): string {
  return [set.name, ...assumptions.map((one) => assumptionText(one).replaceAll('`', ''))].join(', ');
}

/** By the first text or action of the file that is on a line. */
function linesOf({ file }: Seen, { rendered: { text, from } }: MadeOfTemplate): readonly number[] {
  const [made, source] = [lineIndex(text), lineIndex(file.text)];
  const lines = Array.from({ length: made.count }, () => -1);
  for (const run of from.runs(text.length)) {
    const place = placeIn(file.id, run);
    if (place === undefined) continue;
    for (let line = made.lineAt(run.start); line <= made.lineAt(Math.max(run.start, run.end - 1)); line++) {
      const start = Math.max(run.start, made.lineStart(line));
      const isBlank = text.slice(start, Math.min(run.end, made.lineEnd(line))).trim() === '';
      if (!isBlank && lines[line] === -1)
        lines[line] = source.lineAt(place.isExact ? place.at + start - run.start : place.at);
    }
  }
  return lines;
}

/** Where a part of what was made is written in a file, to the letter, or the action there that printed it. */
function placeIn(
  uri: string,
  { leaf, offset, action }: Run,
): { readonly at: number; readonly isExact: boolean } | undefined {
  if (leaf.kind === 'written' && leaf.place.file === uri && offset !== undefined)
    return { at: leaf.place.start + offset, isExact: true };
  return action?.file === uri ? { at: action.start, isExact: false } : undefined;
}
