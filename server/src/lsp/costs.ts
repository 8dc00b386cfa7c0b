import type { CancellationToken } from 'vscode-languageserver';
import { featuresOf } from '../features/languages/languages.ts';
import type { Location } from '../features/place/location.ts';
import { type Context, targetOf } from './context.ts';
import type { Costs, VersionCost } from './protocol.ts';
import { readSettled } from './reading.ts';
import { inSteps } from './steps.ts';

export async function answerCosts(context: Context, { uri }: Costs, token?: CancellationToken): Promise<VersionCost[]> {
  await readSettled(context, uri);
  const to = targetOf(context, uri);
  if (!to) return [];
  const placed = <One extends { readonly place: Location }>({ place, ...one }: One) => {
    return { ...one, range: to.positions.toRange(place.range) };
  };
  const { session } = context;
  const isOld = () => token?.isCancellationRequested || session.documents.get(uri)?.version !== to.version;
  const costs = featuresOf(session.snapshot, uri).costs?.(session.snapshot, uri);
  const found = costs ? await inSteps(costs, isOld) : [];
  return found.map(({ fields, ...version }) => ({
    ...placed(version),
    fields: fields.map(({ expressions, ...field }) => ({ ...placed(field), expressions: expressions.map(placed) })),
  }));
}
