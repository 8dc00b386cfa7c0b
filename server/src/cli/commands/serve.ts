import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { type Value, valueAt } from '../../base/value.ts';
import { LineFile } from '../../files/lines.ts';
import { Log } from '../../files/log.ts';
import { inTemporaryFolder } from '../../files/temporary.ts';
import { writeWhole } from '../../files/write.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import { builtinKindsOf } from '../../kubernetes/builtin/kinds.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { ApiServer } from '../../serve/apiServer.ts';
import { callWebhook } from '../../serve/calls.ts';
import { type Certificates, certificatesAt } from '../../serve/certificate.ts';
import { type Doors, kubeconfigFor, type Listening, listen } from '../../serve/http.ts';
import { textAt } from '../../serve/json.ts';
import type { Journal } from '../../serve/keeping.ts';
import type { Asked } from '../../serve/places.ts';
import type { Serving } from '../../serve/serving.ts';
import { administrator } from '../../serve/users.ts';
import { crdsOfGo } from '../goCrds.ts';
import { hasGo, isGoPath } from '../goPaths.ts';
import { nameOf } from '../report.ts';
import { command } from '../table/command.ts';
import { flag, number, text } from '../table/option.ts';
import { crdOptions, kubernetes, oneVersion } from '../table/shared.ts';
import { complain, complainOf, isKept, print } from '../terminal.ts';
import { builtinFile, definitionsAt, openApiTexts } from '../workspace.ts';

interface ServeOptions {
  readonly crds: readonly string[];
  readonly without: readonly string[];
  readonly version: KubernetesVersion;
  readonly port: number;
  /** Undefined where it goes into a folder that is gone at the end. */
  readonly kubeconfig: string | undefined;
  readonly untilEof: boolean;
  /** Where what is written is kept; undefined where it goes with the process. */
  readonly data: string | undefined;
  /** Where it is written down what was asked; undefined where nowhere. */
  readonly audit: string | undefined;
}

/** Serves until it is ended; gives the exit code. */
async function serve(options: ServeOptions): Promise<number> {
  const { version } = options;
  // Whoever waits for the address would wait for ever.
  if (isKept()) throw new Error('--output-file goes without serve');
  const audit = options.audit === undefined ? undefined : await LineFile.open(options.audit, mostAuditBytes);
  const opened = options.data === undefined ? undefined : await Log.open(options.data);
  const serving: Serving = {
    kubernetes: version,
    builtin: builtinKindsOf(await builtinFile(), version),
    seconds: () => Date.now() / 1000,
    uid: randomUUID,
    openApiTexts,
    call: callWebhook,
  };
  const api = new ApiServer(serving, opened && journalOf(opened));
  try {
    return await served(api, options, audit && auditTo(audit));
  } finally {
    await audit?.close();
    await opened?.log.close();
  }
}

function journalOf({ log, lines }: Awaited<ReturnType<typeof Log.open>>): Journal {
  return {
    lines,
    get isFull() {
      return log.isFull;
    },
    append: (line) => log.append(line),
    renewBy: (all) => log.renewBy(all),
    settled: () => log.settled(),
  };
}

/** A file of events that is larger is not written on. */
const mostAuditBytes = 1_000_000_000;

function auditTo(file: LineFile): NonNullable<Doors['audit']> {
  let isFull = false;
  return (event) => {
    if (isFull || file.append(JSON.stringify(event), complainOf)) return;
    isFull = true;
    complain(`the file of --audit has come to ${mostAuditBytes} bytes: what is asked from now on is not written down`);
  };
}

async function served(api: ApiServer, options: ServeOptions, audit: Doors['audit']): Promise<number> {
  const { port, kubeconfig } = options;
  const refused = await createCrds(api, options);
  for (const why of refused) complain(why);
  if (refused.length > 0) return 1;
  const certificates = certificatesAt(Date.now() / 1000);
  const doors = { port, certificates, token: randomBytes(32).toString('hex'), ...(audit && { audit }) };
  const open = { doors, listening: await listen(api, doors, complainOf) };
  if (kubeconfig !== undefined) return await untilEnded(open, kubeconfig, options);
  return await inTemporaryFolder((folder) => untilEnded(open, path.join(folder, 'kubeconfig'), options));
}

interface Open {
  readonly listening: Listening;
  readonly doors: Doors & { readonly certificates: Certificates; readonly token: string };
}

async function untilEnded(
  { listening, doors }: Open,
  file: string,
  { version, untilEof }: ServeOptions,
): Promise<number> {
  const kubeconfig = path.resolve(file);
  const { address } = listening;
  await writeWhole(kubeconfig, kubeconfigFor(address, doors), path.dirname(kubeconfig), { isSecret: true });
  const ended = [once(process, 'SIGINT'), once(process, 'SIGTERM'), ...(untilEof ? [endOfInput()] : [])];
  const { certificates, token } = doors;
  const ready = { address, kubeconfig, token, certificateAuthority: certificates.authority, kubernetes: version.name };
  print(JSON.stringify(ready));
  await Promise.race(ended);
  // Input that is still open would keep the process.
  if (untilEof) process.stdin.destroy();
  await listening.stop();
  return 0;
}

