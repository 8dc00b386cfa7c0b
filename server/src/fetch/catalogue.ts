import type { ValueMap } from '../base/value.ts';
import { type FetchedCrd, FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { isKindName, kindOf } from '../workspace/sources/lock.ts';
import type { CatalogueVersion } from '../workspace/sources/turnBack.ts';
import { crdOf } from './crds.ts';
import { type Fetcher, fetchLimits, NotThere } from './fetching.ts';
import { below, download } from './https.ts';

/** A catalogue of JSON schemas on a server, in the layout that it has as a folder: only kinds that are named are asked for. */
export const fetchFromCatalogue: Fetcher<'catalogue'> = async ({ url }, used, tools) => {
  const crds: FetchedCrd[] = [];
  // Names become paths.
  const named = used.filter((one) => isKindName(one) && /^[a-z0-9]+$/.test(one.version));
  for (const versions of byKind(named).values()) {
    const found: CatalogueVersion[] = [];
    for (const one of versions) {
      const schema = await schemaOf(one, url, tools);
      if (schema) found.push({ version: one.version, schema });
    }
    if (found.length > 0) crds.push(crdOf(versions[0]!, found));
  }
  return crds;
};

async function schemaOf(
  { group, version, kind }: WantedKind,
  catalogue: string,
  tools: FetchTools,
): Promise<ValueMap | undefined> {
  const address = below(catalogue, `${group}/${kind.toLowerCase()}_${version}.json`);
  const limits = { ...fetchLimits, bytes: defaultLimits.fileBytes };
  const bytes = await download(address, tools, limits).catch((error: unknown) => {
    if (error instanceof NotThere) return undefined;
    throw error;
  });
  const schema = bytes && jsonObject(textOf(bytes) ?? '');
  if (bytes && !schema) throw new FetchFailure(`${address} is not a schema that can be read`);
  if (!bytes) tools.say(`the catalogue has no schema of ${kind} (${group}/${version})`);
  return schema;
}

function byKind(wanted: readonly WantedKind[]): Map<string, WantedKind[]> {
  const kinds = new Map<string, WantedKind[]>();
  for (const one of wanted) kinds.set(kindOf(one), [...(kinds.get(kindOf(one)) ?? []), one]);
  return kinds;
}
