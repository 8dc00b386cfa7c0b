import { applyEdits, movedRange } from '../../../base/text.ts';
import { isList, isMap, type ValueMap, valueAt } from '../../../base/value.ts';
import { createCrd } from '../../../kubernetes/crd/create.ts';
import type { KubernetesVersion } from '../../../kubernetes/releases/release.ts';
import { boundedMatching } from '../../../kubernetes/schema/matching.ts';
import type { Definition } from '../../../workspace/definitions.ts';
import { inDocument, manifestsOf } from '../../../workspace/manifest.ts';
import { kubernetesFor, type Snapshot } from '../../../workspace/snapshot.ts';
import { placedIn, type SourceFile } from '../../../workspace/sourceFile.ts';
import { parseDocument } from '../../../yaml/parse.ts';
import { type Unclear, type UsesInCrd, usesInCrd } from '../propertyUses.ts';
import type { Wanted } from '../references.ts';
import { fieldsIn, fieldsInPatchFile, type KindInVersion } from './objectsIn.ts';
import { type FileEdits, fileName, isRefusal, lineOf, type Place, type Refusal, renamedIn } from './places.ts';

/** A property of a kind, in one of its versions. */
export interface PropertyWanted extends Wanted {
  readonly field: readonly string[];
  readonly version: string;
}

export const isProperty = (wanted: Wanted): wanted is PropertyWanted =>
  wanted.field !== undefined && wanted.version !== undefined && wanted.field.at(-1) !== '*';

/** The CRDs of the workspace that declare a version of a kind. */
export function ownDefinitions({ definitions }: Snapshot, { definition, version }: Wanted): readonly Definition[] {
  const all = definitions.get(`${definition.group}/${definition.kind}`) ?? [];
  return all.filter((one) => {
    return one.file.origin === undefined && (version === undefined || one.versions.includes(version));
  });
}

export function kindOf(snapshot: Snapshot, wanted: PropertyWanted): KindInVersion {
  const { group, kind } = wanted.definition;
  const files = ownDefinitions(snapshot, wanted).map(({ file }) => file.uri);
  return { group, kind, version: wanted.version, files };
}

/** The places in a CRD that name a property of it. */
export function placesInCrd(definition: Definition, wanted: PropertyWanted, kubernetes: KubernetesVersion): Place[] {
  return asPlaces(definition, usesIn(definition, wanted, kubernetes));
}

function usesIn(definition: Definition, wanted: PropertyWanted, kubernetes: KubernetesVersion): UsesInCrd {
  return usesInCrd(definition, definition.versions.indexOf(wanted.version), wanted.field, kubernetes);
}

function asPlaces({ manifest }: Definition, { uses }: Pick<UsesInCrd, 'uses'>): Place[] {
  const { document } = manifest;
  return uses.map(({ path, at, part, form, in: group }) => {
    return { document, path: inDocument(manifest, path), at, ...(part ? { part } : {}), form, group };
  });
}

/** Why a property cannot have another name, whatever that is. */
export function whyNot(snapshot: Snapshot, wanted: PropertyWanted): Refusal | undefined {
  const { definition, field } = wanted;
  if (definition.file.origin !== undefined)
    return {
      refused: `${definition.kind} is defined in ${fileName(definition.file)}, which is not a file of this workspace.`,
    };
  const name = field.at(-1)!;
  if (isOfEveryObject(wanted))
    return { refused: `\`${name}\` is a field that every object of Kubernetes has: it cannot be renamed.` };
  for (const one of ownDefinitions(snapshot, wanted)) {
    const refused = whyNotIn(one, wanted, kubernetesFor(snapshot, one.file.uri));
    if (refused) return refused;
  }
  return undefined;
}

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function isOfEveryObject({ definition, version, field }: PropertyWanted): boolean {
  if (ofEveryObject.has(field[0]!)) return true;
  const [name, around] = [field.at(-1)!, field.slice(0, -1)];
  return ofEveryObject.has(name) && nodeOf(definition, version, around)?.get('x-kubernetes-embedded-resource') === true;
}

/** Why a CRD is not edited, whatever it is about: one that was asked about, or another of its kind. */
export function whyNotEdited({ kind, file, manifest, versions }: Definition, asked: Definition): Refusal | undefined {
  const name = fileName(file);
  const isAnother = file.uri !== asked.file.uri;
  const also = isAnother ? `${kind} is also defined in ${name}, and ` : '';
  const what = isAnother ? 'that file' : name;
  if (file.template) {
    const where = isAnother ? ` in ${fileName(asked.file)} and ${name}` : '';
    const why = `${what} is a template: what it is filled in with is not known`;
    return { refused: `${also}${why}. Rename by hand${where}, with Find and Replace.` };
  }
  // Compositions, patches and claims would have to follow, which nobody can find.
  if (manifest.madeOf?.role === 'instance')
    return { refused: 'The templates of a ResourceGraphDefinition name its fields as text: they are renamed by hand.' };
  if (manifest.madeOf) return { refused: 'A CompositeResourceDefinition and its compositions are renamed by hand.' };
  if (manifest.document.readerError) return { refused: `${also}${what} has syntax errors: mend them first.` };
  const all = valueAt(manifest.value, ['spec', 'versions']);
  return isList(all) && all.length === versions.length
    ? undefined
    : { refused: `${also}${what} has a version without a name: name it first.` };
}

