import { type TableRow, tableRow } from '../../features/words/tables.ts';
import { kindNow } from '../../files/folders.ts';
import { cellsOf, printedCell, tableOf } from '../../kubernetes/cr/table.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { builtinFor } from '../../workspace/builtin.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, metadataText } from '../../workspace/manifest.ts';
import { type Snapshot, withOpen } from '../../workspace/snapshot.ts';
import { programName } from '../called.ts';
import { listingAt, readable, sourcesAt } from '../inputs.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { crdOptions, format, kubernetes, oneVersion, pathsOr } from '../table/shared.ts';
import { complain, emit, linesText } from '../terminal.ts';
import { type CrdOptions, openWorkspace, repositoriesSaid } from '../workspace.ts';

interface GetOptions extends CrdOptions {
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
  /** Columns of lower priority too. */
  readonly wide: boolean;
}

/** Prints objects as `kubectl get` would; gives the exit code. */
async function get({ paths, version, wide, ...crds }: GetOptions): Promise<number> {
  const missing = paths.find((one) => /^[A-Za-z]+$/.test(one) && kindNow(one) === undefined);
  if (missing !== undefined)
    throw new Error(
      `nothing found at ${missing}: get takes files and folders, not kinds, as in ${programName()} get .`,
    );
  const listing = await listingAt(paths);
  const workspace = await openWorkspace(listing, { ...crds, paths }, { chosen: { kubernetesVersion: version.name } });
  for (const line of repositoriesSaid(workspace)) complain(line);
  const now = Date.now() / 1000;
  let { snapshot } = workspace;
  let unread = 0;
  const rows: Row[] = [];
  for await (const file of readable(sourcesAt(paths, listing), () => unread++)) {
    snapshot = withOpen(await workspace.knowing(snapshot, file), file);
    for (const manifest of file.manifests) {
      if (manifest.role !== 'resource') continue;
      const row = builtinRow(snapshot, manifest, file.uri, now) ?? tableRow(snapshot, manifest, file.uri, now);
      if (typeof row !== 'string') rows.push(row);
      else {
        unread++;
        complain(`${nameOf(file.uri)}: ${row}`);
      }
    }
  }
  if (rows.length === 0 && unread === 0) throw new Error(`no objects found at ${paths.join(', ')}`);
  for (const kind of new Set(rows.flatMap(({ ownColumns }) => ownColumns ?? [])))
    complain(`${kind}: the API server has columns of its own for it; here are name and age alone`);
  emit(tablesText(rows, wide));
  return unread > 0 ? 2 : 0;
}

interface Row extends TableRow {
  /** The kind, where the API server prints it in columns that nobody here knows. */
  readonly ownColumns?: string;
}

/** The row of an object of a built-in kind. */
function builtinRow(snapshot: Snapshot, manifest: Manifest, uri: string, now: number): Row | undefined {
  const { apiVersion, kind, value } = manifest;
  const builtin = builtinFor(snapshot, uri, manifest);
  if (!builtin || definitionsFor(snapshot.definitions, manifest, uri).length > 0) return undefined;
  const table = tableOf([]);
  return {
    resource: [kind.toLowerCase(), builtin.kind.group].filter(Boolean).join('.'),
    apiVersion,
    namespace: metadataText(manifest, 'namespace'),
    table,
    cells: cellsOf(table, value, now),
    ownColumns: `${kind} (${apiVersion})`,
  };
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
  return linesText(rows.map(line));
}

export const getCommand = command({
  name: 'get',
  about: 'prints objects as kubectl get would, in the columns of their CRD',
  inShort: 'prints objects as `kubectl get` would, in the columns of their CRD',
  takes: '[PATH]...',
  explains: `Prints objects as kubectl get would if a cluster held them as they are written: those at the paths, the folder it runs in by default; - is standard input.

The cells are those that the API server would fill. A column that leads nowhere, or to a value of another type, is empty. An object that no cluster has created yet has no age. Of built-in kinds name and age are printed.`,
  options: { format: format(['table', 'wide'], 'table'), kubernetes, ...crdOptions },
  exits: 'Exit code 0, or 2: wrong usage, or something that could not be printed.',
  examples: [
    'kube-crd get --crds config/crd config/samples',
    'kube-crd get -o wide --crds config/crd config/samples/widget.yaml',
  ],
  run: async ({ format, ...values }, paths) => {
    const version = await oneVersion(values.kubernetes, paths[0]);
    return get({ ...values, paths: pathsOr(paths), version, wide: format === 'wide' });
  },
});
