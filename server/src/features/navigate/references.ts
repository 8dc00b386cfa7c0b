import { type DocumentPath, isString, type Path, valueAt } from '../../base/value.ts';
import { locateInFile } from '../../rules/judging/locate.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { inDocument, inManifest, type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { rootSchema, schemaAt } from '../../workspace/schemaNode.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { SourceFile } from '../../workspace/sourceFile.ts';
import { crdsFrom } from '../../workspace/xrd.ts';
import { type Cursor, cursorAt } from '../place/cursor.ts';
import { type ExpressionAt, expressionAt } from '../place/expressionAt.ts';
import { type Location, placeIn } from '../place/location.ts';
import { fieldPath, namedByPath } from './definition.ts';
import { fieldAt } from './fieldsOf.ts';
import { keysOf, usesInCrd, wayOf } from './propertyUses.ts';
import { rangeInFile } from './rename/places.ts';
import { placesOfName } from './rename/variable.ts';

/** What is looked for: a kind, or a field of it by its way in resources (`*` for any item or key). */
export interface Wanted {
  readonly definition: Definition;
  /** Undefined for the kind itself. */
  readonly field: readonly string[] | undefined;
  /** The field's version; undefined for the kind. */
  readonly version: string | undefined;
}

/** A kind itself. */
export function kindItself(definition: Definition): Wanted {
  return { definition, field: undefined, version: undefined };
}

/** What is under the cursor, as something that other files may use. */
export function wantedAt(snapshot: Snapshot, uri: string, offset: number): Wanted | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor?.manifest) return undefined;
  return cursor.manifest.role === 'crd'
    ? wantedInCrd(snapshot, cursor, cursor.manifest)
    : wantedInResource(cursor, cursor.manifest);
}

function wantedInResource({ definitions, path }: Cursor, manifest: Manifest): Wanted | undefined {
  const definition = definitions[0];
  if (!definition || path.length === 0) return undefined;
  if (path.length === 1 && path[0] === 'kind') return kindItself(definition);
  const root = rootSchema(definition, manifest.apiVersion);
  const node = root && schemaAt(root, path);
  const field = node?.path && wayOf(node.path.slice(5));
  return field?.length ? { definition, field, version: splitApiVersion(manifest.apiVersion).version } : undefined;
}

function wantedInCrd(snapshot: Snapshot, cursor: Cursor, manifest: Manifest): Wanted | undefined {
  const expression = expressionAt(snapshot, cursor);
  const read = expression && readBy(expression);
  const path = expression ? read && inManifest(manifest, read) : (namedIn(cursor) ?? cursor.path);
  if (!path) return undefined;
  const definition = [...snapshot.definitions.values()].flat().find((one) => one.manifest === manifest);
  if (!definition) return undefined;
  if (path.join('.') === 'spec.names.kind') return kindItself(definition);
  const field = path.length > 5 && path[1] === 'versions' ? wayOf(path.slice(5)) : undefined;
  const version = definition.versions[Number(path[2])];
  return field?.length && version !== undefined ? { definition, field, version } : undefined;
}

/** The path of a property's schema, where the cursor is on a text of the CRD that names it. */
function namedIn(cursor: Cursor): Path | undefined {
  const { path, manifest, target } = cursor;
  const text = target.at === 'value' ? valueAt(manifest?.value, path) : undefined;
  if (!isString(text)) return undefined;
  const [list, index] = path.slice(-2);
  const object = path.slice(0, -2);
  if (list === 'required' && typeof index === 'number') return [...object, 'properties', text];
  if (list === 'x-kubernetes-list-map-keys' && typeof index === 'number')
    return [...object, 'items', 'properties', text];
  return namedByPath(cursor);
}

/** The path of the field that the part of a rule at an offset reads. */
function readBy({ place, offset }: ExpressionAt): DocumentPath | undefined {
  const read = fieldAt(place.compiled.expr, offset);
  return read && fieldPath(place, read.operand, read.field);
}

