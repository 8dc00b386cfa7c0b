import { isString, valueAt } from '../../base/value.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Definition, definitionsIn } from '../../workspace/definitions.ts';
import { foldersOnce, withMade } from '../../workspace/languages/go.ts';
import { inDocument } from '../../workspace/manifest.ts';
import type { CrdPart, GoCrds, GoView } from '../../workspace/projections/goTypes.ts';
import { toMade } from '../../workspace/projections/goTypes.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import { type Use, usesInCrd, wayOf } from '../navigate/propertyUses.ts';
import {
  declarationOf,
  declarationPath,
  highlights,
  kindItself,
  type Search,
  usesInItsCrd,
  type Wanted,
  wantedAt,
} from '../navigate/references.ts';
import { type Location, locationsOnce } from '../place/location.ts';

// A field of a Go type is a property in every place where the type is used, of one kind or of several.

/** Of how many places that a field has become it is looked for what else names them: all rules are gone through for each. */
const mostPlaces = 200;

/** What a place in Go names: a kind, or a property in all places that the field has become. */
export function wantedInGo(snapshot: Snapshot, view: GoView, offset: number): readonly Wanted[] {
  const { types, uri, made } = view;
  const at = toMade(view, offset);
  if (at !== undefined) {
    const read = wantedAt(withMade(snapshot, view), made, at);
    return read ? sameField(types, read) : [];
  }
  const fields = types.made({ uri, range: { start: offset, end: offset } });
  return fields.length > 0 ? wantedOf(types, fields) : kindsAt(view, offset);
}

function kindsAt({ crds, types, uri }: GoView, offset: number): Wanted[] {
  return crds.flatMap(({ kinds }, document) => {
    const isHere = kinds.some(
      ({ place: { uri: of, range } }) => of === uri && range.start <= offset && offset <= range.end,
    );
    const definition = isHere ? definitionOf(types, document) : undefined;
    return definition ? [kindItself(definition)] : [];
  });
}

function definitionOf({ source }: GoCrds, document: number): Definition | undefined {
  const made = source.stream.documents[document]?.document;
  return definitionsIn(source).find(({ manifest }) => manifest.document === made);
}

function wantedOf(types: GoCrds, parts: readonly CrdPart[]): Wanted[] {
  return parts.slice(0, mostPlaces).flatMap(({ document, path }) => {
    const definition = definitionOf(types, document);
    const version = definition?.versions[Number(path[2])];
    const field = wayOf(path.slice(5));
    return definition && version !== undefined && field?.length ? [{ definition, version, field }] : [];
  });
}

/** The same property wherever else its field is used. */
export function sameField(types: GoCrds, wanted: Wanted): readonly Wanted[] {
  const path = wanted.field && declarationPath(wanted);
  const document = documentOf(types, wanted.definition);
  if (!path || document === undefined) return [wanted];
  const [origin] = types.written({ document, path, isKey: true });
  const found = origin?.how === 'written' ? wantedOf(types, types.made(origin.place)) : [];
  return found.length > 0 ? found : [wanted];
}

function documentOf({ source }: GoCrds, { manifest }: Definition): number | undefined {
  const index = source.stream.documents.findIndex(({ document }) => document === manifest.document);
  return index === -1 ? undefined : index;
}

/** A place in the CRDs that names a property, as a part of them. */
export interface PartUse {
  readonly part: CrdPart;
  readonly use: Use;
}

/** The places of the CRDs that name a property. */
export function partsNaming(types: GoCrds, wanted: Wanted, kubernetes: KubernetesVersion): PartUse[] {
  const { definition, version, field } = wanted;
  const document = documentOf(types, definition);
  if (document === undefined || field === undefined || version === undefined) return [];
  const { uses } = usesInCrd(definition, definition.versions.indexOf(version), field, kubernetes);
  return uses.map((use) => ({ use, part: partOf(definition, document, use) }));
}

function partOf({ manifest }: Definition, document: number, { path, at, part }: Use): CrdPart {
  const inFile = inDocument(manifest, path);
  if (at === 'key') return { document, path: inFile, isKey: true };
  const text = valueAt(manifest.value, path);
  return { document, path: inFile, within: part ?? { start: 0, end: isString(text) ? text.length : 0 } };
}

/** Where Go names properties of its CRDs: in tags, rules, and what else of markers is in a CRD as it is written. */
export function namedInGo(snapshot: Snapshot, types: GoCrds, all: readonly Wanted[]): Location[] {
  const kubernetes = kubernetesFor(snapshot, types.source.uri);
  const found = all.flatMap((wanted) =>
    partsNaming(types, wanted, kubernetes).flatMap(({ part }) => types.written(part)),
  );
  return locationsOnce(found.flatMap(({ place, how }) => (how === 'written' ? [place] : [])));
}

/** In a file, what names the variable of a rule, or the property, at a place. */
export function highlightsGo(snapshot: Snapshot, view: GoView, offset: number): Location[] {
  const at = toMade(view, offset);
  const inRule = at === undefined ? [] : highlights(withMade(snapshot, view), view.made, at);
  const found =
    inRule.length > 0
      ? inRule.flatMap(({ range }) => view.types.writtenAt(range) ?? [])
      : namedInGo(snapshot, view.types, wantedInGo(snapshot, view, offset));
  const here = found.filter(({ uri }) => uri === view.uri);
  // On the Go name of a field, highlights are left to others.
  return here.some(({ range }) => range.start <= offset && offset <= range.end) ? here : [];
}

/** Everything that names what is at a place in Go, and what to look for in other files. */
export function searchGo(snapshot: Snapshot, view: GoView, offset: number): Search | undefined {
  const elsewhere = wantedInGo(snapshot, view, offset);
  if (elsewhere.length === 0) return undefined;
  const inCrds = elsewhere.flatMap((wanted) => writtenFor(snapshot, wanted));
  return {
    declarations: inCrds.flatMap(declarationOf),
    uses: [
      ...namedInGo(snapshot, view.types, elsewhere),
      ...inCrds.flatMap((wanted) => usesInItsCrd(snapshot, wanted)),
    ],
    elsewhere,
  };
}

/** The same in CRDs that are written in files. */
function writtenFor({ definitions }: Snapshot, wanted: Wanted): Wanted[] {
  const { group, kind } = wanted.definition;
  const all = definitions.get(`${group}/${kind}`) ?? [];
  return all.flatMap((definition) => {
    const has = wanted.version === undefined || definition.versions.includes(wanted.version);
    return has ? [{ ...wanted, definition }] : [];
  });
}

/** The Go types that a kind comes of, where they are known, and what is wanted in the CRDs that are made of them. */
export function inTypes(snapshot: Snapshot, wanted: Wanted): { types: GoCrds; wanted: readonly Wanted[] } | undefined {
  const { group, kind } = wanted.definition;
  for (const { crds: types } of foldersOnce(snapshot)) {
    const found = types && definitionsIn(types.source).find((one) => one.group === group && one.kind === kind);
    if (!types || !found) continue;
    if (wanted.version !== undefined && !found.versions.includes(wanted.version)) continue;
    return { types, wanted: sameField(types, { ...wanted, definition: found }) };
  }
  return undefined;
}
