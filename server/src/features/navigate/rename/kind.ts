import {
  type DocumentPath,
  isList,
  isMap,
  isString,
  type ManifestPath,
  type Value,
  valueAt,
} from '../../../base/value.ts';
import type { Definition } from '../../../workspace/definitions.ts';
import { isKustomization, isTestFile } from '../../../workspace/fileNames.ts';
import { inDocument, splitApiVersion } from '../../../workspace/manifest.ts';
import { kubernetesFor, type Snapshot } from '../../../workspace/snapshot.ts';
import type { SourceFile } from '../../../workspace/sourceFile.ts';
import type { YamlDocument } from '../../../yaml/parse.ts';
import { valueOf } from '../../../yaml/value.ts';
import { pluralOf } from '../../complete/schemaNames.ts';
import type { Wanted } from '../references.ts';
import { inlinePatches } from './objectsIn.ts';
import { type FileEdits, fileName, type Group, isRefusal, type Place, type Refusal, renamedIn } from './places.ts';
import { ownDefinitions, whyNotEdited, worseThan } from './property.ts';

// A kind by another name, with the names that follow from it, and a version by another name.

/** Why neither the kind nor its versions can have another name. */
export function whyNotNamed(snapshot: Snapshot, wanted: Wanted): Refusal | undefined {
  const { kind, file } = wanted.definition;
  if (file.origin !== undefined)
    return { refused: `${kind} is defined in ${fileName(file)}, which is not a file of this workspace.` };
  for (const one of ownDefinitions(snapshot, wanted)) {
    const why = whyNotEdited(one, wanted.definition);
    if (why) return why;
  }
  return undefined;
}

type PlacesInCrd = (definition: Definition) => readonly Place[];

/** The edits of all CRDs that define a kind, or why there are none. */
function inCrds(snapshot: Snapshot, wanted: Wanted, name: string, places: PlacesInCrd): FileEdits[] | Refusal {
  const changed: FileEdits[] = [];
  for (const definition of ownDefinitions(snapshot, wanted)) {
    const edits = renamedIn(definition.file, places(definition), name);
    if (isRefusal(edits)) return edits;
    const worse = worseThan(definition, edits, kubernetesFor(snapshot, definition.file.uri));
    if (worse !== undefined) return { refused: `The API server would then refuse the CRD: ${worse}` };
    changed.push(edits);
  }
  return changed;
}

// Versions

export function versionInCrds(snapshot: Snapshot, wanted: Wanted, name: string): FileEdits[] | Refusal {
  const why = whyNotNamed(snapshot, wanted);
  if (why) return why;
  const taken = ownDefinitions(snapshot, wanted).find(({ versions }) => versions.includes(name));
  if (taken) return { refused: `${taken.kind} already has a version \`${name}\`.` };
  return inCrds(snapshot, wanted, name, (definition) => versionPlaces(definition, wanted.version!));
}

/** Where a CRD names one of its versions. */
export function versionPlaces({ manifest, versions }: Definition, version: string): Place[] {
  const stored = valueAt(manifest.value, ['status', 'storedVersions']);
  const paths: ManifestPath[] = [
    ['spec', 'versions', versions.indexOf(version), 'name'],
    ...(isList(stored) ? stored : []).flatMap((one, i) => (one === version ? [['status', 'storedVersions', i]] : [])),
  ];
  return paths.map((path) => ({ ...nameAt(manifest.document, inDocument(manifest, path)), group: 'names' }));
}

const nameAt = (document: YamlDocument, path: DocumentPath) => ({ document, path, at: 'value', form: 'name' }) as const;

// Kinds

export function kindInCrds(snapshot: Snapshot, wanted: Wanted, name: string): FileEdits[] | Refusal {
  const why = whyNotNamed(snapshot, wanted);
  if (why) return why;
  const [taken] = snapshot.definitions.get(`${wanted.definition.group}/${name}`) ?? [];
  if (taken) return { refused: `${fileName(taken.file)} defines a kind ${name} in the same group.` };
  return inCrds(snapshot, wanted, name, (definition) => kindPlaces(definition, name));
}

/** Where a CRD names its kind, and the names that were made from it. */
export function kindPlaces(definition: Definition, name: string): Place[] {
  const { manifest } = definition;
  return ['spec.names', 'status.acceptedNames'].flatMap((where) => {
    const around = where.split('.');
    return namesAfter(definition, around, name).map(([path, text]): Place => {
      return { ...nameAt(manifest.document, inDocument(manifest, path)), group: 'names', text };
    });
  });
}

