import { isList, isMap, type Value, type ValueMap } from '../base/value.ts';
import { serveCrd } from '../kubernetes/cr/served.ts';
import { kept } from '../kubernetes/cr/storage.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import { updateCrd } from '../kubernetes/crd/update.ts';
import { boundedMatching } from '../kubernetes/schema/matching.ts';
import { definitionsFor } from '../workspace/definitions.ts';
import { committedObject, fileAt, kubernetesFor, type Snapshot } from '../workspace/snapshot.ts';
import { renderBlock } from '../yaml/render.ts';
import { refusals, type Writing, type WritingOf, writtenResource } from './writing.ts';

const style = { eol: '\n', step: 2, indentLists: true };

/** The objects of a file as the API server would store them: pruned, with their defaults, in the storage version. */
export function storedText(snapshot: Snapshot, uri: string, writing: Writing = 'create'): string | undefined {
  const file = fileAt(snapshot, uri);
  if (!file) return undefined;
  const kubernetes = kubernetesFor(snapshot, uri);
  const documents = file.manifests.map((manifest) => {
    const { value, notes = [] } = storedValue({ snapshot, manifest, uri, kubernetes, writing });
    const said = notes.map((note) => `# ${note.replaceAll('\n', '\n# ')}\n`).join('');
    return value === undefined ? said : `${said}${renderBlock(inOrderOf(value, manifest.value), 0, style)}\n`;
  });
  return documents.join('---\n');
}

/** What is stored, where that is known, and what is to be said of it. */
function storedValue(asked: WritingOf): Written {
  const { snapshot, manifest, uri, kubernetes } = asked;
  const { apiVersion, kind } = manifest;
  if (manifest.role === 'crd') return storedCrd(asked);
  const definition = definitionsFor(snapshot.definitions, manifest, uri)[0];
  const crd = definition && serveCrd(definition.manifest.value, kubernetes);
  if (!crd) return unknown(`No CRD in the workspace defines ${kind} (${apiVersion}), so its stored form is not known.`);
  if ('error' in crd) return unknown(`The CRD of ${kind} could not be served, so the stored form is not known.`);
  const { stored, managed, notes } = writtenResource(asked, crd);
  if (stored === undefined) {
    return { notes: notes.length > 0 ? notes : [`The ${kind} cannot be decoded, so nothing would be stored.`] };
  }
  const inStore = kept(stored, crd);
  if (inStore) return { value: managed ? withManager(inStore.value, managed) : inStore.value, notes };
  return unknown(`A webhook converts ${kind} (${apiVersion}) to the storage version, so the stored form is not known.`);
}

interface Written {
  readonly value?: Value;
  readonly notes?: readonly string[];
}

const unknown = (note: string): Written => ({ notes: [note] });

function storedCrd({ snapshot, manifest, uri, kubernetes, writing }: WritingOf): Written {
  const committed = writing === 'create' ? undefined : committedObject(snapshot, uri, manifest);
  const { stored, errors } = boundedMatching(() =>
    committed
      ? updateCrd(committed.manifest.value, manifest.value, { kubernetes })
      : createCrd(manifest.value, { kubernetes }),
  ).result;
  if (stored === undefined) return unknown('The CRD cannot be decoded, so nothing would be stored.');
  const merges =
    writing === 'apply' ? ['How server-side apply merges CRDs is not shown: this is what replaces it.'] : [];
  return { value: stored, notes: [...merges, ...refusals(errors)] };
}

function withManager(value: Value, managed: ValueMap): Value {
  if (!isMap(value)) return value;
  const metadata = value.get('metadata');
  const fields = isMap(metadata) ? metadata : new Map<string, Value>();
  return new Map(value).set('metadata', new Map(fields).set('managedFields', [managed]));
}

/** The same value with its keys in the order in which the document has them, new ones last: a diff shows only what changed. */
export function inOrderOf(value: Value, written: Value | undefined): Value {
  if (isList(value)) return value.map((item, i) => inOrderOf(item, isList(written) ? written[i] : undefined));
  if (!isMap(value)) return value;
  const order = isMap(written) ? [...written.keys()].filter((key) => value.has(key)) : [];
  const keys = new Set([...order, ...value.keys()]);
  const inner = isMap(written) ? written : new Map<string, Value>();
  return new Map([...keys].map((key) => [key, inOrderOf(value.get(key)!, inner.get(key))]));
}
