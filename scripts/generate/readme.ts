import type { Command } from '../../server/src/cli/table/command.ts';
import type { Setting } from '../../server/src/workspace/settings.ts';

type Settings = Readonly<Record<string, Setting>>;

/** The text of the README with the table of the settings between its two marks. */
export function withSettings(text: string, settings: Settings): string {
  return between(text, 'settings', table(settings));
}

/** The same with the table of the commands. */
export function withCommands(text: string, commands: readonly Command[]): string {
  const rows = commands.map(
    ({ name, inShort }) => `| \`${name}\` | ${inShort.replace(/\]\((\w+\.md)\)/g, '](docs/$1)')} |`,
  );
  return between(text, 'commands', ['', '| command | what it does |', '|---|---|', ...rows, '', ''].join('\n'));
}

function between(text: string, what: string, table: string): string {
  const start = `<!-- ${what}: npm run gen -->\n`;
  const [from, to] = [text.indexOf(start), text.indexOf(`<!-- end of ${what} -->`)];
  if (from === -1 || to < from) throw new Error(`the README has lost the marks around the table of ${what}`);
  return `${text.slice(0, from + start.length)}${table}${text.slice(to)}`;
}

function table(settings: Settings): string {
  const rows = Object.entries(settings).map(([name, setting]) => row(name, setting));
  return ['', '| setting | default | |', '|---|---|---|', ...rows, '', ''].join('\n');
}

function row(name: string, { schema, description, restricted, scope }: Setting): string {
  const notes = [
    ...(restricted ? [' Ignored in untrusted workspaces.'] : []),
    ...(scope === 'window' ? [' Applies to all folders.'] : []),
  ];
  return `| \`kubeCrd.${name}\` | ${shown(schema.default)} | ${description}${notes.join('')}${words(schema)} |`;
}

function shown(fallback: unknown): string {
  if (typeof fallback === 'boolean') return fallback ? 'on' : 'off';
  const isEmpty = fallback === '' || JSON.stringify(fallback).length === 2;
  if (typeof fallback === 'object' && fallback !== null && !isEmpty) return 'all on';
  return isEmpty ? 'none' : `\`${String(fallback)}\``;
}

/** What each of several words means, where that is said. */
function words({ enum: names, enumDescriptions: meanings }: Setting['schema']): string {
  if (!Array.isArray(names) || !Array.isArray(meanings)) return '';
  return names.map((name, i) => `<br>\`${name}\`: ${meanings[i]}`).join('');
}
