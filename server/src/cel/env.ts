import type { Val } from './eval/values.ts';
import { type FunctionDecl, type Library, mergeFunctions } from './overload.ts';
import type { Syntax } from './syntax.ts';
import type { CelType } from './types.ts';

/** What is known of a type with fields. */
export interface StructInfo {
  readonly type: CelType;
  /** The type of the name itself, as a value; `type(T)` unless it says otherwise. */
  readonly named?: CelType;
  /** Expressions that name the type compile, but cannot be run: only the checker knows it. */
  readonly onlyChecked?: boolean;
  /** What a literal of the type is; those of protobuf are known without. */
  readonly make?: (fields: ReadonlyMap<string, Val>) => Val;
  field(name: string): CelType | undefined;
}

/** Types with fields, by name. */
export type Structs = (name: string) => StructInfo | undefined;

/** The behaviours in which releases of cel-go differ. */
export interface Dialect {
  /** Comparisons between int, uint and double. */
  readonly crossTypeComparisons: boolean;
  /** What is checked of literals once types agree. */
  readonly validators: boolean;
  readonly formatValidator: boolean;
  /** The validator of formats panics where the format is not written out (cel-go 0.20). */
  readonly formatCrashes: boolean;
  /** What a macro repeats is one node, which can have one type only (cel-go 0.20). */
  readonly sharesCopies: boolean;
  /** A leading dot skips comprehension variables (since cel-go 0.29). */
  readonly leadingDotIsGlobal: boolean;
  /** The second variable of a comprehension over anything dynamic has no type (cel-go 0.22). */
  readonly untypedSecondVariable: boolean;
  /** A message literal's name is looked up among types only (since cel-go 0.29). */
  readonly structNamesAreTypes: boolean;
}

/** Everything that expressions are compiled in. */
export interface CelEnv {
  readonly syntax: Syntax;
  readonly dialect: Dialect;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  /** Variables, and the names of types. */
  readonly idents: ReadonlyMap<string, CelType>;
  readonly structs: Structs;
  /** What names with dots start with: most selections start no such name. */
  readonly qualified: { readonly idents: ReadonlySet<string>; readonly functions: ReadonlySet<string> };
}

/** The first parts of those names that have dots. */
export function rootsOf(names: Iterable<string>): Set<string> {
  const roots = new Set<string>();
  for (const name of names) if (name.includes('.')) roots.add(name.slice(0, name.indexOf('.')));
  return roots;
}

/** The functions of several libraries; those of one name keep the libraries' order. */
export function joinLibraries(libraries: readonly Library[]): Map<string, FunctionDecl> {
  const functions = new Map<string, FunctionDecl>();
  for (const library of libraries) {
    for (const decl of library) {
      const known = functions.get(decl.name);
      functions.set(decl.name, known ? mergeFunctions(known, decl) : decl);
    }
  }
  return functions;
}
