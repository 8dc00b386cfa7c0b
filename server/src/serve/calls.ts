import https from 'node:https';

/** What is asked of a webhook. */
export interface Call {
  readonly url: string;
  /** Who has signed its certificate, in PEM; undefined where that is for the machine to know. */
  readonly authority: string | undefined;
  readonly body: string;
  readonly milliseconds: number;
}

/** Why a webhook has not answered, as Go says it. */
export class CallFailed extends Error {}

/** An answer that is longer is not read. */
const mostAnswer = 3 * 1024 * 1024;

/** Posts JSON to a webhook over HTTPS; gives its answer. Redirects are not followed. */
export function callWebhook({ url, authority, body, milliseconds }: Call): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = requestTo(url, authority);
    const fail = (why: string) => {
      request.destroy();
      reject(new CallFailed(`Post "${url}": ${why}`));
    };
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > mostAnswer) fail(`the answer is longer than ${mostAnswer} bytes`);
        else chunks.push(chunk);
      });
      response.on('error', (error) => fail(error.message));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if ((response.statusCode ?? 0) < 300) resolve(text);
        else if (response.statusCode === 404)
          reject(new CallFailed('the server could not find the requested resource'));
        else
          reject(new CallFailed(`an error on the server ("${text.trim()}") has prevented the request from succeeding`));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException & { address?: string; port?: number }) => {
      const isRefused = error.code === 'ECONNREFUSED';
      fail(isRefused ? `dial tcp ${error.address}:${error.port}: connect: connection refused` : error.message);
    });
    const late = setTimeout(() => fail('context deadline exceeded'), milliseconds);
    request.on('close', () => clearTimeout(late));
    request.end(body);
  });
}

/** Node refuses some URLs, ports and certificates before it sends anything. */
function requestTo(url: string, authority: string | undefined) {
  // A certificate that is itself in the bundle is believed, as Go does (from Node 20.18 on): envtest hands out such.
  const options: https.RequestOptions & { allowPartialTrustChain: boolean } = {
    allowPartialTrustChain: true,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, */*' },
    agent: false,
    ...(authority !== undefined && { ca: authority }),
  };
  try {
    return https.request(url, options);
  } catch (error) {
    throw new CallFailed(`Post "${url}": ${(error as Error).message}`);
  }
}