/** Whether a file's text can hold uses of a kind: a look that spares parsing it. */
export function mayUse(text: string, wanted: Wanted): boolean {
  return text.includes(wanted.definition.group) && kindsOf(wanted).some((kind) => text.includes(kind));
}

/** The kinds that have what is wanted: a field of an XRD is one of composite resources and of claims. */
function kindsOf({ definition: { kind, manifest }, field }: Wanted): readonly string[] {
  const made = field && manifest.madeOf ? crdsFrom(manifest.madeOf.manifest) : [];
  const kinds = made.map(({ value }) => valueAt(value, ['spec', 'names', 'kind']));
  return [...new Set([kind, ...kinds.filter(isString)])];
}

/** The places in a file that use what is wanted. */
export function usesIn(file: SourceFile, wanted: Wanted): Location[] {
  const { definition, field, version } = wanted;
  const kinds = kindsOf(wanted);
  return file.manifests.flatMap((manifest) => {
    const { group, version: own } = splitApiVersion(manifest.apiVersion);
    if (!kinds.includes(manifest.kind) || group !== definition.group) return [];
    if (field === undefined) return [locateInFile(file, manifest, ['kind'], 'value')];
    if (own !== version) return [];
    return keysOf(manifest.value, field).map((path) => locateInFile(file, manifest, path, 'key'));
  });
}

/** Everything that a snapshot knows of what is looked for, and what is left to look for in files. */
export interface Search {
  readonly declarations: readonly Location[];
  readonly uses: readonly Location[];
  readonly elsewhere: readonly Wanted[];
}

/** What is under the cursor, with the places of its CRD that name it. */
export function searchAt(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  const wanted = wantedAt(snapshot, uri, offset);
  if (!wanted) return undefined;
  return { declarations: declarationOf(wanted), uses: usesInItsCrd(snapshot, wanted), elsewhere: [wanted] };
}

/** The definition itself, for clients that want it among the references. */
export function declarationOf(wanted: Wanted): Location[] {
  const path = declarationPath(wanted);
  return [placeIn(wanted.definition, path ?? ['spec', 'names', 'kind'], path ? 'key' : 'value')];
}

/** Where the CRD has the schema of a property; undefined for a kind. */
export function declarationPath({ definition, field, version }: Wanted): Path | undefined {
  if (field === undefined) return undefined;
  const i = definition.versions.indexOf(version ?? '');
  const root: Path = ['spec', 'versions', i, 'schema', 'openAPIV3Schema'];
  const path: (string | number)[] = [...root];
  for (const step of field) {
    if (step !== '*') path.push('properties', step);
    else
      path.push(
        valueAt(definition.manifest.value, [...path, 'items']) === undefined ? 'additionalProperties' : 'items',
      );
  }
  return path;
}

/** Where else its CRD names a property: in lists of names, values, paths and rules. */
export function usesInItsCrd(snapshot: Snapshot, { definition, field, version }: Wanted): Location[] {
  if (field === undefined || version === undefined) return [];
  const { file, manifest, versions } = definition;
  const { uses } = usesInCrd(definition, versions.indexOf(version), field, kubernetesFor(snapshot, file.uri));
  return uses.flatMap(({ path, at, part, form, in: group }) => {
    if (at === 'key' && path.at(-2) === 'properties' && isDeclaration(path)) return [];
    const place = { document: manifest.document, path: inDocument(manifest, path), at, form, group };
    const range = rangeInFile(file, part ? { ...place, part } : place);
    return range ? [{ uri: file.uri, range }] : [];
  });
}

/** Junctors say something of a property that is declared elsewhere. */
const isDeclaration = (path: Path) => !path.some((step) => /^(?:allOf|anyOf|oneOf|not)$/.test(String(step)));

/** In a rule, all places of the variable under the cursor. */
export function highlights(snapshot: Snapshot, uri: string, offset: number): Location[] {
  const cursor = cursorAt(snapshot, uri, offset);
  const expression = cursor && expressionAt(snapshot, cursor);
  return expression ? placesOfName(expression).map((range) => ({ uri, range: expression.toFile(range) })) : [];
}
