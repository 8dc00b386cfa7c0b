import type { Range } from '../../../base/text.ts';
import { splitApiVersion } from '../../../workspace/manifest.ts';
import { kubernetesFor, type Snapshot } from '../../../workspace/snapshot.ts';
import type { SourceFile } from '../../../workspace/sourceFile.ts';
import { type Cursor, cursorAt } from '../../place/cursor.ts';
import { type ExpressionAt, expressionAt } from '../../place/expressionAt.ts';
import { type Wanted, wantedAt } from '../references.ts';
import { kindInCrds, kindPlaces, namesIn, versionInCrds, versionPlaces, whyNotNamed } from './kind.ts';
import { fieldsIn, patchFilesIn } from './objectsIn.ts';
import { type FileEdits, isRefusal, type Refusal, rangeInFile, renamedIn } from './places.ts';
import {
  isProperty,
  kindOf,
  ownDefinitions,
  type PropertyWanted,
  placesInCrd,
  renamedInCrds,
  renamedInFile,
  renamedInPatchFile,
  whyNot,
} from './property.ts';
import { renamedVariable, type Variable, variableAt } from './variable.ts';

/** What is under the cursor and can have another name. */
type RenameTarget = { readonly range: Range; readonly name: string } & (
  | {
      readonly of: 'variable';
      readonly file: SourceFile;
      readonly expression: ExpressionAt;
      readonly variable: Variable;
    }
  | { readonly of: 'property'; readonly wanted: PropertyWanted }
  | { readonly of: 'kind' | 'version'; readonly wanted: Wanted }
);

/** What can have another name, and what that changes. */
export interface Renameable {
  readonly range: Range;
  readonly name: string;
  to(name: string): Renaming | Refusal;
  /** The property, where it is one. */
  readonly property?: PropertyWanted;
}

/** What would be renamed at an offset, or why it cannot be; undefined where there is no name. */
export function renameAt(snapshot: Snapshot, uri: string, offset: number): Renameable | Refusal | undefined {
  const target = renameTarget(snapshot, uri, offset);
  if (!target || isRefusal(target)) return target;
  const { range, name } = target;
  const property = target.of === 'property' ? { property: target.wanted } : {};
  return { range, name, to: (other) => renaming(snapshot, target, other), ...property };
}

/** What another name of a property changes, wherever it was asked from. */
export function renamedProperty(snapshot: Snapshot, wanted: PropertyWanted, name: string): Renaming | Refusal {
  return renaming(snapshot, { of: 'property', wanted, name: wanted.field.at(-1)!, range: { start: 0, end: 0 } }, name);
}

function renameTarget(snapshot: Snapshot, uri: string, offset: number): RenameTarget | Refusal | undefined {
  const cursor = cursorAt(snapshot, uri, offset);
  if (!cursor) return undefined;
  const wanted = wantedAt(snapshot, uri, offset) ?? versionAt(snapshot, cursor);
  if (wanted && wanted.field === undefined) return namedTarget(snapshot, cursor, wanted);
  if (wanted && isProperty(wanted)) return propertyTarget(snapshot, cursor, wanted, offset);
  const expression = expressionAt(snapshot, cursor);
  return expression && variableTarget(cursor, expression);
}

/** The version that is named under the cursor, by its CRD or in an object's apiVersion. */
function versionAt(snapshot: Snapshot, { manifest, path, target, definitions }: Cursor): Wanted | undefined {
  if (!manifest || target.at !== 'value') return undefined;
  if (manifest.role === 'crd') {
    const [spec, versions, i, name] = path;
    const own = [...snapshot.definitions.values()].flat().find((one) => one.manifest === manifest);
    const version = own?.versions[Number(i)];
    const isName = path.length === 4 && spec === 'spec' && versions === 'versions' && name === 'name';
    return own && isName && version !== undefined ? { definition: own, field: undefined, version } : undefined;
  }
  const [definition] = definitions;
  const { version } = splitApiVersion(manifest.apiVersion);
  if (!definition?.versions.includes(version) || path.join() !== 'apiVersion') return undefined;
  return { definition, field: undefined, version };
}

