/** Charts that are there to take time and memory, by how large they are: files by their paths. */
export type ChartShape = (size: number) => Readonly<Record<string, string>>;

export const chartFile = 'apiVersion: v2\nname: shop\nversion: 1.0.0\n';
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

/** A chart with one template. */
function one(template: string, values = ''): Readonly<Record<string, string>> {
  return { 'Chart.yaml': chartFile, 'values.yaml': values, 'templates/a.yaml': template };
}

const times = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join('');

/** A line of a template whatever its size, which takes as much work as it is let. */
const lines: Readonly<Record<string, string>> = {
  'a long range': '{{ range until 1000000000 }}x{{ end }}',
  'ranges in ranges': '{{ range until 2000 }}{{ range until 2000 }}{{ range until 2000 }}x{{ end }}{{ end }}{{ end }}',
  'steps of nothing': '{{ range untilStep 0 10 0 }}x{{ end }}{{ seq 1 1 1000000000 }}',
  'wide numbers': '{{ range until 100000 }}{{ printf "%999999d%999999s%.999999f" 1 "a" 1.5 }}{{ end }}',
  'repeated texts': '{{ repeat 1000000 (repeat 1000000 "x") }}',
  'doubled texts': '{{ $x := "x" }}{{ range until 60 }}{{ $x = printf "%s%s" $x $x }}{{ end }}{{ $x }}',
  'doubled lists': '{{ $x := list 1 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}{{ len $x }}',
  'lists in lists': '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}{{ $x }}',
  'maps in maps': '{{ $x := dict "a" 1 }}{{ range until 60 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ toYaml $x }}',
  'equal lists in lists':
    '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ deepEqual $x (deepCopy $x) }}',
  'merged maps in maps':
    '{{ $x := dict }}{{ range until 60 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ merge (dict) $x | toString }}',
  'a map in itself': '{{ $x := dict "a" 1 }}{{ $_ := set $x "b" $x }}{{ toYaml $x }}{{ $x }}',
  'a map in itself as JSON': '{{ $x := dict "a" 1 }}{{ $_ := set $x "b" (list $x) }}{{ toJson $x }}',
  'a map in itself, copied': '{{ $x := dict "a" 1 }}{{ $_ := set $x "b" $x }}{{ deepCopy $x | toString }}',
  'a map in itself, merged': '{{ $x := dict "a" 1 }}{{ $_ := set $x "b" $x }}{{ merge (dict "b" (dict)) $x $x }}',
  'a map in itself, equal':
    '{{ $x := dict "a" 1 }}{{ $_ := set $x "b" $x }}{{ $y := dict "a" 1 }}{{ $_ := set $y "b" $y }}{{ deepEqual $x $y }}',
  'values in themselves': '{{ $_ := set .Values "a" .Values }}{{ toYaml .Values }}',
  'a template in itself': '{{ define "a" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
  'a template in itself twice': '{{ define "a" }}{{ include "a" . }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
  'a template calls itself': '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
  'a text runs itself': '{{ tpl .Values.a . }}',
  'patterns that fit in many ways':
    '{{ regexMatch "(a+)+$" (printf "%sb" (repeat 30000 "a")) }}{{ regexFind "(a|aa)+$" (repeat 30000 "a") }}',
  'patterns of counts':
    '{{ regexMatch "((a{1000}){1000}){1000}" "a" }}{{ regexReplaceAll "(.*)(.*)(.*)(.*)x" (repeat 5000 "a") "$1" }}',
  'pieces of patterns': '{{ range until 1000 }}{{ regexSplit "" (repeat 10000 "a") -1 | len }}{{ end }}',
  'lists that are compared':
    '{{ uniq (until 100000) | len }}{{ without (until 30000) (until 30000) }}{{ has 1 (until 1000000) }}',
  'sorted texts': '{{ range until 1000 }}{{ sortAlpha (splitList "" (repeat 100000 "ba")) | len }}{{ end }}',
  'long passwords':
    '{{ range until 10000 }}{{ bcrypt "a" }}{{ htpasswd "a" "b" }}{{ derivePassword 1 "long" "a" "b" "c" }}{{ end }}',
  certificates: '{{ range until 10000 }}{{ (genCA "a" 365).Cert }}{{ genPrivateKey "rsa" }}{{ end }}',
  'random texts': '{{ range until 10000 }}{{ randAlphaNum 1000000 }}{{ end }}',
  'hashes of long texts':
    '{{ $x := repeat 1000000 "x" }}{{ range until 10000 }}{{ sha256sum $x }}{{ adler32sum $x }}{{ b64enc $x | b32enc | len }}{{ end }}',
  'indented lines': '{{ $x := repeat 100000 "\\n" }}{{ range until 100 }}{{ $x = indent 1000 $x }}{{ end }}{{ $x }}',
  'replaced texts': '{{ $x := "aa" }}{{ range until 60 }}{{ $x = replace "a" "aa" $x }}{{ end }}{{ len $x }}',
  'wrapped texts':
    '{{ range until 1000 }}{{ wrap 1 (repeat 100000 "a ") | len }}{{ camelcase (repeat 100000 "a_") | len }}{{ end }}',
  'read and written':
    '{{ $x := "a: 1" }}{{ range until 60 }}{{ $x = toYaml (dict "a" (fromYaml $x) "b" (fromYaml $x)) }}{{ end }}{{ $x }}',
  'read and written as JSON':
    '{{ $x := "{}" }}{{ range until 60 }}{{ $x = toJson (dict "a" (fromJson $x) "b" (fromJson $x)) }}{{ end }}{{ $x }}',
  'long lists as JSON':
    '{{ $x := printf "[%s1]" (repeat 200000 "1,") }}{{ range until 1000 }}{{ fromJsonArray $x | len }}{{ end }}',
  'aliases in texts': `{{ fromYaml .Values.text | toYaml }}`,
  'versions of nothing': '{{ range until 10000 }}{{ semverCompare (repeat 10000 ">1 ") "1.2.3" }}{{ end }}',
  'large numbers':
    '{{ range until 1000 }}{{ mul 9223372036854775807 9223372036854775807 }}{{ round 1e300 300 }}{{ printf "%.1000f" 1e308 }}{{ end }}',
  'many objects': `{{ range until 200000 }}---\n${head}data: {a: 1}\n{{ end }}`,
  'one large object': `${head}data:\n{{ range until 600000 }}  k{{ . }}: v\n{{ end }}`,
  'deep YAML': `${head}data: {{ repeat 100000 "[" }}`,
};

