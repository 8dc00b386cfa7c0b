import { FetchFailure } from '../workspace/fetcher.ts';
import { isArchive } from '../workspace/fileNames.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { crdsInArchive, crdsInWhole, largest } from './crds.ts';
import type { Fetcher } from './fetching.ts';
import { download, secureAddress } from './https.ts';

/** A file of CRDs, in YAML or JSON, or a chart archive. */
export const fetchFromUrl: Fetcher<'url'> = async ({ url }, _, tools) => {
  const name = secureAddress(url).pathname;
  const bytes = await download(url, tools);
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!isGzip && bytes.length > defaultLimits.fileBytes)
    throw new FetchFailure(`${url} has more than ${defaultLimits.fileBytes} bytes, which is too much to read at once`);
  const all =
    isGzip || isArchive(name) ? await crdsInArchive(bytes, url) : largest(crdsInWhole(textOf(bytes) ?? '', url));
  if (all.length === 0) throw new FetchFailure(`there is no CRD in ${url}`);
  return all;
};
