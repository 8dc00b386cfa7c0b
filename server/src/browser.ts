import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import { debouncer } from './lsp/debounce.ts';
import { startServer } from './lsp/server.ts';

const mostBuiltinBytes = 10_000_000;

// In a worker, `globalThis` is the scope that messages come to; the types at hand are Node's.
const scope = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope));
startServer(connection, {
  disk: undefined,
  history: undefined,
  caches: { goModules: undefined, helm: undefined, fetched: undefined },
  fetcher: undefined,
  version: VERSION,
  builtinKinds: async (files, given) => {
    const read = given === undefined ? undefined : await files.read(given, mostBuiltinBytes);
    return read instanceof Uint8Array ? read : undefined;
  },
  docs: () => undefined,
  debounce: debouncer(),
});
