import { memo } from '../../base/memo.ts';
import type { CelEnv, StructInfo, Structs } from '../../cel/env.ts';
import { environmentOf } from '../../cel/environment.ts';
import type { CostModel } from '../../cel/estimate.ts';
import type { CelPath } from '../../cel/path.ts';
import type { Range } from '../../cel/range.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  uintType,
} from '../../cel/types.ts';
import { additionsIn, libraryOf } from '../releases/environments.ts';
import type { CelAddition, CelFeature, KubernetesVersion } from '../releases/release.ts';
import { objectNamed } from './declNames.ts';
import type { DeclType } from './declType.ts';
import { reservedWords } from './escape.ts';
import { equalityCost } from './libraries/equality.ts';

/** The environment without variables that a server has for a release: see `environmentName`. */
export const baseEnvironment = memo((kubernetes: KubernetesVersion, release: string): CelEnv => {
  return environmentWith(kubernetes, release, []);
});

/** The same with what is known beside it. */
export function environmentWith(kubernetes: KubernetesVersion, release: string, more: readonly CelAddition[]): CelEnv {
  const cel = { ...kubernetes.cel, additions: [...kubernetes.cel.additions, ...more] };
  return buildEnvironment(kubernetes, additionsIn({ ...kubernetes, cel }, release));
}

function featuresOf(additions: readonly CelAddition[]): ReadonlySet<CelFeature> {
  return new Set(additions.flatMap(({ features = [] }) => features));
}

function buildEnvironment(kubernetes: KubernetesVersion, additions: readonly CelAddition[]): CelEnv {
  const features = featuresOf(additions);
  return environmentOf(kubernetes.cel, {
    libraries: additions.flatMap(({ libraries = [] }) => libraries.map((family) => libraryOf(family, kubernetes))),
    macros: additions.flatMap(({ macros = [] }) => macros),
    types: additions.flatMap(({ types = [] }) => types),
    optionals: features.has('optionals'),
    validators: features.has('validators'),
  });
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

/** Types that have a name of their own wherever types are declared, be it by a schema or for variables. */
const declaredScalars: ReadonlyMap<string, CelType> = new Map(
  [boolType, bytesType, doubleType, intType, nullType, stringType, uintType]
    .map((type): [string, CelType] => [type.name, type])
    .concat([
      ['duration', durationType],
      ['timestamp', timestampType],
    ]),
);

interface StructOptions {
  /** A reserved word finds the field that is escaped for it. */
  readonly keywordFields: boolean;
  /** The name of a declared type is a value of that type, not the type (1.31). */
  readonly plainNames: boolean;
}

function declStructs(root: DeclType, outer: Structs, options: StructOptions): Structs {
  const infos = new Map<string, StructInfo>();
  return (name) => {
    const known = infos.get(name);
    if (known) return known;
    const object = objectNamed(root, name);
    if (object) {
      const info = structInfo(object, options);
      infos.set(name, info);
      return info;
    }
    return declaredScalar(name, options.plainNames, false) ?? outer(name);
  };
}

/** Types declared for variables alone are not known any more when an expression runs. */
export function declaredScalar(name: string, plainNames: boolean, onlyChecked = true): StructInfo | undefined {
  const type = declaredScalars.get(name);
  // When it runs, cel-go knows these two by their long names only.
  const isUnknown = type === durationType || type === timestampType;
  return (
    type && {
      ...{ type, ...(plainNames ? { named: type } : {}) },
      ...{ onlyChecked: onlyChecked || isUnknown, field: () => undefined },
    }
  );
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