async function endOfInput(): Promise<void> {
  process.stdin.resume();
  await once(process.stdin, 'end');
}

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Creates the CRDs that paths hold, or that are made of Go types there; gives what the API server says against them. */
async function createCrds(api: ApiServer, { crds, without, version }: ServeOptions): Promise<string[]> {
  if (crds.length === 0) return [];
  const { made, wrong } = await crdsAt(crds, without, version);
  if (wrong.length > 0) return wrong;
  if (made.length === 0) return [`no CRD is found at ${crds.join(', ')}`];
  return (await Promise.all(made.map((one) => createCrd(api, one)))).flat();
}

interface Crd {
  readonly value: Value;
  readonly from: string;
}

/** The CRDs in files, and those that Go types are generated into, where no file has them. */
async function crdsAt(paths: readonly string[], without: readonly string[], version: KubernetesVersion) {
  const [go, files] = [paths.filter((one) => isGoPath(one) || hasGo(one)), paths.filter((one) => !isGoPath(one))];
  const found =
    files.length === 0
      ? []
      : (await definitionsAt(files, { crds: [], without }, version, { mayBeEmpty: go.length > 0 })).flat();
  const all = new Map(found.map(({ manifest, file }) => [manifest, nameOf(file.uri)]));
  const written = [...all].map(([{ value }, from]): Crd => ({ value, from }));
  if (go.length === 0) return { made: written, wrong: [] };
  const names = new Set(written.map(({ value }) => crdName(value)));
  const { crds, wrong } = await crdsOfGo(go);
  const generated = crds.map(({ value, fileName }): Crd => ({ value, from: fileName }));
  return { made: [...written, ...generated.filter(({ value }) => !names.has(crdName(value)))], wrong };
}

const crdName = (value: Value) => valueAt(value, ['metadata', 'name']);

async function createCrd(api: ApiServer, { value, from }: Crd): Promise<string[]> {
  const sent = { method: 'POST', path: crdPath, query: new URLSearchParams(), type: 'application/json', accept: '' };
  const asked = { ...sent, user: administrator, agent: 'kube-crd', body: printJson(value) };
  const { code, body } = await api.handle(asked);
  if (code < 300) return [];
  if (code === 409) return await replaceCrd(api, asked, from);
  return [`${from}: ${typeof body === 'string' ? body : textAt(body, 'message')}`];
}

/** What is kept from before may have another state of a CRD. */
async function replaceCrd(api: ApiServer, asked: Asked, name: string): Promise<string[]> {
  const path = `${crdPath}/${textAt(JSON.parse(asked.body), 'metadata', 'name')}`;
  const type = 'application/merge-patch+json';
  const { code, body } = await api.handle({ ...asked, method: 'PATCH', path, type });
  return code < 300 ? [] : [`${name}: ${typeof body === 'string' ? body : textAt(body, 'message')}`];
}

export const serveCommand = command({
  name: 'serve',
  about: 'an API server for CRDs and their objects, in memory, for tests',
  inShort: 'an API server for CRDs, their objects and built-in kinds, in memory, for tests; [docs/serve.md](serve.md)',
  takes: '',
  explains: `Answers kubectl, client-go and controller-runtime as an API server does, from memory, on this machine alone. What
there is and what there is not: docs/serve.md. When it is ready it prints one line of JSON with its address and
a kubeconfig.`,
  options: {
    crds: crdOptions.crds,
    without: crdOptions.without,
    kubernetes,
    port: number('PORT', 'the port; default: any that is free', { least: 0, most: 65_535 }),
    kubeconfig: text('FILE', 'write the kubeconfig there; otherwise into a folder that is gone at the end', {
      completes: 'file',
    }),
    data: text('DIR', 'keep what is written in this folder, and begin with what is in it', { completes: 'folder' }),
    audit: text('FILE', 'add an event for each request to this file, one a line', { completes: 'file' }),
    untilEof: flag('end when standard input ends, so that it does not outlive who starts it'),
  },
  examples: [
    'kube-crd serve --until-eof --crds config/crd',
    'kube-crd serve --until-eof --crds ./api/...',
    'kube-crd serve --until-eof --kubernetes 1.34 --kubeconfig test.kubeconfig',
  ],
  completes: [],
  run: async ({ kubernetes: version, port, ...options }) =>
    serve({ ...options, version: await oneVersion(version), port: port ?? 0 }),
});
