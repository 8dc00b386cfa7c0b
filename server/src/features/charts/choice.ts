import { lineStartBefore } from '../../base/text.ts';
import type { Assumption } from '../../helm/made.ts';
import type { ChartFinding } from './finding.ts';

/** A key with a word behind it, in a line of its own below a condition that asks for one value, and comments. */
interface Chosen {
  readonly flag: string;
  readonly value: string;
}

const condition = /^[ \t]*\{\{-?[ \t]{0,4}(?:else[ \t]{1,4})?if[ \t]{1,4}\$?\.Values\.([\w.]{1,200})[ \t]{0,4}-?\}\}/;

/**
 * Two flags of one map, or of two maps in one, each of which gives the same key another word, as one of them is called: a chart has one
 * of them on, and whoever turns on both gets what nobody can mean. Of features that have nothing to do with each other both may be on.
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
  const flags = flagsOf(assumptions);
  if (!flags) return false;
  const start = lineStartBefore(text, range.start);
  const [, head] = /^([ \t]*[\w./-]{1,200}:)[ \t]+\S/.exec(text.slice(start).split('\n', 1)[0]!) ?? [];
  if (head === undefined) return false;
  const chosen = chosenIn(text, head);
  const of = flags.map((path) => chosen.filter(({ flag }) => `.${path.join('.')}`.endsWith(`.${flag}`)));
  const isEach = of.every((some) => some.length > 0) && of[0]!.every((a) => of[1]!.every((b) => a.value !== b.value));
  return isEach && of.flat().some(isNamedAlike);
}

type Way = readonly (string | number)[];

/** The two flags that are beside each other, where all else that is assumed turns on a map around them. */
function flagsOf(assumptions: readonly Assumption[]): readonly Way[] | undefined {
  const ways = assumptions.flatMap((one) => (one.kind === 'value' && one.shown === 'true' ? [one.path] : []));
  const isAround = (way: Way) => ways.every((other) => other === way || isIn(turnedOn(way), other));
  const flags = ways.filter((way) => !isSwitch(way) || !isAround(way));
  const [first, second] = flags.map((way) => turnedOn(way).slice(0, -1));
  const areBeside = first?.length === second?.length && first?.every((step, i) => step === second![i]);
  return ways.length === assumptions.length && flags.length === 2 && areBeside ? flags : undefined;
}

const switches: ReadonlySet<unknown> = new Set(['enabled', 'enable', 'create', 'install']);
const isSwitch = (way: Way) => way.length > 1 && switches.has(way.at(-1));
const isIn = (outer: Way, inner: Way) => outer.every((step, i) => inner[i] === step);

/** `offload.s3.enabled` turns on `offload.s3`. */
function turnedOn(way: Way): Way {
  return isSwitch(way) ? way.slice(0, -1) : way;
}

/** `stage.production` that gives `prod`, or `prod-eu`, and `offload.s3.enabled` that gives `aws-s3`. */
function isNamedAlike({ flag, value }: Chosen): boolean {
  const name = lettersOf(String(turnedOn(flag.split('.')).at(-1)));
  const word = lettersOf(value);
  const start = word.slice(0, lettersAlike);
  return start.length >= 2 && (name.startsWith(start) || name.endsWith(word) || word.includes(name));
}

const lettersAlike = 3;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Where a key with its indentation is chosen by flags. */
function chosenIn(text: string, head: string): readonly Chosen[] {
  const lines = text.split('\n');
  return lines.flatMap((line, nth) => {
    if (!line.startsWith(head)) return [];
    const before = lines.slice(0, nth).findLast((one) => !/^[ \t]*#/.test(one));
    const [, flag] = condition.exec(before ?? '') ?? [];
    const value = line.slice(head.length).trim();
    return flag === undefined || !/^[^{[|>&*]/.test(value) ? [] : [{ flag, value }];
  });
}
