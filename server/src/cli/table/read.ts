import { meant, type Option, type OptionTable, typed, type ValuesOf } from './option.ts';

/** What was typed after a command. */
export interface Typed<Table extends OptionTable> {
  readonly values: ValuesOf<Table>;
  /** What belongs to no option. */
  readonly rest: readonly string[];
}

/** Reads what follows a command. Whatever is wrong with it is an error that says what is. */
export function readArguments<Table extends OptionTable>(table: Table, args: readonly string[]): Typed<Table> {
  const given = new Map<string, string[]>();
  const rest: string[] = [];
  const left = [...args].reverse();
  for (let arg = left.pop(); arg !== undefined; arg = left.pop()) {
    if (arg === '--') return { values: valuesOf(table, given), rest: [...rest, ...left.reverse()] };
    if (!isOption(arg)) rest.push(arg);
    else {
      const [key, value] = optionIn(table, arg, left);
      given.set(key, [...(given.get(key) ?? []), value]);
    }
  }
  return { values: valuesOf(table, given), rest };
}

/** A lone dash is standard input. */
const isOption = (arg: string) => arg.startsWith('-') && arg !== '-';

/** The option that an argument names, with its value, which may be the next argument. */
function optionIn(table: OptionTable, arg: string, left: string[]): readonly [key: string, value: string] {
  const { name, inline } = split(arg);
  const found = Object.entries(table).find(([key, { short }]) => name === typed(key) || name === `-${short}`);
  if (!found) throw new Error(unknownOption(table, name));
  const [key, { takes }] = found;
  if (takes === undefined) {
    if (inline !== undefined) throw new Error(`${name} takes no value`);
    return [key, ''];
  }
  if (inline !== undefined) return [key, inline];
  const next = left.pop();
  if (next === undefined) throw new Error(`${name} takes a value: ${name} ${takes}`);
  if (isOption(next) && isKnown(table, next))
    throw new Error(`${name} takes a value, and ${next} is an option: ${name} ${takes}`);
  return [key, next];
}

/** `--name=value`, `-nvalue` or `-n=value`. */
function split(arg: string): { readonly name: string; readonly inline: string | undefined } {
  const at = arg.startsWith('--') ? arg.indexOf('=') : 2;
  const name = at === -1 ? arg : arg.slice(0, at);
  const inline = name === arg ? undefined : arg.slice(arg[at] === '=' ? at + 1 : at);
  return { name, inline };
}

function isKnown(table: OptionTable, arg: string): boolean {
  const { name } = split(arg);
  return Object.entries(table).some(([key, { short }]) => name === typed(key) || name === `-${short}`);
}

function unknownOption(table: OptionTable, name: string): string {
  if (/^-\d|^-[^a-zA-Z-]/.test(name)) return `there is no option ${name}; -- goes before what begins with a dash`;
  return `there is no option ${name}${meant(name, Object.keys(table).map(typed))}`;
}

function valuesOf<Table extends OptionTable>(table: Table, given: ReadonlyMap<string, readonly string[]>) {
  const rows = Object.entries<Option>(table).map(([key, option]) => [
    key,
    option.read(given.get(key) ?? [], typed(key)),
  ]);
  return Object.fromEntries(rows) as ValuesOf<Table>;
}
