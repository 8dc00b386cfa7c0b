import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import { countingWork } from '../../cel/eval/work.ts';
import { decodeMessage } from '../../kubernetes/builtin/decode.ts';
import { judgeBuiltin } from '../../kubernetes/builtin/judge.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import { kept } from '../../kubernetes/cr/storage.ts';
import { createCrd } from '../../kubernetes/crd/create.ts';
import { updateCrd } from '../../kubernetes/crd/update.ts';
import { boundedMatching } from '../../kubernetes/schema/matching.ts';
import { asFarAsKnown } from '../../rules/cr/placeholders.ts';
import { builtinFor } from '../../workspace/builtin.ts';
import { definitionsFor } from '../../workspace/definitions.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { committedObject, fileAt, kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { renderBlock } from '../../yaml/render.ts';
import { refusal, refusals, type Writing, type WritingOf, writtenResource } from './writing.ts';

const style = { eol: '\n', step: 2, indentLists: true };

/** The objects of a file as the API server would store them: pruned, with their defaults, in the storage version. */
export function storedText(snapshot: Snapshot, uri: string, writing: Writing = 'create'): string | undefined {
  if (!fileAt(snapshot, uri)) return undefined;
  return storedObjects(snapshot, uri, writing)
    .map(({ text }) => text)
    .join('---\n');
}

/** What would be stored of one object. */
interface StoredObject {
  readonly manifest: Manifest;
  /** With what is to be said of it as comments. */
  readonly text: string;
  /** Why the API server would not accept it. */
  readonly refused: readonly string[];
}

export function storedObjects(snapshot: Snapshot, uri: string, writing: Writing): StoredObject[] {
  const kubernetes = kubernetesFor(snapshot, uri);
  const manifests = fileAt(snapshot, uri)?.manifests ?? [];
  // All objects of a file together get so much, as where they are judged.
  return countingWork(0, () =>
    manifests.map((manifest) => storedObject({ snapshot, manifest, uri, kubernetes, writing })),
  ).result;
}

function storedObject(asked: WritingOf): StoredObject {
  const { manifest } = asked;
  const { value, notes = [], refused = [] } = storedValue(asked);
  const said = notes.map((note) => `# ${note.replaceAll('\n', '\n# ')}\n`).join('');
  const stored = value === undefined ? '' : `${renderBlock(inOrderOf(value, manifest.value), 0, style)}\n`;
  return { manifest, text: said + stored, refused };
}

/** What is stored, where that is known, and what is to be said of it. */
function storedValue(asked: WritingOf): Written {
  const { snapshot, manifest, uri, kubernetes } = asked;
  const { apiVersion, kind } = manifest;
  if (manifest.role === 'crd') return storedCrd(asked);
  const definition = definitionsFor(snapshot.definitions, manifest, uri)[0];
  const crd = definition && serveCrd(definition.manifest.value, kubernetes);
  if (!crd) {
    const why = undecodable(asked);
    if (why !== undefined) return { notes: [refusal(why)], refused: [refusal(why)] };
    return unknown(`No CRD in the workspace defines ${kind} (${apiVersion}), so its stored form is not known.`);
  }
  if ('error' in crd) return unknown(`The CRD of ${kind} could not be served, so the stored form is not known.`);
  const { stored, managed, notes, refused } = writtenResource(asked, crd);
  if (stored === undefined) {
    return {
      notes: notes.length > 0 ? notes : [`The ${kind} cannot be decoded, so nothing would be stored.`],
      refused,
    };
  }
  const inStore = kept(stored, crd);
  if (inStore) return { value: managed ? withManager(inStore.value, managed) : inStore.value, notes, refused };
  return unknown(`A webhook converts ${kind} (${apiVersion}) to the storage version, so the stored form is not known.`);
}

/** Why an object of a built-in kind cannot be read. */
function undecodable({ snapshot, manifest, uri, kubernetes }: WritingOf): string | undefined {
  const builtin = builtinFor(snapshot, uri, manifest);
  if (!builtin) return undefined;
  const [error] = judgeBuiltin(asFarAsKnown(manifest), builtin.kind, builtin.kinds, kubernetes).decode;
  return error && decodeMessage(builtin.kind, error.message);
}

interface Written {
  readonly value?: Value;
  readonly notes?: readonly string[];
  readonly refused?: readonly string[];
}

const unknown = (note: string): Written => ({ notes: [note] });

function storedCrd({ snapshot, manifest, uri, kubernetes, writing }: WritingOf): Written {
  const committed = writing === 'create' ? undefined : committedObject(snapshot, uri, manifest);
  const { stored, errors, decode } = boundedMatching(() =>
    committed
      ? updateCrd(committed.manifest.value, manifest.value, { kubernetes })
      : createCrd(manifest.value, { kubernetes }),
  ).result;
  const refused = decode ? [refusal(decode.message)] : refusals(errors);
  if (stored === undefined) return { ...unknown('The CRD cannot be decoded, so nothing would be stored.'), refused };
  const merges =
    writing === 'apply' ? ['How server-side apply merges CRDs is not shown: this is what replaces it.'] : [];
  return { value: stored, notes: [...merges, ...refusals(errors)], refused };
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
