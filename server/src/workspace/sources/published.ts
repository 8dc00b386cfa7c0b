import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import type { WantedKind } from '../kinds.ts';
import { jsonObject } from './json.ts';

// Where the CRDs of well-known groups are published: server/data/crdSources.json.gz, which npm run crd-sources makes.

/**
 * A catalogue of JSON schemas that everybody may read: a choice where CRDs are fetched from, asked for nothing before a user
 * takes it.
 */
export const publicCatalogue = 'https://raw.githubusercontent.com/datreeio/CRDs-catalog/main';

/** Where the CRDs of a group are published. */
export interface Published {
  /** `*.example.com` stands for all groups that end so. */
  readonly group: string;
  /** Where several repositories share the group. */
  readonly kinds?: readonly string[];
  /** On GitHub, with the folder that its CRDs are in. */
  readonly repository: string;
  readonly folder: string;
  readonly module?: string;
  readonly chart?: string;
  readonly chartRepository?: string;
}

/** The rows by their groups. */
export type PublishedTable = ReadonlyMap<string, readonly Published[]>;

/** The table, of its JSON. */
export function publishedTable(json: string): PublishedTable {
  const table = new Map<string, Published[]>();
  const rows = jsonObject(json)?.get('groups');
  for (const row of isList(rows) ? rows.filter(isMap).map(rowOf) : [])
    table.set(row.group, [...(table.get(row.group) ?? []), row]);
  return table;
}

function rowOf(row: ValueMap): Published {
  const text = (value: Value | undefined) => (isString(value) ? value : '');
  const [module, chart, chartRepository] = ['module', 'chart', 'chartRepository'].map((name) => text(row.get(name)));
  const kinds = row.get('kinds');
  return {
    group: text(row.get('group')),
    repository: text(row.get('repository')),
    folder: text(row.get('folder')),
    ...(isList(kinds) && { kinds: kinds.filter(isString) }),
    ...(module && { module }),
    ...(chart && chartRepository && { chart, chartRepository }),
  };
}

/** Where a kind's CRD is published, as far as that is known. */
export function publishedOf(table: PublishedTable, { group, kind }: Pick<WantedKind, 'group' | 'kind'>) {
  const rows = table.get(group) ?? table.get(`*${group.slice(group.indexOf('.'))}`) ?? [];
  return rows.find(({ kinds }) => kinds === undefined || kinds.includes(kind));
}

/** A sentence on where a CRD can be had. */
export function publishedText({ chart, chartRepository, repository, folder }: Published): string {
  return chart === undefined
    ? `Its CRD is in ${folder} of github.com/${repository}.`
    : `Its CRD comes with the chart ${chart} of ${chartRepository}.`;
}
