import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { clientId, clientName, clientOptions, serve } from './client.ts';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel(clientName, { log: true });
  const module = context.asAbsolutePath('dist/server/main.cjs');
  const run = { module, args: ['server'], transport: TransportKind.ipc };
  // Where the extension is debugged, the server listens as well: see .vscode/launch.json.
  const debug = { ...run, options: { execArgv: ['--nolazy', '--inspect=6009'] } };
  client = new LanguageClient(clientId, clientName, { run, debug }, clientOptions(log));
  context.subscriptions.push(log);
  await serve(context, client, log);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
