import { memo } from '../../base/memo.ts';
import {
  type Declared,
  dottedImports,
  type GoPackage,
  importOf,
  methodsOf,
  type PackageFile,
  type Packages,
  typesOf,
} from '../packages.ts';
import { comesWithGo, isStandard } from '../standard.ts';
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
  /** What stands for the parameters of a generic type, where it is written out. */
  readonly given?: ReadonlyMap<string, string>;
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
  if (declared) return ofDeclared(declared, scope.packages);
  const { types, unread } = dottedImports(scope.file.go, scope.packages);
  const dotted = types.get(name);
  if (dotted) return ofDeclared(dotted, scope.packages);
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
  return declared ? ofDeclared(declared, packages) : { kind: 'unknown' };
}

/** To Go's checker an alias that is part of itself is nothing. */
function ofDeclared(declared: Declared, packages: Packages): Resolved {
  return declared.type.isAlias && isInItself(declared, packages) ? { kind: 'unknown' } : { kind: 'declared', declared };
}

/** How many aliases are looked through for one that is part of itself. */
const mostAliases = 50;

/** Whether other aliases alone lead from an alias back to it. */
const isInItself = memo((alias: Declared, packages: Packages): boolean => {
  const seen = new Set<Declared>();
  const open = [alias];
  for (let at = open.pop(); at !== undefined && seen.size < mostAliases; at = open.pop()) {
    for (const next of aliasesIn(at.type.type, scopeOf(at, packages))) {
      if (next === alias) return true;
      if (!seen.has(next)) open.push(next);
      seen.add(next);
    }
  }
  return false;
});

function aliasesIn(type: TypeExpression, scope: Scope): readonly Declared[] {
  switch (type.kind) {
    case 'name':
      return aliasNamed(typesOf(scope.package), type.name);
    case 'selected': {
      const read = scope.packages.get(importOf(scope.file, type.package, scope.packages) ?? '');
      return read ? aliasNamed(typesOf(read), type.name) : [];
    }
    case 'pointer':
      return aliasesIn(type.to, scope);
    case 'list':
    case 'parenthesized':
      return aliasesIn(type.of, scope);
    case 'generic':
      return [type.of, ...type.arguments].flatMap((one) => aliasesIn(one, scope));
    case 'map':
      return [type.key, type.of].flatMap((one) => aliasesIn(one, scope));
    case 'struct':
      return type.fields.flatMap((field) => aliasesIn(field.type, scope));
    default:
      return [];
  }
}

function aliasNamed(types: ReadonlyMap<string, Declared>, name: string): readonly Declared[] {
  const found = types.get(name);
  return found?.type.isAlias ? [found] : [];
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
  return type.kind === 'generic' ? instance(type, scope) : resolve(type, scope);
}

/** What is embedded, or what an embedded pointer leads to: of a generic type what it is made of, if its arguments are there. */
function embeddedType(type: TypeExpression, scope: Scope): Resolved {
  if (type.kind === 'pointer') return embeddedType(type.to, scope);
  return type.kind === 'generic' ? instance(type, scope) : resolve(type, scope);
}

/** With an argument that is not there, Go's checker has nothing at all. */
function instance(type: TypeExpression & { kind: 'generic' }, scope: Scope): Resolved {
  const isWhole = type.arguments.every((one) => isThere(one, scope));
  return isWhole ? resolveUsed(type.of, scope) : { kind: 'unknown' };
}

/** A pointer to nothing is nothing, or to a type behind whose name nothing is; lists and maps of it are something. */
export function isThere(type: TypeExpression, scope: Scope, left = mostEmbedded): boolean {
  if (type.kind === 'pointer') return left === 0 || isPointedAt(type.to, scope, left - 1);
  if (type.kind === 'generic') return instance(type, scope).kind !== 'unknown';
  return resolve(type, scope).kind !== 'unknown';
}

function isPointedAt(type: TypeExpression, scope: Scope, left: number): boolean {
  if (!isThere(type, scope, left)) return false;
  const found = resolve(type, scope);
  return found.kind !== 'declared' || !isOfNothing(found.declared, scope.packages, left);
}

