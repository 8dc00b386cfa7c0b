import * as vscode from 'vscode';
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  LanguageClient,
  type MessageTransports,
} from 'vscode-languageclient/browser';
import { clientId, clientName, clientOptions, serve } from './client.ts';

/** The names of the engine's parts, between blanks; put in by the build. */
declare const PARTS: string;

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel(clientName, { log: true });
  let worker: Worker | undefined;
  // The client's library does not recognise workers that are made inside the editor's own worker: it gets a reader and a writer.
  const start = async (): Promise<MessageTransports> => {
    worker = await startWorker(vscode.Uri.joinPath(context.extensionUri, 'dist/server'));
    return { reader: new BrowserMessageReader(worker), writer: new BrowserMessageWriter(worker) };
  };
  client = new LanguageClient(clientId, clientName, start, clientOptions(log, context));
  context.subscriptions.push(log);
  await serve(context, client, log, async () => worker?.terminate());
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** A worker cannot be made from a remote extension's address, so its scripts are read and given as a blob. */
async function startWorker(folder: vscode.Uri): Promise<Worker> {
  const files = [...PARTS.split(' '), 'engine'].map((name) => vscode.Uri.joinPath(folder, `${name}.cjs`));
  const scripts = await Promise.all(files.map((file) => vscode.workspace.fs.readFile(file)));
  const blob = new Blob(scripts as Uint8Array<ArrayBuffer>[], { type: 'text/javascript' });
  return new Worker(URL.createObjectURL(blob));
}
