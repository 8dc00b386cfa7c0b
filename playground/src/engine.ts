// The worker of the playground: the language server, with the older texts of the page in place of version control.
import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { hostOfWorker } from '../../server/src/browser.ts';
import { startServer } from '../../server/src/lsp/server.ts';
import { type BeforeTexts, beforeNotification } from './beforeTexts.ts';
import { OlderTexts } from './olderTexts.ts';

export function start(): void {
  const scope = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
  const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope));
  const older = new OlderTexts();
  connection.onNotification(beforeNotification, ({ texts }: BeforeTexts) => older.set(texts));
  startServer(connection, { ...hostOfWorker(), history: () => older });
}
