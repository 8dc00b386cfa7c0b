import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { clusterReader } from '../../cluster/reader.ts';
import { crdFetcher } from '../../fetch/crdFetcher.ts';
import { gitHistory } from '../../git/history.ts';
import { debouncer } from '../../lsp/debounce.ts';
import { startServer } from '../../lsp/server.ts';
import { anchor } from '../../rules/model/page.ts';
import { isPublished, ruleAddress } from '../../share/address.ts';
import { nodeFiles } from '../../workspace/sources/nodeFiles.ts';
import { localCaches } from '../caches.ts';
import { packagedText } from '../data.ts';
import { keptBetweenRuns } from '../keptValues.ts';
import { command } from '../table/command.ts';
import { flag, text } from '../table/option.ts';
import { complain } from '../terminal.ts';

/** Runs the language server over what the arguments name: `--stdio`, `--node-ipc`, `--socket=PORT`, `--pipe=NAME`. */
async function serve(args: readonly string[]): Promise<number | undefined> {
  if (!args.some((arg) => /^--(stdio|node-ipc|socket|pipe)/.test(arg))) {
    complain('server: choose a transport, for example --stdio');
    return 2;
  }
  // No other command speaks with editors.
  const { createConnection, ProposedFeatures } = await import('vscode-languageserver/node');
  const caches = localCaches();
  const beside = pathToFileURL(path.join(__dirname, '../../docs/rules.md')).href;
  startServer(createConnection(ProposedFeatures.all), {
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
  });
  return undefined;
}

/** As much as a pipe and the client's own buffers hold; more than this waits here only where nobody reads. */
const mostUnread = 1_000_000;

async function drained(): Promise<void> {
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
