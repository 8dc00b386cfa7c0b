import { isList, isMap, type Value } from '../base/value.ts';
import { storedResource } from '../kubernetes/cr/create.ts';
import { serveCrd } from '../kubernetes/cr/served.ts';
import { kept } from '../kubernetes/cr/storage.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import { definitionsFor } from '../workspace/definitions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../workspace/snapshot.ts';
import { renderBlock } from '../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: true };

/** The objects of a file as the API server would store them: pruned, with their defaults, in the storage version. */
export function storedText(snapshot: Snapshot, uri: string): string | undefined {
  const file = fileAt(snapshot, uri);
  if (!file) return undefined;
  const kubernetes = kubernetesFor(snapshot, uri);
  const documents = file.manifests.map((manifest) => {
    const stored = storedValue(snapshot, manifest, uri, kubernetes);
    if (typeof stored !== 'object') return `# ${stored}\n`;
    return `${renderBlock(inOrderOf(stored.value, manifest.value), 0, style)}\n`;
  });
  return documents.join('---\n');
}

/** What is stored, or why that is not known. */
function storedValue(
  snapshot: Snapshot,
  manifest: Manifest,
  uri: string,
  kubernetes: KubernetesVersion,
): { readonly value: Value } | string {
  const { apiVersion, kind } = manifest;
  if (manifest.role === 'crd') {
    const { stored } = boundedMatching(() => createCrd(manifest.value, { kubernetes })).result;
    return stored === undefined ? 'The CRD cannot be decoded, so nothing would be stored.' : { value: stored };
  }
  const definition = definitionsFor(snapshot.definitions, manifest, uri)[0];
  const crd = definition && serveCrd(definition.manifest.value, kubernetes);
  if (!crd) return `No CRD in the workspace defines ${kind} (${apiVersion}), so its stored form is not known.`;
  if ('error' in crd) return `The CRD of ${kind} could not be served, so the stored form is not known.`;
  const stored = storedResource(manifest.value, crd, { kubernetes });
  if (stored === undefined) return `The ${kind} cannot be decoded, so nothing would be stored.`;
  const inStore = kept(stored, crd);
  if (inStore) return { value: inStore.value };
  return `A webhook converts ${kind} (${apiVersion}) to the storage version, so the stored form is not known.`;
}

/** The same value with its keys in the order in which the document has them, new ones last: a diff shows only what changed. */
function inOrderOf(value: Value, written: Value | undefined): Value {
  if (isList(value)) return value.map((item, i) => inOrderOf(item, isList(written) ? written[i] : undefined));
  if (!isMap(value)) return value;
  const order = isMap(written) ? [...written.keys()].filter((key) => value.has(key)) : [];
  const keys = new Set([...order, ...value.keys()]);
  const inner = isMap(written) ? written : new Map<string, Value>();
  return new Map([...keys].map((key) => [key, inOrderOf(value.get(key)!, inner.get(key))]));
}