/** A kind or a version. */
function namedTarget(
  snapshot: Snapshot,
  { file, manifest, offset, placed }: Cursor,
  wanted: Wanted,
): RenameTarget | Refusal | undefined {
  const { definition, version } = wanted;
  const name = version ?? definition.kind;
  const inCrd = version === undefined ? kindPlaces(definition, '') : versionPlaces(definition, version);
  const places = manifest === definition.manifest ? inCrd : namesIn(file, wanted);
  const ranges = places.flatMap((place) => rangeInFile(file, place) ?? []);
  const at = offset + placed.start;
  const range = ranges.find(({ start, end }) => at >= start && at <= end);
  return (
    whyNotNamed(snapshot, wanted) ?? (range && { of: version === undefined ? 'kind' : 'version', range, name, wanted })
  );
}

function variableTarget({ file }: Cursor, expression: ExpressionAt): RenameTarget | Refusal | undefined {
  const variable = variableAt(expression);
  if (!variable || isRefusal(variable)) return variable;
  return { of: 'variable', range: expression.toFile(variable.here), name: variable.name, file, expression, variable };
}

function propertyTarget(
  snapshot: Snapshot,
  { file, manifest }: Cursor,
  wanted: PropertyWanted,
  offset: number,
): RenameTarget | Refusal | undefined {
  const own = ownDefinitions(snapshot, wanted).find((one) => one.manifest === manifest);
  const places = own
    ? placesInCrd(own, wanted, kubernetesFor(snapshot, file.uri))
    : fieldsIn(file, kindOf(snapshot, wanted), wanted.field);
  const ranges = places.flatMap((place) => rangeInFile(file, place) ?? []);
  const range = ranges.find(({ start, end }) => offset >= start - 1 && offset <= end + 1);
  const why = whyNot(snapshot, wanted);
  if (why) return why;
  return range && { of: 'property', range, name: wanted.field.at(-1)!, wanted };
}

/** Where a target is used beside the CRDs that declare it: files to read, and what becomes of each. */
export interface Elsewhere {
  readonly kind: string;
  mayUse(text: string): boolean;
  edits(file: SourceFile): FileEdits | Refusal;
  /** Files that a file leads to, and that say nothing of the kind themselves. */
  leadsTo(file: SourceFile): readonly string[];
  editsThere(file: SourceFile): FileEdits | Refusal;
}

/** What a new name changes in the files that declare a target, and where else to look. */
export interface Renaming {
  readonly edits: readonly FileEdits[];
  readonly elsewhere: readonly Elsewhere[];
}

function renaming(snapshot: Snapshot, target: RenameTarget, name: string): Renaming | Refusal {
  if (target.of === 'variable') {
    const places = renamedVariable(target.expression, target.variable, name);
    if (isRefusal(places)) return places;
    const edits = places.map((range) => {
      return { edit: { range: target.expression.toFile(range), text: name }, group: 'rules' as const };
    });
    return { edits: [{ file: target.file, edits }], elsewhere: [] };
  }
  const edits = inCrds(snapshot, target, name);
  return isRefusal(edits) ? edits : { edits, elsewhere: [elsewhereOf(snapshot, target, name)] };
}

type SharedTarget = Exclude<RenameTarget, { of: 'variable' }>;

function inCrds(snapshot: Snapshot, target: SharedTarget, name: string): FileEdits[] | Refusal {
  switch (target.of) {
    case 'property':
      return renamedInCrds(snapshot, target.wanted, name);
    case 'version':
      return versionInCrds(snapshot, target.wanted, name);
    case 'kind':
      return kindInCrds(snapshot, target.wanted, name);
  }
}

function elsewhereOf(snapshot: Snapshot, target: SharedTarget, name: string): Elsewhere {
  const { kind } = target.wanted.definition;
  const mayUse = (text: string) => text.includes(kind);
  if (target.of !== 'property') {
    const edits = (file: SourceFile) => renamedIn(file, namesIn(file, target.wanted), name);
    return { kind, mayUse, edits, leadsTo: () => [], editsThere: edits };
  }
  const { wanted } = target;
  const inVersion = kindOf(snapshot, wanted);
  return {
    kind,
    mayUse,
    edits: (file) => renamedInFile(file, inVersion, wanted, name),
    leadsTo: (file) => patchFilesIn(file, inVersion),
    editsThere: (file) => renamedInPatchFile(file, wanted, name),
  };
}
