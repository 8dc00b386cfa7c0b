import { memo } from '../../base/memo.ts';
import { difference } from '../../base/text.ts';
import { isList, isMap, type Value, type ValueMap } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import { type GoPackage, type PackageFile, type Packages, packageMarkers } from '../packages.ts';
import type { CommentGroup, GoFile, TypeDeclaration } from '../syntax/model.ts';
import type { Kept } from './model.ts';
import { crdOptionsText } from './options.ts';
import type { CrdOptions } from './optionTypes.ts';
import { referenceTo } from './schemas.ts';

/**
 * What of an earlier run is right for the packages as they are now. While somebody types in a marker that is all but the
 * schemas of one type and of those that are made of it. Any other change of Go leaves nothing: what a name means can
 * depend on everything.
 */
export function stillRight(
  { packages, options, schemas, merged }: Kept,
  now: Packages,
  wanted: CrdOptions,
): Pick<Kept, 'schemas' | 'merged'> | undefined {
  if (crdOptionsText(options) !== crdOptionsText(wanted)) return undefined;
  const changed = changedPackage(packages, now);
  if (changed === undefined) return undefined;
  if (changed === 'none') return { schemas, merged };
  const [before, after] = changed;
  const type = typeOfChange(before, after);
  if (!type) return undefined;
  const stale = madeOf(referenceTo(after.path, type.name), schemas);
  const fresh = ([reference]: readonly [string, Draft]) => !stale.has(reference);
  return { schemas: new Map([...schemas].filter(fresh)), merged: new Map([...merged].filter(fresh)) };
}

/** The one package that differs, as it was and as it is; undefined where that is not all. */
function changedPackage(before: Packages, now: Packages): readonly [GoPackage, GoPackage] | 'none' | undefined {
  if (before.size !== now.size) return undefined;
  const changed = [...now].filter(([path, of]) => before.get(path) !== of);
  if (changed.length === 0) return 'none';
  const [[path, after] = ['', null], ...others] = changed;
  const of = before.get(path);
  return of && after && others.length === 0 ? [of, after] : undefined;
}

/** The type that the only change of a package is about; undefined for a change of more than a comment of a type. */
function typeOfChange(before: GoPackage, after: GoPackage): TypeDeclaration | undefined {
  if (before.files.length !== after.files.length) return undefined;
  const changed = after.files.flatMap((file, i) =>
    file === before.files[i] ? [] : [[before.files[i]!, file] as const],
  );
  const [[old, file] = [], ...others] = changed;
  if (!old || !file || others.length > 0 || old.uri !== file.uri) return undefined;
  const at = commentOfChange(old.go, file.go);
  if (at === undefined || markersOf(before) !== markersOf(after)) return undefined;
  // Comments above a type are its own, or the package's.
  return typeBehind(file, at);
}

/** Where the comment starts within which alone two texts differ. */
function commentOfChange(before: GoFile, after: GoFile): number | undefined {
  const { start, end, endAfter } = difference(before.text, after.text);
  if (/[\r\n]/.test(after.text.slice(start, endAfter))) return undefined;
  const isAround = ({ range }: { readonly range: { readonly start: number; readonly end: number } }) =>
    range.start + '//'.length <= start && end <= range.end;
  const line = before.comments.find(holds(start, end))?.lines.find(isAround);
  return line?.text.startsWith('//') ? line.range.start : undefined;
}

function holds(start: number, end: number): (group: CommentGroup) => boolean {
  return ({ range }) => range.start <= start && end <= range.end;
}

function markersOf(of: GoPackage): string {
  return packageMarkers(of)
    .map(({ file, marker: { range } }) => file.go.text.slice(range.start, range.end))
    .join('\n');
}

function typeBehind({ go }: PackageFile, at: number): TypeDeclaration | undefined {
  return go.types.find(({ range }) => range.end > at);
}

/** A type, and all types that are made of it. */
function madeOf(reference: string, schemas: Kept['schemas']): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [user, schema] of schemas) {
    for (const used of referencesIn(schema)) {
      const known = users.get(used);
      if (known) known.push(user);
      else users.set(used, [user]);
    }
  }
  const found = new Set([reference]);
  for (const one of found) for (const user of users.get(one) ?? []) found.add(user);
  return found;
}

const referencesIn = memo((schema: ValueMap): ReadonlySet<string> => {
  const found = new Set<string>();
  collect(schema, found);
  return found;
});

function collect(value: Value, found: Set<string>): void {
  if (isList(value)) for (const item of value) collect(item, found);
  if (!isMap(value)) return;
  const reference = value.get('$ref');
  if (typeof reference === 'string') found.add(reference);
  for (const part of value.values()) collect(part, found);
}
