import { isList, isMap, isString, textAt, type Value, type ValueMap } from '../../base/value.ts';
import {
  type CelMap,
  type Entry,
  error,
  isError,
  isKind,
  itemsOfList,
  type Key,
  list,
  mapOfPairs,
  orNoSuchOverload,
  type Selector,
  type Val,
} from '../../cel/eval/values.ts';
import { unescapeName } from '../cel/escape.ts';
import { quantityOf } from '../cel/libraries/quantities.ts';
import { toSemver } from '../cel/libraries/semver.ts';
import { plainVal } from '../cel/values.ts';
import type { KubernetesVersion } from '../releases/release.ts';

// What expressions outside of admission are asked about, as the server hands it to them.

/** What a map has in Go, found under names that are written as CEL writes them. */
class Unescaped implements CelMap {
  readonly kind = 'map';
  readonly equal: CelMap['equal'] = undefined;
  readonly raw = undefined;
  readonly growing = false;
  readonly #inner: CelMap;

  constructor(inner: CelMap) {
    this.#inner = inner;
  }

  get entries(): Map<Key, Entry> | undefined {
    return this.#inner.entries;
  }

  get size(): number {
    return this.#inner.size;
  }

  find(key: Val): Val | undefined {
    return this.#inner.find(typeof key === 'string' ? (unescapeName(key) ?? key) : key);
  }

  select({ name }: Selector): Val | undefined {
    return this.find(name);
  }

  keys(): readonly Val[] {
    return this.#inner.keys();
  }

  firstKey(): Val | undefined {
    return this.#inner.firstKey();
  }
}

/** Fields that the server reads when they are asked for. What else a map can do, it does not do, or in a way of its own. */
class ReadWhenAsked extends Unescaped {
  constructor(fields: ReadonlyMap<string, Val>) {
    super(mapOfPairs([...fields]));
  }

  readonly isLazy = true;

  override find(key: Val): Val | undefined {
    return typeof key === 'string' && unescapeName(key) === undefined ? undefined : super.find(key);
  }

  override readonly equal = (other: Val): Val =>
    other instanceof ReadWhenAsked ? other === this : orNoSuchOverload(other);

  /** It goes through the values, where others go through the keys. */
  override keys(): readonly Val[] {
    return super.keys().map((key) => super.find(key) ?? null);
  }

  override firstKey(): Val | undefined {
    return this.keys()[0];
  }
}

/** JSON as Go reads it where nothing says of what type it is: all numbers are floats. */
function jsonVal(value: Value, isItem = false): Val {
  if (typeof value === 'bigint') return Number(value);
  if (isList(value)) return list(value.map((item) => jsonVal(item, true)));
  if (!isMap(value)) return plainVal(value);
  const map = mapOfPairs([...value].map(([key, item]) => [key, jsonVal(item, isItem)]));
  // Macros that go through a list see its items as they are.
  return isItem ? map : new Unescaped(map);
}

/** The same where the claims are taken for an object of Kubernetes. */
function objectVal(value: Value): Val {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : Number(value);
  if (isList(value)) return list(value.map(objectVal));
  return isMap(value) ? mapOfPairs([...value].map(([key, item]) => [key, objectVal(item)])) : plainVal(value);
}

export function claimsVal(claims: ValueMap, { plainClaims }: KubernetesVersion): Val {
  if (plainClaims) return objectVal(claims);
  return new ReadWhenAsked(new Map([...claims].map(([name, value]) => [name, jsonVal(value)])));
}

/** A user as rules of an authentication configuration see one. */
export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export function userVal({ username, uid, groups, extra }: UserInfo, { plainClaims }: KubernetesVersion): Val {
  const all = mapOfPairs([...extra].map(([key, values]) => [key, list(values)]));
  const fields = new Map<string, Val>([
    ['username', username],
    ['uid', uid],
    ['groups', list(groups)],
    ['extra', plainClaims ? all : new Unescaped(all)],
  ]);
  return plainClaims ? mapOfPairs([...fields]) : new ReadWhenAsked(fields);
}

// A request that is to be authorized

const attributes = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

