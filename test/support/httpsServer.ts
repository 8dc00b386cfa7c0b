import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A server on this machine, with a certificate that only those trust who are told of its authority. */
export interface HttpsServer {
  readonly address: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** A text or bytes to be served, or what else is to happen. */
export type Reply = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

const folder = path.resolve('test/fetch/certificates');
export const caFile = path.join(folder, 'ca.pem');

/** Serves what is at each path, and 404 for everything else. The table may change while it runs. */
export async function httpsServer(replies: Readonly<Record<string, Reply>>): Promise<HttpsServer> {
  const asked: string[] = [];
  const keys = {
    key: readFileSync(path.join(folder, 'localhost.key.pem')),
    cert: readFileSync(path.join(folder, 'localhost.pem')),
  };
  const server = https.createServer(keys, (request, response) => {
    const at = request.url ?? '';
    asked.push(at);
    const reply = Object.hasOwn(replies, at) ? replies[at] : undefined;
    if (typeof reply === 'function') reply(request, response);
    else {
      if (reply === undefined) response.statusCode = 404;
      response.end(reply ?? '');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `https://localhost:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
