import { type Command, usageOf } from '../../server/src/cli/table/command.ts';
import { label } from '../../server/src/cli/table/help.ts';
import type { OptionTable } from '../../server/src/cli/table/option.ts';
import { common } from '../../server/src/cli/table/shared.ts';

/** `docs/kube-crd.1`: what `man kube-crd` shows. */
export function manPage(commands: readonly Command[]): string {
  return `${[
    '.TH KUBE\\-CRD 1 "" kube\\-crd',
    '.SH NAME',
    'kube\\-crd \\- checks CRDs and custom resources as the Kubernetes API server would',
    '.SH SYNOPSIS',
    '.B kube\\-crd',
    '.I COMMAND',
    roff('[OPTIONS] [ARGUMENTS]'),
    '.SH OPTIONS',
    'Every command takes these:',
    ...optionLines(common),
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH SEE ALSO',
    '.BR kubectl (1)',
  ].join('\n')}\n`;
}

function section(command: Command): string[] {
  const { explains, options, exits, examples } = command;
  return [
    `.SS ${roff(usageOf(command))}`,
    ...paragraphs(explains),
    ...optionLines(options),
    ...(exits === undefined ? [] : ['.PP', ...paragraphs(exits)]),
    ...(examples.length === 0 ? [] : ['.PP', '.nf', ...examples.map(roff), '.fi']),
  ];
}

function paragraphs(text: string): string[] {
  return text.split('\n').map((line) => (line === '' ? '.PP' : roff(line)));
}

function optionLines(table: OptionTable): string[] {
  return Object.entries(table).flatMap(([key, option]) => [
    '.TP',
    `.B ${roff(label(key, option))}`,
    roff(option.about),
  ]);
}

/** A line of text: a dash is the character of the keyboard, and nothing in it is a request. */
function roff(line: string): string {
  return line.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
