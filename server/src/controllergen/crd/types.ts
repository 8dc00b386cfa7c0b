import { memo } from '../../base/memo.ts';
import {
  bareType,
  type Declared,
  dottedImports,
  type GoPackage,
  importOf,
  methodsOf,
  type PackageFile,
  type Packages,
  typesOf,
} from '../packages.ts';
import { comesWithGo } from '../standard.ts';
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
  const found = resolveUsed(type, scope);
  // Without arguments a generic type is none.
  return found.kind === 'declared' && found.declared.type.parameters.length > 0 ? { kind: 'unknown' } : found;
}

/** The same for what arguments are given to: a generic type counts as it is. */
export function resolveUsed(type: TypeExpression, scope: Scope): Resolved {
  if (type.kind === 'name') return resolveName(type.name, scope);
  if (type.kind === 'selected') return resolveSelected(type.package, type.name, scope);
  if (type.kind === 'parenthesized') return resolveUsed(type.of, scope);
  return { kind: 'literal', type, file: scope.file, package: scope.package };
}

function resolveName(name: string, scope: Scope): Resolved {
  const declared = typesOf(scope.package).get(name);
  if (declared) return { kind: 'declared', declared };
  const { types, unread } = dottedImports(scope.file.go, scope.packages);
  const dotted = types.get(name);
  if (dotted) return { kind: 'declared', declared: dotted };
  if (unread !== undefined) return { kind: 'unread', path: unread, name };
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
  if (type.kind !== 'declared') return type;
  const known = bases(packages);
  const passed = new Set<Declared>();
  let at: Resolved = type;
  while (at.kind === 'declared' && !known.has(at.declared) && !passed.has(at.declared)) {
    passed.add(at.declared);
    at = resolveBase(at.declared.type.type, scopeOf(at.declared, packages));
  }
  const base: Resolved = at.kind === 'declared' ? (known.get(at.declared) ?? { kind: 'unknown' }) : at;
  for (const declared of passed) known.set(declared, base);
  return base;
}

/** What is behind types, as far as somebody has asked: each name of a chain of them is gone through once. */
const bases = memo((_: Packages): Map<Declared, Resolved> => new Map());

function resolveBase(type: TypeExpression, scope: Scope): Resolved {
  return type.kind === 'generic' ? resolveUsed(type.of, scope) : resolve(type, scope);
}

/** The type of an alias, one step on, a generic one without its arguments; any other type itself. */
export function behindAlias(type: Resolved, packages: Packages): Resolved {
  if (type.kind !== 'declared' || !type.declared.type.isAlias) return type;
  const { type: behind } = type.declared.type;
  const scope = scopeOf(type.declared, packages);
  // With an argument that is not there, Go's checker has nothing at all.
  if (behind.kind === 'generic' && behind.arguments.some((one) => resolve(one, scope).kind === 'unknown'))
    return { kind: 'unknown' };
  return resolveBase(behind, scope);
}

const marshalJson = /^MarshalJSON\(\) \((?:\w+ )?\[\](?:byte|uint8), (?:\w+ )?error\)$/;
const marshalText = /^MarshalText\(\) \((?:\w+ )?\[\](?:byte|uint8), (?:\w+ )?error\)$/;

/** How a type writes itself, with what it has of embedded types. */
export function marshals(declared: Declared, packages: Packages): 'json' | 'text' | undefined {
  const { json, text } = writing(declared, packages, mostEmbedded);
  return json ? 'json' : text ? 'text' : undefined;
}

/** Whether a type can be a key of a map: it writes itself as text, be it as JSON as well. */
export function writesText(declared: Declared, packages: Packages): boolean {
  return writing(declared, packages, mostEmbedded).text;
}

/** How far methods are looked for in embedded types. */
const mostEmbedded = 4;

const metaPackage = 'k8s.io/apimachinery/pkg/apis/meta/v1';
const times: ReadonlySet<string> = new Set(['Time', 'MicroTime', 'Duration']);

/** Types of Kubernetes that write themselves, which are known without being read. */
const writers: ReadonlySet<string> = new Set([
  ...['v1', 'v1beta1'].map((version) => `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/${version}#JSON`),
  'k8s.io/apimachinery/pkg/api/resource#Quantity',
  'k8s.io/apimachinery/pkg/runtime#RawExtension',
  'k8s.io/apimachinery/pkg/util/intstr#IntOrString',
]);

/** Which methods a type has that write it. */
interface Writing {
  readonly json: boolean;
  readonly text: boolean;
}

const nothing: Writing = { json: false, text: false };

function writingOf(type: Resolved, packages: Packages, deep: number): Writing {
  if (deep === 0) return nothing;
  if (type.kind === 'declared') return writing(type.declared, packages, deep);
  // Of what is not there Go's checker believes everything, and so of a package that nothing with a tag has led to.
  if (type.kind === 'unknown' || (type.kind === 'unread' && comesWithGo(type.path))) return { json: true, text: true };
  if (type.kind === 'literal' && type.type.kind === 'pointer') {
    return writingOf(resolve(bareType(type.type), { ...type, packages }), packages, deep - 1);
  }
  if (type.kind === 'unread' && type.path === metaPackage && times.has(type.name)) {
    // These embed types of `time` and have their methods; where no field leads to that, they have all methods.
    return { json: true, text: type.name !== 'Duration' || !packages.get('time') };
  }
  const isKnown = type.kind === 'unread' && writers.has(`${type.path}#${type.name}`);
  return isKnown ? { json: true, text: false } : nothing;
}

/** Each type is looked at once for each depth, however many types embed it. */
const writing = memo((declared: Declared, packages: Packages, deep: number): Writing => {
  if (deep === 0) return nothing;
  const { type, isAlias } = declared.type;
  const scope = scopeOf(declared, packages);
  if (isAlias) return writingOf(resolve(type, scope), packages, deep - 1);
  const own = ownWriting(declared);
  if (type.kind !== 'struct') return own;
  const embedded = type.fields.filter(({ names }) => names.length === 0);
  const all = [own, ...embedded.map((field) => writingOf(resolve(bareType(field.type), scope), packages, deep - 1))];
  return { json: all.some(({ json }) => json), text: all.some(({ text }) => text) };
});

const ownWriting = memo((declared: Declared): Writing => {
  const own = [...(methodsOf(declared.package).get(declared.type.name) ?? [])];
  return { json: own.some((one) => marshalJson.test(one)), text: own.some((one) => marshalText.test(one)) };
});
