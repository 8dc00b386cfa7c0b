import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { clientId, clientName, clientOptions, run } from './client.ts';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel(clientName, { log: true });
  const module = context.asAbsolutePath('dist/server/main.cjs');
  const server = { module, args: ['server'], transport: TransportKind.ipc };
  client = new LanguageClient(clientId, clientName, server, clientOptions(log));
  context.subscriptions.push(log);
  await run(context, client, log);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
