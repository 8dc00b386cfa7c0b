import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { isList, isMap, type Value, type ValueMap } from '../../../server/src/base/value.ts';
import type { GoType, OwnType } from '../../../server/src/kubernetes/builtin/goType.ts';
import { type BuiltinKinds, builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import { frozenKinds } from '../../../server/src/kubernetes/builtin/validation/update.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Random } from '../../support/random.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Generator } from '../generator.ts';
import { isUnchecked, isUncompared } from './unchecked.ts';

// Objects of built-in kinds that can be decoded: right ones, of which a few fields are given other values of their types.

interface World {
  readonly kinds: BuiltinKinds;
  readonly objects: readonly ValueMap[];
  /** What texts, numbers and the like fields of a name have in all objects. */
  readonly seen: ReadonlyMap<string, readonly Value[]>;
}

const keyOf = (object: ValueMap) => `${object.get('apiVersion')}/${object.get('kind')}`;

let held: World | undefined;

function world(): World {
  if (held) return held;
  const text = readFileSync('test/fuzz/generators/objects.yaml', 'utf8');
  const documents = parseAllDocuments(text, { intAsBigInt: true });
  const objects = [...documents].map((document) => document.toJS({ mapAsMap: true }) as ValueMap);
  const seen = new Map<string, Value[]>();
  for (const object of objects) collect(object, '', seen);
  held = { kinds: builtinKindsOf(builtinFile(), newestVersion), objects, seen };
  return held;
}

function collect(value: Value, name: string, seen: Map<string, Value[]>): void {
  if (isMap(value)) for (const [key, item] of value) collect(item, key, seen);
  else if (isList(value)) for (const item of value) collect(item, name, seen);
  seen.set(name, [...(seen.get(name) ?? []), value]);
}

const left: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

export const validationGenerator: Generator = {
  name: 'validation',
  generate: (random) => {
    const { kinds, objects } = world();
    const base = random.pick(objects);
    const kind = kinds.kinds.get(keyOf(base))!;
    let object = base;
    const times = random.pick([0, 1, 1, 1, 2, 2, 3, 5, 8]);
    for (let i = 0; i < times; i++) {
      object = changed(object, { is: 'object', id: kind.root }, '', random, 0) as ValueMap;
    }
    const isUpdate = frozenKinds.includes(keyOf(base)) && random.chance(0.2);
    return { op: 'builtin.validate', obj: object, ...(isUpdate ? { old: base } : {}) };
  },
  explain: ({ obj, old }, rows) => {
    // What the server refuses it does not warn of.
    const ofErrors = rows.filter((row) => !/^\.warnings: ours \[.*\] ≠ theirs undefined$/.test(row));
    if (ofErrors.length > 0 && ofErrors.every(isUnchecked)) return 'not checked';
    if (rows.some((row) => /^\.panic: .*(?:nil pointer|index out of range)/.test(row))) return 'the server panics';
    const isRepeated = rows.length === 1 && rows[0] === '.errors: the same items in another number';
    if (isRepeated && old !== undefined) return 'an update, whose errors older releases say twice';
    // Older releases drop such volumes, and what mounts them.
    const areTheirs = rows.every((row) => /^\.errors: (?:only theirs|ours undefined)/.test(row));
    if (old !== undefined && ofErrors.every((row) => isUncompared(obj as ValueMap, row))) {
      return 'an update, of which not all is compared';
    }
    return areTheirs && hasImageVolume(obj as Value) ? 'not checked beside an image as a volume' : undefined;
  },
};

/** A value with one place in it changed; deeper places are changed as often as others. */
function changed(value: Value, type: GoType, name: string, random: Random, depth: number): Value {
  if (isMap(value) && type.is === 'object') return changedObject(value, type.id, random, depth);
  if (isMap(value) && type.is === 'map') return changedMap(value, type.of, name, random, depth);
  if (isList(value) && type.is === 'list') return changedList(value, type.of, name, random, depth);
  return made(type, name, random, depth);
}

function changedObject(value: ValueMap, id: string, random: Random, depth: number): ValueMap {
  const { kinds } = world();
  const fields = kinds.object(id).fields.filter((field) => depth > 0 || !left.has(field.name));
  const there = fields.filter((field) => value.has(field.name));
  const copy = new Map(value);
  const what = random.next();
  if (there.length > 0 && what < (depth > 4 ? 0.6 : 0.86)) {
    const field = random.pick(there);
    copy.set(field.name, changed(value.get(field.name)!, field.type, field.name, random, depth + 1));
  } else if (there.length > 0 && what < 0.93) copy.delete(random.pick(there).name);
  else if (fields.length > 0) {
    const field = random.pick(fields);
    copy.set(field.name, made(field.type, field.name, random, depth + 1));
  }
  return copy;
}

function changedMap(value: ValueMap, of: GoType, name: string, random: Random, depth: number): ValueMap {
  const copy = new Map(value);
  const keys = [...value.keys()];
  const what = random.next();
  if (keys.length > 0 && what < 0.4) {
    const key = random.pick(keys);
    copy.set(key, changed(value.get(key)!, of, key, random, depth + 1));
  } else if (keys.length > 0 && what < 0.6) copy.delete(random.pick(keys));
  else copy.set(random.pick(mapKeys), made(of, name, random, depth + 1));
  return copy;
}

