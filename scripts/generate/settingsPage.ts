import type { Setting } from '../../server/src/workspace/settings.ts';
import { between } from './between.ts';

type Settings = Readonly<Record<string, Setting>>;

/** The text of the page about settings with their table between its two marks. Its links lead on from there. */
export function withSettings(text: string, settings: Settings): string {
  return between(text, 'settings', table(settings).replaceAll('](docs/', ']('));
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
