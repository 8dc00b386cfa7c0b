import { lineStartBefore } from '../../base/text.ts';
import type { Assumption } from '../../helm/made.ts';
import type { ChartFinding } from './finding.ts';

/** A key with a word behind it, in a line of its own right below a condition that asks for one value. */
interface Chosen {
  readonly flag: string;
  readonly value: string;
}

const condition = /^[ \t]*\{\{-?[ \t]{0,4}(?:else[ \t]{1,4})?if[ \t]{1,4}\$?\.Values\.([\w.]{1,200})[ \t]{0,4}-?\}\}/;

/**
 * Two flags of one map, each of which gives the same key another word, as one of them is called: a chart has one of them on, and whoever
 * turns on both gets what nobody can mean. Of features that have nothing to do with each other both may be on.
 *
 *     {{- if .Values.stage.test }}
 *     zone: test
 *     {{- end }}
 *     {{- if .Values.stage.live }}
 *     zone: live
 *     {{- end }}
 */
export function isOfChoice(
  { diagnostic: { range } }: ChartFinding,
  assumptions: readonly Assumption[],
  text: string,
): boolean {
  const flags = assumptions.flatMap((one) => (one.kind === 'value' && one.shown === 'true' ? [one.path] : []));
  const parents = new Set(flags.map((path) => JSON.stringify(path.slice(0, -1))));
  if (flags.length !== 2 || assumptions.length !== 2 || parents.size !== 1) return false;
  const start = lineStartBefore(text, range.start);
  const [, head] = /^([ \t]*[\w./-]{1,200}:)[ \t]+\S/.exec(text.slice(start).split('\n', 1)[0]!) ?? [];
  if (head === undefined) return false;
  const chosen = chosenIn(text, head);
  const of = flags.map((path) => chosen.filter(({ flag }) => `.${path.join('.')}`.endsWith(`.${flag}`)));
  const isEach = of.every((some) => some.length > 0) && of[0]!.every((a) => of[1]!.every((b) => a.value !== b.value));
  return isEach && of.flat().some(isNamedAlike);
}

/** `stage.production` that gives `prod`, or `prod-eu`. */
function isNamedAlike({ flag, value }: Chosen): boolean {
  const name = lettersOf(flag.slice(flag.lastIndexOf('.') + 1));
  const word = lettersOf(value);
  const start = word.slice(0, lettersAlike);
  return start.length >= 2 && (name.startsWith(start) || name.endsWith(word) || word.includes(name));
}

const lettersAlike = 3;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}

/** Where a key with its indentation is chosen by flags. */
function chosenIn(text: string, head: string): readonly Chosen[] {
  const lines = text.split('\n');
  return lines.flatMap((line, nth) => {
    const [, flag] = condition.exec(lines[nth - 1] ?? '') ?? [];
    const value = line.startsWith(head) ? line.slice(head.length).trim() : '';
    return flag === undefined || !/^[^{[|>&*]/.test(value) ? [] : [{ flag, value }];
  });
}
