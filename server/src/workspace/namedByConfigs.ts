import type { Config } from './config.ts';
import { type Files, isAddress, type Listing } from './files.ts';
import { defaultLimits } from './limits.ts';
import type { FolderSettings } from './snapshot.ts';

/** The files that configs name as CRDs, and the configs with what leads to none. */
export async function listedByConfigs(configs: FolderSettings['configs'], files: Files) {
  const listings: Listing[] = [];
  const refusals: { readonly config: string; readonly why: string }[] = [];
  const withNowhere = new Map<string, Config>();
  for (const [folder, config] of configs) {
    const nowhere = new Map<string, string>();
    for (const pattern of config.layers.flatMap(({ chosen }) => chosen.crds ?? [])) {
      if (isAddress(pattern)) continue;
      const listing = await files.expand(pattern, config.folder, defaultLimits.files);
      listings.push(listing);
      if (listing.refused !== undefined) refusals.push({ config: config.uri, why: listing.refused });
      if (isEmpty(listing)) nowhere.set(pattern, whyEmpty(pattern, listing));
    }
    withNowhere.set(folder, { ...config, nowhere });
  }
  return { listings, refusals, configs: withNowhere };
}

function isEmpty({ uris, leads, catalogues }: Listing): boolean {
  return uris.length + leads.length + catalogues.length === 0;
}

function whyEmpty(pattern: string, { refused }: Listing): string {
  return refused ?? `there is no file with CRDs at \`${pattern}\``;
}
