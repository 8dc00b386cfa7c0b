import type { MarkerTarget } from '../../server/src/controllergen/markers/model.ts';
import { allMarkers } from '../../server/src/controllergen/markers/table.ts';
import { seeded } from '../support/random.ts';

export interface Question {
  readonly text: string;
  readonly target: MarkerTarget;
}

/** Arguments that are right for some marker and wrong for most. */
const values = [
  '',
  '1',
  '-1',
  '1.5',
  '-0.5',
  '1e3',
  '0x10',
  '010',
  '08',
  '1_000',
  '1__0',
  '0b2',
  '0x',
  '1e',
  '.5',
  '5.',
  '99999999999999999999',
  'true',
  'false',
  'True',
  'tru',
  'abc',
  '"abc"',
  '`abc`',
  "'abc'",
  '"a\\"b"',
  '"a\\nb\\tc"',
  '"\\u00e9\\x41\\101"',
  '"\\q"',
  '"\\xe2\\x82\\xac"',
  '"open',
  '`open',
  'a b',
  ' a',
  'a ',
  'a b c',
  '100Mi',
  '2024-01-15',
  '123/config',
  '087bdd',
  'a;b',
  'a;b;c',
  'a;',
  ';a',
  '1;2;3',
  '1;two',
  '{a,b}',
  '{1,2}',
  '{1,"a"}',
  '{"a",1}',
  '{}',
  '{a:1}',
  '{a: "b", c: {d: 1}}',
  '{"a b":true}',
  '{a',
  '{a:',
  '{a:1',
  '{a,b',
  '{{1,2},{3}}',
  '{{a:1},{b:2}}',
  '{,}',
  '{a;b}',
  '[1,2]',
  '[]',
  '{"a": 1}',
  '{"a": [1, 2.5, null]}',
  'null',
  'ref(Foo)',
  'a,b',
  '"a","b"',
  '"a";"b"',
  '"a" ;"b"',
  'a:b',
  'a=b',
  'é',
  '"é😀"',
  'x.y.z',
  '.spec.replicas',
  '`^[a-z]+$`',
  '^[a-z]{1,3}$',
  '# comment',
  '5 # comment',
  '5 // comment',
  'map',
  'set',
  'atomic',
  'granular',
  'package,register',
  'inf',
  'NaN',
  '+1',
  '- 1',
  '{a: b: c}',
  '{-1,2}',
  '-a',
  '"",x',
  '"a" x',
  'self.a > 1',
] as const;

const named = [
  'rule',
  'message',
  'name',
  'type',
  'JSONPath',
  'path',
  'scope',
  'shortName',
  'priority',
  'warning',
  'annotations',
  'verbs',
  'groups',
  'optionalOldSelf',
  'nope',
  'specpath',
  'statuspath',
  'mutating',
  'url',
  'timeoutSeconds',
];

const targets: readonly MarkerTarget[] = ['package', 'type', 'field'];

/** Every marker with a few arguments, the same each time. */
export function questions(): Question[] {
  const random = seeded(23);
  const { pick } = random;
  const asked: Question[] = [];
  const argument = (known: readonly string[]): string =>
    `${pick(random.below(5) === 0 ? named : known)}=${pick(values)}`;
  for (const { name, targets: own, arguments: known } of allMarkers) {
    const add = (text: string): void =>
      void asked.push({ text: `+${text}`, target: pick(random.below(12) === 0 ? targets : own) });
    add(name);
    const isNamed = known.length > 0 && known[0]!.name !== '';
    const count = name.includes(':items:') ? 4 : name === 'kubebuilder:default' || name.endsWith(':Enum') ? 120 : 14;
    for (let i = 0; i < count; i++) {
      if (!isNamed) add(`${name}=${pick(values)}`);
      else {
        const names = known.map((row) => row.name);
        add(
          `${name}:${Array.from({ length: 1 + random.below(4) }, () => argument(names)).join(pick([',', ',', ',', ';', ', ', ' ,']))}`,
        );
      }
    }
  }
  return asked;
}
