import { featuresOf } from '../features/languages/languages.ts';
import { schemaRows } from '../features/views/schemaTree.ts';
import { fileAt, kubernetesFor } from '../workspace/snapshot.ts';
import { type Context, targetOf } from './context.ts';
import { positionsOf } from './position.ts';
import type { KindAt, KindRef, SchemaRow, SchemaRows } from './protocol.ts';

// The schema of a kind, level by level.

export async function answerKindAt(context: Context, { uri, position }: KindAt): Promise<KindRef | null> {
  await context.session.loaded;
  const to = targetOf(context, uri);
  const { snapshot } = context.session;
  return (to && featuresOf(snapshot, uri).kindAt?.(snapshot, uri, to.positions.toOffset(position))) ?? null;
}

export function answerSchema({ session, client }: Context, { kind, names, filter }: SchemaRows): SchemaRow[] {
  const { snapshot } = session;
  const kubernetes = kubernetesFor(snapshot, kind.uri);
  const { toRange } = positionsOf(fileAt(snapshot, kind.uri)?.text ?? '', client.encoding);
  return schemaRows(snapshot, kind, names, { filter, kubernetes }).map(({ place, ...row }) => {
    return { ...row, ...(place && { uri: place.uri, range: toRange(place.range) }) };
  });
}
