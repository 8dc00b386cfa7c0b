import { append } from '../base/append.ts';
import { isList, isMap, isString, type ValueMap, valueAt } from '../base/value.ts';
import { clusterCommand } from '../fetch/cluster.ts';
import { type FetchLimits, fetchLimits } from '../fetch/fetching.ts';
import { lastLine, run, TooMuch } from '../fetch/run.ts';
import { type ClusterTools, storedName, type Wanted } from '../workspace/clusterReader.ts';
import { FetchFailure } from '../workspace/fetcher.ts';
import { objectIn } from './dryRun.ts';

// What a cluster stores, read through the user's own kubectl, page by page: no more than a page is ever held.

/** A list that expires is begun again so often; then the cluster changes faster than it is read. */
const mostBegun = 4;

/**
 * All objects of a kind, in the order of the cluster, each once. A list expires where its pages are asked for too slowly; then
 * it is begun again, and what was read before is passed over.
 */
export async function* storedObjects(
  wanted: Wanted,
  tools: ClusterTools,
  limits = fetchLimits,
): AsyncGenerator<ValueMap> {
  const seen = new Set<string>();
  for (let begun = 1; ; begun++) {
    try {
      for await (const object of listed(wanted, tools, limits)) {
        const name = storedName(object);
        if (seen.has(name)) continue;
        seen.add(name);
        yield object;
      }
      return;
    } catch (error) {
      if (!(error instanceof Expired) || begun === mostBegun) throw error;
      tools.say(`the list of ${wanted.plural} has expired, and is begun again`);
    }
  }
}

/** The cluster no longer knows the state that a list was of. */
class Expired extends FetchFailure {}

async function* listed(wanted: Wanted, tools: ClusterTools, limits: FetchLimits): AsyncGenerator<ValueMap> {
  let { pageSize } = wanted;
  let next: string | undefined = '';
  while (next !== undefined) {
    const page: ValueMap | 'too-large' = await pageOf(wanted, pageSize, next, tools, limits);
    if (page === 'too-large') {
      if (pageSize === 1) throw new FetchFailure(`an object of ${wanted.plural} has more than ${limits.bytes} bytes`);
      pageSize = Math.max(1, Math.floor(pageSize / 4));
      continue;
    }
    const items = page.get('items');
    yield* (isList(items) ? items : []).filter(isMap);
    const token = valueAt(page, ['metadata', 'continue']);
    const after = isString(token) && token !== '' ? token : undefined;
    if (after !== undefined && after === next)
      throw new FetchFailure('the cluster gives the same page again and again');
    next = after;
  }
}

async function pageOf(
  { context, group, version, plural, namespace, selector }: Wanted,
  pageSize: number,
  next: string,
  tools: ClusterTools,
  limits: FetchLimits,
): Promise<ValueMap | 'too-large'> {
  const query = new URLSearchParams({ limit: `${pageSize}` });
  if (next !== '') query.set('continue', next);
  if (selector !== undefined) query.set('labelSelector', selector);
  const place = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  const address = `/apis/${group}/${version}/${place}${plural}?${query}`;
  const ran = await run('kubectl', ['get', '--raw', address, ...options(context)], tools, limits).catch((error) => {
    if (error instanceof TooMuch) return 'too-large' as const;
    throw error;
  });
  if (ran === 'too-large') return ran;
  if (!ran.ok && next !== '' && ran.errors.includes('(Expired)')) throw new Expired(`kubectl: ${lastLine(ran.errors)}`);
  return objectIn(ran);
}

const options = (context: string) => [`--context=${context}`, '--request-timeout=60s'];

/** The CRDs of a cluster as it stores them, with their status; of those names, where some are given. */
export async function storedCrds(
  context: string,
  names: readonly string[] | undefined,
  tools: ClusterTools,
): Promise<ValueMap[]> {
  const found: ValueMap[] = [];
  const ask = async (args: readonly string[]) => {
    const ran = await run('kubectl', args, tools);
    if (ran.ok && ran.output.length === 0) return;
    const root = objectIn(ran);
    const items = root.get('items');
    append(found, (isList(items) ? items : [root]).filter(isMap));
  };
  if (!names) await ask(clusterCommand(context));
  else
    for (let at = 0; at < names.length; at += namesAtOnce) {
      const some = names.slice(at, at + namesAtOnce);
      await ask(['get', 'crd', ...some, '--ignore-not-found', '-o', 'json', ...options(context)]);
    }
  return found;
}

/** A command line holds only so much. */
const namesAtOnce = 50;
