import type { CancellationToken, InlayHintParams, InlayHint as ProtocolInlayHint, Range } from 'vscode-languageserver';
import { hintsGo } from '../features/golang/inRules.ts';
import type { GoView } from '../features/golang/view.ts';
import { inlayHints } from '../features/inlayHints.ts';
import { valueHints } from '../features/trying/valueHints.ts';
import { settingsFor } from '../workspace/snapshot.ts';
import { type Context, targetOf } from './context.ts';
import { goView } from './golang.ts';
import { cancelled } from './guard.ts';
import { toInlayHint } from './toProtocol.ts';
import { shownResource } from './trying.ts';

/** What rules cost, and, where the user has asked for it, what their parts come to in a resource. */
export async function answerInlayHints(
  context: Context,
  { textDocument: { uri }, range }: InlayHintParams,
  token?: CancellationToken,
): Promise<ProtocolInlayHint[]> {
  const view = goView(context, uri);
  if (view) return goHints(context, view, range);
  const resource = await shownResource(context, uri);
  const to = targetOf(context, uri);
  if (!to) return [];
  if (token?.isCancellationRequested) throw cancelled();
  const { snapshot } = context.session;
  const within = { start: to.positions.toOffset(range.start), end: to.positions.toOffset(range.end) };
  const costs = settingsFor(snapshot, uri).costHints ? inlayHints(snapshot, uri, within) : [];
  const values = resource ? valueHints(snapshot, uri, within, resource) : [];
  return [...values, ...costs].map((hint) => toInlayHint(hint, to, context.client));
}

function goHints(context: Context, view: GoView, range: Range): ProtocolInlayHint[] {
  const to = targetOf(context, view.uri);
  const { snapshot } = context.session;
  if (!to || !settingsFor(snapshot, view.uri).costHints) return [];
  const within = { start: to.positions.toOffset(range.start), end: to.positions.toOffset(range.end) };
  return hintsGo(snapshot, view, within).map((hint) => toInlayHint(hint, to, context.client));
}