/** The type of an alias, one step on, a generic one without its arguments; any other type itself. */
export function behindAlias(type: Resolved, packages: Packages): Resolved {
  if (type.kind !== 'declared' || !type.declared.type.isAlias) return type;
  const { type: behind } = type.declared.type;
  const scope = scopeOf(type.declared, packages);
  return behind.kind === 'generic' ? instance(behind, scope) : resolve(behind, scope);
}

/** What a method that writes a type is like. */
const writer = /^\(\) \((?:\w+ )?\[\](?:byte|uint8), (?:\w+ )?error\)$/;
type Writer = 'MarshalJSON' | 'MarshalText';

/** How a type writes itself, with what it has of embedded types. */
export function marshals(declared: Declared, packages: Packages): 'json' | 'text' | undefined {
  if (writesBy(declared, packages, 'MarshalJSON')) return 'json';
  return writesText(declared, packages) ? 'text' : undefined;
}

/** Whether a type can be a key of a map: it writes itself as text, be it as JSON as well. */
export function writesText(declared: Declared, packages: Packages): boolean {
  return writesBy(declared, packages, 'MarshalText');
}

/** How far methods are looked for in embedded types. */
const mostEmbedded = 4;

/** Types on one level of what is embedded, and how often each is there, as far as it matters. */
type Level = ReadonlyMap<Declared | string, { readonly type: Resolved; readonly times: number }>;

/**
 * A method is looked for as Go does: level by level of what is embedded, each type once, until one has it. Two that have
 * it on one level take it from each other.
 */
const writesBy = memo((declared: Declared, packages: Packages, method: Writer): boolean => {
  if (isOfNothing(declared, packages) || embedsBelieved(declared, packages)) return true;
  const seen = new Set<Declared | string>();
  let level: Level = levelOf([settled({ kind: 'declared', declared }, packages)], new Map());
  for (let left = mostEmbedded; left > 0 && level.size > 0; left--) {
    const found: boolean[] = [];
    let next: Level = new Map();
    for (const [key, { type, times }] of level) {
      if (seen.has(key)) continue;
      seen.add(key);
      const own = ownMethod(type, packages, method);
      if (own === undefined) next = levelOf(embeddedIn(type, packages), next, times);
      else for (let i = 0; i < times; i++) found.push(own);
    }
    if (found.length > 0) return found.length === 1 && found[0]!;
    level = next;
  }
  return false;
});

function levelOf(types: readonly Resolved[], level: Level, times = 1): Level {
  const all = new Map(level);
  for (const type of types) {
    const key =
      type.kind === 'declared' ? type.declared : type.kind === 'unread' ? `${type.path}#${type.name}` : type.kind;
    all.set(key, { type, times: Math.min(2, (all.get(key)?.times ?? 0) + times) });
  }
  return all;
}

/** What an alias or a pointer leads to. */
function settled(type: Resolved, packages: Packages): Resolved {
  let at = type;
  for (let left = mostEmbedded; left > 0; left--) {
    if (at.kind === 'declared' && at.declared.type.isAlias) {
      at = embeddedType(at.declared.type.type, scopeOf(at.declared, packages));
    } else return at;
  }
  return at;
}

/** Of what is not there Go's checker believes everything, and so of a package that nothing with a tag has led to. */
function isBelieved(type: Resolved): boolean {
  return type.kind === 'unknown' || (type.kind === 'unread' && comesWithGo(type.path));
}

/** Whether there is nothing behind a type's name: what it is made of is not there. */
function isOfNothing(declared: Declared, packages: Packages, left?: number): boolean {
  const base = underlying({ kind: 'declared', declared }, packages);
  if (base.kind !== 'literal') return base.kind === 'unknown';
  const { package: of, file, type } = base;
  return type.kind === 'pointer' && !isThere(type, { package: of, file, packages }, left);
}

/** Whether there is something of the kind in what a type embeds: methods that come first count as little then. */
const embedsBelieved = memo((declared: Declared, packages: Packages): boolean => {
  const seen = new Set<Declared>();
  let level: readonly Resolved[] = [settled({ kind: 'declared', declared }, packages)];
  for (let left = mostEmbedded; left > 0 && level.length > 0; left--) {
    if (level.some(isBelieved)) return true;
    level = level.flatMap((type) => {
      if (type.kind === 'declared' && seen.has(type.declared)) return [];
      if (type.kind === 'declared') seen.add(type.declared);
      return embeddedIn(type, packages);
    });
  }
  return false;
});

