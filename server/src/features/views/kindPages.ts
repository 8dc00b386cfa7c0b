import { isList, isString, type Value, valueAt } from '../../base/value.ts';
import { printedCell } from '../../kubernetes/cr/table.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { metadataText } from '../../workspace/manifest.ts';
import { rootSchema } from '../../workspace/schemaNode.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { explainKind } from '../words/explain.ts';
import { blocks, code, joined, list, type Markdown, md, own, table, text } from '../words/markdown.ts';
import { type TableRow, tableRow } from '../words/tables.ts';
import type { Placed } from './crdChanges.ts';
import { fieldDoc, kindPage } from './fieldDocs.ts';

// Pages about a kind, for people who read.

/** The version that kubectl takes: only those that are served are known to it. */
export function preferredVersion({ manifest }: Definition): string | undefined {
  const versions = versionsOf(manifest.value);
  return (versions.find(({ served }) => served) ?? versions[0])?.name;
}

/** A lone schema says nothing of versions. */
export function onlySchema(kind: string): string {
  return `Only a schema of ${kind} is known, not its CRD: which versions are served, stored and converted is not known.`;
}

/** The versions in the order of their priority, and which of them is meant where none is named. */
export function versionsPage({ kind, group, manifest, file }: Definition): Markdown {
  const title = md`# Versions of ${kind}`;
  if (file.origin?.fromSchema) return md`${blocks(title, text(onlySchema(kind)))}\n`;
  const versions = versionsOf(manifest.value);
  const strategy = valueAt(manifest.value, ['spec', 'conversion', 'strategy']);
  const [preferred] = versions.filter(({ served }) => served);
  const stored = versions.find((one) => one.stored);
  const mark = (is: boolean) => (is ? 'yes' : 'no');
  const rows = versions.map(({ name, served, stored: isStored, deprecated, warning }, i) => {
    const why = `${stabilityOf(name)}${deprecated && warning !== '' ? `; warns: ${warning}` : ''}`;
    return [`${i + 1}`, name, mark(served), mark(isStored), mark(deprecated), why].map(text);
  });
  const plural = valueAt(manifest.value, ['spec', 'names', 'plural']);
  const get = `kubectl get ${isString(plural) ? plural : kind.toLowerCase()}.${group}`;
  const picked = preferred
    ? md`${code(get)} asks for **${preferred.name}**: of the versions that are served it is the first in this order.`
    : md`No version is served, so ${code(get)} finds nothing.`;
  const others = versions.filter(({ served, name }) => served && name !== preferred?.name);
  const named =
    others.length === 0
      ? []
      : [
          md`Another one has to be named: ${joined(
            others.map(({ name }) => code(get.replace(group, `${name}.${group}`))),
            ', ',
          )}.`,
        ];
  const inStore = stored
    ? [md`Whatever version a resource is written in, it is stored as **${stored.name}**.`]
    : [own('No version is marked as the one that is stored.')];
  const head = ['', 'version', 'served', 'stored', 'deprecated', 'why it stands here'];
  const conversion = own(conversions[strategy === 'Webhook' ? 'Webhook' : 'None']);
  return md`${blocks(title, table(head, rows), own(order), picked, ...named, ...inStore, conversion)}\n`;
}

const order =
  'Kubernetes sorts versions by stability, not by age: `v2`, `v1`, then betas such as `v2beta1`, then alphas; of each the higher number comes first, and names of any other form come last, by the alphabet.';

const conversions = {
  None: 'Conversion: **None**. Between versions only `apiVersion` changes; what the schema of a version does not know is dropped. *Show this resource as another version* shows what that takes away.',
  Webhook:
    'Conversion: **Webhook**. A program in the cluster decides what becomes of a resource in another version; nobody can tell from here.',
};

function stabilityOf(name: string): string {
  const word = /^v\d+(?:(alpha|beta)\d+)?$/.exec(name);
  return word ? (word[1] ?? 'stable') : 'a name that Kubernetes cannot rank';
}

/** A version as its CRD has it. */
export interface VersionOf {
  readonly name: string;
  readonly served: boolean;
  readonly stored: boolean;
  readonly deprecated: boolean;
  readonly warning: string;
}

/** The versions of a CRD in the order of their priority. */
export function versionsOf(crd: Value): VersionOf[] {
  const all = valueAt(crd, ['spec', 'versions']);
  const versions = (isList(all) ? all : []).flatMap((one) => {
    const [name, warning] = [valueAt(one, ['name']), valueAt(one, ['deprecationWarning'])];
    const is = (key: string) => valueAt(one, [key]) === true;
    const flags = { served: is('served'), stored: is('storage'), deprecated: is('deprecated') };
    return isString(name) ? [{ name, ...flags, warning: isString(warning) ? warning : '' }] : [];
  });
  return versions.sort((a, b) => compareVersions(a.name, b.name));
}

/** All versions with all of their fields. */
export function documentationOf(definition: Definition, kubernetes: KubernetesVersion): Markdown {
  const { group, kind, versions } = definition;
  const sections = [...versions].sort(compareVersions).flatMap((version) => {
    const root = rootSchema(definition, `${group}/${version}`);
    if (!root) return [];
    const doc = fieldDoc(root, { name: '', path: '', required: false }, { deep: true, kubernetes });
    return [kindPage(md`## ${version}`, doc)];
  });
  const head = explainKind(definition, `${group}/${preferredVersion(definition)}`);
  return md`${blocks(md`# ${kind}`, head, ...sections)}\n`;
}

/** Objects in the columns that `kubectl get -o wide` prints, a table for each version. */
export function tablesOf(
  snapshot: Snapshot,
  { kind }: Definition,
  resources: readonly Placed[],
  now: number,
): Markdown {
  const rows = resources.map(({ file, manifest }) => {
    return { manifest, row: tableRow(snapshot, manifest, file.uri, now) };
  });
  const byVersion = new Map<string, TableRow[]>();
  for (const { row } of rows)
    if (typeof row !== 'string') byVersion.set(row.apiVersion, [...(byVersion.get(row.apiVersion) ?? []), row]);
  const failed = rows.flatMap(({ row, manifest }) =>
    typeof row === 'string' ? [md`${metadataText(manifest, 'name')}: ${row}`] : [],
  );
  const tables = [...byVersion].map(([apiVersion, all]) => blocks(md`## ${apiVersion}`, tableText(all)));
  const none = resources.length === 0 ? [own('Nothing in the workspace is of this kind.')] : [];
  const notShown = failed.length === 0 ? [] : [own('Not shown:'), list(failed)];
  return md`${blocks(md`# kubectl get ${kind.toLowerCase()}`, ...none, ...tables, ...notShown)}\n`;
}

function tableText(rows: readonly TableRow[]): Markdown {
  const { columns } = rows[0]!.table;
  const head = ['NAMESPACE', 'NAME', ...columns.map(({ name }) => name.toUpperCase())];
  const body = rows
    .map(({ namespace, cells }) => [namespace, ...cells.map(printedCell)])
    .sort((a, b) => compare(a[0]!, b[0]!) || compare(a[1]!, b[1]!));
  return table(
    head,
    body.map((row) => row.map(text)),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
