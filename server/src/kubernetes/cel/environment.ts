import { memo } from '../../base/memo.ts';
import { type CelEnv, joinLibraries, rootsOf, type StructInfo, type Structs } from '../../cel/env.ts';
import type { CostModel } from '../../cel/estimate.ts';
import { standardTypes } from '../../cel/libraries/standard.ts';
import type { Macro } from '../../cel/macros.ts';
import type { CelPath } from '../../cel/path.ts';
import type { Range } from '../../cel/range.ts';
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
import { additionsIn, libraryOf } from '../releases/environments.ts';
import type { CelAddition, CelFeature, KubernetesVersion } from '../releases/release.ts';
import type { DeclType } from './declType.ts';
import { reservedWords } from './escape.ts';
import { equalityCost } from './libraries/equality.ts';

/** The environment without variables that a server has for a release: see `environmentName`. */
export const baseEnvironment = memo((kubernetes: KubernetesVersion, release: string): CelEnv => {
  return buildEnvironment(kubernetes, additionsIn(kubernetes, release));
});

function featuresOf(additions: readonly CelAddition[]): ReadonlySet<CelFeature> {
  return new Set(additions.flatMap(({ features = [] }) => features));
}

function buildEnvironment(kubernetes: KubernetesVersion, additions: readonly CelAddition[]): CelEnv {
  const { cel } = kubernetes;
  const features = featuresOf(additions);
  const hasOptionals = features.has('optionals');
  const hasValidators = features.has('validators');
  const functions = joinLibraries(
    additions.flatMap(({ libraries = [] }) => libraries.map((family) => libraryOf(family, kubernetes))),
  );
  const idents = new Map([...typeNames(kubernetes, hasOptionals), ...additions.flatMap(namedTypes)]);
  return {
    syntax: {
      macros: byName(additions.flatMap(({ macros = [] }) => macros)),
      optionals: hasOptionals,
      quotedIdents: cel.quotedIdents,
      accumulator: cel.accumulator,
      guardsAccumulator: cel.guardsAccumulator,
      formatsTexts: cel.formatsTexts,
      emptyHasColumn: cel.celGo020Positions,
      lineStartEndsLine: cel.celGo020Positions,
      lenientEscapes: cel.formatsTexts,
    },
    dialect: {
      crossTypeComparisons: hasOptionals,
      validators: hasValidators,
      formatValidator: hasValidators,
      formatCrashes: hasValidators && cel.formatCrashes,
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

const bareOptional = opaqueType('optional_type');

function namedTypes(addition: CelAddition): (readonly [string, CelType])[] {
  return (addition.types ?? []).map((type) => [type.name, typeOf(type)]);
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
  release: string,
  decl: DeclType | undefined,
  optionalOldSelf = false,
): SchemaEnv {
  const base = baseEnvironment(kubernetes, release);
  const rules = kubernetes.cel.cost;
  const equality = kubernetes.cel.pricesEquality ? equalityCost : () => undefined;
  if (!decl) return { env: base, model: { sizeOf: () => undefined, equality, rules } };
  const idents = new Map(base.idents);
  idents.set('self', decl.type);
  idents.set('oldSelf', optionalOldSelf ? optionalOf(decl.type) : decl.type);
  const features = featuresOf(additionsIn(kubernetes, release));
  const options = { keywordFields: features.has('keywordFields'), plainNames: kubernetes.cel.plainTypeNames };
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
function declSize(root: DeclType, path: CelPath): Range | undefined {
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
