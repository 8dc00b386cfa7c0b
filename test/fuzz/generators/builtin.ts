import type { GoType, OwnType } from '../../../server/src/kubernetes/builtin/goType.ts';
import { type BuiltinKinds, builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import { kubernetesVersions, newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Random } from '../../support/random.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Generator } from '../generator.ts';

// Objects of built-in kinds that all releases serve, as JSON texts: right by their Go types but for a few places.

interface World {
  readonly kinds: BuiltinKinds;
  readonly keys: readonly string[];
}

let held: World | undefined;

function world(): World {
  if (held) return held;
  const all = kubernetesVersions.map((version) => builtinKindsOf(builtinFile(), version));
  const kinds = builtinKindsOf(builtinFile(), newestVersion);
  const keys = [...kinds.kinds.keys()].filter((key) => all.every((one) => one.kinds.get(key)?.isGone === false));
  held = { kinds, keys };
  return held;
}

export const builtinGenerator: Generator = {
  name: 'builtin',
  generate: (random) => {
    const { kinds, keys } = world();
    const kind = kinds.kinds.get(random.pick(keys))!;
    // Most objects have one fault or two, some none, some many.
    const faults = random.pick([0, 0.01, 0.01, 0.03, 0.1]);
    const head = [`"apiVersion": "${kind.apiVersion}"`, `"kind": "${kind.kind}"`];
    const fields = members(kinds, kind.root, random, faults, 0).filter((one) => !/^"(?:apiVersion|kind)":/.test(one));
    return { op: 'builtin', obj: { rawJson: `{${[...head, ...fields].join(', ')}}` } };
  },
};

const odd = [
  ...['null', 'true', '"a"', '""', '0', '1', '-1', '1.5', '1e3', '2147483648', '9223372036854775808', '[]', '{}'],
  ...['["a"]', '[1]', '{"a": 1}', '"1Gi"', '"é"', '"\\u0061"', '1e400', '[null]', '[[]]', '"2020-01-01T00:00:00Z"'],
];
const names = ['a', 'nmae', 'Name', 'spec', 'metadata', 'x.y', 'é', 'a\\"b', '', 'status', 'containers', 'labels'];

function members(kinds: BuiltinKinds, id: string, random: Random, faults: number, depth: number): string[] {
  const { fields } = kinds.object(id);
  const chosen = fields.filter(() => random.chance(depth > 4 ? 0.15 : depth > 1 ? 0.3 : 0.7));
  const out = chosen.map(({ name, type }) => `"${name}": ${value(kinds, type, random, faults, depth + 1)}`);
  if (random.chance(faults)) out.push(`"${random.pick(names)}": ${random.pick(odd)}`);
  if (out.length > 0 && random.chance(faults / 2)) out.push(random.pick(out));
  return out;
}

function value(kinds: BuiltinKinds, type: GoType, random: Random, faults: number, depth: number): string {
  if (random.chance(faults)) return random.pick(odd);
  const inner = (of: GoType) => value(kinds, of, random, faults, depth + 1);
  const many = <T>(make: () => T): T[] => Array.from({ length: random.below(depth > 5 ? 2 : 3) }, make);
  switch (type.is) {
    case 'text':
      return random.pick(['"a"', '"b"', '""', '"é"']);
    case 'flag':
      return random.pick(['true', 'false']);
    case 'integer':
      return random.pick(['0', '1', '-5', '2147483647']);
    case 'float':
      return random.pick(['0', '1.5', '-2e3']);
    case 'bytes':
      return random.pick(['"YQ=="', '""', '"YWJj"']);
    case 'list':
      return `[${many(() => inner(type.of)).join(', ')}]`;
    case 'map': {
      const found = many(() => `"${random.pick(['a', 'b', 'c.d/e'])}": ${inner(type.of)}`);
      const keys = found.map((one) => one.split(':')[0]);
      return `{${found.filter((_, i) => random.chance(faults) || keys.indexOf(keys[i]) === i).join(', ')}}`;
    }
    case 'object':
      return `{${members(kinds, type.id, random, faults, depth).join(', ')}}`;
    case 'own':
      return random.pick(ownValues[type.what]);
  }
}

const ownValues: Readonly<Record<OwnType, readonly string[]>> = {
  time: ['"2020-01-02T03:04:05Z"', '"2020-01-02T03:04:05.123+02:00"', 'null'],
  microTime: ['"2020-01-02T03:04:05.123456Z"', '"2020-01-02T03:04:05.123456-07:00"'],
  duration: ['"1s"'],
  raw: ['{}', '{"a": [1, {"b": null}]}', '{"kind": "X"}'],
  quantity: ['"1Gi"', '1', '"100m"', '1.5', '"1e3"', '" 1 "'],
  intOrString: ['80', '"http"', '"25%"', '0'],
};
