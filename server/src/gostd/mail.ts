import { isIp } from './ip.ts';

interface Reader {
  rest: string;
}

const vchar = '!-~\\u0080-\\u{10ffff}';
/** The same without what has to be escaped in quotes. */
const quotable = '!#-\\[\\]-~\\u0080-\\u{10ffff}';
const atom = new RegExp(`^(?:(?![()<>[\\]:;@\\\\,"])[${vchar}])+`, 'u');
const quotedString = new RegExp(`^"((?:\\\\[${vchar} \\t]|[${quotable} \\t])*)"`, 'u');
const domainLiteral = new RegExp(`^\\[((?:(?![[\\]\\\\])[${vchar}])*)\\]`, 'u');

function take(reader: Reader, pattern: RegExp): string | undefined {
  const found = pattern.exec(reader.rest);
  if (!found) return undefined;
  reader.rest = reader.rest.slice(found[0].length);
  return found[1] ?? found[0];
}

function consume(reader: Reader, character: string): boolean {
  if (!reader.rest.startsWith(character)) return false;
  reader.rest = reader.rest.slice(1);
  return true;
}

function skipSpace(reader: Reader): void {
  take(reader, /^[ \t]*/);
}

/** A parenthesis is open: reads to the one that closes it. */
function comment(reader: Reader): boolean {
  let depth = 1;
  while (depth > 0 && reader.rest !== '') {
    const part = take(reader, /^(?:\\[\s\S]|[\s\S])/)!;
    if (part === '(') depth++;
    if (part === ')') depth--;
  }
  return depth === 0;
}

function skipComments(reader: Reader): boolean {
  skipSpace(reader);
  while (consume(reader, '(')) {
    if (!comment(reader)) return false;
    skipSpace(reader);
  }
  return true;
}

function dotAtom(reader: Reader): string | undefined {
  const found = take(reader, atom);
  if (found === undefined || /^\.|\.\.|\.$/.test(found)) return undefined;
  return found;
}

function domain(reader: Reader): boolean {
  skipSpace(reader);
  if (!reader.rest.startsWith('[')) return dotAtom(reader) !== undefined;
  const literal = take(reader, domainLiteral);
  return literal !== undefined && isIp(literal);
}

/** Leaves the reader where it was unless an address was read. */
function addressSpec(reader: Reader): boolean {
  const start = reader.rest;
  skipSpace(reader);
  const local = reader.rest.startsWith('"') ? take(reader, quotedString) : dotAtom(reader);
  if (local && consume(reader, '@') && domain(reader)) return true;
  reader.rest = start;
  return false;
}

function phrase(reader: Reader): boolean {
  for (let words = 0; ; words++) {
    if (words > 0 && !skipComments(reader)) return false;
    skipSpace(reader);
    if (reader.rest === '') return true;
    const word = take(reader, reader.rest.startsWith('"') ? quotedString : atom);
    if (word === undefined) return words > 0;
  }
}

/** How many addresses there are, one or a group of them; undefined where there is none. */
function addresses(reader: Reader, groups: boolean): number | undefined {
  skipSpace(reader);
  if (reader.rest === '') return undefined;
  if (addressSpec(reader)) {
    skipSpace(reader);
    return consume(reader, '(') && !comment(reader) ? undefined : 1;
  }
  if (!reader.rest.startsWith('<') && !phrase(reader)) return undefined;
  skipSpace(reader);
  if (groups && consume(reader, ':')) return group(reader);
  return consume(reader, '<') && addressSpec(reader) && consume(reader, '>') ? 1 : undefined;
}

function group(reader: Reader): number | undefined {
  skipSpace(reader);
  if (consume(reader, ';')) return skipComments(reader) ? 0 : undefined;
  for (let count = 1; ; count++) {
    if (addresses(reader, false) === undefined || !skipComments(reader)) return undefined;
    if (consume(reader, ';')) return skipComments(reader) ? count : undefined;
    if (!consume(reader, ',')) return undefined;
  }
}

/** Whether Go's mail.ParseAddress takes a text for exactly one address. */
export function isMailAddress(text: string): boolean {
  const reader = { rest: text };
  return addresses(reader, true) === 1 && skipComments(reader) && reader.rest === '';
}
