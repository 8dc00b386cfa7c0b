import { isList, valueAt } from '../base/value.ts';
import { printedCell } from '../kubernetes/cr/table.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { compareVersions } from '../kubernetes/versionPriority.ts';
import type { Definition } from '../workspace/definitions.ts';
import { metadataText } from '../workspace/manifest.ts';
import { rootSchema } from '../workspace/schemaNode.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import type { Placed } from './crdChanges.ts';
import { explainKind } from './explain.ts';
import { fieldDoc, kindPage } from './fieldDocs.ts';
import { untrusted } from './markdown.ts';
import { type TableRow, tableRow } from './tables.ts';

// Pages about a kind, for people who read.

/** The version that kubectl takes: only those that are served are known to it. */
export function preferredVersion({ versions, manifest }: Definition): string | undefined {
  const all = valueAt(manifest.value, ['spec', 'versions']);
  const served = (isList(all) ? all : []).flatMap((one) =>
    valueAt(one, ['served']) === true ? [valueAt(one, ['name'])] : [],
  );
  const sorted = [...versions].sort(compareVersions);
  return sorted.find((name) => served.includes(name)) ?? sorted[0];
}

/** All versions with all of their fields. */
export function documentationOf(definition: Definition, kubernetes: KubernetesVersion): string {
  const { group, kind, versions } = definition;
  const sections = [...versions].sort(compareVersions).flatMap((version) => {
    const root = rootSchema(definition, `${group}/${version}`);
    if (!root) return [];
    const doc = fieldDoc(root, { name: '', path: '', required: false }, { deep: true, kubernetes });
    return [kindPage(`## ${version}`, doc)];
  });
  const head = explainKind(definition, `${group}/${preferredVersion(definition)}`);
  return untrusted(`${[`# ${kind}`, head, ...sections].join('\n\n')}\n`);
}

/** Objects in the columns that `kubectl get -o wide` prints, a table for each version. */
export function tablesOf(snapshot: Snapshot, { kind }: Definition, resources: readonly Placed[], now: number): string {
  const rows = resources.map(({ file, manifest }) => {
    return { manifest, row: tableRow(snapshot, manifest, file.uri, now) };
  });
  const byVersion = new Map<string, TableRow[]>();
  for (const { row } of rows)
    if (typeof row !== 'string') byVersion.set(row.apiVersion, [...(byVersion.get(row.apiVersion) ?? []), row]);
  const failed = rows.flatMap(({ row, manifest }) =>
    typeof row === 'string' ? [`- ${inCell(metadataText(manifest, 'name'))}: ${inCell(row)}`] : [],
  );
  const tables = [...byVersion].map(([apiVersion, all]) => `## ${inCell(apiVersion)}\n\n${tableText(all)}`);
  const none = resources.length === 0 ? ['Nothing in the workspace is of this kind.'] : [];
  const notShown = failed.length === 0 ? [] : [`Not shown:\n\n${failed.join('\n')}`];
  return untrusted(
    `${[`# kubectl get ${inCell(kind.toLowerCase())}`, ...none, ...tables, ...notShown].join('\n\n')}\n`,
  );
}

function tableText(rows: readonly TableRow[]): string {
  const { columns } = rows[0]!.table;
  const head = ['NAMESPACE', 'NAME', ...columns.map(({ name }) => name.toUpperCase())];
  const body = rows
    .map(({ namespace, cells }) => [namespace, ...cells.map(printedCell)])
    .sort((a, b) => compare(a[0]!, b[0]!) || compare(a[1]!, b[1]!));
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...body.map(line)].join('\n');
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Text as it is, wherever it stands in a page. */
function inCell(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|~&-]/g, '\\$&');
}
