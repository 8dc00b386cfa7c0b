import { randomUUID } from 'node:crypto';
import { builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { ApiServer } from '../../server/src/serve/apiServer.ts';
import { callWebhook } from '../../server/src/serve/calls.ts';
import { kubeconfigFor, listen } from '../../server/src/serve/http.ts';
import type { Serving } from '../../server/src/serve/serving.ts';
import { type ApiAnswer, type ApiRequest, send as request } from './apiServer.ts';
import { builtinFile, openApiTexts } from './workspace.ts';

/** What `kube-crd serve` starts, for clients in tests. */
export interface RunningFake {
  readonly address: string;
  /** A kubeconfig that leads there. */
  readonly kubeconfig: string;
  readonly send: Send;
  /** A request as it is sent to a real server. */
  exchange(request: ApiRequest): Promise<ApiAnswer>;
  stop(): Promise<void>;
}

/** A request in JSON, and what came back. */
export type Send = (
  method: string,
  path: string,
  body?: string | Buffer,
  type?: string,
) => Promise<{ readonly code: number; readonly body: string }>;

/** What a server takes from around it. */
export const servingFor = (kubernetes = newestVersion): Serving => ({
  kubernetes,
  builtin: builtinKindsOf(builtinFile(), kubernetes),
  seconds: () => Date.now() / 1000,
  uid: randomUUID,
  openApiTexts: async () => openApiTexts(),
  call: callWebhook,
});

export async function startFakeServer(kubernetes = newestVersion): Promise<RunningFake> {
  const api = new ApiServer(servingFor(kubernetes));
  const { address, stop } = await listen(api, { port: 0 }, (error) => {
    throw error;
  });
  const send: Send = async (method, path, body, type = 'application/json') => {
    const response = await fetch(address + path, {
      method,
      ...(body !== undefined && { body, headers: { 'content-type': type } }),
    });
    return { code: response.status, body: await response.text() };
  };
  const exchange = ({ path, body, type = 'application/json', headers, method }: ApiRequest) =>
    request(address + path, {
      method,
      ...(body !== undefined && { body }),
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }), ...headers },
    });
  return { address, kubeconfig: kubeconfigFor(address), send, exchange, stop };
}
