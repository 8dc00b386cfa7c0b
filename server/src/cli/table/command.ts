import type { Completes, OptionTable, ValuesOf } from './option.ts';

/** A command: what it is for, how it is called, and what it does. */
export interface Command<Table extends OptionTable = OptionTable> {
  readonly name: string;
  /** What it is for, in one line. */
  readonly about: string;
  /** The same with what else is worth knowing before it is tried, in Markdown. */
  readonly inShort: string;
  /** What it takes beside options, such as `[PATH]...`. */
  readonly takes: string;
  readonly explains: string;
  readonly options: Table;
  /** What its exit codes say, where there is more to say than that 2 is wrong usage. */
  readonly exits?: string;
  readonly examples: readonly string[];
  /** What a shell offers for its arguments; files where it is not given. */
  readonly completes?: Completes;
  /** Whoever starts it may add options that it does not know. */
  readonly isLenient?: true;
  /** Gives the exit code, or undefined where the program goes on running. */
  run(values: ValuesOf<Table>, args: readonly string[]): Promise<number | undefined> | number | undefined;
}

/** A command whose values are typed by its own options. */
export function command<Table extends OptionTable>(one: Command<Table>): Command {
  return one;
}

/** How a command is called. */
export function usageOf({ name, takes, options }: Command): string {
  return ['kube-crd', name, ...(Object.keys(options).length > 0 ? ['[OPTIONS]'] : []), takes].filter(Boolean).join(' ');
}
