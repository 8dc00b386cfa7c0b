import { inputSchema, type Json, type Tool, tools, valuesOf } from './tools.ts';

// The Model Context Protocol, as far as a server of tools needs it: requests of both its ages, those that begin with
// `initialize` and those that carry their version with them. Nothing is remembered but what is under way.

/** Versions whose requests say which one they are of. */
const carried = ['2026-07-28'];
/** Versions that are agreed on at the beginning, newest first. */
const agreed = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const prefix = 'io.modelcontextprotocol/';

export interface Host {
  readonly version: string;
  /** What a tool answers; an error where it cannot. */
  answer(tool: Tool, values: ReturnType<typeof valuesOf>, signal: AbortSignal): Promise<Answer>;
}

export interface Answer {
  readonly text: string;
  readonly structured?: Json;
  readonly failed: boolean;
}

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, internal: -32603, version: -32022 };

class Refused extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, data?: Json) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

type Id = string | number;

/** More calls than this wait for nobody: a client that sends them does not read what comes. */
const mostUnderWay = 16;

/** Takes the messages of a client, a line each; gives what is to be sent back for it, if anything. */
export function serverOf(host: Host): (line: string) => Promise<string | undefined> {
  const underWay = new Map<Id, AbortController>();
  return async (line) => {
    let id: Id | undefined;
    try {
      const message = parsed(line);
      const { method, params } = message;
      if (message.id === undefined) {
        if (method === 'notifications/cancelled') underWay.get(params.requestId as Id)?.abort();
        return undefined;
      }
      id = idOf(message.id);
      // What answers us answers nothing that was asked.
      if (method === undefined) return undefined;
      if (underWay.has(id)) throw new Refused(codes.request, `a request with the id ${id} is under way`);
      if (underWay.size >= mostUnderWay) throw new Refused(codes.internal, 'too many requests are under way');
      const controller = new AbortController();
      underWay.set(id, controller);
      try {
        const result = await resultOf(host, method, params, controller.signal);
        return controller.signal.aborted ? undefined : replied({ id, result });
      } finally {
        underWay.delete(id);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, message, data } = error;
      return replied({ ...(id !== undefined && { id }), error: { code, message, ...(data && { data }) } });
    }
  };
}

function replied(body: Json): string {
  return JSON.stringify({ jsonrpc: '2.0', ...body });
}

function parsed(line: string): { readonly id?: unknown; readonly method: string | undefined; readonly params: Json } {
  const message = valueOf(line);
  if (!isObject(message) || message.jsonrpc !== '2.0')
    throw new Refused(codes.request, 'not a request of JSON-RPC 2.0');
  const { id, method, params = {} } = message;
  if (method !== undefined && typeof method !== 'string') throw new Refused(codes.request, 'method is not a text');
  if (!isObject(params)) throw new Refused(codes.params, 'params is not an object');
  return { id, method, params };
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused(codes.parse, `not JSON: ${error.message}`);
    throw error;
  }
}

function idOf(id: unknown): Id {
  if (typeof id === 'string' || Number.isInteger(id)) return id as Id;
  throw new Refused(codes.request, 'id is neither a text nor a whole number');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function resultOf(host: Host, method: string, params: Json, signal: AbortSignal): Promise<Json> {
  const meta = isObject(params._meta) ? params._meta : {};
  const version = meta[`${prefix}protocolVersion`];
  if (version !== undefined && !carried.includes(version as string))
    throw new Refused(codes.version, 'Unsupported protocol version', {
      supported: [...carried, ...agreed],
      requested: version,
    });
  const find = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!find) throw new Refused(codes.method, `there is no method ${method}`);
  const result = await find(host, params, signal);
  if (version === undefined) return result;
  return { resultType: 'complete', ...result, _meta: { [`${prefix}serverInfo`]: info(host) } };
}

type Method = (host: Host, params: Json, signal: AbortSignal) => Promise<Json> | Json;

/** Tools change with the program alone. */
const lasting = { ttlMs: 3_600_000, cacheScope: 'public' };

const methods: Readonly<Record<string, Method>> = {
  initialize: (host, { protocolVersion }) => ({
    protocolVersion: agreed.includes(protocolVersion as string) ? protocolVersion : agreed[0],
    capabilities: { tools: {} },
    serverInfo: info(host),
    instructions,
  }),
  'server/discover': () => ({
    ...{ supportedVersions: [...carried, ...agreed], capabilities: { tools: {} }, instructions },
    ...lasting,
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: tools.map(described), ...lasting }),
  'tools/call': called,
};

function info({ version }: Host): Json {
  return { name: 'kube-crd', title: 'Kubernetes CRD & CEL', version };
}

const instructions =
  'Before you write a Kubernetes manifest, ask complete for the fields of its kind. After you have written it, ask check, apply the fixes that are safe, decide on the others, and check again until there are no errors. What check says are the words of the API server.';

function described(tool: Tool): Json {
  const { name, title, about } = tool;
  const annotations = { title, readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  return { name, title, description: about, inputSchema: inputSchema(tool), annotations };
}

async function called(host: Host, { name, arguments: given = {} }: Json, signal: AbortSignal): Promise<Json> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Refused(codes.params, `there is no tool ${typeof name === 'string' ? name : 'without a name'}`);
  if (!isObject(given)) throw new Refused(codes.params, 'arguments is not an object');
  const { text, structured, failed } = await answered(host, tool, given, signal);
  return {
    content: [{ type: 'text', text }],
    ...(structured && { structuredContent: structured }),
    isError: failed,
  };
}

/** What a model gave wrong it can give again: that is an answer, and not an error of the protocol. */
async function answered(host: Host, tool: Tool, given: Json, signal: AbortSignal): Promise<Answer> {
  try {
    return await host.answer(tool, valuesOf(tool, given), signal);
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), failed: true };
  }
}
