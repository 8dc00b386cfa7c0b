import { allReasons } from '../../server/src/cli/meant/reasons.ts';
import { between } from './between.ts';

/** The text of the page about runs with the table of what they take for meant. */
export function withNotes(text: string): string {
  const rows = allReasons.flatMap(([, { words, page }]) =>
    page.map(([where, what]) => `| ${words[1]} | ${where} | ${what} |`),
  );
  const table = ['', '| counted as | where | what is a note |', '|---|---|---|', ...rows, '', ''];
  return between(text, 'notes', table.join('\n'));
}
