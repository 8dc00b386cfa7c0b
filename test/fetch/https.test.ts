import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type FetchLimits, fetchLimits } from '../../server/src/fetch/fetching.ts';
import { download } from '../../server/src/fetch/https.ts';
import { proxyFor } from '../../server/src/fetch/proxy.ts';
import type { Network } from '../../server/src/workspace/fetcher.ts';
import { caFile, type HttpsServer, httpsServer, type Reply } from '../support/httpsServer.ts';

// What comes over the network: only https, only from whom is trusted, and never for ever or without end.

async function served(t: TestContext, replies: Readonly<Record<string, Reply>>): Promise<HttpsServer> {
  const server = await httpsServer(replies);
  t.after(() => server.close());
  return server;
}

const small = { ...fetchLimits, bytes: 100_000 };

function get(
  address: string,
  network: Network = { caFile },
  signal = new AbortController().signal,
  limits: FetchLimits = small,
) {
  return download(address, { signal, network, say: () => {} }, limits).then((bytes) => Buffer.from(bytes).toString());
}

const refusal = (says: string | RegExp) => (error: Error) => {
  assert.equal(error.constructor.name === 'FetchFailure' || error.constructor.name === 'NotThere', true, error.stack);
  if (typeof says === 'string') assert.ok(error.message.includes(says), error.message);
  else assert.match(error.message, says);
  return true;
};

test('a file comes from a server whose authority is trusted, and only from such a one', async (t) => {
  const { address } = await served(t, { '/a.yaml': 'a: 1\n' });
  assert.equal(await get(`${address}/a.yaml`), 'a: 1\n');
  await assert.rejects(get(`${address}/a.yaml`, {}), refusal('signed by nobody who is trusted here'));
  const other = address.replace('localhost', '127.0.0.1');
  await assert.rejects(get(`${other}/a.yaml`), refusal("127.0.0.1 is not in the cert's list"));
  await assert.rejects(
    get(`${address}/a.yaml`, { caFile: '/nowhere/ca.pem' }),
    refusal('/nowhere/ca.pem cannot be read'),
  );
});

test('nothing but https is spoken, and no password is sent', async () => {
  await assert.rejects(
    get('http://localhost/a.yaml'),
    refusal('http://localhost/a.yaml is not fetched: only https:// is'),
  );
  await assert.rejects(get('file:///etc/passwd'), refusal('only https:// is'));
  await assert.rejects(get('nonsense'), refusal('nonsense is not an address'));
  await assert.rejects(get('https://a:secret@localhost/'), (error: Error) => !error.message.includes('secret'));
});

test('redirects are followed a few times, and to https alone', async (t) => {
  const to =
    (location: string): Reply =>
    (_, response) =>
      response.writeHead(302, { location }).end();
  const replies: Record<string, Reply> = { '/a': to('/b'), '/b': to('c'), '/c': 'here', '/loop': to('/loop') };
  const { address, asked } = await served(t, {
    ...replies,
    '/down': to('http://localhost/'),
    '/file': to('file:///x'),
  });
  assert.equal(await get(`${address}/a`), 'here');
  await assert.rejects(get(`${address}/down`), refusal('http://localhost/ is not fetched'));
  await assert.rejects(get(`${address}/file`), refusal('only https:// is'));
  asked.length = 0;
  await assert.rejects(get(`${address}/loop`), refusal('more than 5 redirects'));
  assert.equal(asked.length, 6);
});

test('what is not there, too large, too slow, or cut off is said to be so', async (t) => {
  const endless: Reply = (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  };
  const { address } = await served(t, {
    '/endless': endless,
    '/large': (_, response) => response.writeHead(200, { 'content-length': 1e12 }).write('x'),
    '/slow': (_, response) => void response.write('x'),
    '/silent': () => {},
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('x', () => response.destroy());
    },
    '/broken': (_, response) => response.writeHead(500).end(),
  });
  await assert.rejects(get(`${address}/none`), refusal(/\/none answered 404 \(Not Found\)$/));
  await assert.rejects(get(`${address}/broken`), refusal('answered 500'));
  await assert.rejects(get(`${address}/endless`), refusal('/endless has more than 100000 bytes'));
  await assert.rejects(get(`${address}/large`), refusal('/large has more than 100000 bytes'));
  const short = { ...small, milliseconds: 700 };
  for (const path of ['/slow', '/silent'])
    await assert.rejects(
      get(address + path, { caFile }, new AbortController().signal, short),
      refusal('did not answer within 0.7 seconds'),
    );
  await assert.rejects(get(`${address}/cut`), refusal('the connection was closed before all was there'));
  const closed = await httpsServer({});
  await closed.close();
  await assert.rejects(get(`${closed.address}/`), refusal('nobody answers there'));
});

test('a user who has had enough does not wait', async (t) => {
  const { address } = await served(t, { '/silent': () => {} });
  const ended = new AbortController();
  setTimeout(() => ended.abort(), 50);
  await assert.rejects(get(`${address}/silent`, { caFile }, ended.signal), refusal(/^cancelled$/));
});

/** A proxy that leads to wherever it is asked to, or refuses. */
async function proxy(t: TestContext, refuses = false) {
  const asked: string[] = [];
  const server = http.createServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    if (refuses) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host, port] = request.url!.split(':');
    const there = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    there.on('error', () => socket.destroy());
    socket.on('error', () => there.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return { address: `http://user:pass%20word@127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a proxy is gone through, with its password, and trusted with nothing', async (t) => {
  const { address } = await served(t, { '/a.yaml': 'a: 1\n' });
  const through = await proxy(t);
  assert.equal(await get(`${address}/a.yaml`, { caFile, proxy: through.address }), 'a: 1\n');
  const credentials = Buffer.from('user:pass word').toString('base64');
  assert.deepEqual(through.asked, [`${address.slice('https://'.length)} Basic ${credentials}`]);
  await assert.rejects(get(`${address}/a.yaml`, { proxy: through.address }), refusal('signed by nobody'));
  const refusing = await proxy(t, true);
  const refused = get(`${address}/a.yaml`, { caFile, proxy: refusing.address });
  await assert.rejects(refused, refusal(/^the proxy 127\.0\.0\.1:\d+ answered 407 \(Proxy Authentication Required\)$/));
  const none = get(`${address}/a.yaml`, { caFile, proxy: 'http://127.0.0.1:1' });
  await assert.rejects(none, refusal('the proxy 127.0.0.1:1 cannot be used: nobody answers there'));
});

test('the environment says which proxy is for which address', () => {
  const of = (address: string, env: Record<string, string>, given?: string) =>
    proxyFor(new URL(address), given, env)?.href;
  assert.equal(of('https://a.example.com/', {}), undefined);
  assert.equal(of('https://a.example.com/', { HTTPS_PROXY: 'proxy:8080' }), 'http://proxy:8080/');
  assert.equal(of('https://a.example.com/', { https_proxy: 'http://one' }, 'http://two'), 'http://two/');
  for (const except of ['a.example.com', 'example.com', '.example.com', '*.example.com', 'x, example.com:443', '*'])
    assert.equal(of('https://a.example.com/', { HTTPS_PROXY: 'http://p', NO_PROXY: except }), undefined, except);
  for (const except of ['ample.com', 'b.example.com', 'example.com:8443', ''])
    assert.equal(of('https://a.example.com/', { HTTPS_PROXY: 'http://p', NO_PROXY: except }), 'http://p/', except);
  assert.throws(() => of('https://a/', { HTTPS_PROXY: 'socks5://p' }), /socks5: cannot be used/);
});
