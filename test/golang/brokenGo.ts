import type { Random } from '../support/random.ts';

// Go files with every form of the language, and mistakes in them.

const wholes: readonly string[] = [
  `// Package v1 has kinds.
// +groupName=example.com
package v1

import (
\tmetav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
\t. "example.com/dotted"
\t_ "example.com/unused"
)

// Size says how large.
// +kubebuilder:validation:Enum=small;large
type Size string

const (
\tSmall Size = "small"
\tLarge      = Size("la" + "rge")
\tCount, Most = 1_000, 0x1F
)

type (
\tItems[T any, K comparable] struct {
\t\tmetav1.TypeMeta \`json:",inline"\`
\t\t*Pair[T, []K]
\t\tA, B map[string][]*Size \`json:"a" yaml:"b"\` // behind
\t\tC    [2 * len("ab")]func(a int, more ...string) (n int, err error)
\t\tD    struct{ X, Y float64 } "json:"d""
\t\tE    <-chan int
\t}
\tAlias = []Items[string, int]
\tNumber interface {
\t\t~int | ~int64 | float64
\t\tString() string
\t\tcomparable
\t\tBox[int]
\t}
)

func (s *Size) MarshalJSON() ([]byte, error) { return []byte(*s), nil }
`,
  `package work

import "fmt"

var (
\ttable = map[string][]int{"a": {1, 2}, "b": nil}
\tpoint = &Point{X: 1.5, Y: -2e3}
\trunes = []rune{'a', '\\n', '\\x41', '\\u00e9', '\\''}
\traw   = \`raw
text\`
)

func Run[T any](in chan T, each func(T) bool) (count int) {
outer:
\tfor i, x := range table["a"] {
\t\tswitch y := x * i; {
\t\tcase y > 3, y < -1:
\t\t\tcontinue outer
\t\tcase y&^1 == 0:
\t\t\tfallthrough
\t\tdefault:
\t\t\tbreak
\t\t}
\t}
\tif v, ok := any(in).(fmt.Stringer); ok && v != nil {
\t\tgo func() { count++ }()
\t} else if point.X <= 0 || !ok {
\t\tdefer fmt.Println("late", v)
\t} else {
\t\tcount, point.X = count+1, 2
\t}
\tswitch z := any(count).(type) {
\tcase int, *Point:
\t\t_ = z
\t}
\tselect {
\tcase one := <-in:
\t\tcount += len(fmt.Sprint(one))
\tcase in <- *new(T):
\tdefault:
\t}
\tfor count < 10 {
\t\tcount <<= 1
\t}
\tfor i := 0; i < len(runes); i++ {
\t\trunes[i], runes[0] = runes[0], runes[i]
\t}
\tfor range 3 {
\t\truntime := table["b"][1:2:3]
\t\tif len(runtime[:]) == 0 {
\t\t\tgoto done
\t\t}
\t}
\tfor {
\t\tvar local struct{ a, b int }
\t\ttype inner = Point
\t\tlocal.a, _ = (*inner)(nil), [...]string{2: "c"}
\t\treturn Run[int](make(chan int, 1), func(int) bool { return true })
\t}
done:
\treturn
}
`,
  `package small

import "time"
import f "fmt"

type Array [3]string
type List [Most]int
type Generic[P *T] struct{}
type Other[P interface{ *int }] []P
type Fn func(int, ...string) chan<- (<-chan int)
type Wait struct{ time.Duration }

const Most = 1 << 3
var a, b int = 1, 0b11
var c = 1i + .5e-3 - 0o17
func f0()
func (Wait) f1(a, b int, c ...*f.State) (x, y int) { if a == b { return 1, 2 }; return }
`,
];

const pieces = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ',',
    ';',
    ':',
    '.',
    '...',
    '=',
    ':=',
    '==',
    '<-',
    '*',
    '&',
    '~',
    '|',
    '+',
    '-',
    '!',
  ],
  ...[
    'func',
    'type',
    'struct',
    'interface',
    'map',
    'chan',
    'if',
    'for',
    'range',
    'switch',
    'case',
    'default',
    'select',
  ],
  ...[
    'go',
    'defer',
    'return',
    'var',
    'const',
    'import',
    'package',
    'break',
    'goto',
    'else',
    'x',
    'T',
    'int',
    '\n',
    '\n',
  ],
  ...[
    '"a"',
    '`b`',
    "'c'",
    '1',
    '0x',
    '1_',
    '0b12',
    '08',
    '1e',
    '0x1.8',
    '\r\n',
    '\t',
    '//c\n',
    '/*c*/',
    '/*c\n*/',
    '/*',
  ],
  ...['"', '`', "'", '\\', '#', '@', '$', '“', '?', 'é', '\u0000', '\ufeff', '"\\q"', "'ab'", '"\\x4g"', '"\\ud800"'],
  ...[
    '...int',
    '[T any]',
    '(a, b int)',
    '(int, b string)',
    '(a ...int, b int)',
    'x.(type)',
    'x := 1;',
    'a, b',
    '{}',
    '()',
  ],
];

const token =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|[\p{L}_][\p{L}\p{Nd}_]*|"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])*'|[0-9][\w.]*|\s+|./gsu;

/** A Go file with up to two changes. */
export function brokenGo(random: Random): string {
  const tokens: string[] = random.pick(wholes).match(token) ?? [];
  for (let left = random.below(3); left > 0; left--) random.pick(changes)(tokens, random);
  return tokens.join('');
}

const changes: readonly ((tokens: string[], random: Random) => void)[] = [
  (tokens, random) => tokens.splice(random.below(tokens.length), 1 + random.below(2)),
  (tokens, random) => tokens.splice(random.below(tokens.length), 0, random.pick(pieces)),
  (tokens, random) => tokens.splice(random.below(tokens.length), 1, random.pick(pieces)),
  (tokens, random) => tokens.splice(random.below(tokens.length), 0, ' ', random.pick(tokens), ' '),
  (tokens, random) => {
    const [a, b] = [random.below(tokens.length), random.below(tokens.length)];
    [tokens[a], tokens[b]] = [tokens[b]!, tokens[a]!];
  },
  (tokens, random) => tokens.splice(random.below(tokens.length)),
];