/** The spec of a SubjectAccessReview: texts that are left out are empty. */
export function accessVal(spec: ValueMap): Val {
  const texts = (from: Value, names: readonly string[]) =>
    names.map((name) => [name, textAt(from, [name])] as const satisfies readonly [string, Val]);
  const pairs: [string, Val][] = [
    ...texts(spec, ['user', 'uid']).map(([name, text]): [string, Val] => [name, text]),
    ['groups', plainVal(spec.get('groups') ?? [])],
    ['extra', plainVal(spec.get('extra') ?? new Map())],
  ];
  const [resource, path] = [spec.get('resourceAttributes'), spec.get('nonResourceAttributes')];
  if (isMap(resource)) {
    const selectors = ['fieldSelector', 'labelSelector'].flatMap((name): [string, Val][] => {
      const selector = selectorVal(resource.get(name));
      return selector === undefined ? [] : [[name, selector]];
    });
    pairs.push(['resourceAttributes', mapOfPairs([...texts(resource, attributes), ...selectors])]);
  }
  if (isMap(path)) pairs.push(['nonResourceAttributes', mapOfPairs(texts(path, ['verb', 'path']))]);
  return mapOfPairs(pairs);
}

/** Text that could not be read comes before what could. */
function selectorVal(selector: Value | undefined): Val | undefined {
  if (!isMap(selector)) return undefined;
  const raw = textAt(selector, ['rawSelector']);
  if (raw !== '') return mapOfPairs([['rawSelector', raw]]);
  const requirements = selector.get('requirements');
  if (!isList(requirements) || requirements.length === 0) return undefined;
  const all = requirements.map((one) =>
    mapOfPairs([
      ['key', textAt(one, ['key'])],
      ['operator', textAt(one, ['operator'])],
      ['values', plainVal((isMap(one) ? one.get('values') : undefined) ?? [])],
    ]),
  );
  return mapOfPairs([['requirements', list(all)]]);
}

// A device

/** By domain, each of which is there, if only with nothing in it. */
class Domains extends Unescaped {
  readonly #domains: CelMap;

  constructor(domains: ReadonlyMap<string, readonly (readonly [string, Val])[]>) {
    const inner = mapOfPairs([...domains].map(([domain, pairs]) => [domain, mapOfPairs(pairs)]));
    super(inner);
    this.#domains = inner;
  }

  override find(key: Val): Val | undefined {
    return this.#domains.find(key) ?? mapOfPairs([]);
  }

  holds(key: Val): boolean {
    return this.#domains.find(key) !== undefined;
  }
}

const listAttributes: readonly (readonly [string, 'as it is' | 'versions'])[] = [
  ['ints', 'as it is'],
  ['bools', 'as it is'],
  ['strings', 'as it is'],
  ['versions', 'versions'],
];

function attributeVal(attribute: Value): Val {
  if (!isMap(attribute)) return error('unsupported attribute value');
  for (const [name, how] of listAttributes) {
    const items = attribute.get(name);
    if (isList(items)) return how === 'versions' ? list(items.map(versionVal)) : plainVal(items);
  }
  const scalar = ['int', 'bool', 'string'].map((name) => attribute.get(name) ?? null).find((value) => value !== null);
  if (scalar !== undefined) return plainVal(scalar);
  const version = attribute.get('version');
  return isString(version) ? versionVal(version) : error('unsupported attribute value');
}

function versionVal(text: Value): Val {
  const version = toSemver(isString(text) ? text : '', false);
  return isError(version) ? error(`parse semantic version: ${version.message}`) : version;
}

function byDomain(driver: string, values: Value | undefined, read: (value: Value) => Val) {
  const domains = new Map<string, (readonly [string, Val])[]>();
  for (const [name, value] of isMap(values) ? values : []) {
    const at = name.indexOf('/');
    const [domain, id] = at === -1 ? [driver, name] : [name.slice(0, at), name.slice(at + 1)];
    domains.set(domain, [...(domains.get(domain) ?? []), [id, read(value)]]);
  }
  return domains;
}

/** The first version of the API has the quantity by itself. */
function capacityVal(capacity: Value): Val {
  return quantityOf(isString(capacity) ? capacity : textAt(capacity, ['value']));
}

/** A device of a ResourceSlice, with its driver beside it; an error where something in it cannot be read. */
export function deviceVal(device: ValueMap): Val {
  const driver = textAt(device, ['driver']);
  for (const [name, value] of isMap(device.get('attributes')) ? (device.get('attributes') as ValueMap) : []) {
    const read = attributeVal(value);
    const items = isKind(read, 'list') ? itemsOfList(read) : [read];
    const wrong = items.find(isError);
    if (wrong) return error(`attribute ${name}: ${wrong.message}`);
  }
  return mapOfPairs([
    ['driver', driver],
    ['allowMultipleAllocations', device.get('allowMultipleAllocations') === true],
    ['attributes', new Domains(byDomain(driver, device.get('attributes'), attributeVal))],
    ['capacity', new Domains(byDomain(driver, device.get('capacity'), capacityVal))],
  ]);
}
