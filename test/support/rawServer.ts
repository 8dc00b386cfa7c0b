import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';

/** What is sent for one request, byte by byte as it is written, and how the connection ends. */
export interface RawReply {
  /** Sent one after the other, with so many milliseconds in between. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly pause?: number;
  /** `end` says goodbye as TLS does, `cut` does not, `keep` leaves the connection open. */
  readonly ending: 'end' | 'cut' | 'keep';
}

/** A server that knows no HTTP: it answers whatever it is asked with what it was given, right or wrong. */
export async function rawServer(replies: ReadonlyMap<string, RawReply>): Promise<{ address: string; close(): void }> {
  const folder = path.resolve('test/fetch/certificates');
  const keys = {
    key: readFileSync(path.join(folder, 'localhost.key.pem')),
    cert: readFileSync(path.join(folder, 'localhost.pem')),
  };
  const open = new Set<tls.TLSSocket>();
  const server = tls.createServer(keys, (socket) => {
    open.add(socket);
    // Whoever asks may hang up at any time.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.once('data', (request: Buffer) => {
      const [, asked = ''] = request.toString('latin1').split(' ');
      const reply = replies.get(asked);
      if (reply) send(socket, reply);
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of open) socket.destroy();
    server.close();
  };
  return { address: `https://localhost:${port}`, close };
}

function send(socket: tls.TLSSocket, { pieces, pause = 0, ending }: RawReply): void {
  const next = (at: number) => {
    if (socket.destroyed) return;
    if (at < pieces.length) {
      socket.write(pieces[at]!, () => setTimeout(next, pause, at + 1));
    } else if (ending === 'end') socket.end();
    else if (ending === 'cut') socket.destroy();
  };
  next(0);
}
