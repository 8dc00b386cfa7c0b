import type { CancellationToken, InlayHintParams, InlayHint as ProtocolInlayHint } from 'vscode-languageserver';
import { featuresOf } from '../features/languages/languages.ts';
import { settingsFor } from '../workspace/snapshot.ts';
import { type Context, targetOf } from './context.ts';
import { cancelled } from './guard.ts';
import { readSettled } from './reading.ts';
import { toInlayHint } from './toProtocol.ts';
import { shownResource } from './trying.ts';

/** What rules cost, and, where the user has asked for it, what their parts come to in a resource. */
export async function answerInlayHints(
  context: Context,
  { textDocument: { uri }, range }: InlayHintParams,
  token?: CancellationToken,
): Promise<ProtocolInlayHint[]> {
  await readSettled(context, uri);
  const resource = await shownResource(context, uri);
  const to = targetOf(context, uri);
  if (!to) return [];
  if (token?.isCancellationRequested) throw cancelled();
  const { snapshot } = context.session;
  const within = { start: to.positions.toOffset(range.start), end: to.positions.toOffset(range.end) };
  const { costHints, valueHints } = featuresOf(snapshot, uri);
  const costs = settingsFor(snapshot, uri).costHints ? (costHints?.(snapshot, uri, within) ?? []) : [];
  const values = resource ? (valueHints?.(snapshot, uri, within, resource) ?? []) : [];
  return [...values, ...costs].map((hint) => toInlayHint(hint, to, context.client));
}
