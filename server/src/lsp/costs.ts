import { costMap } from '../features/costMap.ts';
import type { Location } from '../features/location.ts';
import { type Context, targetOf } from './context.ts';
import type { Costs, VersionCost } from './protocol.ts';

export function answerCosts(context: Context, { uri }: Costs): VersionCost[] {
  const to = targetOf(context, uri);
  if (!to) return [];
  const placed = <One extends { readonly place: Location }>({ place, ...one }: One) => {
    return { ...one, range: to.positions.toRange(place.range) };
  };
  return costMap(context.session.snapshot, uri).map(({ fields, ...version }) => ({
    ...placed(version),
    fields: fields.map(({ expressions, ...field }) => ({ ...placed(field), expressions: expressions.map(placed) })),
  }));
}
