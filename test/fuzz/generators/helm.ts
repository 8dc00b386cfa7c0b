import { helmFunctions } from '../../../server/src/helm/functions/index.ts';
import { builtins } from '../../../server/src/template/builtins.ts';
import { sprig } from '../../../server/src/template/sprig/index.ts';
import type { GoFunction } from '../../../server/src/template/value.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

/** Templates over random values, with calls of all functions that give the same twice. */
export const helmGenerator: Generator = {
  name: 'helm',
  oracle: 'made',
  generate: (random) => ({
    op: 'helm',
    files: {
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.2.3\nappVersion: "4.5"\n',
      'values.yaml': values(random),
      'templates/_helpers.tpl': helpers,
      'templates/t.yaml': statements(random, 3),
    },
  }),
  kindOf: (rows) => rows.map(kindOfRow).join('; ').slice(0, 200),
  smaller,
};

/** Which function an error is about, or that the texts differ. */
function kindOfRow(row: string): string {
  const called = /error calling (\w+)/.exec(row)?.[1];
  return row.replace(/ours[\s\S]*/, '') + (called ?? '');
}

/** Shorter templates, by statements and by parts between brackets. */
function* smaller(ask: Ask): Iterable<Ask> {
  const files = ask.files as Record<string, string>;
  const text = files['templates/t.yaml']!;
  const parts = text.match(/\{\{[\s\S]*?\}\}|[^{]+|\{/g) ?? [];
  const cuts = [
    ...parts.map((_, i) => parts.filter((_, at) => at !== i).join('')),
    ...[...text.matchAll(/\(([^()]*)\)/g)].flatMap(({ 0: whole, 1: inner, index }) =>
      [`"x"`, '1', inner!].map((put) => text.slice(0, index) + put + text.slice(index + whole.length)),
    ),
    ...[...text.matchAll(/ \| [^|}]*/g)].map(
      ({ 0: whole, index }) => text.slice(0, index) + text.slice(index + whole.length),
    ),
  ];
  for (const cut of cuts) if (cut.length < text.length) yield { ...ask, files: { ...files, 'templates/t.yaml': cut } };
}

const helpers = `{{- define "c.name" -}}{{ .Chart.Name }}-{{ .Release.Name }}{{- end -}}
{{- define "c.labels" -}}
app: {{ include "c.name" . }}
kind: {{ .x | default "none" | quote }}
{{- end -}}
`;

/** What never gives the same twice, or goes through a map in Go's random order. */
const left = new Set(
  (
    'randAlphaNum randAlpha randAscii randNumeric randBytes randInt shuffle uuidv4 bcrypt htpasswd encryptAES ' +
    'genPrivateKey genCA genCAWithKey genSelfSignedCert genSelfSignedCertWithKey genSignedCert genSignedCertWithKey now ' +
    'ago date htmlDate dateInZone date_in_zone htmlDateInZone durationRound getHostByName keys values derivePassword ' +
    'call and or buildCustomCert fail'
  ).split(' '),
);

const functions: readonly GoFunction[] = [...builtins.values(), ...sprig.values(), ...helmFunctions.values()].filter(
  ({ name }) => !left.has(name),
);

const texts = [
  '',
  'a',
  'hello world',
  'a,b,,c',
  'Foo_bar-Baz9x',
  '  x ',
  'é日本',
  'line\nnext\n',
  '1.2.3',
  '^1.2',
  '12',
  '0x1f',
  '1.50',
  'true',
  'a: 1\nb: [x, 2]',
  '- 1\n- a: b',
  '{"a": [1, 2.5, null]}',
  '[a-z]+',
  '(a)(b)?',
  'http://u:p@h:80/p?q#f',
  '/a/../b.txt',
  'aGVsbG8=',
  '90m',
  '2006-01-02',
  '2023-05-06',
  '%s-%d',
  '%v',
  'it\'s "q"',
  '<&>',
  'yes',
  '~',
  '- x',
  'x: #y',
  '$1',
];
/** Small ones, since what is repeated may be repeated again. */
const ints = ['0', '1', '2', '3', '5', '-1', '-4', '7'];
const floats = ['0.5', '1.5', '-2.25', '1e6', '3.0', '0.1'];
const paths = ['s', 'n', 'f', 'b', 'm', 'm.a', 'm.c', 'm.c.d', 'l', 'e', 'z', 'zz', 'q.r', 'text'];

function values(random: Random): string {
  const scalar = () =>
    random.pick([random.pick(ints), random.pick(floats), 'true', 'null', '~', JSON.stringify(random.pick(texts))]);
  return [
    `s: ${JSON.stringify(random.pick(texts))}`,
    `n: ${random.pick(ints)}`,
    `f: ${random.pick(floats)}`,
    `b: ${random.pick(['true', 'false'])}`,
    `m: {a: ${scalar()}, b: ${scalar()}, c: {d: [${scalar()}, ${scalar()}], e: ${scalar()}}}`,
    `l: [${scalar()}, ${scalar()}, {k: ${scalar()}}]`,
    'e: ""',
    'z: null',
    `text: ${JSON.stringify(random.pick(texts) + random.pick(texts))}`,
    '',
  ].join('\n');
}

function statements(random: Random, depth: number): string {
  return Array.from({ length: 1 + random.below(3) }, () => statement(random, depth)).join('');
}

function statement(random: Random, depth: number): string {
  const [open, close] = [random.pick(['{{', '{{', '{{-']), random.pick(['}}', '}}', '-}}'])];
  const inner = () => (depth > 0 ? statements(random, depth - 1) : 'x');
  const value = () => expression(random, 'interface {}', 3);
  switch (random.below(10)) {
    case 0:
      return `${open} if ${value()} ${close}${inner()}${open} else ${close}${inner()}${open} end ${close}\n`;
    case 1:
      return `${open} range $i, $v := ${random.pick(['.Values.l', '.Values.m', 'until 3', 'list 1 "a"'])} ${close}${open} $i ${close}={{ $v }}\n${open} end ${close}`;
    case 2:
      return `${open} with ${value()} ${close}{{ . }}${open} end ${close}\n`;
    case 3:
      return `${open} $x := ${value()} ${close}{{ $x }} {{ $x | toJson }}\n`;
    case 4:
      return `labels: ${open} include "c.labels" (dict "Chart" .Chart "Release" .Release "x" ${inParens(value())}) | nindent 2 ${close}\n`;
    case 5:
      return `${open} tpl ${inParens(`printf "{{ %s }}" ${JSON.stringify(value())}`)} . ${close}\n`;
    case 6:
      return random.pick(['a: b\n', '  text\n', '# {{/* comment */}}\n', '\n', 'x ']);
    default:
      return `v: ${open} ${piped(random, value())} ${close}\n`;
  }
}

const pipes = [
  'quote',
  'toYaml | nindent 4',
  'toJson',
  'default "d"',
  'toString | upper',
  'b64enc',
  'trunc 5',
  'indent 2',
  'squote',
  'int',
  'typeOf',
  'kindOf',
  'empty',
  'toToml',
  'toYamlPretty',
  'len',
  'not',
  'sortAlpha',
  'first',
];

function piped(random: Random, value: string): string {
  return random.below(3) === 0 ? value : `${value} | ${random.pick(pipes)}`;
}

function inParens(value: string): string {
  return /\s/.test(value) && !/^"(?:[^"\\]|\\.)*"$/.test(value) ? `(${value})` : value;
}