const mapKeys = [
  ...['app', 'a', 'A_b', '', 'example.com/a', '-a', 'a/b/c', 'cpu', 'memory', 'storage', 'ephemeral-storage', 'pods'],
  ...[
    'hugepages-2Mi',
    'example.com/gpu',
    'requests.cpu',
    'kubernetes.io/x',
    'limits.memory',
    'foo',
    '..a',
    'é',
    'tier',
  ],
  ...['requests.storage', 'persistentvolumeclaims', 'tls.crt', 'f', 'username', 'count/pods', 'job-name'],
];

function changedList(value: readonly Value[], of: GoType, name: string, random: Random, depth: number): Value[] {
  const what = random.next();
  if (value.length > 0 && what < 0.7) {
    const at = random.below(value.length);
    return value.map((item, i) => (i === at ? changed(item, of, name, random, depth + 1) : item));
  }
  if (value.length > 0 && what < 0.8) return value.filter((_, i) => i !== 0);
  if (value.length > 0 && what < 0.92) return [...value, random.pick(value)];
  return [...value, made(of, name, random, depth + 1)];
}

const long = 'a'.repeat(64);
const texts = [
  ...['', 'a', 'web', 'A_b', '-a', 'a-', 'a.b', 'a/b', 'example.com/a', 'a b', ' a', 'é', '1', '0', 'a--b', long, '*'],
  ...[
    '*.example.com',
    '10.0.0.1',
    '010.0.0.1',
    '127.0.0.1',
    '::1',
    '::ffff:1.2.3.4',
    '169.254.1.1',
    '2001:db8::1',
    'None',
  ],
  ...[
    '10.0.0.1/8',
    '10.0.0.0/8',
    '010.0.0.0/8',
    '/a',
    '../a',
    'a/../b',
    '..a',
    '.',
    '..',
    'Always',
    'Never',
    'True',
    'TCP',
  ],
  ...['Exists', 'In', 'Equal', 'OnFailure', 'Localhost', 'Unmasked', 'Block', 'ClusterIP', 'NodePort', 'Pod', 'Prefix'],
  ...['metadata.name', "metadata.annotations['a']", 'spec.host', 'limits.cpu', 'requests.hugepages-2Mi', '* * * * *'],
  ...[
    '*/0 * * * *',
    '60 * * * *',
    '5-1 * * * *',
    '@daily',
    '@every 1h',
    'TZ=UTC * * * * *',
    'a * * * *',
    '1/2/3 * * * *',
  ],
  ...[
    'UTC',
    'Mars/Base',
    'local',
    'v1',
    'apps/v1',
    'Indexed',
    'kubernetes.io/tls',
    'ReadWriteOncePod',
    'Recycle',
    'x=y',
  ],
];
const integers = [
  0n,
  1n,
  -1n,
  2n,
  5n,
  80n,
  100n,
  101n,
  255n,
  300n,
  512n,
  3600n,
  65_535n,
  70_000n,
  100_001n,
  2_147_483_647n,
];

function made(type: GoType, name: string, random: Random, depth: number): Value {
  const { kinds, seen } = world();
  const known = (seen.get(name) ?? []).filter((value) => isOf(value, type));
  if (known.length > 0 && random.chance(0.4)) return random.pick(known);
  switch (type.is) {
    case 'text': {
      const values = type.enum === undefined ? [] : kinds.values(type.enum);
      return values.length > 0 && random.chance(0.5) ? random.pick(values) : random.pick(texts);
    }
    case 'flag':
      return random.chance(0.5);
    case 'integer':
      return random.pick(integers);
    case 'float':
      return 1.5;
    case 'bytes':
      return random.pick(['YQ==', '', 'YWJj']);
    case 'list':
      return Array.from({ length: random.below(3) }, () => made(type.of, name, random, depth + 1));
    case 'map':
      return new Map(
        Array.from({ length: random.below(3) }, () => [random.pick(mapKeys), made(type.of, name, random, depth + 1)]),
      );
    case 'object': {
      const fields = kinds.object(type.id).fields.filter(() => random.chance(depth > 8 ? 0.1 : depth > 5 ? 0.25 : 0.4));
      return new Map(fields.map((field) => [field.name, made(field.type, field.name, random, depth + 1)]));
    }
    case 'own':
      return random.pick(ownValues[type.what]);
  }
}

function isOf(value: Value, type: GoType): boolean {
  switch (type.is) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'bigint';
    case 'own':
      return type.what === 'quantity' || type.what === 'intOrString' ? typeof value === 'bigint' : false;
    default:
      return false;
  }
}

const ownValues: Readonly<Record<OwnType, readonly Value[]>> = {
  time: ['2020-01-02T03:04:05Z'],
  microTime: ['2020-01-02T03:04:05.123456Z'],
  duration: ['1s'],
  raw: [new Map()],
  quantity: ['1Gi', 1n, '100m', '1500m', '0', '-1', '2Gi', '4', '0.5', '100n', '4Mi', '3Mi', '1e3'],
  intOrString: [80n, 0n, -1n, 70_000n, 'http', '25%', '0%', '101%', '', 'a b', '100%', 'A', '-5%'],
};

function hasImageVolume(value: Value): boolean {
  if (isList(value)) return value.some(hasImageVolume);
  if (!isMap(value)) return false;
  const volumes = value.get('volumes');
  if (isList(volumes) && volumes.some((volume) => isMap(volume) && volume.has('image'))) return true;
  return [...value.values()].some(hasImageVolume);
}
