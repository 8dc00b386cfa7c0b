import type { MessageType } from 'vscode-languageserver';
import { printable } from '../base/printable.ts';
import type { FetchTools } from '../workspace/fetcher.ts';
import type { Context } from './context.ts';
import { CancellationToken, ShowMessageNotification } from './library.ts';
import { lineRequest, type PickRow, pickRequest } from './protocol.ts';

// Questions to the user, as well as a client can ask them, and what is said to the user meanwhile.

/** Says something that wants no answer. */
export function tell({ connection }: Context, type: MessageType, message: string): void {
  void connection.sendNotification(ShowMessageNotification.type, { type, message: inMessage(message) });
}

/** Asks something by a message; gives the title of the button that was chosen. */
export async function asked(
  { connection }: Context,
  question: string,
  ...titles: readonly string[]
): Promise<string | undefined> {
  const buttons = titles.map((title) => ({ title }));
  return (await connection.window.showInformationMessage(inMessage(question), ...buttons))?.title;
}

/** Messages hold names and what servers and programs said; an editor makes links to commands of `[…](command:…)` in them. */
export function inMessage(text: string): string {
  return text.split('\n').map(printable).join('\n').replaceAll('](', '] (');
}

/** A row to choose, and what it stands for. */
export interface Choice<T> extends PickRow {
  readonly gives: () => T | Promise<T>;
}

/** The row that the user chooses; without a list in the client, one of the buttons of a message. */
export async function picked<T>(context: Context, title: string, rows: readonly Choice<T>[]): Promise<T | undefined> {
  const { connection, client } = context;
  if (client.options.picks) {
    const shown = rows.map(({ label, detail }) => ({ label, ...(detail !== undefined && { detail }) }));
    const at = await connection.sendRequest<number | null>(pickRequest, { title, rows: shown });
    return at === null ? undefined : rows[at]?.gives();
  }
  const details = rows.flatMap(({ label, detail }) => (detail === undefined ? [] : [`${label}: ${detail}`]));
  const text = [title, ...details].join('\n');
  const chosen = await asked(context, text, ...rows.map(({ label }) => label));
  return rows.find(({ label }) => label === chosen)?.gives();
}

/** A line that the user types, for clients that let them. */
export async function typed({ connection }: Context, title: string, placeHolder: string): Promise<string | undefined> {
  return (await connection.sendRequest<string | null>(lineRequest, { title, placeHolder }))?.trim() || undefined;
}

/** Runs something that takes a while, says what it does, and ends when the user has had enough of it. */
export async function withProgress<T>(
  context: Context,
  title: string,
  work: (tools: FetchTools) => Promise<T>,
): Promise<T> {
  const { connection, client } = context;
  const ended = new AbortController();
  const network = await networkOf(context);
  const log = (line: string) => connection.console.info(line);
  if (!client.progress) return work({ signal: ended.signal, network, say: log });
  const progress = await connection.window.createWorkDoneProgress();
  progress.begin(title, undefined, undefined, true);
  const cancelling = (progress.token ?? CancellationToken.None).onCancellationRequested(() => ended.abort());
  const say = (line: string) => {
    log(line);
    progress.report(inMessage(line));
  };
  try {
    return await work({ signal: ended.signal, network, say });
  } finally {
    cancelling.dispose();
    progress.done();
  }
}

/** The editor's own proxy, where it has one. */
async function networkOf({ connection, client }: Context): Promise<FetchTools['network']> {
  if (!client.configuration) return {};
  const http: unknown = await connection.workspace.getConfiguration('http');
  const proxy = typeof http === 'object' && http !== null && 'proxy' in http ? http.proxy : undefined;
  return typeof proxy === 'string' && proxy !== '' ? { proxy } : {};
}
