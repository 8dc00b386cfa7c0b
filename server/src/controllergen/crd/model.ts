import type { Range } from '../../base/text.ts';
import type { Path, ValueMap } from '../../base/value.ts';
import type { Draft } from '../markers/model.ts';
import type { Packages } from '../packages.ts';
import type { CrdOptions } from './optionTypes.ts';

/** What controller-gen makes of the packages it is given. */
export interface Generated {
  readonly crds: readonly GeneratedCrd[];
  /** What it would refuse. */
  readonly mistakes: readonly GoMistake[];
  /** Packages that are imported and have not been read: what is made of their types is not known. */
  readonly wanted: ReadonlySet<string>;
  /** What the next run may take over; undefined where that would not be safe. */
  readonly kept: Kept | undefined;
}

/** Schemas of types by `path/of/package#Type`, and the packages they were made of. */
export interface Kept {
  readonly packages: Packages;
  readonly options: CrdOptions;
  /** With references to others in them. */
  readonly schemas: ReadonlyMap<string, Draft>;
  /** With everything in its place. */
  readonly merged: ReadonlyMap<string, Draft>;
}

export interface GeneratedCrd {
  readonly value: ValueMap;
  /** The types that its versions are made of. */
  readonly kinds: readonly { readonly version: string; readonly place: GoPlace }[];
  /** The file that controller-gen writes it to. */
  readonly fileName: string;
  /** A marker of its package cannot be read, and so controller-gen makes nothing of the package. */
  readonly isDropped: boolean;
  /** Packages with types that could not be read. Where there are any, nothing may be said of the CRD. */
  readonly missing: readonly string[];
  /** What it would have that is more than is made, as in `more than 50,000 lines`; it is empty then. */
  readonly tooMuch: string | undefined;
  /** Where a part of the CRD comes from: the marker, field or type of the nearest path that has one. */
  originOf(path: Path): GoPlace | undefined;
}

/** A place in a file, counted from the name of a type: it stays right where other parts of the file change. */
export interface Origin extends Range {
  /** `path/of/package#Type` */
  readonly of: string;
}

export interface GoPlace {
  readonly uri: string;
  readonly range: Range;
}

export interface GoMistake {
  /** As controller-gen says it. */
  readonly message: string;
  /** What to mend; undefined for what it says of a package as a whole. */
  readonly place: GoPlace | undefined;
  /** Where controller-gen points to: the field or type that a marker belongs to. */
  readonly said: GoPlace | undefined;
  readonly package: string;
  /** It is said before types are looked at, and so in packages whose markers cannot be read. */
  readonly isEarly?: true;
}
