import { createHash } from 'node:crypto';
import path from 'node:path';
import { isList, isMap, isString, type Value, valueAt } from '../base/value.ts';
import { contentsOf } from '../files/folders.ts';
import { readRegular } from '../files/read.ts';
import { inTemporaryFolder } from '../files/temporary.ts';
import { programInPath } from '../programs/programs.ts';
import { FetchFailure, type FetchTools } from '../workspace/fetcher.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { isTooDeep } from '../workspace/manifest.ts';
import { textOf } from '../workspace/scan.ts';
import { archiveNames } from '../workspace/sources/charts.ts';
import { type FetchSource, sourceText } from '../workspace/sources/lock.ts';
import { parseStream } from '../yaml/parse.ts';
import { valueOf } from '../yaml/value.ts';
import { crdsInArchive } from './crds.ts';
import { type Fetcher, fetchLimits } from './fetching.ts';
import { below, download, secureAddress } from './https.ts';
import { lastLine, run } from './run.ts';

type ChartSource = Extract<FetchSource, { readonly from: 'chart' }>;

/** A chart in one version: by the user's Helm, which knows passwords and registries, or from its repository's index. */
export const fetchFromChart: Fetcher<'chart'> = async (source, _, tools) => {
  const isRegistry = source.repository.startsWith('oci://');
  if (!isRegistry) secureAddress(source.repository);
  for (const word of [source.chart, source.version, source.repository])
    if (word.startsWith('-')) throw new FetchFailure(`${word} is not a name`);
  const hasHelm = programInPath('helm') !== undefined;
  if (isRegistry && !hasHelm)
    throw new FetchFailure(
      `${source.repository} is a registry, from which only Helm can fetch, and helm is not in PATH`,
    );
  const bytes = hasHelm ? await pulled(source, tools) : await downloaded(source, tools);
  const all = await crdsInArchive(bytes, sourceText(source));
  if (all.length === 0) throw new FetchFailure(`there is no CRD in ${sourceText(source)}`);
  return all;
};

function pulled({ chart, version, repository }: ChartSource, tools: FetchTools): Promise<Uint8Array> {
  return inTemporaryFolder(async (folder) => {
    const from = repository.startsWith('oci://') ? [registryAddress(repository, chart)] : [chart, '--repo', repository];
    const ca = tools.network.caFile === undefined ? [] : ['--ca-file', tools.network.caFile];
    const { ok, errors } = await run(
      'helm',
      ['pull', ...from, '--version', version, '--destination', folder, ...ca],
      tools,
    );
    if (!ok) throw new FetchFailure(`helm: ${lastLine(errors)}`);
    const [archive] = (await contentsOf(folder)).entries;
    if (archive === undefined) throw new FetchFailure('helm has fetched nothing');
    const bytes = await readRegular(path.join(folder, archive.name), fetchLimits.bytes);
    if (bytes === 'too-large') throw new FetchFailure(`helm has fetched more than ${fetchLimits.bytes} bytes`);
    if (!(bytes instanceof Uint8Array)) throw new FetchFailure('what helm has fetched cannot be read');
    return bytes;
  });
}

/** A registry's address may end with the chart's name already. */
function registryAddress(repository: string, chart: string): string {
  return repository.endsWith(`/${chart}`) ? repository : below(repository, chart);
}

async function downloaded({ chart, version, repository }: ChartSource, tools: FetchTools): Promise<Uint8Array> {
  const index = below(repository, 'index.yaml');
  const entry = entryOf(textOf(await download(index, tools)) ?? '', index, chart, version);
  const [address] = isList(entry.get('urls')) ? (entry.get('urls') as readonly Value[]) : [];
  if (!isString(address)) throw new FetchFailure(`${index} does not say where ${chart} ${version} is`);
  const archive = secureAddress(address, secureAddress(index)).href;
  const bytes = await download(archive, tools);
  const digest = entry.get('digest');
  const expected = isString(digest) ? digest.replace(/^sha256:/, '') : undefined;
  if (expected !== undefined && createHash('sha256').update(bytes).digest('hex') !== expected)
    throw new FetchFailure(`${archive} is not what ${index} says: its SHA-256 is another`);
  return bytes;
}

/**
 * The part of an index that is about one chart, where it is written as Helm writes it: an index of all that somebody ever
 * published has tens of megabytes.
 */
function partOf(text: string, chart: string): string | undefined {
  const start = text.startsWith('entries:\n') ? 0 : text.indexOf('\nentries:\n');
  const at = start === -1 ? -1 : text.indexOf(`\n  ${chart}:\n`, start);
  if (at === -1) return undefined;
  const next = /\n(?: {2})?[^\s-]/g;
  next.lastIndex = at + 1;
  return `entries:${text.slice(at, next.exec(text)?.index)}\n`;
}

/** The entry of a chart's version in the index of a repository. */
function entryOf(text: string, index: string, chart: string, version: string): ReadonlyMap<string, Value> {
  const part = partOf(text, chart) ?? text;
  if (part.length > defaultLimits.fileBytes) throw new FetchFailure(`${index} is too large to be read`);
  const [first] = parseStream(part).documents;
  const isBroken = !first || first.document.readerError !== undefined || isTooDeep(first.document);
  const entries = isBroken ? undefined : valueAt(valueOf(first.document), ['entries', chart]);
  if (isBroken) throw new FetchFailure(`${index} cannot be read`);
  if (!isList(entries)) throw new FetchFailure(`${index} has no chart ${chart}`);
  const names = new Set(archiveNames({ name: chart, version }));
  const found = entries.find((entry) => names.has(`${chart}-${String(valueAt(entry, ['version']))}.tgz`));
  if (!isMap(found)) throw new FetchFailure(`${index} has no version ${version} of ${chart}`);
  return found;
}
