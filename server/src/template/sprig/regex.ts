/** Regular expressions of Go. */
import { quote } from '../../gostd/quote.ts';
import { compileGoRegexp, type GoRegexp, type Matcher } from '../../gostd/regexp.ts';
import { sliceOf } from '../from.ts';
import { plain, traced } from '../functions.ts';
import { type Call, type Cell, cell, GoError, GoList, type Int } from '../value.ts';
import { cutOf, madeOf } from './shared.ts';

export const regex = [
  plain('regexMatch(string, string) bool', ([pattern, text]: [string, string], call: Call) => {
    const compiled = compiledText(pattern);
    return compiled.ok && matches(compiled, text, call);
  }),
  plain('mustRegexMatch(string, string) bool', ([pattern, text]: [string, string], call: Call) =>
    matches(compiledOf(pattern, false), text, call),
  ),
  ...each('FindAll', '(string, string, int) []string', findAll),
  ...each('Find', '(string, string) string', (compiled, [, text], call) => {
    const [first] = matchesIn(compiled, text!.value as string, 1, call);
    return first ? cutOf(text!, first.start, first.end) : cell('', call.from);
  }),
  ...each('ReplaceAll', '(string, string, string) string', (compiled, args, call) =>
    replaced(compiled, args, call, expand),
  ),
  ...each('ReplaceAllLiteral', '(string, string, string) string', (compiled, args, call) =>
    replaced(compiled, args, call, (template) => template),
  ),
  ...each('Split', '(string, string, int) []string', split),
  plain('regexQuoteMeta(string) string', ([text]: [string]) => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')),
];

type Run = (compiled: Matcher, args: readonly Cell[], call: Call) => Cell;

function each(name: string, rest: string, run: Run) {
  return [true, false].map((panics) =>
    traced(`${panics ? 'regex' : 'mustRegex'}${name}${rest}`, (args, call) =>
      run(compiledOf(args[0]!.value as string, panics), args, call),
    ),
  );
}

function compiledOf(pattern: string, panics: boolean): Matcher {
  const compiled = compiledText(pattern);
  if (compiled.ok) return compiled;
  throw new GoError(panics ? `regexp: Compile(${quoted(pattern)}): ${compiled.error}` : compiled.error);
}

/** Bytes that are not UTF-8 are no pattern. */
function compiledText(pattern: string): GoRegexp {
  if (!/\p{Cs}/u.test(pattern)) return compileGoRegexp(pattern);
  return { ok: false, error: `error parsing regexp: invalid UTF-8: \`${pattern}\`` };
}

/** As package regexp quotes a pattern in what it panics with. */
function quoted(pattern: string): string {
  return /^[^`\p{Cc}\p{Cs}\ufeff]*$/u.test(pattern) ? `\`${pattern}\`` : quote(pattern);
}

function matches(compiled: Matcher, text: string, call: Call): boolean {
  call.spend(compiled.work(text) / workPerStep);
  return compiled.matches(text);
}

/** How much of the work of a search counts as one step of a rendering. */
const workPerStep = 10;

interface Match {
  readonly start: number;
  readonly end: number;
  group(index: number): string | undefined;
  named(name: string): string | undefined;
}

/** The matches in a text, at most so many; below zero: all. An empty one right behind another does not count. */
function matchesIn(compiled: Matcher, text: string, most: number, call: Call): Match[] {
  call.spend(compiled.work(text) / workPerStep);
  const found: Match[] = [];
  const matcher = compiled.regexp.matcher(text);
  const names = compiled.regexp.namedGroups() as Record<string, number>;
  let previous = -1;
  while ((most < 0 || found.length < most) && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === previous) continue;
    previous = end;
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, i) => matcher.group(i) ?? undefined);
    found.push({ start, end, group: (index) => groups[index], named: (name) => groups[names[name] ?? -1] });
  }
  return found;
}

function findAll(compiled: Matcher, [, text, count]: readonly Cell[], call: Call): Cell {
  const found = matchesIn(compiled, text!.value as string, Number((count!.value as Int).value), call);
  const cells = found.map(({ start, end }) => cutOf(text!, start, end));
  return cell(new GoList(cells, '[]string', cells.length === 0), call.from);
}

function replaced(
  compiled: Matcher,
  args: readonly Cell[],
  call: Call,
  make: (template: string, match: Match) => string,
): Cell {
  const [, source, template] = args as [Cell, Cell, Cell];
  const text = source.value as string;
  const found = matchesIn(compiled, text, -1, call);
  if (found.length === 0) return source;
  call.spend(found.length * (template.value as string).length);
  const fresh = found.map((match) => make(template.value as string, match));
  call.spend(fresh.reduce((sum, one) => sum + one.length, 0));
  const starts = [0, ...found.map(({ end }) => end)];
  const ends = [...found.map(({ start }) => start), text.length];
  const made = starts.map((start, i) => text.slice(start, ends[i]) + (fresh[i] ?? '')).join('');
  return madeOf(made, [source.from, template.from], () =>
    starts.flatMap((start, i) => [
      sliceOf(text, source.from, start, ends[i]!),
      { text: fresh[i] ?? '', from: call.from },
    ]),
  );
}

/** Go's Expand: `$1`, `$name`, `${name}`, `$$`. */
function expand(template: string, match: Match): string {
  return template.replace(/\$(?:\$|\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+))/gu, (all, braced, bare) => {
    if (all === '$$') return '$';
    const name = (braced ?? bare) as string;
    return (/^\d+$/.test(name) ? match.group(Number(name)) : match.named(name)) ?? '';
  });
}

function split(compiled: Matcher, [pattern, text, count]: readonly Cell[], call: Call): Cell {
  const most = Number((count!.value as Int).value);
  const all = text!.value as string;
  const cells = (list: Cell[], isNil = false) => cell(new GoList(list, '[]string', isNil), call.from);
  if (most === 0) return cells([], true);
  if (pattern!.value !== '' && all === '') return cells([text!]);
  const pieces: Cell[] = [];
  let [start, end] = [0, 0];
  for (const match of matchesIn(compiled, all, most, call)) {
    if (most > 0 && pieces.length === most - 1) break;
    end = match.start;
    if (match.end !== 0) pieces.push(cutOf(text!, start, end));
    start = match.end;
  }
  if (end !== all.length) pieces.push(cutOf(text!, start, all.length));
  return cells(pieces);
}