/** Names that are what one makes of the kind follow it; others were chosen, and stay. */
function namesAfter({ manifest, kind, group }: Definition, around: string[], name: string): [ManifestPath, string][] {
  const [old, now] = [kind.toLowerCase(), name.toLowerCase()];
  const follows: [path: string[], were: string[], becomes: string][] = [
    [[...around, 'kind'], [kind], name],
    [[...around, 'listKind'], [`${kind}List`], `${name}List`],
    [[...around, 'singular'], [old], now],
    [[...around, 'plural'], plurals(old), pluralOf(now)],
    ...(around[0] === 'spec'
      ? ([
          [['metadata', 'name'], plurals(old).map((one) => `${one}.${group}`), `${pluralOf(now)}.${group}`],
        ] as typeof follows)
      : []),
  ];
  return follows.flatMap(([path, were, becomes]): [ManifestPath, string][] => {
    const text = valueAt(manifest.value, path);
    return isString(text) && were.includes(text) && text !== becomes ? [[path, becomes]] : [];
  });
}

/** What generators and people make of a singular. */
function plurals(singular: string): string[] {
  return [pluralOf(singular), `${singular}s`, `${singular}es`];
}

// Everywhere else

/** Places of a file that name a kind, or one of its versions, together with its group. */
export function namesIn(file: SourceFile, wanted: Wanted): Place[] {
  const group: Group = isTestFile(file.uri) ? 'tests' : isKustomization(file.uri) ? 'patches' : 'resources';
  const isBare: Bare = (path) => (group === 'tests' ? path.join() === 'crd' : group === 'patches');
  return file.stream.documents.flatMap(({ document }) => {
    const root = valueOf(document);
    if (root === undefined) return [];
    const inner = isKustomization(file.uri) && isMap(root) ? inlinePatches(document, root) : [];
    return [
      ...inValue(document, root, [], { wanted, group, isBare }),
      ...inner.flatMap(({ document: patch, inside }) =>
        inValue(patch, valueOf(patch) ?? null, [], { wanted, group, isBare: () => false }).map((place): Place => {
          return { ...place, inside };
        }),
      ),
    ];
  });
}

/** Whether a map names a kind without its group: what a patch or a test is about. Elsewhere that may be anything. */
type Bare = (path: DocumentPath) => boolean;

interface Looked {
  readonly wanted: Wanted;
  readonly group: Group;
  readonly isBare: Bare;
}

function inValue(document: YamlDocument, value: Value, path: DocumentPath, looked: Looked): Place[] {
  if (isList(value)) return value.flatMap((item, i) => inValue(document, item, [...path, i], looked));
  if (!isMap(value)) return [];
  const below = [...value].flatMap(([key, item]) => inValue(document, item, [...path, key], looked));
  return [...inMap(document, value, path, looked), ...below];
}

/** A map that names a kind: an object, a reference to one, or what a patch or a test is about. */
function inMap(
  document: YamlDocument,
  map: ReadonlyMap<string, Value>,
  path: DocumentPath,
  { wanted: { definition, version }, group, isBare }: Looked,
): Place[] {
  const [apiVersion, kind, ownGroup] = [map.get('apiVersion'), map.get('kind'), map.get('group')];
  const isOfLists = kind === listKindOf(definition);
  if (kind !== definition.kind && !(isOfLists && version === undefined)) return [];
  const at = (key: string): Place => ({ ...nameAt(document, [...path, key]), group });
  if (isString(apiVersion)) {
    const named = splitApiVersion(apiVersion);
    if (named.group !== definition.group) return [];
    if (version === undefined) return [isOfLists ? listPlace(at('kind')) : at('kind')];
    const part = { start: named.group.length + 1, end: apiVersion.length };
    return named.version === version ? [{ ...at('apiVersion'), part }] : [];
  }
  if (!isBare(path) || isOfLists || (ownGroup ?? definition.group) !== definition.group) return [];
  if (version === undefined) return [at('kind')];
  return map.get('version') === version ? [at('version')] : [];
}

/** The kind of a list of objects, where it is one that follows the kind. */
function listKindOf({ manifest, kind }: Definition): string | undefined {
  const derived = `${kind}List`;
  return (valueAt(manifest.value, ['spec', 'names', 'listKind']) ?? derived) === derived ? derived : undefined;
}

/** The kind of a list of objects: it is given the new name and `List`. */
function listPlace(place: Place): Place {
  return {
    ...place,
    part: { start: 0, end: String(valueAt(valueOf(place.document), place.path)).length - 'List'.length },
  };
}
