import type { Random } from '../../support/random.ts';

/** A value that is written as YAML; `Raw` is a scalar as it is written. */
export type Tree = null | boolean | number | string | Raw | readonly Tree[] | { readonly [key: string]: Tree };

export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value as YAML, in one of its styles. */
export function yamlOf(random: Random, value: Tree): string {
  if (random.chance(0.04)) return `${JSON.stringify(plain(value))}\n`;
  return block(random, value, 0);
}

/** JSON has no words of its own for scalars that are written in YAML's. */
function plain(value: Tree): unknown {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function isBlock(value: Tree): value is readonly Tree[] | { readonly [key: string]: Tree } {
  return typeof value === 'object' && value !== null && !(value instanceof Raw) && Object.keys(value).length > 0;
}

function block(random: Random, value: Tree, indent: number): string {
  const pad = ' '.repeat(indent);
  if (!isBlock(value)) return `${pad}${flow(random, value)}\n`;
  if (Array.isArray(value))
    return value.map((item: Tree) => `${pad}- ${block(random, item, indent + 2).trimStart()}`).join('');
  return Object.entries(value)
    .map(([key, item]) => `${pad}${keyText(random, key)}:${inValue(random, item, indent)}`)
    .join('');
}

function keyText(random: Random, key: string): string {
  if (key === '' || /^[\s'"&*!|>%@`[\]{},?:#-]|: |\s$/.test(key)) return JSON.stringify(key);
  return random.chance(0.03) ? JSON.stringify(key) : key;
}

function inValue(random: Random, value: Tree, indent: number): string {
  if (typeof value === 'string' && value.includes('\n') && random.chance(0.8)) return blockText(random, value, indent);
  if (!isBlock(value) || random.chance(0.06)) return ` ${flow(random, value)}\n`;
  const inner = Array.isArray(value) && random.chance(0.5) ? indent : indent + 2;
  return `\n${block(random, value, inner)}`;
}

function blockText(random: Random, text: string, indent: number): string {
  if (/^[ \n]|[ \t]\n|[ \t]$/.test(text)) return ` ${JSON.stringify(text)}\n`;
  const pad = ' '.repeat(indent + 2);
  const lines = text.split('\n');
  const ends = text.endsWith('\n');
  const body = (ends ? lines.slice(0, -1) : lines).map((line) => (line === '' ? '' : pad + line)).join('\n');
  return ` ${random.chance(0.2) ? '>' : '|'}${ends ? '' : '-'}\n${body}\n`;
}

function flow(random: Random, value: Tree): string {
  if (value === null) return random.pick(['null', '~', '', 'null']) || 'null';
  if (value instanceof Raw) return value.text;
  if (typeof value !== 'object') return typeof value === 'string' ? text(random, value) : String(value);
  if (Array.isArray(value)) return `[${value.map((item: Tree) => flow(random, item)).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${flow(random, item)}`)
    .join(', ')}}`;
}

const simple = /^[A-Za-z/][A-Za-z0-9/_.-]*$/;
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function text(random: Random, value: string): string {
  if (simple.test(value) && !words.test(value) && random.chance(0.8)) return value;
  if (!/[\n\\]/.test(value) && random.chance(0.4)) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value);
}
