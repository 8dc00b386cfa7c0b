import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MessageReader, MessageWriter } from 'vscode-languageserver/node';
import { clusterReader } from '../../cluster/reader.ts';
import { crdFetcher } from '../../fetch/crdFetcher.ts';
import { gitHistory } from '../../git/history.ts';
import type { Host } from '../../lsp/context.ts';
import { debouncer } from '../../lsp/debounce.ts';
import { startServer } from '../../lsp/server.ts';
import { anchor } from '../../rules/model/page.ts';
import { isPublished, ruleAddress } from '../../share/address.ts';
import { nodeFiles } from '../../workspace/sources/nodeFiles.ts';
import { localCaches } from '../caches.ts';
import { packagedText } from '../data.ts';
import type { FirstClient } from '../firstAnswer.ts';
import { keptBetweenRuns } from '../keptValues.ts';
import { command } from '../table/command.ts';
import { flag, text } from '../table/option.ts';
import { complain, printBeside } from '../terminal.ts';

/** Runs the language server over what the arguments name: `--stdio`, `--node-ipc`, `--socket=PORT`, `--pipe=NAME`. */
async function serve(args: readonly string[]): Promise<number | undefined> {
  if (!args.some((arg) => /^--(stdio|node-ipc|socket|pipe)/.test(arg))) {
    complain('server: choose a transport, for example --stdio');
    return 2;
  }
  const { createConnection, ProposedFeatures } = await library();
  startServer(createConnection(ProposedFeatures.all), hostHere());
  return undefined;
}

// No other command speaks with editors.
const library = () => import('vscode-languageserver/node');

/** The same for a client whose first message was looked at before this program was there. */
export async function serveFirst({ transport, answered, again }: FirstClient): Promise<void> {
  const { createConnection, IPCMessageReader, IPCMessageWriter, ProposedFeatures, StreamMessageWriter } =
    await library();
  const isOnStreams = transport === '--stdio';
  // What is printed must not come between messages.
  if (isOnStreams) printBeside();
  const input = isOnStreams ? process.stdin : new IPCMessageReader(process);
  const output = isOnStreams ? new StreamMessageWriter(process.stdout) : new IPCMessageWriter(process);
  withoutAnswer(output, answered);
  startServer(createConnection(ProposedFeatures.all, input as MessageReader, output), hostHere());
  again();
}

/** Keeps the answer from a client that has it. */
function withoutAnswer(writer: MessageWriter, id: FirstClient['answered']): void {
  const write = writer.write.bind(writer);
  writer.write = async (message) => {
    if (id === undefined || !('id' in message) || message.id !== id || 'method' in message) return await write(message);
    writer.write = write;
    if (!('error' in message)) return;
    // The client takes it for done, which cannot be taken back.
    complain(`server: initialize was answered, and then failed: ${JSON.stringify(message.error)}`);
    process.exit(1);
  };
}

/** What this machine gives the server. */
function hostHere(): Host {
  const caches = localCaches();
  const beside = pathToFileURL(path.join(__dirname, '../../docs/rules.md')).href;
  return {
    disk: nodeFiles,
    history: gitHistory,
    caches,
    kept: keptBetweenRuns(),
    fetcher: caches.fetched === undefined ? undefined : crdFetcher(fileURLToPath(caches.fetched)),
    clusters: clusterReader,
    version: VERSION,
    data: packagedText,
    // Before there is a site there are the pages of this checkout.
    docs: isPublished ? ruleAddress : (code) => `${beside}#${anchor(code)}`,
    debounce: debouncer(),
    drained,
  };
}

/** As much as a pipe and the client's own buffers hold; more than this waits here only where nobody reads. */
const mostUnread = 1_000_000;

let draining: Promise<void> | undefined;

/** All who wait for a client that does not read wait for the same. */
function drained(): Promise<void> {
  draining ??= untilDrained().finally(() => {
    draining = undefined;
  });
  return draining;
}

async function untilDrained(): Promise<void> {
  while (process.stdout.writableLength > mostUnread) await once(process.stdout, 'drain');
}

export const serverCommand = command({
  name: 'server',
  about: 'runs the language server',
  inShort: 'runs the language server; [docs/editors.md](editors.md)',
  takes: '',
  explains: 'Runs the language server over one of these:',
  options: {
    stdio: flag('standard input and output'),
    nodeIpc: flag('the channel of a Node process'),
    socket: text('PORT', 'a port of this machine'),
    pipe: text('NAME', 'a named pipe or a socket file', { completes: 'file' }),
  },
  examples: ['kube-crd server --stdio'],
  completes: [],
  isLenient: true,
  run: (_, args) => serve(args),
});
