// Go files of one simple shape and any size, as `shapes.ts` has them for YAML.

export interface GoBomb {
  readonly text: string;
  /** Other files of the workspace, by their path. */
  readonly others?: Readonly<Record<string, string>>;
  /** Where somebody works in it. */
  readonly at: string;
}

const many = (count: number, one: (i: number) => string, between = '\n') =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, i) => one(i)).join(between);

const meta = '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata"`\n';

/** A package with a kind, whose spec is `Spec`. */
export function goPackage(types: string, { head = '', imports = '', above = '' } = {}): string {
  return `${head}// +groupName=example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
${imports}
${types}

// Gizmo has it all.
// +kubebuilder:object:root=true
${above}type Gizmo struct {
${meta}	Spec Spec \`json:"spec"\`
}
`;
}

const spec = (fields: string) => `type Spec struct {\n${fields}\n}\n`;
const scalar = spec('\tA string `json:"a"`');
const kind = (i: number, inner = '') => `type Kind${i} struct {\n${meta}${inner}}\n`;
const inOne = (text: string, at: string): GoBomb => ({ text, at });
const embedding = (n: number, fields: (i: number) => string) =>
  `type Spec struct {\n${fields(0)}\n}\n${many(n, (i) => `type T${i} struct {\n\tF${i} string \`json:"f${i}"\`\n${i + 1 < Math.floor(n) ? fields(i + 1) : ''}\n}`)}`;

export const goShapes: Readonly<Record<string, (size: number) => GoBomb>> = {
  // Types that lead to types
  'embeds twice': (n) =>
    inOne(goPackage(embedding(n / 20, (i) => `\tT${i} \`json:",inline"\`\n\tA${i} T${i} \`json:",inline"\``)), 'T1 '),
  'embeds each other': (n) =>
    inOne(
      goPackage(
        `${spec('\tT0 `json:",inline"`')}${many(n / 50, (i) => `type T${i} struct {\n\tT${(i + 1) % Math.floor(n / 50)}\n\t*T${(i + 7) % Math.floor(n / 50)}\n}`)}`,
      ),
      'T1',
    ),
  'embeds itself': (n) => inOne(goPackage(spec(many(n, () => '\tSpec'))), 'Spec'),
  'embeds itself inline': (n) => inOne(goPackage(spec(many(n / 10, () => '\t*Spec `json:",inline"`'))), 'Spec'),
  'disputed embedding': (n) =>
    inOne(
      goPackage(
        embedding(
          n / 40,
          (i) => `\tT${i} \`json:",inline"\`\n\t// +kubebuilder:validation:MaxProperties=${i}\n\tG T${i} \`json:"f0"\``,
        ),
      ),
      'T1 ',
    ),
  'disputed embedding twice': (n) =>
    inOne(
      goPackage(
        embedding(
          n / 60,
          (i) =>
            `\tT${i} \`json:",inline"\`\n\tB T${i} \`json:",inline"\`\n\t// +kubebuilder:validation:MinProperties=${i}\n\tG T${i} \`json:"g"\``,
        ),
      ),
      'T1 ',
    ),
  'fields twice': (n) =>
    inOne(goPackage(embedding(n / 20, (i) => `\tA T${i} \`json:"a"\`\n\tB T${i} \`json:"b"\``)), 'T1 '),
  'maps of maps': (n) =>
    inOne(goPackage(embedding(n / 20, (i) => `\tA map[string][]T${i} \`json:"a"\`\n\tB []T${i} \`json:"b"\``)), 'T1 '),
  'a chain of structs': (n) => inOne(goPackage(embedding(n / 10, (i) => `\tA *T${i} \`json:"a,omitempty"\``)), 'T1 '),
  'a chain of embedded structs': (n) => inOne(goPackage(embedding(n / 10, (i) => `\tT${i} \`json:",inline"\``)), 'T1 '),
  'kinds in a chain': (n) =>
    inOne(
      goPackage(
        `${scalar}${many(n / 20, (i) => `type Kind${i} struct {\n${meta}\tNext *Kind${i + 1} \`json:"next,omitempty"\`\n}`)}\ntype Kind${Math.max(1, Math.floor(n / 20))} struct {}`,
      ),
      'Kind1',
    ),
  'kinds with the same parts': (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 20, (i) => `\tA${i} string \`json:"a${i}"\``))}${many(n / 20, (i) => kind(i, '\tSpec Spec `json:"spec"`\n'))}`,
      ),
      'Kind1',
    ),
  kinds: (n) => inOne(goPackage(`${scalar}${many(n / 20, (i) => kind(i))}`), 'Kind1'),
  'a chain of aliases': (n) =>
    inOne(
      goPackage(
        `${spec('\tA T0 `json:"a"`')}${many(n / 10, (i) => `type T${i} = T${i + 1}`)}\ntype T${Math.max(1, Math.floor(n / 10))} = string`,
      ),
      'T1 ',
    ),
  'a chain of names': (n) =>
    inOne(
      goPackage(
        `${spec('\tA T0 `json:"a"`')}${many(n / 10, (i) => `// +kubebuilder:validation:MaxLength=${i}\ntype T${i} T${i + 1}`)}\ntype T${Math.max(1, Math.floor(n / 10))} string`,
      ),
      'T1 ',
    ),
  'a chain of names backwards': (n) =>
    inOne(
      goPackage(
        `type T0 string\n${many(n / 10, (i) => `type T${i + 1} T${i}`)}\n${spec(many(n / 10, (i) => `\tA${i} T${i} \`json:"a${i}"\``))}`,
      ),
      'T1 ',
    ),
  'a ring of names': (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 10, (i) => `\tA${i} T${i} \`json:"a${i}"\``))}${many(n / 10, (i) => `type T${i} T${(i + 1) % Math.max(1, Math.floor(n / 10))}`)}`,
      ),
      'T1 ',
    ),
  'a ring of structs': (n) =>
    inOne(
      goPackage(
        `${spec('\tA T0 `json:"a"`')}${many(n / 10, (i) => `type T${i} struct {\n\tA T${(i + 1) % Math.max(1, Math.floor(n / 10))} \`json:"a"\`\n\tB T${(i + 2) % Math.max(1, Math.floor(n / 10))} \`json:"b"\`\n}`)}`,
      ),
      'T1 ',
    ),
  'the same type often': (n) =>
    inOne(goPackage(`${scalar}${many(n, () => 'type A struct { B string `json:"b"` }')}`), 'A '),
  'keys of maps': (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 10, (i) => `\tA${i} map[K${i}]string \`json:"a${i}"\``))}${many(n / 10, (i) => `type K${i} int\nfunc (K${i}) MarshalText() ([]byte, error) { return nil, nil }`)}`,
      ),
      'K1',
    ),
  'keys of maps that embed': (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 20, (i) => `\tA${i} map[K0]string \`json:"a${i}"\``))}${many(n / 20, (i) => `type K${i} struct {\n\tK${i + 1}\n\tK${i + 2}\n}`)}`,
      ),
      'K1',
    ),
  'aliases that marshal': (n) =>
    inOne(
      goPackage(
        `${spec('\tA A0 `json:"a"`')}${many(n / 20, (i) => `type A${i} = B${i}\ntype B${i} struct {\n${many(20, () => `\tA${i + 1}`)}\n}`)}`,
      ),
      'A1 ',
    ),
  'methods of one type': (n) =>
    inOne(
      goPackage(
        `${spec('\tA T `json:"a"`')}type T struct{}\n${many(n / 5, (i) => `func (t T) M${i}(a int, b string) (c error) { return nil }`)}`,
      ),
      'M1',
    ),
  'generic types': (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 20, (i) => `\tA${i} Box[Box[string, K${i}], []int] \`json:"a${i}"\``))}type Box[T any, K comparable] struct {}`,
      ),
      'Box[',
    ),
  'nested generic types': (n) =>
    inOne(
      goPackage(`${spec(`\tA ${'B['.repeat(n / 4)}int${']'.repeat(n / 4)} \`json:"a"\``)}type B[T any] struct {}`),
      'B[',
    ),
  'fields of one struct': (n) =>
    inOne(goPackage(spec(many(n / 10, (i) => `\tA${i} []string \`json:"a${i}"\``))), 'A1 '),
  'names of one field': (n) =>
    inOne(goPackage(spec(`\t${many(n / 4, (i) => `A${i}`, ', ')} string \`json:"a"\``)), 'A1'),
  'structs in a struct': (n) =>
    inOne(goPackage(spec(`${'\tA struct {\n'.repeat(n / 8)}${'\t} `json:"a"`\n'.repeat(n / 8)}`)), 'A struct'),
  'open structs': (n) => inOne(goPackage(`type Spec struct {\n${'A struct {\n'.repeat(n / 8)}`), 'A struct'),
  'fields without tags': (n) => inOne(goPackage(spec(many(n / 8, (i) => `\tA${i} string`))), 'A1 '),
  'fields with floats': (n) => inOne(goPackage(spec(many(n / 8, (i) => `\tA${i} float64 \`json:"a${i}"\``))), 'A1 '),
  'fields of nothing': (n) => inOne(goPackage(spec(many(n / 8, (i) => `\tA${i} N${i} \`json:"a${i}"\``))), 'A1 '),
  // Signs
  pointers: (n) => inOne(goPackage(spec(`\tA ${'*'.repeat(n)}string \`json:"a"\``)), '***'),
  lists: (n) => inOne(goPackage(spec(`\tA ${'[]'.repeat(n / 2)}string \`json:"a"\``)), '[][]'),
  arrays: (n) => inOne(goPackage(spec(`\tA ${'[3]'.repeat(n / 3)}string \`json:"a"\``)), '[3]'),
  maps: (n) => inOne(goPackage(spec(`\tA ${'map[string]'.repeat(n / 11)}string \`json:"a"\``)), 'map[string]m'),
  'keys in keys': (n) => inOne(goPackage(spec(`\tA ${'map['.repeat(n / 4)}string \`json:"a"\``)), 'map[m'),
  parentheses: (n) => inOne(goPackage(spec(`\tA ${'('.repeat(n / 2)}string${')'.repeat(n / 2)} \`json:"a"\``)), '((('),
  'open parentheses': (n) => inOne(goPackage(spec(`\tA ${'('.repeat(n)}`)), '((('),
  'brackets of a length': (n) => inOne(goPackage(spec(`\tA ${'['.repeat(n)}`)), '[[['),
  channels: (n) => inOne(goPackage(spec(`\tA ${'<-chan '.repeat(n / 7)}int`)), '<-chan '),
  functions: (n) => inOne(goPackage(`${scalar}func f() ${'{ if x '.repeat(n / 7)}`), '{ if'),
  'functions one by one': (n) => inOne(goPackage(`${scalar}${many(n / 10, (i) => `func f${i}() { /* a */ }`)}`), 'f1('),
  receivers: (n) => inOne(goPackage(`${scalar}func (${'a '.repeat(n / 2)}) f() {}`), 'a a'),
  braces: (n) => inOne(goPackage(`${scalar}var a = ${'{'.repeat(n)}`), '{{{'),
  'closing braces': (n) => inOne(goPackage(`${scalar}${'}'.repeat(n)}`), '}}}'),
  types: (n) => inOne(`// +groupName=a.b\npackage v1\n${'type '.repeat(n / 5)}`, 'type t'),
  'type groups': (n) => inOne(goPackage(`${scalar}${'type (\n'.repeat(n / 7)}`), 'type ('),
  semicolons: (n) => inOne(goPackage(`${scalar}${';'.repeat(n)}`), ';;;'),
  'a long name': (n) => inOne(goPackage(spec(`\tA ${'a'.repeat(n)} \`json:"a"\``)), 'aaa'),
  'a long number': (n) => inOne(goPackage(`${scalar}const A = ${'1'.repeat(n)}`), '111'),
  'a long string': (n) => inOne(goPackage(`${scalar}const A = "${'a'.repeat(n)}"`), 'aaa'),
  'a string of escapes': (n) =>
    inOne(goPackage(`${scalar}// +k8s:enum\ntype E string\nconst A E = "${'\\u00e9'.repeat(n / 6)}"`), '\\u'),
  'an open string': (n) => inOne(goPackage(`${scalar}const A = "${'\\"'.repeat(n / 2)}`), '\\"'),
  quotes: (n) => inOne(goPackage(`${scalar}const A = ${'"'.repeat(n)}`), '"""'),
  backquotes: (n) => inOne(goPackage(`${scalar}const A = ${'`'.repeat(n)}`), '```'),
  characters: (n) => inOne(goPackage(`${scalar}const A = '${'a'.repeat(n)}`), 'aaa'),
  'lines of nothing': (n) =>
    inOne(goPackage(`${scalar}// c\n${'\n'.repeat(n / 2)}${many(n / 16, () => 'type a b')}`), 'type a'),
  'blanks of nothing': (n) =>
    inOne(goPackage(`${scalar}/* c */${' '.repeat(n / 2)}${many(n / 16, () => 'type a b', ';')}`), 'type a'),
  'carriage returns': (n) =>
    inOne(goPackage(`${scalar}${'\r'.repeat(n / 2)}${many(n / 20, () => '// +optional', '\r')}`), '\r\r'),
  nulls: (n) => inOne(goPackage(`${scalar}${'\0'.repeat(n)}`), '\0\0'),
  surrogates: (n) => inOne(goPackage(`${scalar}${'\ud800'.repeat(n)}`), '\ud800'),
  // Imports
  imports: (n) =>
    inOne(
      goPackage(spec(many(n / 20, (i) => `\tA${i} p${i}.T \`json:"a${i}"\``)), {
        imports: many(n / 20, (i) => `import p${i} "example.com/p${i}"`),
      }),
      'p1.',
    ),
  'imports of nothing': (n) =>
    inOne(
      goPackage(spec(many(n / 20, (i) => `\tA${i} q${i}.T \`json:"a${i}"\``)), {
        imports: `import (\n${many(n / 20, (i) => `\t"example.com/p${i}"`)}\n)`,
      }),
      'q1.',
    ),
  'imports with dots': (n) =>
    inOne(
      goPackage(spec(many(n / 20, (i) => `\tA${i} string \`json:"a${i}"\``)), {
        imports: many(n / 20, () => `import . "example.com/a/p"`),
      }),
      'A1 ',
    ),
  'a long import': (n) =>
    inOne(goPackage(spec('\tA p.T `json:"a"`'), { imports: `import p "${'a/'.repeat(n / 2)}b"` }), 'a/a/'),
  'imports and requirements': (n) => ({
    ...inOne(
      goPackage(spec(many(n / 40, (i) => `\tA${i} p${i}.T \`json:"a${i}"\``)), {
        imports: many(n / 40, (i) => `import p${i} "example.com/p${i}/q"`),
      }),
      'p1.',
    ),
    others: {
      '/go.mod': `module example.com/x\n${many(n / 40, (i) => `require example.com/p${i} v0.0.${i}\nreplace example.com/p${i} => ./p${i}`)}`,
    },
  }),
  'requirements of one module': (n) => ({
    ...inOne(goPackage(scalar), 'Spec'),
    others: {
      '/go.mod': `module example.com/x\n${many(n / 40, (i) => `require example.com/p v0.0.${i}\nreplace example.com/p v1.0.${i} => ./p${i}`)}`,
    },
  }),
  'packages in a chain': (n) => ({
    ...inOne(goPackage(spec('\tA p0.T `json:"a"`'), { imports: 'import p0 "example.com/x/p0"' }), 'p0.'),
    others: {
      '/go.mod': 'module example.com/x\n',
      ...Object.fromEntries(
        Array.from({ length: n / 50 }, (_, i) => [
          `/p${i}/a.go`,
          `package p${i}\nimport "example.com/x/p${i + 1}"\ntype T struct {\n\tA p${i + 1}.T \`json:"a"\`\n}\n`,
        ]),
      ),
    },
  }),
  'other files': (n) => ({
    ...inOne(goPackage(spec(many(n / 50, (i) => `\tA${i} T${i} \`json:"a${i}"\``))), 'A1 '),
    others: Object.fromEntries(
      Array.from({ length: n / 50 }, (_, i) => [
        `/api/v1/f${i}.go`,
        `package v1\n\n// +kubebuilder:validation:MaxLength=1\ntype T${i} string\n`,
      ]),
    ),
  }),
  // Comments and markers
  'markers of the package': (n) =>
    inOne(
      goPackage(scalar, { head: many(n / 20, () => '// +kubebuilder:validation:Optional\n', '') }),
      '+kubebuilder:val',
    ),
  'markers of the package and types': (n) =>
    inOne(
      goPackage(
        `${scalar}${many(n / 40, (i) => `type T${i} struct {\n\tA string \`json:"a"\`\n}\n`)}${spec(many(n / 40, (i) => `\tA${i} T${i} \`json:"a${i}"\``)).replace('Spec', 'Other')}${kind(1, '\tOther Other `json:"other"`\n')}`,
        {
          head: many(n / 40, () => '// +kubebuilder:validation:Optional\n', ''),
        },
      ),
      'T1 ',
    ),
  'markers of a type': (n) =>
    inOne(
      goPackage(scalar, { above: many(n / 20, (i) => `// +kubebuilder:resource:shortName=a${i}\n`, '') }),
      '+kubebuilder:res',
    ),
  'markers of a field': (n) =>
    inOne(
      goPackage(spec(`${many(n / 20, (i) => `\t// +kubebuilder:validation:MaxLength=${i}`)}\n\tA string \`json:"a"\``)),
      'MaxLength',
    ),
  'markers of fields': (n) =>
    inOne(
      goPackage(
        spec(many(n / 20, (i) => `\t// +kubebuilder:validation:Enum=a${i};b\n\tA${i} string \`json:"a${i}"\``)),
      ),
      'Enum',
    ),
  'unknown markers': (n) =>
    inOne(
      goPackage(
        spec(many(n / 20, (i) => `\t// +kubebuilder:validation:MaxLenght${i}=1\n\tA${i} string \`json:"a${i}"\``)),
      ),
      'MaxLenght',
    ),
  'lost markers': (n) =>
    inOne(goPackage(`${scalar}${many(n / 20, (i) => `type L${i} struct {\n\t// +optional\n}\n`)}`), '+optional'),
  'markers that cannot be read': (n) =>
    inOne(
      goPackage(
        spec(many(n / 20, (i) => `\t// +kubebuilder:validation:MaxLength=a${i}\n\tA${i} string \`json:"a${i}"\``)),
      ),
      'MaxLength',
    ),
  'repeated markers': (n) =>
    inOne(goPackage(`${many(n / 40, () => '// +kubebuilder:validation:MinProperties=1\n', '')}${scalar}`), 'MinProp'),
  'print columns': (n) =>
    inOne(
      goPackage(scalar, {
        above: many(n / 20, (i) => `// +kubebuilder:printcolumn:name="a${i}",type=string,JSONPath=\`.spec.a\`\n`, ''),
      }),
      'printcolumn',
    ),
  'selectable fields': (n) =>
    inOne(
      goPackage(scalar, {
        above: many(n / 20, (i) => `// +kubebuilder:selectablefield:JSONPath=\`.spec.a${i}\`\n`, ''),
      }),
      'selectable',
    ),
  metadata: (n) =>
    inOne(
      goPackage(scalar, { above: many(n / 20, (i) => `// +kubebuilder:metadata:labels=a${i}=b\n`, '') }),
      'metadata:',
    ),
  'rules of a type': (n) =>
    inOne(
      goPackage(
        `${many(n / 20, (i) => `// +kubebuilder:validation:XValidation:rule="self.a != '${i}'",message="no"\n`, '')}${scalar}`,
      ),
      'self.a',
    ),
  'rules of fields': (n) =>
    inOne(
      goPackage(
        spec(
          many(
            n / 20,
            (i) => `\t// +kubebuilder:validation:XValidation:rule="self != '${i}'"\n\tA${i} string \`json:"a${i}"\``,
          ),
        ),
      ),
      'self != ',
    ),
  'a long rule': (n) =>
    inOne(
      goPackage(
        `// +kubebuilder:validation:XValidation:rule="${many(n / 10, (i) => `self.a != '${i}'`, ' && ')}"\n${scalar}`,
      ),
      'self.a',
    ),
  'a long rule in escapes': (n) =>
    inOne(
      goPackage(
        `// +kubebuilder:validation:XValidation:rule="${many(n / 10, (i) => `self.a != \\"${i}\\"`, ' && ')}"\n${scalar}`,
      ),
      'self.a',
    ),
  'list keys': (n) =>
    inOne(
      goPackage(
        `type I struct {\n${many(n / 20, (i) => `\tA${i} string \`json:"a${i}"\``)}\n}\n${spec(`\t// +listType=map\n${many(n / 20, (i) => `\t// +listMapKey=a${i}`)}\n\tA []I \`json:"a"\``)}`,
      ),
      'listMapKey',
    ),
  'one of fields': (n) =>
    inOne(
      goPackage(
        `// +kubebuilder:validation:ExactlyOneOf=${many(n / 10, (i) => `a${i}`, ';')}\n${spec(many(n / 10, (i) => `\tA${i} string \`json:"a${i},omitempty"\``))}`,
      ),
      'a1;',
    ),
  'immutable fields': (n) =>
    inOne(
      goPackage(
        spec(many(n / 20, (i) => `\t// +k8s:immutable\n\t// +optional\n\tA${i} string \`json:"a${i},omitempty"\``)),
      ),
      'immutable',
    ),
  enums: (n) =>
    inOne(
      goPackage(
        `${spec(many(n / 20, (i) => `\tA${i} E${i} \`json:"a${i}"\``))}${many(n / 20, (i) => `// +k8s:enum\ntype E${i} string\nconst C${i} E${i} = "a"`)}`,
      ),
      'E1 ',
    ),
  'values of an enum': (n) =>
    inOne(
      goPackage(
        `${spec('\tA E `json:"a"`')}// +k8s:enum\ntype E string\nconst (\n${many(n / 10, (i) => `\tC${i} E = "a${i}"`)}\n)`,
      ),
      'C1 ',
    ),
  constants: (n) =>
    inOne(goPackage(`${scalar}const ${many(n / 4, (i) => `A${i}`, ', ')} = ${many(n / 4, String, ', ')}`), 'A1'),
  iota: (n) => inOne(goPackage(`${scalar}const (\n\tA = iota\n${many(n / 4, (i) => `\tA${i}`)}\n)`), 'A1'),
  'a long enum': (n) =>
    inOne(
      goPackage(spec(`\t// +kubebuilder:validation:Enum=${many(n / 4, (i) => `a${i}`, ';')}\n\tA string \`json:"a"\``)),
      'a1;',
    ),
  'nested values': (n) =>
    inOne(goPackage(spec(`\t// +kubebuilder:default=${'{a:'.repeat(n / 3)}\n\tA string \`json:"a"\``)), '{a:'),
  'open values': (n) =>
    inOne(goPackage(spec(`\t// +kubebuilder:default=${'{'.repeat(n)}\n\tA string \`json:"a"\``)), '{{{'),
  'a value of maps': (n) =>
    inOne(
      goPackage(
        spec(
          `\t// +kubebuilder:default={${many(n / 10, (i) => `a${i}: {b: c}`, ',')}}\n\tA map[string]string \`json:"a"\``,
        ),
      ),
      '{b: c}',
    ),
  'a value in JSON': (n) => inOne(goPackage(spec(`\t// +default=${'['.repeat(n)}\n\tA string \`json:"a"\``)), '[[['),
  'a value of signs': (n) =>
    inOne(goPackage(spec(`\t// +kubebuilder:default=${'0b2_'.repeat(n / 4)}\n\tA string \`json:"a"\``)), '0b2'),
  'a value with blanks': (n) =>
    inOne(goPackage(spec(`\t// +kubebuilder:default=a${' b'.repeat(n / 2)}\n\tA string \`json:"a"\``)), ' b b'),
  'a pattern': (n) =>
    inOne(
      goPackage(spec(`\t// +kubebuilder:validation:Pattern=\`${'(a|'.repeat(n / 3)}\`\n\tA string \`json:"a"\``)),
      '(a|',
    ),
  'a long marker': (n) =>
    inOne(goPackage(spec(`\t// +kubebuilder:${'a:'.repeat(n / 2)}\n\tA string \`json:"a"\``)), 'a:a:'),
  'signs of markers': (n) => inOne(goPackage(`${scalar}// ${'+'.repeat(n)}`), '+++'),
  comments: (n) => inOne(goPackage(`${many(n / 4, () => '// a')}\n${scalar}`), '// a'),
  'comments apart': (n) => inOne(goPackage(`${many(n / 5, () => '// +a\n')}\n${scalar}`), '// +a'),
  'comments on one line': (n) => inOne(goPackage(`${scalar}${'/* a */'.repeat(n / 7)}`), '/* a'),
  'comments behind fields': (n) =>
    inOne(goPackage(spec(many(n / 10, (i) => `\tA${i} string \`json:"a${i}"\` // +b`))), '// +b'),
  'comments in fields': (n) =>
    inOne(goPackage(spec(many(n / 20, (i) => `\tA${i} /* +b */ string /* +c */ \`json:"a${i}"\``))), '/* +b'),
  'an open comment': (n) => inOne(goPackage(`${scalar}/*${'/*'.repeat(n / 2)}`), '/*/*'),
  'a long comment': (n) => inOne(goPackage(`// ${'a '.repeat(n / 2)}\n${scalar}`), 'a a'),
  'a block of lines': (n) => inOne(goPackage(`/*\n${'a\n'.repeat(n / 2)}*/\n${scalar}`), 'a\na'),
  tags: (n) => inOne(goPackage(spec(`\tA string \`${many(n / 8, (i) => `a${i}:"b"`, ' ')}\``)), 'a1:'),
  'a long tag': (n) => inOne(goPackage(spec(`\tA string \`json:"${'a'.repeat(n)}"\``)), 'aaa'),
  'a tag of commas': (n) => inOne(goPackage(spec(`\tA string \`json:"a${','.repeat(n)}"\``)), ',,,'),
  'a tag of escapes': (n) => inOne(goPackage(spec(`\tA string "json:\\"${'\\\\\\\\'.repeat(n / 4)}\\""`)), '\\\\'),
  'a tag of colons': (n) => inOne(goPackage(spec(`\tA string \`${':'.repeat(n)}\``)), ':::'),
  // The head of a file
  'a build tag of signs': (n) => inOne(goPackage(scalar, { head: `//go:build ${'!'.repeat(n)}linux\n\n` }), '!!!'),
  'a build tag of parentheses': (n) =>
    inOne(goPackage(scalar, { head: `//go:build ${'('.repeat(n / 2)}linux${')'.repeat(n / 2)}\n\n` }), '((('),
  'a build tag of words': (n) =>
    inOne(goPackage(scalar, { head: `//go:build ${many(n / 10, (i) => `a${i}`, ' || ')} || linux\n\n` }), '|| a'),
  'words before the package': (n) => inOne(goPackage(scalar, { head: 'package\n'.repeat(n / 8) }), 'package'),
  'a long group': (n) =>
    inOne(`// +groupName=${'a.'.repeat(n / 2)}b\npackage v1\n${goPackage(scalar).split('package v1')[1]}`, 'a.a.'),
  'a path of dots': (n) =>
    inOne(goPackage(scalar, { above: `// +kubebuilder:resource:path=${'../'.repeat(n / 3)}a\n` }), '../'),
  'a long kind': (n) => inOne(goPackage(`${scalar}type ${'Aa'.repeat(n / 2)} struct {\n${meta}}\n`), 'AaAa'),
};
