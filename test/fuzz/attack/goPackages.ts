// Small Go packages that nobody would write: types that lead to each other at random, any marker with any argument above
// anything, and then edits that break all of it.
import { allMarkers } from '../../../server/src/controllergen/markers/table.ts';
import type { Random } from '../../support/random.ts';
import type { GoWorkspace } from './goRequests.ts';

const typeNames = ['A', 'B', 'C', 'D', 'Spec', 'Status', 'Gizmo', 'string', 'Größe', '_', 'constructor', '__proto__'];
const basics = ['string', 'int32', 'int64', 'bool', 'float64', '[]byte', 'any', 'error', 'uintptr', 'interface{}'];
const elsewhere = [
  'metav1.Time',
  'metav1.ObjectMeta',
  'runtime.RawExtension',
  'other.A',
  'other.B',
  'nowhere.A',
  'other.',
];
const jsonNames = [
  'a',
  'b',
  'spec',
  'status',
  'metadata',
  '',
  '-',
  'kind',
  'a.b',
  'é',
  '__proto__',
  '0',
  '\\u0061',
  'a b',
];
const groups = [
  'example.com',
  '../../../escaped',
  '',
  'CON',
  'a/b',
  '..',
  'a\\b',
  '\u202e',
  'x'.repeat(300),
  'nul.b',
  '~',
  '%2e%2e',
];
const values = [
  ...[
    '1',
    '-1',
    '0',
    '1.5',
    '1e999',
    'a',
    '"a"',
    '`a`',
    "'a'",
    '',
    'true',
    '{a,b}',
    'a;b',
    '{"a":1}',
    '{{}}',
    '{a:{b:[1]}}',
  ],
  ...[
    '"self.a == 1"',
    '`self.all(x, x > 0)`',
    '"self == oldSelf"',
    '"("',
    '"self.a.b[0].c(d, "',
    '.spec.a',
    '../../a',
    '"\\u00e9\\x"',
  ],
  ...[
    'map',
    'set',
    'atomic',
    '9223372036854775808',
    '0x1p-2',
    'date-time',
    'FieldValueInvalid',
    '[',
    '{',
    'a b c',
    '\u0000',
    '+',
  ],
];
const pieces = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '*',
    '"',
    '`',
    "'",
    '/*',
    '*/',
    '//',
    '\n',
    '\r',
    '\t',
    ';',
    ',',
    '=',
    '.',
    '...',
    '<-',
    '~',
  ],
  ...[
    'type ',
    'struct {',
    'func ',
    'const (',
    'import "',
    'map[',
    'chan ',
    'interface{',
    'package ',
    'var ',
    'iota',
    '= A\n',
  ],
  ...[
    '// +',
    '// +optional\n',
    '//go:build !',
    '\ufeff',
    '\u2028',
    '\0',
    '\ud800',
    '😀',
    'json:"',
    '`json:",inline"`',
    '\\',
    '\\x',
  ],
];

/** A package, and one that it imports. */
export function randomGo(random: Random): GoWorkspace {
  let text = packageOf(random, 'v1');
  if (random.chance(0.6)) for (let edits = 1 + random.below(8); edits > 0; edits--) text = broken(random, text);
  if (random.chance(0.02)) text = noise(random);
  const others: Record<string, string> = { '/go.mod': goMod(random), '/other/a.go': packageOf(random, 'other') };
  if (random.chance(0.5)) {
    others['/api/go.mod'] = goMod(random);
    others[random.pick(['/api/Makefile', '/api/hack/a.sh', '/api/v1/doc.go'])] = calls(random);
  }
  if (random.chance(0.3)) others['/api/v1/b.go'] = broken(random, packageOf(random, 'v1'));
  return { text, others };
}

function packageOf(random: Random, name: string): string {
  const build = random.chance(0.1)
    ? `//go:build ${some(random, 5, () => random.pick(['!', '(', ')', '&&', '||', 'linux', 'a'])).join(' ')}\n\n`
    : '';
  const parts = some(random, 7, () => declaration(random));
  return `${build}// +groupName=${random.chance(0.7) ? 'example.com' : random.pick(groups)}
${markers(random, 2)}package ${name}

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	${random.pick(['', '. ', 'other '])}"example.com/x/other"
)

${parts.join('\n\n')}
${random.chance(0.8) ? kind(random) : ''}`;
}

function goMod(random: Random): string {
  const to = random.pick(['./other', '../outside', '/etc', './../../a', 'example.com/x v1.0.0', '']);
  return `module example.com/x\n\nrequire example.com/y v1.0.0\nreplace example.com/y => ${to}\n`;
}

/** Lines that call controller-gen, or nearly. */
function calls(random: Random): string {
  const options = [
    'allowDangerousTypes',
    'generateEmbeddedObjectMeta',
    'ignoreUnexportedFields',
    'maxDescLen',
    'a',
    '',
  ];
  const option = () =>
    `${random.pick(options)}=${random.pick(['true', 'false', '0', '7', '-1', '1e9', '99999999999', '$(A)', ''])}`;
  const words: readonly (() => string)[] = [
    () => `crd:${some(random, 4, option).join(',')}`,
    () => `paths=${random.pick(['./...', './v1', '../../..', '/etc/...', '$(A)', '"a;b', './v1;./other/...', ''])}`,
    () =>
      random.pick([
        'controller-gen',
        '$(A)',
        '${A}',
        '{{.A}}',
        '$A',
        '//go:generate',
        '#',
        '&&',
        'cd ..',
        '\\\n',
        '\n\t',
        '\n',
      ]),
    () =>
      `\n${random.pick(['A', 'crd', '__proto__'])} ${random.pick(['=', '?=', ':=', '+='])} ${random.pick(['crd', '"crd:maxDescLen=0"', '$(A)', 'paths=./...'])}\n`,
  ];
  return Array.from({ length: random.below(30) }, () => random.pick(words)()).join(' ');
}

