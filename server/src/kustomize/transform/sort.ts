/** sortOptions: the order in which resources are printed. */
import { compareStrings } from '../../gostd/jsonPrint.ts';
import { fail, within } from '../failure.ts';
import { type Gvk, gvkText, orderFirst, orderLast, type ResId, rankOf, sameGvk, sortText } from '../ids.ts';
import type { SortOptions } from '../kustomization.ts';
import { ResourceSet } from '../resourceSet.ts';

export function sortResources(set: ResourceSet, { order = '', legacySortOptions }: SortOptions): void {
  if (order !== 'fifo' && order !== 'legacy') fail("the field 'sortOptions.order' must be one of [fifo, legacy]");
  if (order === 'fifo') {
    if (!legacySortOptions) return;
    fail("the field 'sortOptions.legacySortOptions' is set but the selected sort order is 'fifo', not 'legacy'");
  }
  const first = legacySortOptions ? (legacySortOptions.orderFirst ?? []) : orderFirst;
  const last = legacySortOptions ? (legacySortOptions.orderLast ?? []) : orderLast;
  const rows = set.list.map((resource) => ({ resource, id: resource.id }));
  rows.sort((a, b) => compare(a.id, b.id, first, last));
  const sorted = new ResourceSet();
  within('SortOrderTransformer: Failed to append to resources', () =>
    sorted.appendAll(rows.map(({ resource }) => resource)),
  );
  set.list = sorted.list;
  set.changed();
}

function compare(a: ResId, b: ResId, first: readonly string[], last: readonly string[]): number {
  if (!sameGvk(a, b)) return compareKinds(a, b, first, last);
  return compareStrings(idSortText(a), idSortText(b));
}

function compareKinds(a: Gvk, b: Gvk, first: readonly string[], last: readonly string[]): number {
  const ranks = rankOf(a.kind, first, last) - rankOf(b.kind, first, last);
  if (ranks !== 0) return ranks;
  const order = compareStrings(sortText(a), sortText(b));
  return a.kind === 'Namespace' && b.kind === 'Namespace' && (a.group === '' || b.group === '') ? -order : order;
}

function idSortText(id: ResId): string {
  return `${gvkText(id)}|${id.namespace || '~X'}|${id.name || '~N'}`;
}
