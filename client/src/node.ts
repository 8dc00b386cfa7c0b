import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { clientId, clientName, clientOptions, serve } from './client.ts';
import { languageTools } from './languageTools.ts';
import { serverProcess } from './serverProcess.ts';

let deactivated: (() => Promise<void>) | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel(clientName, { log: true });
  const server = serverProcess(context.asAbsolutePath('dist/server/main.cjs'), log);
  const client = new LanguageClient(clientId, clientName, server.start, clientOptions(log, context));
  deactivated = () => client.stop().finally(server.end);
  context.subscriptions.push(log, languageTools(context, log));
  await serve(context, client, log, server.end);
}

export async function deactivate(): Promise<void> {
  await deactivated?.();
}
