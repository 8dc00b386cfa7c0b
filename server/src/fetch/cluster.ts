import { isMap, type ValueMap } from '../base/value.ts';
import { type FetchedCrd, FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import { textOf } from '../workspace/scan.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { isKindName } from '../workspace/sources/lock.ts';
import { schemasOf } from '../workspace/sources/openApi.ts';
import { crdOf, crdsOf } from './crds.ts';
import type { Fetcher } from './fetching.ts';
import { lastLine, run } from './run.ts';

// A cluster is asked through the user's own kubectl: it knows the contexts, the credentials and the plugins for them.

/** The contexts of the user's kubeconfig; to list them asks no cluster. */
export async function contexts(tools: Pick<FetchTools, 'signal' | 'say'>): Promise<string[]> {
  const { ok, output, errors } = await run('kubectl', ['config', 'get-contexts', '-o', 'name'], tools);
  if (!ok) throw new FetchFailure(`kubectl cannot list the contexts: ${lastLine(errors)}`);
  return output
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** What is run to read a context's CRDs, as it is shown before. */
export function clusterCommand(context: string): string[] {
  return ['get', 'crd', '-o', 'json', ...contextOptions(context)];
}

const contextOptions = (context: string) => [`--context=${context}`, '--request-timeout=30s'];

export const fetchFromCluster: Fetcher<'cluster'> = async ({ context }, used, tools) => {
  const { ok, output, errors } = await run('kubectl', clusterCommand(context), tools);
  if (ok) return crdsOf(objectIn(output, 'what kubectl printed'));
  if (!errors.includes('(Forbidden)')) throw new FetchFailure(`kubectl: ${lastLine(errors)}`);
  tools.say('CRDs may not be listed there; the schemas that it publishes are read instead');
  return fromOpenApi(context, used, tools);
};

/** Whoever may not list CRDs may mostly read the schemas made of them, which tell less. */
async function fromOpenApi(context: string, wanted: readonly WantedKind[], tools: FetchTools): Promise<FetchedCrd[]> {
  if (wanted.length === 0)
    throw new FetchFailure('CRDs may not be listed there, and without that only kinds that are named can be fetched');
  const known = new Map<string, Promise<ValueMap>>();
  const raw = (path: string) => {
    const document = known.get(path) ?? published(context, path, tools);
    known.set(path, document);
    return document;
  };
  const paths = (await raw('/openapi/v3')).get('paths');
  const names = isMap(paths) ? [...paths.keys()] : [];
  const crds: FetchedCrd[] = [];
  for (const kind of distinct(wanted).filter(isKindName)) {
    const ofGroup = names.filter((name) => name.startsWith(`apis/${kind.group}/`));
    const documents = [];
    for (const name of ofGroup) documents.push(await raw(`/openapi/v3/${name}`));
    const versions = documents.flatMap((document) => schemasOf(document, kind));
    if (versions.length > 0) crds.push(crdOf(kind, versions));
  }
  return crds;
}

async function published(context: string, path: string, tools: FetchTools): Promise<ValueMap> {
  const { ok, output, errors } = await run('kubectl', ['get', '--raw', path, ...contextOptions(context)], tools);
  if (!ok) throw new FetchFailure(`kubectl: ${lastLine(errors)}`);
  return objectIn(output, `what the cluster gives at ${path}`);
}

function objectIn(output: Uint8Array, what: string): ValueMap {
  const object = jsonObject(textOf(output) ?? '');
  if (!object) throw new FetchFailure(`${what} cannot be read`);
  return object;
}

function distinct(wanted: readonly WantedKind[]): WantedKind[] {
  return [...new Map(wanted.map((one) => [`${one.group}/${one.kind}`, one])).values()];
}
