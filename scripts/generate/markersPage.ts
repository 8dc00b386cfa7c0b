import type { MarkerDefinition } from '../../server/src/controllergen/markers/model.ts';
import { isAnonymous } from '../../server/src/controllergen/markers/read.ts';
import { allMarkers } from '../../server/src/controllergen/markers/table.ts';

const intro = `# Markers

For people who write Go types from which CRDs are generated.

The markers of controller-gen that kube-crd completes, explains and checks in Go files: see [go.md](go.md). All of those
that begin with \`kubebuilder:validation:\` and are for types and fields also exist as \`kubebuilder:validation:items:\`,
for what is in a list.

This page is generated from \`server/src/controllergen/markers/table\` by \`npm run gen\`.`;

/** The page that lists all markers, in Markdown. */
export function markersPage(): string {
  const shown = allMarkers.filter(({ name, isRefused }) => !name.includes(':items:') && !isRefused);
  const sections = [
    ['In CRDs', shown.filter(({ reader }) => reader === 'crd')],
    ['For other generators', shown.filter(({ reader }) => reader !== 'crd')],
  ] as const;
  return `${[intro, ...sections.map(([title, rows]) => `## ${title}\n\n${table(rows)}`)].join('\n\n')}\n`;
}

function table(rows: readonly MarkerDefinition[]): string {
  const sorted = [...rows].sort((a, b) => (a.name < b.name ? -1 : 1));
  return ['| marker | for | becomes | since | what |', '|---|---|---|---|---|', ...sorted.map(line)].join('\n');
}

function line(row: MarkerDefinition): string {
  const { targets, becomes, since = '', doc, instead } = row;
  const what = instead === undefined ? doc : `${doc} Write \`+${instead}\` instead.`;
  const cells = [written(row), targets.join(', '), becomes, since, what];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The marker with its arguments, the optional ones in brackets. */
function written(row: MarkerDefinition): string {
  const names = row.arguments.map(({ name, optional }) => (optional ? `[${name}]` : name));
  const behind = isAnonymous(row) ? '=…' : names.length > 0 ? `:${names.join(',')}` : '';
  return `\`+${row.name}${behind}\``;
}