function kind(random: Random): string {
  return `${markers(random, 3)}type Gizmo struct {
	metav1.TypeMeta   \`json:",inline"\`
	metav1.ObjectMeta \`json:"metadata"\`
	Spec ${typeOf(random, 0)} \`json:"spec"\`
${fields(random, 0)}}
`;
}

function declaration(random: Random): string {
  const name = random.pick(typeNames);
  const kinds: readonly (() => string)[] = [
    () => `type ${name} struct {\n${fields(random, 0)}}`,
    () => `type ${name} struct {\n${fields(random, 0)}}`,
    () => `type ${name} ${random.pick(['', '= '])}${typeOf(random, 0)}`,
    () => `type ${name}[T any, K comparable] struct {\n${fields(random, 0)}}`,
    () =>
      `type (\n${some(random, 3, () => `${markers(random, 1)}${random.pick(typeNames)} ${typeOf(random, 0)}`).join('\n')}\n)`,
    () =>
      `const (\n${some(random, 4, (i) => `\tC${i} ${name} = ${random.pick(['"a"', '`b`', 'iota', '1 << iota', '"', ''])}`).join('\n')}\n)`,
    () =>
      `func (${random.pick(['', 'a ', 'a *'])}${name}) Marshal${random.pick(['JSON', 'Text'])}() ([]byte, error) { return nil, nil }`,
    () => `var ${name} = ${typeOf(random, 0)}{}`,
  ];
  return `${markers(random, 3)}${random.pick(kinds)()}`;
}

function fields(random: Random, depth: number): string {
  return some(random, 5, (i) => {
    const names = random.chance(0.7) ? `${random.pick(['A', 'B', 'C', 'A, B'])}${i} ` : '';
    const name = random.pick(jsonNames);
    const options = random.pick(['', ',omitempty', ',inline', ',omitzero,string']);
    const tag = random.chance(0.9) ? ` \`json:"${name}${options}"\`` : '';
    return `${markers(random, 2)}\t${names}${typeOf(random, depth)}${tag}\n`;
  }).join('');
}

function typeOf(random: Random, depth: number): string {
  const inner = () => typeOf(random, depth + 1);
  const at = depth > 3 ? random.below(3) : random.below(11);
  if (at < 3) return random.pick([typeNames, basics, elsewhere][at]!);
  const kinds: readonly (() => string)[] = [
    () => `*${inner()}`,
    () => `[]${inner()}`,
    () => `[${random.pick(['3', 'len(a)', '...'])}]${inner()}`,
    () => `map[${random.chance(0.7) ? 'string' : inner()}]${inner()}`,
    () => `(${inner()})`,
    () => `${random.pick(typeNames)}[${inner()}, ${inner()}]`,
    () => `struct {\n${fields(random, depth + 2)}}`,
    () => random.pick(['func(a int) string', 'chan int', '<-chan A', 'interface{ A() }']),
  ];
  return random.pick(kinds)();
}

/** Lines of comments, most of them markers. */
function markers(random: Random, most: number): string {
  return some(random, most, () => {
    const kept = random.next();
    if (kept < 0.1) return '// What it is.\n';
    if (kept < 0.13) return `/* ${marker(random)} */\n`;
    if (kept < 0.2) return `// ${marker(random)}\n\n`;
    return `// ${marker(random)}\n`;
  }).join('');
}

function marker(random: Random): string {
  const { name, arguments: known } = random.pick(allMarkers);
  const given = known.filter(({ optional }) => !optional || random.chance(0.4));
  const written = given.map(
    (one) =>
      `${one.name === '' ? '' : `${one.name}=`}${random.chance(0.4) && one.values ? random.pick(one.values) : random.pick(values)}`,
  );
  const sign = known.length === 0 ? '' : known[0]!.name === '' ? '=' : ':';
  return `+${name}${sign}${written.join(random.chance(0.95) ? ',' : ';')}`;
}

/** A text after an edit that knows nothing of Go. */
function broken(random: Random, text: string): string {
  const start = random.below(text.length + 1);
  const end = random.chance(0.4) ? Math.min(text.length, start + random.below(random.chance(0.1) ? 300 : 15)) : start;
  const from = random.below(text.length + 1);
  const put = random.chance(0.2) ? text.slice(from, from + random.below(120)) : random.pick(pieces);
  return text.slice(0, start) + (random.chance(0.2) ? '' : put) + text.slice(end);
}

/** Bytes that are anything. */
function noise(random: Random): string {
  const bytes = Uint8Array.from({ length: random.below(400) }, () => random.below(256));
  return `// +groupName=a.b\npackage v1\n${new TextDecoder().decode(bytes)}`;
}

function some<T>(random: Random, most: number, make: (i: number) => T): T[] {
  return Array.from({ length: random.below(most + 1) }, (_, i) => make(i));
}
