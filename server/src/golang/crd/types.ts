import {
  bareType,
  type Declared,
  type GoPackage,
  importOf,
  methodsOf,
  type PackageFile,
  type Packages,
  typesOf,
} from '../packages.ts';
import type { TypeExpression } from '../syntax/model.ts';

/** What a type expression stands for. */
export type Resolved =
  | { readonly kind: 'basic'; readonly name: string }
  | { readonly kind: 'declared'; readonly declared: Declared }
  | { readonly kind: 'literal'; readonly type: TypeExpression; readonly file: PackageFile; readonly package: GoPackage }
  /** No such name, where all that could have it was read. */
  | { readonly kind: 'unknown' }
  /** In a package that was not read. */
  | { readonly kind: 'unread'; readonly path: string; readonly name: string };

const basics = new Set([
  ...['bool', 'string', 'error', 'any', 'comparable', 'byte', 'rune', 'uintptr'],
  ...['int', 'int8', 'int16', 'int32', 'int64', 'uint', 'uint8', 'uint16', 'uint32', 'uint64'],
  ...['float32', 'float64', 'complex64', 'complex128'],
]);

/** A file of a package, in which names mean something. */
export interface Scope {
  readonly package: GoPackage;
  readonly file: PackageFile;
  readonly packages: Packages;
}

export function resolve(type: TypeExpression, scope: Scope): Resolved {
  if (type.kind === 'name') return resolveName(type.name, scope);
  if (type.kind === 'selected') return resolveSelected(type.package, type.name, scope);
  if (type.kind === 'parenthesized') return resolve(type.of, scope);
  return { kind: 'literal', type, file: scope.file, package: scope.package };
}

function resolveName(name: string, scope: Scope): Resolved {
  const declared = typesOf(scope.package).get(name);
  if (declared) return { kind: 'declared', declared };
  for (const { name: given, path } of scope.file.go.imports) {
    if (given !== '.') continue;
    const found = inPackage(path, name, scope.packages);
    if (found.kind !== 'unknown') return found;
  }
  return basics.has(name) ? { kind: 'basic', name } : { kind: 'unknown' };
}

function resolveSelected(packageName: string, name: string, scope: Scope): Resolved {
  const path = importOf(scope.file, packageName, scope.packages);
  return path === undefined ? { kind: 'unknown' } : inPackage(path, name, scope.packages);
}

export function inPackage(path: string, name: string, packages: Packages): Resolved {
  const found = packages.get(path);
  if (!found) return { kind: 'unread', path, name };
  const declared = typesOf(found).get(name);
  return declared ? { kind: 'declared', declared } : { kind: 'unknown' };
}

export function scopeOf({ package: of, file }: Declared, packages: Packages): Scope {
  return { package: of, file, packages };
}

/** What is behind all names: a basic type or a literal one. Types that are made of themselves have nothing behind. */
export function underlying(type: Resolved, packages: Packages): Resolved {
  const seen = new Set<Declared>();
  let at = type;
  while (at.kind === 'declared') {
    if (seen.has(at.declared)) return { kind: 'unknown' };
    seen.add(at.declared);
    at = resolve(genericBase(at.declared.type.type), scopeOf(at.declared, packages));
  }
  return at;
}

function genericBase(type: TypeExpression): TypeExpression {
  return type.kind === 'generic' ? type.of : type;
}

/** The type of an alias, one step on; any other type itself. */
export function behindAlias(type: Resolved, packages: Packages): Resolved {
  if (type.kind !== 'declared' || !type.declared.type.isAlias) return type;
  return resolve(type.declared.type.type, scopeOf(type.declared, packages));
}

const marshalJson = /^MarshalJSON\(\) \((?:\w+ )?\[\](?:byte|uint8), (?:\w+ )?error\)$/;
const marshalText = /^MarshalText\(\) \((?:\w+ )?\[\](?:byte|uint8), (?:\w+ )?error\)$/;

/** How a type writes itself, with what it has of embedded types. */
export function marshals(declared: Declared, packages: Packages): 'json' | 'text' | undefined {
  const found = methods(declared, packages, 4);
  const has = (wanted: RegExp) => found.some((method) => wanted.test(method));
  return has(marshalJson) ? 'json' : has(marshalText) ? 'text' : undefined;
}

/** Types of other packages that write themselves: those of Kubernetes are known without being read. */
const writers = new Set([
  ...['Time', 'MicroTime', 'Duration'].map((name) => `k8s.io/apimachinery/pkg/apis/meta/v1#${name}`),
  ...['v1', 'v1beta1'].map((version) => `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/${version}#JSON`),
  'k8s.io/apimachinery/pkg/api/resource#Quantity',
  'k8s.io/apimachinery/pkg/runtime#RawExtension',
  'k8s.io/apimachinery/pkg/util/intstr#IntOrString',
  'time#Time',
]);

function methodsOfResolved(type: Resolved, packages: Packages, deep: number): readonly string[] {
  if (type.kind === 'declared') return methods(type.declared, packages, deep);
  const writes = type.kind === 'unread' && writers.has(`${type.path}#${type.name}`);
  return writes ? ['MarshalJSON() ([]byte, error)'] : [];
}

function methods(declared: Declared, packages: Packages, deep: number): readonly string[] {
  if (deep === 0) return [];
  const { type } = declared.type;
  const own = [...(methodsOf(declared.package).get(declared.type.name) ?? [])];
  if (declared.type.isAlias) {
    const behind = resolve(type, scopeOf(declared, packages));
    return methodsOfResolved(behind, packages, deep - 1);
  }
  if (type.kind !== 'struct') return own;
  const embedded = type.fields
    .filter(({ names }) => names.length === 0)
    .map((field) => resolve(bareType(field.type), scopeOf(declared, packages)))
    .flatMap((behind) => methodsOfResolved(behind, packages, deep - 1));
  return [...own, ...embedded];
}