function whyNotIn(definition: Definition, wanted: PropertyWanted, kubernetes: KubernetesVersion): Refusal | undefined {
  const why = whyNotEdited(definition, wanted.definition);
  if (why) return why;
  if (wanted.field.length === 1 && wanted.field[0] === 'status' && hasStatus(definition, wanted.version))
    return { refused: 'The status subresource is about `status`: it cannot be renamed.' };
  const [unclear] = usesIn(definition, wanted, kubernetes).unclear;
  return unclear && { refused: sentence(definition, unclear) };
}

function hasStatus({ manifest, versions }: Definition, version: string): boolean {
  return isMap(valueAt(manifest.value, ['spec', 'versions', versions.indexOf(version), 'subresources', 'status']));
}

function sentence({ file, manifest }: Definition, { path, what, why }: Unclear): string {
  const place: Place = {
    document: manifest.document,
    path: inDocument(manifest, path),
    at: 'value',
    form: 'name',
    group: 'rules',
  };
  return `${what} at ${lineOf(file, place)} ${why}.`;
}

/** The schema at a way in resources. */
function nodeOf({ manifest, versions }: Definition, version: string, way: readonly string[]): ValueMap | undefined {
  const root = valueAt(manifest.value, ['spec', 'versions', versions.indexOf(version), 'schema', 'openAPIV3Schema']);
  let node = isMap(root) ? root : undefined;
  for (const step of way) {
    const next: unknown =
      step === '*' ? (node?.get('items') ?? node?.get('additionalProperties')) : valueAt(node, ['properties', step]);
    node = next instanceof Map ? next : undefined;
  }
  return node;
}

/** The edits of all CRDs that declare a property, or why it cannot have the name. */
export function renamedInCrds(snapshot: Snapshot, wanted: PropertyWanted, name: string): FileEdits[] | Refusal {
  const why = whyNot(snapshot, wanted);
  if (why) return why;
  const changed: FileEdits[] = [];
  for (const definition of ownDefinitions(snapshot, wanted)) {
    const taken = takenIn(definition, wanted, name);
    if (taken) return taken;
    const kubernetes = kubernetesFor(snapshot, definition.file.uri);
    const places = placesInCrd(definition, wanted, kubernetes);
    const edits = renamedIn(definition.file, places, name);
    if (isRefusal(edits)) return edits;
    const worse = worseThan(definition, edits, kubernetes);
    if (worse !== undefined) return { refused: `The API server would then refuse the CRD: ${worse}` };
    changed.push(edits);
  }
  return changed;
}

function takenIn(definition: Definition, { field, version }: PropertyWanted, name: string): Refusal | undefined {
  if (name === '') return { refused: 'A property needs a name.' };
  const around = nodeOf(definition, version, field.slice(0, -1));
  const owner = field.length === 1 ? definition.kind : `\`${field.slice(0, -1).join('.').replaceAll('.*', '[]')}\``;
  if (isMap(valueAt(around, ['properties', name]))) return { refused: `${owner} already has a property \`${name}\`.` };
  const isObject = field.length === 1 || around?.get('x-kubernetes-embedded-resource') === true;
  if (isObject && ofEveryObject.has(name))
    return { refused: `Every object of Kubernetes has a field \`${name}\` already.` };
  return field.length === 1 && name === 'status' && hasStatus(definition, version)
    ? { refused: 'The status subresource is about `status`: no other property can be called that.' }
    : undefined;
}

/** What the API server would say about a CRD after edits and does not say now. */
export function worseThan(
  { manifest, file }: Definition,
  { edits }: FileEdits,
  kubernetes: KubernetesVersion,
): string | undefined {
  const placed = placedIn(file, manifest.document);
  if (!placed) return undefined;
  const { start, document } = placed;
  const own = edits.map(({ edit: { range, text } }) => {
    return { range: movedRange(range, -start), text };
  });
  const after = manifestsOf(parseDocument(applyEdits(document.text, own))).find(
    ({ at }) => at.join() === manifest.at.join(),
  );
  if (!after) return 'it is not a CRD any more.';
  const counts = new Map<string, number>();
  for (const { code } of complaints(manifest.value, kubernetes)) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const { code, message } of complaints(after.value, kubernetes)) {
    const left = counts.get(code) ?? 0;
    if (left === 0) return message;
    counts.set(code, left - 1);
  }
  return undefined;
}

function complaints(
  crd: ValueMap,
  kubernetes: KubernetesVersion,
): { readonly code: string; readonly message: string }[] {
  const { decode, panic, errors } = boundedMatching(() => createCrd(crd, { kubernetes })).result;
  if (decode) return [{ code: 'decode', message: decode.message }];
  return panic ? [{ code: 'panic', message: 'it would crash.' }] : [...errors];
}

/** The edits of a file that is not a CRD of the kind. */
export function renamedInFile(
  file: SourceFile,
  kind: KindInVersion,
  wanted: PropertyWanted,
  name: string,
): FileEdits | Refusal {
  return renamedIn(file, fieldsIn(file, kind, wanted.field), name);
}

/** The edits of a file of operations that some kustomization applies to the kind. */
export function renamedInPatchFile(file: SourceFile, wanted: PropertyWanted, name: string): FileEdits | Refusal {
  return renamedIn(file, fieldsInPatchFile(file, wanted.field), name);
}
