import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { readResource } from '../../kubernetes/cr/decode.ts';
import { storedObject } from '../../kubernetes/cr/object.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import { kept, readBack } from '../../kubernetes/cr/storage.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { pathText } from '../../kubernetes/schema/prune.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { renderBlock } from '../../yaml/render.ts';
import { onlySchema, versionsOf } from './kindPages.ts';
import { inOrderOf } from './preview.ts';

/** A version that the resources of a file could be shown as. */
export interface OtherVersion {
  readonly version: string;
  readonly served: boolean;
  readonly stored: boolean;
}

/** The other versions of the kinds of a file's resources than the ones that they are written in, by priority. */
export function versionsOfResources(snapshot: Snapshot, uri: string): OtherVersion[] {
  const found = new Map<string, OtherVersion>();
  for (const { definition, manifest } of resourcesIn(snapshot, uri)) {
    const own = splitApiVersion(manifest.apiVersion).version;
    for (const { name, served, stored } of definition ? versionsOf(definition.manifest.value) : [])
      if (name !== own && !found.has(name)) found.set(name, { version: name, served, stored });
  }
  return [...found.values()].sort((a, b) => compareVersions(a.version, b.version));
}

interface ResourceOf {
  readonly manifest: Manifest;
  readonly definition: Definition | undefined;
}

function resourcesIn(snapshot: Snapshot, uri: string): ResourceOf[] {
  const manifests = fileAt(snapshot, uri)?.manifests ?? [];
  return manifests
    .filter(({ role }) => role === 'resource')
    .map((manifest) => ({ manifest, definition: definitionsFor(snapshot.definitions, manifest, uri)[0] }));
}

const style = { eol: '\n', step: 2, indentLists: true };

/** The resources of a file as a client gets them that asks for another version, with what is lost in words. */
export function asVersion(snapshot: Snapshot, uri: string, version: string): string {
  const kubernetes = kubernetesFor(snapshot, uri);
  const documents = resourcesIn(snapshot, uri).map((resource) => {
    const { value, notes } = converted(resource, version, kubernetes);
    const said = notes.map((note) => `# ${note.replaceAll('\n', '\n# ')}\n`).join('');
    return value ? `${said}${renderBlock(inOrderOf(value, resource.manifest.value), 0, style)}\n` : said;
  });
  return documents.join('---\n');
}

interface Converted {
  readonly value?: ValueMap;
  readonly notes: readonly string[];
}

function converted({ manifest, definition }: ResourceOf, version: string, kubernetes: KubernetesVersion): Converted {
  const { kind, apiVersion, value } = manifest;
  const none = (note: string): Converted => ({ notes: [note] });
  if (!definition) return none(`No CRD of ${kind} (${apiVersion}) is known.`);
  if (definition.file.origin?.fromSchema) return none(onlySchema(kind));
  const crd = serveCrd(definition.manifest.value, kubernetes);
  if ('error' in crd) return none(`The CRD of ${kind} cannot be served: ${crd.error}`);
  const to = crd.versions.get(version);
  const isServed = crd.lowered.versions.some(({ name, served }) => name === version && served);
  if (!to || !isServed) return none(`The API server does not serve ${kind} in version ${version}.`);
  const read = readResource(value, crd, kubernetes);
  if ('error' in read) return none(`The ${kind} cannot be decoded: ${read.error.message}`);
  const written = storedObject(read.resource.fields, read.resource.meta);
  const inStore = kept(written, crd);
  const shown = inStore && readBack(inStore, to, crd);
  if (!inStore || !shown) return none(byWebhook(crd, splitApiVersion(apiVersion).version, version));
  const storage = inStore.served.version;
  return { value: shown, notes: notesOf(value, { written, stored: inStore.value, shown }, { storage, version }) };
}

function byWebhook({ lowered }: ServedCrd, from: string, to: string): string {
  const storage = lowered.versions.find((one) => one.storage)?.name;
  return `The CRD's conversion webhook decides what becomes of a resource between ${from}, ${storage} (stored) and ${to}: it cannot be shown here.`;
}

/** What an object is, step by step. */
interface Steps {
  readonly written: Value;
  readonly stored: Value;
  readonly shown: Value;
}

function notesOf(document: Value, { written, stored, shown }: Steps, versions: { storage: string; version: string }) {
  const { storage, version } = versions;
  const lost = missingIn(document, shown);
  const [atWriting, kept] = parted(lost, (path) => valueAt(written, path) === undefined);
  const [inStore, hidden] = parted(kept, (path) => valueAt(stored, path) === undefined);
  const added = missingIn(shown, document).filter(([first]) => first !== 'metadata');
  const said = (text: string, paths: readonly Path[]) => (paths.length === 0 ? [] : [`${text}:\n${listed(paths)}`]);
  return [
    `As a client gets it that asks for ${version}.`,
    `It is stored as ${storage}; conversion changes apiVersion alone.`,
    ...said('Dropped when it is written, since its own version has no such fields', atWriting),
    ...said(`Lost for good, since it is stored as ${storage}, which has no such fields`, inStore),
    ...said(`Stored, but not shown, since ${version} has no such fields`, hidden),
    ...said('Added by defaults', added),
    ...(lost.length === 0 ? ['Nothing is lost.'] : []),
  ];
}

function parted(paths: readonly Path[], is: (path: Path) => boolean): [Path[], Path[]] {
  return [paths.filter(is), paths.filter((path) => !is(path))];
}

const mostListed = 20;

function listed(paths: readonly Path[]): string {
  const shown = paths.slice(0, mostListed).map((path) => `  ${pathText(path)}`);
  const more = paths.length > mostListed ? [`  and ${paths.length - mostListed} more`] : [];
  return [...shown, ...more].join('\n');
}

/** What one value has and another has not, as far out as possible. */
function missingIn(one: Value, other: Value | undefined, path: Path = []): Path[] {
  if (other === undefined) return [path];
  if (isMap(one))
    return [...one].flatMap(([key, item]) =>
      missingIn(item, isMap(other) ? other.get(key) : undefined, [...path, key]),
    );
  if (!isList(one)) return [];
  return one.flatMap((item, i) => missingIn(item, isList(other) ? other[i] : undefined, [...path, i]));
}
