import { BrowserMessageReader, BrowserMessageWriter, createConnection } from 'vscode-languageserver/browser';
import type { Host } from './lsp/context.ts';
import { debouncer } from './lsp/debounce.ts';
import { startServer } from './lsp/server.ts';
import { ruleAddress } from './share/address.ts';
import { mostDataBytes } from './workspace/packaged.ts';

/** Serves the page that has made this worker. */
export function startWorker(): void {
  // In a worker, `globalThis` is the scope that messages come to; the types at hand are Node's.
  const scope = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
  const connection = createConnection(new BrowserMessageReader(scope), new BrowserMessageWriter(scope));
  startServer(connection, hostOfWorker());
}

/** What a worker in a browser gives the server. */
export function hostOfWorker(): Host {
  return {
    disk: undefined,
    history: undefined,
    caches: { goModules: undefined, helm: undefined, fetched: undefined },
    fetcher: undefined,
    clusters: undefined,
    version: VERSION,
    data: async (name, files, folder) => {
      const read = folder === undefined ? undefined : await files.read(`${folder}/${name}`, mostDataBytes);
      return read instanceof Uint8Array ? await unpacked(read) : undefined;
    },
    docs: ruleAddress,
    debounce: debouncer(),
  };
}

/** The text of gzipped bytes, by what every browser has; Node takes several times as long for it as its own way does. */
async function unpacked(bytes: Uint8Array): Promise<string> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip'));
  return await new Response(stream).text();
}