const results = new Map<string, GoFunction[]>();
for (const one of functions) results.set(one.result, [...(results.get(one.result) ?? []), one]);

function expression(random: Random, type: string, depth: number): string {
  if (depth <= 0 || random.below(4) === 0) return atom(random, type);
  const isAny = type === 'interface {}' || type === 'reflect.Value' || random.below(31) === 0;
  const fitting = isAny ? functions : (results.get(type) ?? []);
  if (fitting.length === 0) return atom(random, type);
  return call(random, random.pick(fitting), depth);
}

/** What makes as much as a number says: only small ones are given. */
const sized = /^(?:repeat|until|untilStep|seq|n?indent|wrap|wrapWith)$/;
const changing = /^(?:set|unset|(?:must)?merge(?:overwrite)?)$/i;
const newMaps = ['dict', 'dict "a" 1 "b" "x"', 'dict "m" (dict "x" nil) "a" "" "l" (list)', 'deepCopy .Values.m'];

function call(random: Random, { name, params, isVariadic }: GoFunction, depth: number): string {
  const fixed = isVariadic ? params.slice(0, -1) : params;
  const more = isVariadic ? Array.from({ length: random.below(4) }, () => params.at(-1)!) : [];
  const args = [...fixed, ...more].map((param) =>
    inParens(param === 'int' && sized.test(name) ? atom(random, param) : expression(random, param, depth - 1)),
  );
  // Only new maps are changed: one that came to hold itself would end the oracle.
  if (changing.test(name)) args[0] = inParens(random.pick(newMaps));
  return [name, ...args].join(' ');
}

function atom(random: Random, type: string): string {
  switch (type) {
    case 'string':
      return random.below(4) === 0 ? '.Values.s' : JSON.stringify(random.pick(texts));
    case 'int':
      return random.pick(ints);
    case 'bool':
      return random.pick(['true', 'false', '.Values.b']);
    case 'float64':
      return random.pick(floats);
    case 'time.Time':
      return 'toDate "2006-01-02" "2023-05-06"';
    case '*semver.Version':
      return 'semver "1.2.3-rc1"';
    case 'map[string]interface {}':
      return random.pick(['.Values.m', 'dict', 'dict "a" 1 "b" "x"', '.Values', 'dict "m" (dict "x" nil)']);
  }
  if (type.startsWith('[]')) return random.pick(['list 1 "a"', '.Values.l', 'list']);
  const choices = [
    random.pick(ints),
    random.pick(floats),
    JSON.stringify(random.pick(texts)),
    `.Values.${random.pick(paths)}`,
  ];
  return random.pick([...choices, 'nil', 'true', 'list 1 "a" nil', 'dict "k" 1.5', '.Values.l']);
}
