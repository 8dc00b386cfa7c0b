import { type Command, usageOf } from '../table/command.ts';
import { type Completes, type Option, typed } from '../table/option.ts';
import { common } from '../table/shared.ts';

// What a shell offers, before it is written in its language.

export interface OfferedOption {
  /** As it is typed: `--format`, `-o`. */
  readonly names: readonly string[];
  readonly about: string;
  /** What it takes; a flag takes nothing. */
  readonly takes: string | undefined;
  readonly completes: Completes | undefined;
}

export interface OfferedCommand {
  readonly name: string;
  readonly about: string;
  readonly options: readonly OfferedOption[];
  readonly completes: Completes;
}

export function offered(commands: readonly Command[]): OfferedCommand[] {
  const help: OfferedCommand = {
    ...{ name: 'help', about: 'says what commands and their options do', options: [] },
    completes: commands.map(({ name }) => name),
  };
  return [...commands.map(offeredCommand), help];
}

function offeredCommand(command: Command): OfferedCommand {
  const { name, about, options, isLenient, completes = usageOf(command).includes('PATH') ? 'file' : [] } = command;
  const rows: [string, Option][] = Object.entries({ ...options, ...(isLenient ? { help: common.help } : common) });
  return { name, about, completes, options: rows.map(([key, option]) => offeredOption(key, option)) };
}

function offeredOption(key: string, { about, short, takes, completes }: Option): OfferedOption {
  return { names: [typed(key), ...(short === undefined ? [] : [`-${short}`])], about, takes, completes };
}

/** The words of what is offered, where it is words. */
export function wordsOf(completes: Completes | undefined): readonly string[] {
  return typeof completes === 'object' ? completes : [];
}

/** A text that a shell of Unix takes to the letter. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
