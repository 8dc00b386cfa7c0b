import type { CostModel } from '../../cel/cost.ts';
import { type CelEnv, joinLibraries, rootsOf, type StructInfo, type Structs } from '../../cel/env.ts';
import { mapInsert } from '../../cel/ext/comprehensions.ts';
import { lists as extLists } from '../../cel/ext/lists.ts';
import { newerOptionals, optionals } from '../../cel/ext/optionals.ts';
import { sets } from '../../cel/ext/sets.ts';
import { join, stringFormat, strings } from '../../cel/ext/strings.ts';
import { type Macro, optionalMacros, sortByMacro, standardMacros, twoVariableMacros } from '../../cel/macros.ts';
import type { Library } from '../../cel/overload.ts';
import type { CelPath } from '../../cel/path.ts';
import type { Range } from '../../cel/range.ts';
import { intDurations } from '../../cel/stdlib/functions.ts';
import { standardLibrary, standardTypes } from '../../cel/stdlib/standard.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  timestampType,
  typeOf,
  typeParam,
  uintType,
} from '../../cel/types.ts';
import { wellKnownStructs } from '../../cel/wellKnown.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import type { DeclType } from './declType.ts';
import { reservedWords } from './escape.ts';
import { authorization, authorizationSelectors } from './libraries/authorization.ts';
import { equalityCost } from './libraries/cost.ts';
import { includes, lists } from './libraries/lists.ts';
import { cidrs, ips } from './libraries/network.ts';
import { namedFormats, regex, unsizedUrls, urls } from './libraries/text.ts';
import { cidrType, ipType } from './libraries/types.ts';
import { quantities, semver } from './libraries/values.ts';

/** A library, and the minor version whose environment first has it. */
interface Since {
  readonly minor: number;
  /** The server that first knows it at all, where that is not older than what is supported. */
  readonly server?: number;
  /** The last server that has it. */
  readonly until?: number;
  /** From which version on a server of that version has it no more. */
  readonly removed?: number;
  readonly libraries: readonly Library[];
  readonly macros?: readonly Macro[];
  /** Types whose names are values. */
  readonly types?: readonly CelType[];
}

const history: readonly Since[] = [
  { minor: 0, libraries: [standardLibrary, regex], macros: standardMacros },
  { minor: 0, removed: 37, libraries: [lists] },
  { minor: 0, libraries: [strings, join] },
  { minor: 0, until: 36, libraries: [intDurations] },
  { minor: 0, until: 31, libraries: [unsizedUrls] },
  { minor: 0, server: 32, libraries: [urls] },
  { minor: 27, libraries: [authorization] },
  { minor: 28, libraries: [optionals, quantities], macros: optionalMacros },
  { minor: 28, server: 33, libraries: [newerOptionals] },
  { minor: 29, libraries: [stringFormat, sets] },
  { minor: 30, libraries: [ips, cidrs], types: [ipType, cidrType] },
  { minor: 31, libraries: [namedFormats, authorizationSelectors] },
  { minor: 32, server: 32, libraries: [mapInsert], macros: twoVariableMacros },
  { minor: 33, server: 33, libraries: [semver] },
  { minor: 34, server: 34, libraries: [extLists], macros: [sortByMacro] },
  { minor: 37, server: 37, libraries: [lists, includes] },
];

/** Stored expressions compile in an environment that has everything. */
const everything = Number.POSITIVE_INFINITY;

const environments = new Map<string, CelEnv>();

/** The minor whose libraries an expression may use: the compatibility version, or all for stored expressions. */
export function environmentMinor(kubernetes: KubernetesVersion, stored: boolean): number {
  return stored ? everything : kubernetes.compatibility;
}

/** The environment without variables of a server, with what there was at a minor version. */
export function baseEnvironment(kubernetes: KubernetesVersion, minor: number): CelEnv {
  const key = `${kubernetes.name} ${minor}`;
  let found = environments.get(key);
  if (!found) {
    found = buildEnvironment(kubernetes, minor);
    environments.set(key, found);
  }
  return found;
}

function buildEnvironment(kubernetes: KubernetesVersion, minor: number): CelEnv {
  const known = history.filter((since) => isKnown(since, kubernetes.minor, minor));
  const { cel } = kubernetes;
  const hasOptionals = minor >= 28;
  const functions = joinLibraries(known.flatMap((since) => since.libraries));
  const idents = new Map([...typeNames(kubernetes, hasOptionals), ...known.flatMap(namedTypes)]);
  return {
    syntax: {
      macros: byName(known.flatMap((since) => since.macros ?? [])),
      optionals: hasOptionals,
      quotedIdents: cel.quotedIdents,
      accumulator: cel.accumulator,
      guardsAccumulator: cel.guardsAccumulator,
      formatsTexts: cel.formatsTexts,
      emptyHasColumn: cel.oldTexts,
      lineStartEndsLine: cel.oldTexts,
      lenientEscapes: cel.formatsTexts,
    },
    dialect: {
      crossTypeComparisons: hasOptionals,
      validators: minor >= 29,
      formatValidator: minor >= 29,
      formatCrashes: minor >= 29 && cel.formatCrashes,
      sharesCopies: cel.sharesCopies,
      leadingDotIsGlobal: cel.leadingDotIsGlobal,
      structNamesAreTypes: cel.structNamesAreTypes,
      untypedSecondVariable: cel.untypedSecondVariable,
    },
    functions,
    idents,
    structs: wellKnownStructs,
    qualified: {
      idents: rootsOf([...idents.keys(), 'google.protobuf', 'selfType.']),
      functions: rootsOf(functions.keys()),
    },
  };
}

