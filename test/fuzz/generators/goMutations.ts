import type { Random } from '../../support/random.ts';

const signs = ['*', '[]', '// ', '\n', ' ', '`', '"', ',', ';', '}', '{', '+', '=', ':', '\r\n', '\t', '//', '/* x */'];
const keywords = [
  'string',
  'int32',
  'struct',
  'map',
  'interface{}',
  'Alpha',
  'Beta',
  'json',
  'type',
  'omitempty',
  'inline',
];

/** A text with a small mistake or change of form. */
export function mutated(random: Random, text: string): string {
  const lines = text.split('\n');
  const at = random.below(lines.length);
  const line = lines[at]!;
  const change = random.pick(changes);
  return change(random, lines, at, line).join('\n');
}

type Change = (random: Random, lines: readonly string[], at: number, line: string) => readonly string[];

function replaced(lines: readonly string[], at: number, by: readonly string[]): readonly string[] {
  return [...lines.slice(0, at), ...by, ...lines.slice(at + 1)];
}

const changes: readonly Change[] = [
  (_, lines, at) => replaced(lines, at, []),
  (_, lines, at, line) => replaced(lines, at, [line, line]),
  (_, lines, at, line) => replaced(lines, at, [line, '']),
  (random, lines, at, line) =>
    replaced(lines, at, [`${line} ${random.pick(['// +nullable', '// words', '/* words */'])}`]),
  (random, lines, at, line) => swapped(lines, at, random.below(lines.length), line),
  (random, lines, at, line) => {
    // Not between the halves of a character.
    const letters = [...line];
    const column = random.below(letters.length + 1);
    const before = letters.slice(0, column).join('');
    return replaced(lines, at, [before + random.pick(signs) + line.slice(before.length)]);
  },
  (random, lines, at, line) => {
    const found = [...line.matchAll(/\w+/g)];
    if (found.length === 0) return lines;
    const word = random.pick(found);
    const [start, end] = [word.index, word.index + word[0].length];
    return replaced(lines, at, [line.slice(0, start) + random.pick(keywords) + line.slice(end)]);
  },
  (_, lines) => lines.map((line) => `${line}\r`),
];

function swapped(lines: readonly string[], a: number, b: number, line: string): readonly string[] {
  return replaced(replaced(lines, a, [lines[b]!]), b, [line]);
}
