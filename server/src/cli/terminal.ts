import { printable } from '../base/printable.ts';
import { programName } from './called.ts';

// The one place where text leaves for a terminal or a log: what came from files, servers and programs can neither move the
// cursor nor begin a line there. `test/architecture/terminal.test.ts` finds the next way around it.

/** A part of a line in a color, by its number; `1` is bold, `2` faint. */
export interface Painted {
  readonly color: string;
  readonly text: string;
}

export type Line = string | readonly (string | Painted)[];

/** Lines for people: each is one, whatever is in it. */
export function linesText(lines: readonly Line[], colored = false): string {
  return lines.map((line) => `${lineText(line, colored)}\n`).join('');
}

function lineText(line: Line, colored: boolean): string {
  const parts = typeof line === 'string' ? [line] : line;
  return parts
    .map((part) => {
      if (typeof part === 'string') return printable(part);
      return colored ? `\u001b[${part.color}m${printable(part.text)}\u001b[0m` : printable(part.text);
    })
    .join('');
}

export const colorModes = ['auto', 'always', 'never'] as const;

let colors: (typeof colorModes)[number] = 'auto';

/** Says when there are colors, as `--color` has it. */
export function colored(when: (typeof colorModes)[number]): void {
  colors = when;
}

/** Whether people look on, and want colors. */
export function isColored(): boolean {
  if (colors !== 'auto') return colors === 'always';
  if (kept) return false;
  const { FORCE_COLOR: forced, NO_COLOR: none } = process.env;
  if (forced) return forced !== '0' && forced !== 'false';
  return !none && obeys(process.stdout);
}

/** Whether a stream leads to a terminal that knows more than lines. */
function obeys({ isTTY }: NodeJS.WriteStream): boolean {
  return isTTY === true && process.env.TERM !== 'dumb';
}

/** What was printed, where it is kept for a file. */
let kept: string[] | undefined;

/** From here on nothing is printed; gives what tells what would have been. */
export function keptOutput(): () => string {
  const all: string[] = [];
  kept = all;
  return () => all.join('');
}

export const isKept = () => kept !== undefined;

/** What was printed, and what beside it, in that order. */
export type Printed = readonly (readonly [where: 'output' | 'beside', text: string])[];

let copy: ((where: 'output' | 'beside', text: string) => void) | undefined;

/** From here on what is printed is also kept; the function gives it, and ends that. Undefined where it is too much. */
export function copiedOutput(mostCharacters: number): () => Printed | undefined {
  const all: [where: 'output' | 'beside', text: string][] = [];
  let room = mostCharacters;
  copy = (where, text) => {
    room -= text.length;
    if (room >= 0) all.push([where, text]);
    else all.length = 0;
  };
  return () => {
    copy = undefined;
    return room >= 0 ? all : undefined;
  };
}

/** Prints it as it was printed. */
export function printAgain(printed: Printed): void {
  for (const [where, text] of printed) (where === 'output' ? emit : emitBeside)(text);
}

/** From here on what anything prints for whoever debugs it goes beside the output, which others read. */
export function printBeside(): void {
  for (const name of ['debug', 'dir', 'info', 'log'] as const) console[name] = console.error;
}

/** Prints lines for people. */
export function print(...lines: readonly string[]): void {
  emit(linesText(lines));
}

/**
 * Prints what has a grammar of its own: YAML, JSON, Markdown, or lines made by `linesText`. A program that reads it gets it
 * to the letter; a terminal gets no control character but those of our own colors.
 */
export function emit(text: string): void {
  copy?.('output', text);
  if (kept) kept.push(text);
  else process.stdout.write(process.stdout.isTTY ? harmless(text) : text);
}

/** The same beside the output. */
export function emitBeside(text: string): void {
  copy?.('beside', text);
  process.stderr.write(process.stderr.isTTY ? harmless(text) : text);
}

export function harmless(text: string): string {
  return text
    .split(/(\n|\u001b\[(?:0|1|2|31|33|36)m)/)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('');
}

/** What is said beside the output, on one line. */
export function complain(text: string): void {
  emitBeside(linesText([`${programName()}: ${text}`]));
}

/** What went wrong, where that may take several lines: all but the first are indented, so that none looks like ours. */
export function complainOf(error: unknown): void {
  const [first = '', ...more] = (error instanceof Error ? error.message : String(error)).split('\n');
  process.stderr.write(linesText([`${programName()}: ${first}`, ...more.map((line) => `  ${line}`)]));
}

/** What JSON leaves as it is, and a terminal may obey. */
const obeyed = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** JSON, with what a terminal would obey written as an escape: the values stay the same. */
export function json(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(obeyed, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Shows how far a run is, on a line that is written over; nothing takes it away. Logs get none. */
export function status(text?: string): void {
  if (obeys(process.stderr)) process.stderr.write(`\r\u001b[K${printable(text ?? '')}`);
}

export function clearScreen(): void {
  if (obeys(process.stdout)) process.stdout.write('\u001bc');
}

/** Where what is typed at a prompt is shown; undefined where nobody types. */
export function promptOutput(): NodeJS.WriteStream | undefined {
  return !kept && process.stdin.isTTY === true && process.stdout.isTTY === true ? process.stdout : undefined;
}
