import type { Range } from '../../base/text.ts';
import type { RulePlace } from '../../workspace/rulePlace.ts';
import { nearestNames } from '../fixing/nearest.ts';

/** Another text for a part of an expression. */
export interface Rewrite extends Range {
  readonly title: string;
  readonly text: string;
  /** It may not be what was meant. */
  readonly guess?: true;
}

/** Longer expressions get no help: what is looked for in them takes more than linear time. */
const longest = 5000;

/** What people write who think in another language, or leave out. Most of it is nonsense for most expressions. */
export function slips(place: RulePlace): Rewrite[] {
  const { value } = place.map;
  if (value.length > longest) return [];
  if (place.compiled.syntax.length > 0) return [...operators(value), ...parentheses(value), ...closedText(value)];
  return [...literals(value), ...functions(place)];
}

/** Operators of other languages, with what CEL has for them. */
const foreign: readonly (readonly [pattern: RegExp, cel: string])[] = [
  [/(?<![=!<>])=(?!=)/g, '=='],
  [/===/g, '=='],
  [/!==/g, '!='],
  [/<>/g, '!='],
  [/(?<=\s)and(?=\s)/gi, '&&'],
  [/(?<=\s)or(?=\s)/gi, '||'],
  [/(?<!&)&(?!&)/g, '&&'],
  [/(?<!\|)\|(?!\|)/g, '||'],
  [/\bnot\s+/gi, '!'],
];

/** All of one operator at once, for one of several seldom makes a difference; what is in quotes stays. */
function operators(value: string): Rewrite[] {
  return foreign.flatMap(([pattern, cel]) => {
    const found = outsideQuotes(value).match(pattern)?.[0].trim();
    if (found === undefined) return [];
    const text = replacedOutside(value, pattern, cel);
    return [{ title: `Write \`${cel}\` for \`${found}\``, text, start: 0, end: value.length }];
  });
}

const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

const outsideQuotes = (value: string) => value.replace(quoted, (text) => ' '.repeat(text.length));

function replacedOutside(value: string, pattern: RegExp, cel: string): string {
  const bare = outsideQuotes(value);
  let text = '';
  let from = 0;
  for (const match of bare.matchAll(pattern)) {
    text += value.slice(from, match.index) + cel;
    from = match.index + match[0].length;
  }
  return text + value.slice(from);
}

const closers: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** What is open at the end is closed; what closes nothing is taken away. */
function parentheses(value: string): Rewrite[] {
  const open: string[] = [];
  for (const [at, char] of [...outsideQuotes(value)].entries()) {
    const closer = closers.get(char);
    if (closer) open.push(closer);
    else if (open.at(-1) === char) open.pop();
    else if (/[)\]}]/.test(char))
      return [{ title: `Remove the \`${char}\``, text: '', start: at, end: at + 1, guess: true }];
  }
  const end = value.trimEnd().length;
  const text = open.reverse().join('');
  if (text === '') return [];
  const first = /^\S*?\(\S+/.exec(value.slice(value.lastIndexOf('(')))?.[0].length;
  const inner = first === undefined ? end : value.lastIndexOf('(') + first;
  const places = [...new Set([end, ...(text.length === 1 ? [inner] : [])])];
  return places.map((at) => {
    const where = at === end ? 'at the end' : `after \`${value.slice(0, at).split(/\s/).at(-1)}\``;
    return { title: `Add \`${text}\` ${where}`, text, start: at, end: at, guess: true };
  });
}

function closedText(value: string): Rewrite[] {
  const [open] = /["']/.exec(value.replace(quoted, '')) ?? [];
  const end = value.trimEnd().length;
  return open === undefined ? [] : [{ title: `Add \`${open}\` at the end`, text: open, start: end, end, guess: true }];
}

/** A number for a text, a text for a number, or a number of the other kind. */
function literals(value: string): Rewrite[] {
  const texts = [...value.matchAll(/(["'])(-?\d+(?:\.\d+)?|true|false)\1/g)].map((match) => {
    const bare = match[2]!;
    return {
      title: `Write \`${bare}\` without quotes`,
      text: bare,
      start: match.index,
      end: match.index + match[0].length,
    };
  });
  const bare = outsideQuotes(value);
  const numbers = [...bare.matchAll(/(?<![\w.])(\d+)(\.0+)?(?![\w.])/g)].flatMap((match) => {
    const [whole, digits, fraction] = match;
    const range = { start: match.index, end: match.index + whole.length };
    const other = fraction === undefined ? `${digits}.0` : digits!;
    return [
      { ...range, title: `Write \`${other}\` for \`${whole}\``, text: other },
      { ...range, title: `Put \`${whole}\` in quotes`, text: `'${whole}'` },
    ];
  });
  return [...texts, ...numbers];
}

/** What other languages call functions that CEL has under another name. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ['length', 'size'],
  ['len', 'size'],
  ['count', 'size'],
  ['includes', 'contains'],
  ['has', 'contains'],
  ['startswith', 'startsWith'],
  ['endswith', 'endsWith'],
  ['match', 'matches'],
  ['test', 'matches'],
  ['any', 'exists'],
  ['some', 'exists'],
  ['every', 'all'],
  ['tolower', 'lowerAscii'],
  ['toupper', 'upperAscii'],
]);

/** Methods of nearly that name, and fields that are methods. */
function functions({ map: { value }, schemaEnv }: RulePlace): Rewrite[] {
  const known = [...schemaEnv.env.functions.keys()].filter((name) => /^[A-Za-z]\w*$/.test(name));
  const { macros } = schemaEnv.env.syntax;
  const methods = [...macros.keys()].filter((name) => macros.get(name)!.some(({ receiver }) => receiver));
  return [...outsideQuotes(value).matchAll(/\.([A-Za-z]\w*)(\s*\()?/g)].flatMap((match): Rewrite[] => {
    const [, name, call] = match;
    const start = match.index + 1;
    const range = { start, end: start + name!.length };
    const meant = foreignNames.get(name!.toLowerCase());
    const others =
      known.includes(name!) || call === undefined ? [] : nearestNames(name!, [...new Set([...known, ...methods])]);
    const names = [...new Set([...(meant === undefined ? [] : [meant]), ...others])];
    return names.map((one) => {
      const text = call === undefined ? `${one}()` : one;
      return { ...range, title: `Change to \`${text}\``, text };
    });
  });
}
