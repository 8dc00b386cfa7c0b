import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import { memo } from '../base/memo.ts';
import { readRegularNow } from '../files/read.ts';
import { FetchFailure, type FetchTools, type Network } from '../workspace/fetcher.ts';
import { type FetchLimits, fetchLimits, NotThere } from './fetching.ts';
import { proxyFor } from './proxy.ts';

const mostRedirects = 5;

/** What is at an address. Nothing but https is spoken, redirects included. */
export async function download(
  address: string,
  { signal, network, say }: FetchTools,
  limits: FetchLimits = fetchLimits,
): Promise<Uint8Array> {
  const trust = trusted(network);
  const deadline = AbortSignal.timeout(limits.milliseconds);
  const either = AbortSignal.any([signal, deadline]);
  try {
    let at = secureAddress(address);
    for (let left = mostRedirects; ; left--) {
      say(`getting ${at.href}`);
      const answer = await get(at, trust, network, either, limits);
      // Node takes an answer that we cut off for one that has ended.
      either.throwIfAborted();
      if (answer instanceof Uint8Array) return answer;
      if (left === 0) throw new FetchFailure(`${address} leads on and on: more than ${mostRedirects} redirects`);
      at = secureAddress(answer.location, at);
    }
  } catch (error) {
    if (signal.aborted) throw new FetchFailure('cancelled');
    if (deadline.aborted)
      throw new FetchFailure(`${address} did not answer within ${limits.milliseconds / 1000} seconds`);
    throw error instanceof FetchFailure ? error : new FetchFailure(`${address}: ${reasonOf(error)}`);
  }
}

/** An address that can be asked, and written down for others to ask. */
export function secureAddress(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url) throw new FetchFailure(`${text} is not an address`);
  if (url.protocol !== 'https:') throw new FetchFailure(`${url.href} is not fetched: only https:// is`);
  if (url.username || url.password)
    throw new FetchFailure(`an address with a password is not fetched, since it would be written down: ${url.host}`);
  return url;
}

/** The address of something below another. */
export function below(address: string, path: string): string {
  return address.endsWith('/') ? address + path : `${address}/${path}`;
}

/** The content, or where it is instead. */
async function get(
  url: URL,
  secureContext: tls.SecureContext,
  network: Network,
  signal: AbortSignal,
  limits: FetchLimits,
): Promise<Uint8Array | { readonly location: string }> {
  const proxy = proxyFor(url, network.proxy);
  const socket = proxy && (await tunnel(proxy, url, signal));
  return new Promise((resolve, reject) => {
    const headers = { 'user-agent': 'kube-crd', 'accept-encoding': 'identity' };
    // A connection of its own: what is kept alive would keep the program alive.
    const agent = new https.Agent({ keepAlive: false, secureContext });
    if (socket) agent.createConnection = () => tls.connect({ socket, servername: url.hostname, secureContext });
    const request = https.get(url, { headers, signal, agent }, (response) => {
      const { statusCode = 0, headers } = response;
      const done = (error: Error) => {
        request.destroy();
        reject(error);
      };
      if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location) {
        request.destroy();
        resolve({ location: headers.location });
      } else if (statusCode !== 200) done(refused(url, statusCode));
      else resolve(contentOf(response, url, limits).finally(() => request.destroy()));
    });
    request.on('error', reject);
  });
}

function refused({ href }: URL, status: number): FetchFailure {
  const why = `${href} answered ${status}${meaning(status)}`;
  return status === 404 || status === 410 ? new NotThere(why) : new FetchFailure(why);
}

function meaning(status: number): string {
  const text = http.STATUS_CODES[status];
  return text === undefined ? '' : ` (${text})`;
}

/** The whole content. Of an answer that does not say how long it is nobody could tell whether it was cut off. */
async function contentOf(response: http.IncomingMessage, url: URL, { bytes: most }: FetchLimits): Promise<Uint8Array> {
  const tooLarge = () => new FetchFailure(`${url.href} has more than ${most} bytes`);
  const { 'content-length': length, 'transfer-encoding': encoding } = response.headers;
  if (length === undefined && encoding !== 'chunked')
    throw new FetchFailure(`${url.href} does not say how long its answer is, so that it may have been cut off`);
  if (Number(length ?? 0) > most) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge();
    chunks.push(chunk);
  }
  if (!response.complete || (length !== undefined && bytes !== Number(length))) throw new FetchFailure(cutOff(url));
  return Buffer.concat(chunks);
}

const cutOff = ({ href }: URL) => `${href}: the connection was closed before all was there`;

/** A way through a proxy to where the address is; what is said in it only the two ends can read. */
function tunnel(proxy: URL, { hostname, port }: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${hostname}:${port || 443}`;
  const { username, password } = proxy;
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  const options = {
    method: 'CONNECT',
    host: proxy.hostname,
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: target,
    headers: { host: target, ...(username && { 'proxy-authorization': authorization }) },
    agent: false as const,
    signal,
  };
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new FetchFailure(`the proxy ${proxy.host} ${why}`));
    const request = (proxy.protocol === 'https:' ? https : http).request(options);
    request.on('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        failed(`answered ${statusCode}${meaning(statusCode)}`);
      }
    });
    request.on('response', ({ statusCode = 0 }) => {
      request.destroy();
      failed(`answered ${statusCode}${meaning(statusCode)}`);
    });
    request.on('error', (error) => failed(`cannot be used: ${reasonOf(error)}`));
    request.end();
  });
}

/**
 * Whom to trust: whom Node trusts, NODE_EXTRA_CA_CERTS included, and where Node can tell, whom the system trusts. To read
 * all these certificates takes a while: that is done once for all
 * that a command fetches.
 */
const trusted = memo(({ caFile }: Network): tls.SecureContext => {
  const { getCACertificates: known } = tls as { getCACertificates?: (of: 'default' | 'system') => string[] };
  const system = known ? [...known('default'), ...known('system')] : undefined;
  if (caFile === undefined) return tls.createSecureContext(system && { ca: system });
  const { NODE_EXTRA_CA_CERTS: extra } = process.env;
  const own = [caFile, ...(system === undefined && extra ? [extra] : [])].map(readCertificates).map(String);
  return tls.createSecureContext({ ca: [...(system ?? tls.rootCertificates), ...own] });
});

function readCertificates(file: string): Uint8Array {
  const bytes = readRegularNow(file, mostCertificates);
  if (bytes instanceof Uint8Array) return bytes;
  const why = bytes === undefined ? 'there is no such file' : bytes === 'too-large' ? 'it is too large' : bytes.why;
  throw new FetchFailure(`the certificates in ${file} cannot be read: ${why}`);
}

/** Bytes of a file of certificates; the whole world's have a hundred thousand. */
const mostCertificates = 8_000_000;

const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  if (untrusted.has(code))
    return 'its certificate is signed by nobody who is trusted here; name the file of its CA with --ca-file or NODE_EXTRA_CA_CERTS';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'there is no such host, or no network';
  if (code === 'ECONNREFUSED') return 'nobody answers there';
  if (code === 'ECONNRESET') return 'the connection was closed before all was there';
  return error.message || code;
}
