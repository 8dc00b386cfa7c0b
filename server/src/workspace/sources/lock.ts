import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { parseStream } from '../../yaml/parse.ts';
import { valueOf } from '../../yaml/value.ts';

/** The file beside a workspace's fetched CRDs that says what they are; a user's cache has one as well. */
export const lockName = 'kube-crd.lock';

/** The folder of a workspace with the CRDs that were fetched for it. */
export const fetchedFolder = '.kube-crd';

/** Whether a file is one of the fetched CRDs of a workspace. */
export function isFetched(uri: string): boolean {
  return uri.includes(`/${fetchedFolder}/`);
}

/** Where a CRD was fetched from, so that it can be fetched from there again. */
export type FetchSource =
  | { readonly from: 'cluster'; readonly context: string }
  | { readonly from: 'chart'; readonly chart: string; readonly repository: string; readonly version: string }
  | { readonly from: 'url'; readonly url: string }
  | { readonly from: 'catalogue'; readonly url: string };

/** A CRD that was fetched: what it defines, where it is from, and what it is. */
export interface LockRow {
  readonly group: string;
  readonly kind: string;
  readonly source: FetchSource;
  /** Of its text, with `\n` at the ends of lines whatever git makes of them. */
  readonly sha256: string;
  /** It was made from the schemas of these versions, which tell less than a CRD. */
  readonly fromSchema?: readonly string[];
}

/** How a person names a source. */
export function sourceText(source: FetchSource): string {
  switch (source.from) {
    case 'cluster':
      return `cluster ${source.context}`;
    case 'chart':
      return `${source.chart} ${source.version} of ${source.repository}`;
    default:
      return source.url;
  }
}

export const kindOf = ({ group, kind }: Pick<LockRow, 'group' | 'kind'>) => `${group}/${kind}`;

/** The path of a CRD in the folder of fetched ones. Kinds of a group differ in more than their capitals. */
export function fetchedPath({ group, kind }: Pick<LockRow, 'group' | 'kind'>): string {
  return `${group}/${kind.toLowerCase()}.yaml`;
}

/** The path of a CRD in a user's cache. */
export function cachedPath({ sha256 }: Pick<LockRow, 'sha256'>): string {
  return `crds/${sha256}.yaml`;
}

const head = `# The CRDs that \`kube-crd crds fetch\` brought here, one a line. docs/crds.md of kube-crd explains it.
`;

/** One line a kind, sorted, so that git merges two that were changed apart. */
export function printLock(rows: readonly LockRow[]): string {
  const lines = [...rows].sort((a, b) => compare(kindOf(a), kindOf(b))).map((row) => `  - {${membersOf(row)}}\n`);
  return `${head}crds:${lines.length === 0 ? ' []\n' : `\n${lines.join('')}`}`;
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function membersOf(row: LockRow): string {
  const { from, ...rest } = row.source;
  const members = {
    kind: kindOf(row),
    from,
    ...rest,
    sha256: row.sha256,
    ...(row.fromSchema && { fromSchema: row.fromSchema }),
  };
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
}

/** The rows of a lock file, and what is wrong with it, one line each. */
export function parseLock(text: string): { readonly rows: readonly LockRow[]; readonly faults: readonly string[] } {
  const [first] = parseStream(text).documents;
  const root = first?.document.readerError === undefined && first ? valueOf(first.document) : undefined;
  const crds = isMap(root) ? root.get('crds') : undefined;
  if (!isList(crds)) return { rows: [], faults: ['it cannot be read'] };
  const rows = new Map<string, LockRow>();
  const faults: string[] = [];
  for (const [i, item] of crds.entries()) {
    const row = isMap(item) ? rowIn(item) : undefined;
    if (!row) faults.push(`entry ${i + 1} cannot be read`);
    else if (rows.has(kindOf(row))) faults.push(`${kindOf(row)} is in it twice`);
    else rows.set(kindOf(row), row);
  }
  return { rows: [...rows.values()], faults };
}

/** Names become paths, so that only such count as can be those of groups and kinds. */
const kindName = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)\/([A-Za-z][A-Za-z0-9]*)$/;

/** Whether a group and a kind are such as the API server takes, and may be a path. */
export function isKindName(kind: Pick<LockRow, 'group' | 'kind'>): boolean {
  return kindName.test(kindOf(kind));
}

function rowIn(item: ValueMap): LockRow | undefined {
  const source = sourceIn(item);
  const sha256 = textIn(item, 'sha256');
  const [, group, kind] = kindName.exec(textIn(item, 'kind')) ?? [];
  if (!source || group === undefined || kind === undefined || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const versions = item.get('fromSchema');
  return { group, kind, source, sha256, ...(isList(versions) && { fromSchema: versions.filter(isString) }) };
}

function sourceIn(item: ValueMap): FetchSource | undefined {
  const text = (name: string) => textIn(item, name);
  const from = text('from');
  if (from === 'cluster' && text('context') !== '') return { from, context: text('context') };
  if ((from === 'url' || from === 'catalogue') && text('url') !== '') return { from, url: text('url') };
  const chart = { chart: text('chart'), repository: text('repository'), version: text('version') };
  return from === 'chart' && !Object.values(chart).includes('') ? { from, ...chart } : undefined;
}

function textIn(item: ValueMap, name: string): string {
  const value: Value | undefined = item.get(name);
  return isString(value) ? value : '';
}

/** The hash of a text, whatever its line ends. */
export async function sha256Of(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text.replaceAll('\r\n', '\n'));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