const metaPackage = 'k8s.io/apimachinery/pkg/apis/meta/v1';
const times: ReadonlySet<string> = new Set(['Time', 'MicroTime', 'Duration']);

/** Types of Kubernetes that write themselves as JSON, which are known without being read. */
const knownWriters: ReadonlySet<string> = new Set([
  ...['v1', 'v1beta1'].map((version) => `k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/${version}#JSON`),
  'k8s.io/apimachinery/pkg/api/resource#Quantity',
  'k8s.io/apimachinery/pkg/runtime#RawExtension',
  'k8s.io/apimachinery/pkg/util/intstr#IntOrString',
]);

/** Whether a type's own method writes it; undefined where it has nothing of that name. */
function ownMethod(type: Resolved, packages: Packages, method: Writer): boolean | undefined {
  if (type.kind === 'unread') return writesOutside(type, packages, method);
  if (type.kind !== 'declared') return undefined;
  const base = underlying(type, packages);
  const literal = base.kind === 'literal' ? base.type : undefined;
  const { declared } = type;
  // Go lets nobody write methods of these; what comes with Go has those that are in an interface.
  const hasNone = literal?.kind === 'interface' || literal?.kind === 'pointer';
  if (hasNone && !isStandard(declared.file.uri)) return undefined;
  const methods = [...(methodsOf(declared.package).get(declared.type.name) ?? [])];
  const signatures = methods.flatMap((one) => (one.startsWith(`${method}(`) ? one.slice(method.length) : []));
  if (signatures.length > 0) return signatures.some((one) => writer.test(one));
  return partsOf(declared, packages).names.has(method) ? false : undefined;
}

function writesOutside(type: Resolved & { kind: 'unread' }, packages: Packages, method: Writer): boolean | undefined {
  const { path, name } = type;
  if (isTime(type)) {
    // These embed types of `time` and have their methods; where no field leads to that, they have all methods.
    return method === 'MarshalJSON' || name !== 'Duration' || !packages.get('time') ? true : undefined;
  }
  return method === 'MarshalJSON' && knownWriters.has(`${path}#${name}`) ? true : undefined;
}

function embeddedIn(type: Resolved, packages: Packages): readonly Resolved[] {
  if (type.kind === 'unread' && isTime(type)) return [insideOfTime(type, packages)];
  return type.kind === 'declared' ? partsOf(type.declared, packages).embedded : [];
}

function isTime({ path, name }: Resolved & { kind: 'unread' }): boolean {
  return path === metaPackage && times.has(name);
}

/** What the times of Kubernetes are made of. */
function insideOfTime({ name }: Resolved & { kind: 'unread' }, packages: Packages): Resolved {
  return inPackage('time', name === 'Duration' ? 'Duration' : 'Time', packages);
}

/** The fields of a struct by name, and what it embeds: of two fields with one name Go has the first. */
const partsOf = memo((declared: Declared, packages: Packages): Parts => {
  const names = new Set<string>();
  const embedded: Resolved[] = [];
  const base = underlying({ kind: 'declared', declared }, packages);
  if (base.kind === 'unread' && isTime(base)) return { names, embedded: [insideOfTime(base, packages)] };
  if (base.kind !== 'literal' || base.type.kind !== 'struct') return { names, embedded };
  const scope = { package: base.package, file: base.file, packages };
  for (const { names: own, type } of base.type.fields) {
    if (own.length === 0 && !names.has(nameOfEmbedded(type))) {
      embedded.push(settled(embeddedType(type, scope), packages));
      names.add(nameOfEmbedded(type));
    } else for (const { name } of own) names.add(name);
  }
  return { names, embedded };
});

interface Parts {
  readonly names: ReadonlySet<string>;
  readonly embedded: readonly Resolved[];
}

export function nameOfEmbedded(type: TypeExpression): string {
  if (type.kind === 'pointer') return nameOfEmbedded(type.to);
  if (type.kind === 'generic') return nameOfEmbedded(type.of);
  return type.kind === 'name' || type.kind === 'selected' ? type.name : '';
}
