import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import tls from 'node:tls';
import { ApiServer } from '../../server/src/serve/apiServer.ts';
import { certificatesAt } from '../../server/src/serve/certificate.ts';
import { listen } from '../../server/src/serve/http.ts';
import { servingFor } from '../support/fakeServer.ts';

// Certificates that are made at start, as those see them who have to believe them.

const made = certificatesAt(Date.now() / 1000);
const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-'));
after(() => rmSync(folder, { recursive: true }));

test('the certificate is for this machine, by an authority that is one', () => {
  const [authority, certificate] = [new X509Certificate(made.authority), new X509Certificate(made.certificate)];
  assert.deepEqual([authority.ca, certificate.ca], [true, false]);
  assert.ok(certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  assert.equal(certificate.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1');
  assert.ok(Date.parse(certificate.validFrom) < Date.now() && Date.parse(certificate.validTo) > Date.now());
  const others = certificatesAt(Date.now() / 1000);
  assert.equal(certificate.verify(new X509Certificate(others.authority).publicKey), false);
  assert.notEqual(new X509Certificate(others.certificate).serialNumber, certificate.serialNumber);
});

const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'there is no openssl';

test('openssl has nothing against it, as strict as it can be', { skip: noOpenssl }, () => {
  writeFileSync(path.join(folder, 'ca.pem'), made.authority);
  writeFileSync(path.join(folder, 'cert.pem'), made.certificate);
  const strict = ['-x509_strict', '-purpose', 'sslserver', '-verify_ip', '127.0.0.1'];
  const { stdout, stderr } = spawnSync('openssl', ['verify', ...strict, '-CAfile', 'ca.pem', 'cert.pem'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(stdout, 'cert.pem: OK\n', stderr);
});

const api = new ApiServer(servingFor());
const faults: unknown[] = [];
const server = await listen(api, { port: 0, certificates: made }, (error) => faults.push(error));
after(() => server.stop());
const port = Number(new URL(server.address).port);

/** What the first bytes are that come over TLS, or why there are none. */
function spoken(options: tls.ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', ...options }, () => {
      socket.write('GET /readyz HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n');
    });
    socket.once('data', (bytes) => resolve(String(bytes).split('\r\n')[0]!));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

test('who knows the authority believes it, and nobody else does', async () => {
  assert.equal(await spoken({ ca: made.authority }), 'HTTP/1.1 200 OK');
  assert.equal(await spoken({ ca: made.authority, host: 'localhost' }), 'HTTP/1.1 200 OK');
  assert.equal(await spoken({}), 'UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  assert.equal(
    await spoken({ ca: made.authority, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }),
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  );
});

test('connections on which no handshake ends do not keep others out', async () => {
  const silent = Array.from({ length: 200 }, () => net.connect(port, '127.0.0.1'));
  for (const [i, socket] of silent.entries())
    socket.on('error', () => {}).write(i % 2 === 0 ? '\x16\x03\x01' : 'GET /');
  assert.equal(await spoken({ ca: made.authority }), 'HTTP/1.1 200 OK');
  for (const socket of silent) socket.destroy();
  assert.deepEqual(faults, []);
});
