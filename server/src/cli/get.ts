import { printable } from '../base/printable.ts';
import { type TableRow, tableRow } from '../features/tables.ts';
import { printedCell } from '../kubernetes/cr/table.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { withOpen } from '../workspace/snapshot.ts';
import { expandAll, namedSources, readable, readStandardInput } from './inputs.ts';
import { complain, nameOf } from './report.ts';
import { type CrdOptions, openWorkspace } from './workspace.ts';

export interface GetOptions extends CrdOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  /** Columns of lower priority too. */
  readonly wide: boolean;
}

/** Prints objects as `kubectl get` would; gives the exit code. */
export async function get({ paths, version, wide, ...crds }: GetOptions): Promise<number> {
  if (paths.length === 0) throw new Error('no files given');
  const listing = await expandAll(paths.filter((one) => one !== '-'));
  const workspace = await openWorkspace(listing, crds, { chosen: { kubernetesVersion: version.name } });
  const now = Date.now() / 1000;
  let { snapshot } = workspace;
  let unread = 0;
  const rows: TableRow[] = [];
  for await (const file of readable(sources(paths, listing.uris), () => unread++)) {
    snapshot = withOpen(await workspace.knowing(snapshot, file), file);
    for (const manifest of file.manifests) {
      if (manifest.role !== 'resource') continue;
      const row = tableRow(snapshot, manifest, file.uri, now);
      if (typeof row !== 'string') rows.push(row);
      else {
        unread++;
        complain(printable(`${nameOf(file.uri)}: ${row}`));
      }
    }
  }
  if (rows.length === 0 && unread === 0) throw new Error(`no custom resources found at ${paths.join(', ')}`);
  process.stdout.write(tablesText(rows, wide));
  return unread > 0 ? 2 : 0;
}

async function* sources(paths: readonly string[], uris: readonly string[]) {
  if (paths.includes('-')) yield await readStandardInput('stdin.yaml');
  yield* namedSources(uris);
}

/** A table for each kind, in their order; where there are several, the kind is part of the name. */
function tablesText(rows: readonly TableRow[], wide: boolean): string {
  const byKind = new Map<string, TableRow[]>();
  for (const row of rows) {
    const key = `${row.resource} ${row.apiVersion}`;
    const known = byKind.get(key);
    if (known) known.push(row);
    else byKind.set(key, [row]);
  }
  const withNamespace = new Set(rows.map(({ namespace }) => namespace)).size > 1;
  const tables = [...byKind.values()].map((some) => tableText(some, wide, byKind.size > 1, withNamespace));
  return tables.join('\n');
}

function tableText(rows: readonly TableRow[], wide: boolean, withKind: boolean, withNamespace: boolean): string {
  const { columns, unreadable } = rows[0]!.table;
  if (unreadable !== undefined)
    complain(`the API server cannot read the column ${unreadable}: it shows neither it nor those behind it`);
  const isShown = columns.map(({ priority }) => wide || priority === 0);
  const head = ['NAME', ...columns.filter((_, i) => isShown[i]).map(({ name }) => name.toUpperCase())];
  const body = rows.map(({ cells: [name, ...rest], resource, namespace }) => [
    ...(withNamespace ? [namespace] : []),
    `${withKind ? `${resource}/` : ''}${printedCell(name!)}`,
    ...rest.filter((_, i) => isShown[i]).map(printedCell),
  ]);
  return aligned([withNamespace ? ['NAMESPACE', ...head] : head, ...body]);
}

const padding = 3;
const leastWidth = 6;

/** Columns as wide as their widest cell, but for the last one, which ends the line. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => {
    const longest = rows.reduce((most, row) => Math.max(most, [...(row[i] ?? '')].length), 0);
    return Math.max(leastWidth, longest + padding);
  });
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat(widths[i]! - [...cell].length))).join('');
  return rows.map((row) => `${printable(line(row))}\n`).join('');
}
