import { isList, isMap, type Value } from '../base/value.ts';
import { storedResource } from '../kubernetes/cr/create.ts';
import { serveCrd } from '../kubernetes/cr/served.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { definitionsFor } from '../workspace/definitions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { fileAt, kubernetesFor, type Snapshot } from '../workspace/snapshot.ts';
import { renderBlock } from '../yaml/render.ts';

const style = { eol: '\n', step: 2, indentLists: true };

/** The objects of a file as the API server would store them: pruned, and with their defaults. */
export function storedText(snapshot: Snapshot, uri: string): string | undefined {
  const file = fileAt(snapshot, uri);
  if (!file) return undefined;
  const kubernetes = kubernetesFor(snapshot, uri);
  const documents = file.manifests.map((manifest) => {
    const stored = storedValue(snapshot, manifest, uri, kubernetes);
    return stored === undefined ? notJudged(manifest) : `${renderBlock(inOrderOf(stored, manifest.value), 0, style)}\n`;
  });
  return documents.join('---\n');
}

function notJudged({ apiVersion, kind }: Manifest): string {
  return `# No CRD in the workspace defines ${kind} (${apiVersion}), so its stored form is not known.\n`;
}

function storedValue(
  snapshot: Snapshot,
  manifest: Manifest,
  uri: string,
  kubernetes: KubernetesVersion,
): Value | undefined {
  if (manifest.role === 'crd') return createCrd(manifest.value, { kubernetes }).stored;
  const definition = definitionsFor(snapshot.definitions, manifest, uri)[0];
  const crd = definition && serveCrd(definition.manifest.value, kubernetes);
  return crd && !('error' in crd) ? storedResource(manifest.value, crd, { kubernetes }) : undefined;
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