function isKnown(since: Since, server: number, minor: number): boolean {
  const { removed = everything } = since;
  if (removed <= Math.min(minor, server)) return false;
  return since.minor <= minor && (since.server ?? 0) <= server && server <= (since.until ?? everything);
}

const bareOptional = opaqueType('optional_type');

function namedTypes(since: Since): (readonly [string, CelType])[] {
  return (since.types ?? []).map((type) => [type.name, typeOf(type)]);
}

/** The names of types, and of `list` and `map` with the parameters they have in texts. */
function typeNames(kubernetes: KubernetesVersion, optionals: boolean): ReadonlyMap<string, CelType> {
  const names = new Map(standardTypes);
  const { namesParameters } = kubernetes.cel;
  if (optionals) names.set('optional_type', typeOf(namesParameters ? bareOptional : optionalOf(dynType)));
  if (!namesParameters) return names;
  const [a, b] = [typeParam('A'), typeParam('B')];
  return names.set('list', typeOf(listOf(a))).set('map', typeOf(mapOf(a, b)));
}

function byName(macros: readonly Macro[]): Map<string, Macro[]> {
  const named = new Map<string, Macro[]>();
  for (const macro of macros) named.set(macro.name, [...(named.get(macro.name) ?? []), macro]);
  return named;
}

// Variables

/** An environment for the expressions of one schema, and where their sizes come from. */
export interface SchemaEnv {
  readonly env: CelEnv;
  readonly model: CostModel;
}

/** `self` and `oldSelf` of a schema's type. */
export function schemaEnvironment(
  kubernetes: KubernetesVersion,
  minor: number,
  decl: DeclType | undefined,
  optionalOldSelf = false,
): SchemaEnv {
  const base = baseEnvironment(kubernetes, minor);
  const rules = kubernetes.cel.cost;
  const equality = kubernetes.cel.pricesEquality ? equalityCost : () => undefined;
  if (!decl) return { env: base, model: { sizeOf: () => undefined, equality, rules } };
  const idents = new Map(base.idents);
  idents.set('self', decl.type);
  idents.set('oldSelf', optionalOldSelf ? optionalOf(decl.type) : decl.type);
  const options = { keywordFields: minor >= 31, plainNames: kubernetes.cel.plainTypeNames };
  const structs = declStructs(decl, base.structs, options);
  return {
    env: { ...base, idents, structs },
    model: { sizeOf: (path) => declSize(decl, path), equality, rules },
  };
}

/** Types that have a name of their own wherever there is a schema. */
const declaredScalars: ReadonlyMap<string, CelType> = new Map(
  [boolType, bytesType, doubleType, intType, nullType, stringType, uintType]
    .map((type): [string, CelType] => [type.name, type])
    .concat([
      ['duration', durationType],
      ['timestamp', timestampType],
    ]),
);

const structTables = new WeakMap<DeclType, Map<string, DeclType>>();

interface StructOptions {
  /** A reserved word finds the field that is escaped for it. */
  readonly keywordFields: boolean;
  /** The name of a declared type is a value of that type, not the type (1.31). */
  readonly plainNames: boolean;
}

function declStructs(root: DeclType, outer: Structs, options: StructOptions): Structs {
  let named = structTables.get(root);
  if (!named) {
    named = new Map();
    collectObjects(root, named);
    structTables.set(root, named);
  }
  const objects = named;
  const infos = new Map<string, StructInfo>();
  return (name) => {
    const known = infos.get(name);
    if (known) return known;
    const object = objects.get(name);
    if (object) {
      const info = structInfo(object, options);
      infos.set(name, info);
      return info;
    }
    const scalar = declaredScalars.get(name);
    if (!scalar) return outer(name);
    const named = options.plainNames ? { named: scalar } : {};
    return { type: scalar, ...named, field: () => undefined };
  };
}

function collectObjects(decl: DeclType, into: Map<string, DeclType>): void {
  if (decl.fields) into.set(decl.type.name, decl);
  for (const field of decl.fields?.values() ?? []) collectObjects(field, into);
  if (decl.element) collectObjects(decl.element, into);
}

function structInfo(object: DeclType, { keywordFields, plainNames }: StructOptions): StructInfo {
  return {
    type: object.type,
    ...(plainNames ? { named: object.type } : {}),
    field(name) {
      const found = object.fields?.get(name);
      if (found || !keywordFields || !reservedWords.has(name)) return found?.type;
      return object.fields?.get(`__${name}__`)?.type;
    },
  };
}

/** The size that a schema declares for what a path leads to. */
export function declSize(root: DeclType, path: CelPath): Range | undefined {
  if (path.length === 0) return undefined;
  let at: DeclType | undefined = root;
  for (let i = 1; i < path.length && at; i++) {
    const step = path.steps[i]!;
    if (step === '@items' || step === '@values') at = at.element;
    else if (step === '@keys') at = at.key;
    else at = at.fields?.get(step);
  }
  return at?.size;
}
