import type { Setting } from '../../server/src/workspace/settings.ts';

type Settings = Readonly<Record<string, Setting>>;

const [start, end] = ['<!-- settings: npm run gen -->\n', '<!-- end of settings -->'];

/** The text of the README with the table of the settings between its two marks. */
export function withSettings(text: string, settings: Settings): string {
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error('the README has lost the marks around the table of settings');
  return `${text.slice(0, from + start.length)}${table(settings)}${text.slice(to)}`;
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
  return isEmpty ? 'none' : `\`${String(fallback)}\``;
}

/** What each of several words means, where that is said. */
function words({ enum: names, enumDescriptions: meanings }: Setting['schema']): string {
  if (!Array.isArray(names) || !Array.isArray(meanings)) return '';
  return names.map((name, i) => `<br>\`${name}\`: ${meanings[i]}`).join('');
}