const bomb = (levels: number) =>
  times(levels, (i) => `a${i}: &a${i} [${times(9, () => `*a${i - 1}, `)}1]\n`).replaceAll('*a-1, ', '');

const valuesOfLines: Readonly<Record<string, string>> = {
  'a text runs itself': 'a: "{{ tpl .Values.a . }}{{ tpl .Values.a . }}"\n',
  'aliases in texts': `text: |\n${bomb(12).replace(/^/gm, '  ')}\n`,
};

/** What grows with its size. */
const grown: Readonly<Record<string, ChartShape>> = {
  'conditions in each other': (size) =>
    one(`${times(size, () => '{{ if .Values.a }}')}${times(size, () => '{{ end }}')}`),
  'parentheses in each other': (size) => one(`{{ ${'('.repeat(size)}1${')'.repeat(size)} }}`),
  'long pipelines': (size) => one(`{{ 1 ${times(size, () => '| toString ')}}}`),
  'many conditions': (size) => one(times(size, (i) => `{{ if .Values.a${i} }}\nk${i}: 1\n{{ end }}`)),
  'conditions of many values': (size) =>
    one(times(size, (i) => `{{ if and .Values.a${i} (eq .Values.b${i} "x") }}\nk${i}: 1\n{{ end }}`)),
  'conditions that take work': (size) =>
    one(times(size, (i) => `{{ if .Values.a${i} }}{{ range until 3000 }}{{ $x := repeat 50 "x" }}{{ end }}{{ end }}`)),
  'conditions that contradict': (size) =>
    one(
      `{{ if .Values.a }}${times(size, (i) => `{{ if not .Values.a }}x{{ else if eq .Values.a "${i}" }}y${i}{{ end }}`)}{{ end }}`,
    ),
  'conditions over templates': (size) => ({
    ...one(times(size, () => '{{ include "h" . }}\n')),
    'templates/_h.tpl': `{{ define "h" }}${times(20, (i) => `{{ if .Values.a${i} }}x{{ end }}`)}{{ end }}`,
  }),
  'templates that include each other': (size) =>
    one(
      `${times(size, (i) => `{{ define "t${i}" }}{{ include "t${i + 1}" . }}{{ include "t${i + 1}" . }}{{ end }}`)}{{ define "t${size}" }}x{{ end }}{{ include "t0" . }}`,
    ),
  'many templates': (size) => ({
    'Chart.yaml': chartFile,
    ...Object.fromEntries(
      Array.from({ length: size / 10 }, (_, i) => [`templates/a${i}.yaml`, `${head}data: {{ .Values.a }}\n`]),
    ),
  }),
  'many values': (size) =>
    one(
      `${head}data: {{ toYaml .Values | nindent 2 }}\n`,
      times(size, (i) => `k${i}: v\n`),
    ),
  'deep values': (size) => one('{{ toYaml .Values }}', `a: ${'['.repeat(size)}${']'.repeat(size)}`),
  'aliases in values': (size) => one('{{ toYaml .Values }}', bomb(Math.min(size / 50, 400))),
  'many files': (size) => ({
    ...one('{{ (.Files.Glob "**").AsConfig }}{{ range $p, $f := .Files.Glob "f/**" }}{{ $p }}{{ end }}'),
    ...Object.fromEntries(Array.from({ length: size / 10 }, (_, i) => [`f/${i}.txt`, 'text'])),
  }),
  'globs of stars': (size) => ({
    ...one(
      `{{ range until 100 }}{{ .Files.Glob "${'*'.repeat(size)}a${'{a,'.repeat(20)}${'}'.repeat(20)}" | len }}{{ end }}`,
    ),
    ['f'.repeat(200)]: 'text',
  }),
  'many files of values': (size) => ({
    ...one('{{ toYaml .Values }}'),
    ...Object.fromEntries(Array.from({ length: size / 20 }, (_, i) => [`ci/a${i}-values.yaml`, `a: ${i}\n`])),
  }),
  'aliases of charts in charts': (size) => chartsInCharts(Math.min(8, Math.floor(Math.log2(size) / 2)), 10),
  'many dependencies': (size) => ({
    'Chart.yaml': `${chartFile}dependencies:\n${times(size / 10, (i) => `- {name: a, version: "*", alias: a${i}, condition: a${i}.on}\n`)}`,
    'charts/a/Chart.yaml': chartFile.replace('shop', 'a'),
    'charts/a/templates/a.yaml': head,
  }),
  'imports of imports': (size) => ({
    'Chart.yaml': `${chartFile}dependencies:\n- {name: a, version: "*", import-values: [${times(size / 10, (i) => `{child: a, parent: b.c${i}}, `)}]}\n`,
    'charts/a/Chart.yaml': chartFile.replace('shop', 'a'),
    'charts/a/values.yaml': `a: {${times(size / 10, (i) => `k${i}: 1, `)}}`,
  }),
  'schemas in schemas': (size) => schema(`{"not":${'{"not":'.repeat(size)}{}${'}'.repeat(size)}}`),
  'schemas of many ways': (size) => {
    const defs = times(
      Math.min(size / 20, 200),
      (i) => `"d${i}":{"anyOf":[{"$ref":"#/$defs/d${i + 1}"},{"$ref":"#/$defs/d${i + 1}"}]},`,
    );
    return schema(`{"$ref":"#/$defs/d0","$defs":{${defs}"d${Math.min(size / 20, 200)}":{"type":"string"}}}`);
  },
  'schemas with patterns': (size) =>
    schema(
      `{"properties":{"a":{"pattern":"(a+)+$"}},"patternProperties":{"(x{500}){500}":{}}}`,
      `a: ${'a'.repeat(size)}b\n`,
    ),
  'schemas that come back': () =>
    schema('{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}'),
  'equal values in a schema': (size) =>
    schema(
      '{"properties":{"a":{"uniqueItems":true,"contains":{"const":-1}}}}',
      `a: [${times(size, (i) => `${i}, `)}]\n`,
    ),
};

function schema(text: string, values = 'a: 1\n'): Readonly<Record<string, string>> {
  return { ...one(head, values), 'values.schema.json': text };
}

/** Each chart has the next one under several names. */
function chartsInCharts(levels: number, names: number): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  let at = '';
  for (let level = 0; level < levels; level++) {
    const inner = times(names, (i) => `- {name: c${level + 1}, version: "*", alias: n${i}}\n`);
    const more = level < levels - 1 ? `dependencies:\n${inner}` : '';
    files[`${at}Chart.yaml`] = `apiVersion: v2\nname: c${level}\nversion: 1.0.0\n${more}`;
    files[`${at}templates/a.yaml`] = head;
    at += `charts/c${level + 1}/`;
  }
  return files;
}

const fixed = Object.entries(lines).map(([name, line]): [string, ChartShape] => [
  name,
  () => one(line, valuesOfLines[name] ?? 'a: 1\n'),
]);

export const chartShapes: Readonly<Record<string, ChartShape>> = { ...Object.fromEntries(fixed), ...grown };

/** Shapes that are the same in all sizes. */
export const fixedShapes: ReadonlySet<string> = new Set(Object.keys(lines));
