import { isList, isMap, isString, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { gunzipped } from '../files/gunzip.ts';
import { compareVersions } from '../kubernetes/versionPriority.ts';
import { type FetchedCrd, FetchFailure } from '../workspace/fetcher.ts';
import { isYaml } from '../workspace/fileNames.ts';
import type { WantedKind } from '../workspace/kinds.ts';
import { defaultLimits, sourceLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { sourceFile } from '../workspace/sourceFile.ts';
import { walkArchive } from '../workspace/sources/archive.ts';
import { jsonObject } from '../workspace/sources/json.ts';
import { kindOf } from '../workspace/sources/lock.ts';
import { type CatalogueVersion, turnedBack } from '../workspace/sources/turnBack.ts';
import { parseStream } from '../yaml/parse.ts';
import { renderBlock } from '../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: false };

/** The CRDs in a text of YAML or JSON, each as it is kept. */
export function crdsIn(text: string, name: string): FetchedCrd[] {
  if (/^\s*\{\s*["}]/.test(text)) {
    const root = jsonObject(text);
    return root ? crdsOf(root) : [];
  }
  return sourceFile(`file:///${name}`, text).manifests.flatMap(({ value }) => crdIn(value));
}

/** The CRDs in a file that a server gave: one that no reader would take is not taken as far as it goes. */
export function crdsInWhole(text: string, name: string): FetchedCrd[] {
  const isBroken = parseStream(text).documents.some(({ document }) => document.readerError !== undefined);
  if (isBroken) throw new FetchFailure(`${name} cannot be read as YAML`);
  return crdsIn(text, 'fetched.yaml');
}

/**
 * The CRDs of a list, or an object that is one. What kubectl gives of a cluster is much: nobody looks at places in it, so
 * that the YAML reader would be a waste.
 */
export function crdsOf(root: ValueMap): FetchedCrd[] {
  const items = root.get('items');
  const objects: readonly Value[] = isList(items) ? items : [root];
  return objects.filter(isMap).flatMap(crdIn);
}

function crdIn(object: ValueMap): FetchedCrd[] {
  const [group, kind] = [valueAt(object, ['spec', 'group']), valueAt(object, ['spec', 'names', 'kind'])];
  const isCrd = object.get('kind') === 'CustomResourceDefinition' && object.get('apiVersion') === crdVersion;
  if (!isCrd || !isString(group) || !isString(kind)) return [];
  return [{ group, kind, text: `${renderBlock(kept(object), 0, style)}\n` }];
}

const crdVersion = 'apiextensions.k8s.io/v1';

/** Annotations that the API server or a reader of the CRD looks at. */
const keptAnnotations: readonly string[] = [
  'api-approved.kubernetes.io',
  'controller-gen.kubebuilder.io/version',
  'cert-manager.io/inject-ca-from',
];

/**
 * A CRD without what a cluster or an installer adds to it and changes again: owners, times, a status, a certificate that
 * is renewed.
 */
function kept(crd: ValueMap): Value {
  const annotations = valueAt(crd, ['metadata', 'annotations']);
  const known = isMap(annotations) ? [...annotations].filter(([key]) => keptAnnotations.includes(key)) : [];
  const metadata = new Map<string, Value>([
    ['name', valueAt(crd, ['metadata', 'name']) ?? ''],
    ...(known.length > 0 ? [['annotations', new Map(known)] as const] : []),
  ]);
  const entries = [...crd].filter(([key]) => key !== 'status' && key !== 'metadata');
  return without(new Map([...entries.slice(0, 2), ['metadata', metadata], ...entries.slice(2)]), [
    'spec',
    'conversion',
    'webhook',
    'clientConfig',
    'caBundle',
  ]);
}

/** A value without what is at a path. */
function without(value: Value, [step, ...rest]: readonly string[]): Value {
  if (!isMap(value) || step === undefined || !value.has(step)) return value;
  const map = new Map(value);
  if (rest.length === 0) map.delete(step);
  else map.set(step, without(value.get(step)!, rest));
  return map;
}

/** Characters of the files with CRDs in one chart. */
const mostCharacters = 16_000_000;

/** The CRDs in an archive of a chart. */
export async function crdsInArchive(bytes: Uint8Array, name: string): Promise<FetchedCrd[]> {
  const texts = new Map<string, string>();
  let characters = 0;
  const take = (path: string, content: Uint8Array) => {
    const text = textOf(content);
    if (!text?.includes('CustomResourceDefinition')) return;
    characters += text.length;
    if (characters <= mostCharacters && texts.size <= sourceLimits.files) texts.set(path, text);
  };
  const limits = {
    ...sourceLimits,
    unpackedBytes: sourceLimits.othersUnpackedBytes,
    fileBytes: defaultLimits.fileBytes,
  };
  const notes = await walkArchive(bytes, limits, { wants: (path) => isYaml(path), take }, gunzipped);
  if (notes.length > 0) throw new FetchFailure(`${name}: ${notes[0]}`);
  if (characters > mostCharacters)
    throw new FetchFailure(`${name}: its files with CRDs have more than ${mostCharacters} characters`);
  if (texts.size > sourceLimits.files)
    throw new FetchFailure(`${name}: it has more than ${sourceLimits.files} files with CRDs`);
  return largest([...texts].flatMap(([path, text]) => crdsIn(text, path)));
}

/** Of several CRDs of a kind, such as a standard and an experimental one, the one that says most. */
export function largest(crds: readonly FetchedCrd[]): FetchedCrd[] {
  const byKind = new Map<string, FetchedCrd>();
  for (const crd of crds) {
    const known = byKind.get(kindOf(crd));
    if (!known || known.text.length < crd.text.length) byKind.set(kindOf(crd), crd);
  }
  return [...byKind.values()];
}

/** A CRD made from the schemas of a kind's versions. */
export function crdOf(
  { group, kind }: Pick<WantedKind, 'group' | 'kind'>,
  found: readonly CatalogueVersion[],
): FetchedCrd {
  const versions = [...found].sort((a, b) => compareVersions(a.version, b.version));
  const text = turnedBack({ group, kind }, versions);
  return { group, kind, text, fromSchema: versions.map(({ version }) => version) };
}
