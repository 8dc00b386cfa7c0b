import { type Command, usageOf } from '../../server/src/cli/table/command.ts';
import { label } from '../../server/src/cli/table/help.ts';
import type { OptionTable } from '../../server/src/cli/table/option.ts';
import { common } from '../../server/src/cli/table/shared.ts';

/** `docs/commands.md`: every command with its options. */
export function commandsPage(commands: readonly Command[]): string {
  return `${[intro, overview(commands), ...commands.map(section)].join('\n\n')}\n`;
}

const intro = `# The command line

For people in a shell, and for scripts.

Options may come before, between and behind other arguments; \`--\` ends them. A value follows its option as the next argument or
after \`=\`. Paths are files, folders and globs, and without any the folder that the command runs in; \`-\` is standard input.

Every command takes these:

${optionRows(common)}

This page is generated from \`server/src/cli/commands\` by \`npm run gen\`.`;

function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, inShort }) => `| [\`${name}\`](#${name}) | ${inShort} |`);
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

function section(command: Command): string {
  const { name, explains, options, exits, examples } = command;
  return [
    `## ${name}`,
    fence([usageOf(command)]),
    plain(explains),
    ...(Object.keys(options).length > 0 ? [optionRows(options)] : []),
    ...(exits === undefined ? [] : [plain(exits)]),
    ...(examples.length > 0 ? [fence(examples)] : []),
  ].join('\n\n');
}

function optionRows(table: OptionTable): string {
  const rows = Object.entries(table).map(([key, option]) => `| \`${label(key, option)}\` | ${plain(option.about)} |`);
  return ['| option | |', '|---|---|', ...rows].join('\n');
}

function fence(lines: readonly string[]): string {
  return ['```sh', ...lines, '```'].join('\n');
}

/** Plain text in Markdown. */
function plain(text: string): string {
  return text.replace(/[*_|<]/g, '\\$&');
}
