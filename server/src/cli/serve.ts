import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { crdFetcher } from '../fetch/crdFetcher.ts';
import { debouncer } from '../lsp/debounce.ts';
import { startServer } from '../lsp/server.ts';
import { anchor } from '../rules/model/page.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';
import { readBuiltinKinds } from './builtinKinds.ts';
import { localCaches } from './caches.ts';

/** Runs the language server over what the arguments name: `--stdio`, `--node-ipc`, `--socket=PORT`, `--pipe=NAME`. */
export function serve(args: readonly string[]): number | undefined {
  if (!args.some((arg) => /^--(stdio|node-ipc|socket|pipe)/.test(arg))) {
    process.stderr.write('kube-crd server: choose a transport, for example --stdio\n');
    return 2;
  }
  const caches = localCaches();
  const docs = pathToFileURL(path.join(__dirname, '../../docs/rules.md')).href;
  startServer(createConnection(ProposedFeatures.all), {
    disk: nodeFiles,
    history: gitHistory,
    caches,
    fetcher: caches.fetched === undefined ? undefined : crdFetcher(fileURLToPath(caches.fetched)),
    version: VERSION,
    builtinKinds: readBuiltinKinds,
    docs: (code) => `${docs}#${anchor(code)}`,
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
