// Files of one simple shape and any size: what holds of a small one and takes a moment must take a moment more when it
// is twice as large, or be cut off with words.

export interface Bomb {
  readonly text: string;
  /** The CRD of its kind, in a file of its own. */
  readonly crd?: string;
  /** Where somebody works in it. */
  readonly at: string;
}

const many = (count: number, one: (i: number) => string, between = ', ') =>
  Array.from({ length: count }, (_, i) => one(i)).join(between);

function crd(schema: string, { version = '', spec = '' } = {}): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: gizmos.example.com
spec:
  group: example.com
  scope: Cluster
${spec}  names: {plural: gizmos, kind: Gizmo}
  versions:
    - name: v1
      served: true
      storage: true
${version}      schema:
        openAPIV3Schema: ${schema}
`;
}

const inSpec = (spec: string) => crd(`{type: object, properties: {spec: ${spec}}}`);
const ruled = (rule: string) => inSpec(`{type: object, x-kubernetes-validations: [{rule: "${rule}"}]}`);
const pattern = (text: string) => inSpec(`{type: string, pattern: '${text}'}`);
const resource = (spec: string, metadata = '') =>
  `apiVersion: example.com/v1\nkind: Gizmo\nmetadata:\n  name: a\n${metadata}spec: ${spec}\n`;

const closed = inSpec(
  '{type: object, properties: {text: {type: string}, list: {type: array, items: {type: integer}}, wait: {type: string, format: duration}, bytes: {type: string, format: byte}, set: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}',
);
const open = inSpec('{type: object, x-kubernetes-preserve-unknown-fields: true}');

function nested(levels: number, around: (inner: string) => string, inner: string): string {
  let text = inner;
  for (let i = 0; i < levels; i++) text = around(text);
  return text;
}

const judged = (rule: string) =>
  inSpec(
    `{type: object, properties: {l: {type: array, items: {type: integer}}}, x-kubernetes-validations: [{rule: "${rule}"}]}`,
  );
const numbers = (size: number) => resource(`{l: [${many(size, String)}]}`);

export const shapes: Readonly<Record<string, (size: number) => Bomb>> = {
  // Depth
  brackets: (n) => ({ crd: open, text: resource(`{a: ${'['.repeat(n)}${']'.repeat(n)}}`), at: '[[[' }),
  'open brackets': (n) => ({ crd: open, text: resource(`{a: ${'['.repeat(n)}`), at: '[[[' }),
  dashes: (n) => ({ crd: open, text: resource(`\n  ${'- '.repeat(n)}x`), at: '- -' }),
  'nested maps': (n) => ({ crd: open, text: resource(nested(Math.min(n, 2000), (a) => `{a: ${a}}`, '1')), at: 'a: ' }),
  'nested properties': (n) => ({
    text: crd(nested(n / 4, (a) => `{type: object, properties: {a: ${a}}}`, '{type: string}')),
    at: 'type: object',
  }),
  'nested junctors': (n) => ({ text: inSpec(nested(n / 4, (a) => `{allOf: [${a}]}`, '{required: [a]}')), at: 'allOf' }),
  // Counts
  'unknown fields': (n) => ({ crd: closed, text: resource(`{${many(n, (i) => `x${i}: 1`)}}`), at: 'x10' }),
  'wrong items': (n) => ({ crd: closed, text: resource(`{list: [${many(n, () => 'a')}]}`), at: 'list' }),
  'equal items': (n) => ({ crd: closed, text: resource(`{set: [${many(n, () => 'a')}]}`), at: 'set' }),
  'equal keys': (n) => ({ crd: closed, text: resource(`\n${many(n, () => '  text: a', '\n')}`), at: 'text' }),
  labels: (n) => ({
    crd: closed,
    text: resource('{}', `  labels: {${many(n, (i) => `"k ${i}": v`)}}\n`),
    at: 'labels',
  }),
  annotations: (n) => ({
    crd: closed,
    text: resource('{}', `  annotations: {${many(n, (i) => `"k ${i}": v`)}}\n`),
    at: 'annotations',
  }),
  owners: (n) => ({
    crd: closed,
    text: resource('{}', `  ownerReferences: [${many(n, () => '{uid: a}')}]\n`),
    at: 'uid',
  }),
  'managed fields': (n) => ({
    crd: closed,
    text: resource('{}', `  managedFields: [${many(n, () => '{time: a}')}]\n`),
    at: 'manager',
  }),
  finalizers: (n) => ({ crd: closed, text: resource('{}', `  finalizers: [${many(n, (i) => `f${i}`)}]\n`), at: 'f1' }),
  documents: (n) => ({ crd: closed, text: many(n / 4, () => resource('{q: 1}'), '---\n'), at: 'q: 1' }),
  'items of a list': (n) => ({
    crd: closed,
    text: `apiVersion: v1\nkind: List\nitems:\n${many(n, () => '- {apiVersion: example.com/v1, kind: Gizmo, metadata: {name: a}, spec: {q: 1}}', '\n')}`,
    at: 'q: 1',
  }),
  versions: (n) => ({
    text: crd('{type: object}').replace(
      '  versions:\n',
      `  versions:\n${many(n, (i) => `    - {name: v${i + 2}, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n`, '')}`,
    ),
    at: 'v1',
  }),
  properties: (n) => ({
    text: inSpec(`{type: object, properties: {${many(n, (i) => `p${i}: {type: string}`)}}}`),
    at: 'p1',
  }),
  required: (n) => ({
    crd: inSpec(`{type: object, required: [${many(n, (i) => `r${i}`)}]}`),
    text: resource('{}'),
    at: 'spec:',
  }),
  'map keys': (n) => ({
    text: inSpec(
      `{type: array, items: {type: object}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [${many(n, (i) => `r${i}`)}]}`,
    ),
    at: 'items',
  }),
  columns: (n) => ({
    text: crd('{type: object}', {
      version: `      additionalPrinterColumns: [${many(n, (i) => `{name: c${i}, type: string, jsonPath: .spec.a}`)}]\n`,
    }),
    at: 'c1',
  }),
  rules: (n) => ({
    text: inSpec(
      `{type: object, properties: {a: {type: string}}, x-kubernetes-validations: [${many(n, (i) => `{rule: "self.a != 'x${i}'"}`)}]}`,
    ),
    at: 'self.a',
  }),
  'blank rules': (n) => ({
    text: inSpec(`{type: object, x-kubernetes-validations: [${many(n, () => '{rule: " "}')}]}`),
    at: 'rule',
  }),
  'rules behind aliases': (n) => ({
    text: inSpec(
      `{type: object, properties: {a: &a {type: string, x-kubernetes-validations: [${many(100, (i) => `{rule: "self != 'x${i}'"}`)}]}, ${many(n / 16, (i) => `a${i}: *a`)}}}`,
    ),
    at: 'self',
  }),
  junctors: (n) => ({ text: inSpec(`{type: object, allOf: [${many(n, (i) => `{required: [a${i}]}`)}]}`), at: 'allOf' }),
  anchors: (n) => ({ crd: closed, text: resource(`\n${many(n, (i) => `  a${i}: &a${i} 1`, '\n')}`), at: '&a1' }),
  aliases: (n) => ({ crd: closed, text: resource(`\n  a: &a 1\n${many(n, (i) => `  a${i}: *a`, '\n')}`), at: '*a' }),
  doublings: (n) => ({
    crd: open,
    text: resource(
      `\n  x0: &x0 [x]\n${many(Math.min(n, 60), (i) => `  x${i + 1}: &x${i + 1} [*x${i}, *x${i}]`, '\n')}`,
    ),
    at: '*x1',
  }),
  'a chain of aliases': (n) => ({
    crd: open,
    text: resource(`\n  x0: &x0 [x]\n${many(n, (i) => `  x${i + 1}: &x${i + 1} [*x${i}]`, '\n')}`),
    at: '*x1',
  }),
  // Lengths
  'a word': (n) => ({ crd: closed, text: resource(`\n  ${'a'.repeat(n)}`), at: 'aaa' }),
  digits: (n) => ({ crd: closed, text: resource(`{wait: "${'1'.repeat(n)}"}`), at: '111' }),
  'base 64': (n) => ({ crd: closed, text: resource(`{bytes: ${'QUJD'.repeat(n)}}`), at: 'QUJD' }),
  'blanks behind a separator': (n) => ({ crd: closed, text: `---a${' '.repeat(n)}x\n${resource('{}')}`, at: 'spec' }),
  'blank lines': (n) => ({ crd: closed, text: `${'\n'.repeat(n)}${resource('{}')}`, at: 'spec' }),
  ampersands: (n) => ({ crd: closed, text: resource(`{text: ${'&'.repeat(n)}}`), at: '&&' }),
  'a comment of hashes': (n) => ({ crd: closed, text: resource(`{a: b ${'# '.repeat(n)}\n , c: 1}`), at: 'c: 1' }),
  'a certificate of line breaks': (n) => ({
    text: crd('{type: object}', {
      spec: `  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://a/b", caBundle: ${Buffer.from(`-----BEGIN CERTIFICATE-----${'\n'.repeat(n)}`).toString('base64')}}}}\n`,
    }),
    at: 'caBundle',
  }),
  'certificates without an end': (n) => ({
    text: crd('{type: object}', {
      spec: `  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://a/b", caBundle: ${Buffer.from(many(n, (i) => `-----BEGIN ${i}-----\n`, '')).toString('base64')}}}}\n`,
    }),
    at: 'caBundle',
  }),
  // Patterns
  'classes in a pattern': (n) => ({ text: pattern(`\\Q[${'\\a'.repeat(n)}`), at: '\\a' }),
  'open classes in a pattern': (n) => ({ text: pattern('['.repeat(n)), at: '[[' }),
  'loops in a pattern': (n) => ({
    crd: inSpec(`{type: string, pattern: '${'(a|a)*'.repeat(n / 8)}b'}`),
    text: resource('a'.repeat(300)),
    at: 'aaa',
  }),
  'a pattern in a long text': (n) => ({
    crd: inSpec(`{type: string, pattern: '${'(a|a)*'.repeat(Math.min(n, 90_000) / 8)}[0-9]'}`),
    text: resource('a'.repeat(n)),
    at: 'aaa',
  }),
  'a pattern over a default': (n) => ({
    text: inSpec(
      `{type: object, properties: {a: {type: string, default: ${'a'.repeat(n)}, pattern: '${'(a|a)*'.repeat(Math.min(n, 90_000) / 8)}[0-9]'}}}`,
    ),
    at: 'aaa',
  }),
  'a pattern in many texts': (n) => ({
    crd: inSpec(`{type: array, items: {type: string, pattern: '${'(a|a)*'.repeat(100)}[0-9]'}}`),
    text: resource(`[${many(n / 8, (i) => `aaaa${i}`)}]`),
    at: 'aaa',
  }),
  'a pattern in many objects': (n) => ({
    crd: inSpec(`{type: string, pattern: '${'(a|a)*'.repeat(100)}[0-9]'}`),
    text: many(n / 500, () => resource('a'.repeat(500)), '---\n'),
    at: 'aaa',
  }),
  'a pattern that a rule is given': (n) => ({
    crd: inSpec(
      "{type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: '!self.a.matches(self.b)'}]}",
    ),
    text: resource(`{a: aaaa, b: '${'(a|a)*'.repeat(n / 8)}[0-9]'}`),
    at: 'aaa',
  }),
  // Expressions
  names: (n) => ({ text: ruled('a'.repeat(n)), at: 'aaa' }),
  words: (n) => ({ text: ruled('a '.repeat(n)), at: 'a a' }),
  'numbers in a rule': (n) => ({ text: ruled('1'.repeat(n)), at: '111' }),
  'strings in a rule': (n) => ({ text: ruled("'a' ".repeat(n)), at: "'a'" }),
  'comments in a rule': (n) => ({ text: ruled(`true // ${'a'.repeat(n)}`), at: 'aaa' }),
  'blanks in a rule': (n) => ({ text: ruled(`self${' '.repeat(n)}== self`), at: '    ' }),
  'brackets in a rule': (n) => ({ text: ruled('['.repeat(n)), at: '[[[' }),
  'parentheses in a rule': (n) => ({ text: ruled('('.repeat(n)), at: '(((' }),
  'sums in a rule': (n) => ({ text: ruled(`self.a${' + self.a'.repeat(n / 8)}`), at: '+ self' }),
  // Evaluation
  flatten: (n) => ({ crd: judged('self.l.map(x, self.l).flatten().size() > 0'), text: numbers(n), at: 'l:' }),
  'nested lists': (n) => ({
    crd: judged(`[[1]]${'.map(x, [x, x])'.repeat(Math.min(60, n / 16))} == [[1]]`),
    text: numbers(10),
    at: 'l:',
  }),
  sets: (n) => ({ crd: judged('sets.contains(self.l, self.l)'), text: numbers(n), at: 'l:' }),
  distinct: (n) => ({ crd: judged('self.l.distinct().size() > 0'), text: numbers(n), at: 'l:' }),
  join: (n) => ({ crd: judged("self.l.map(x, string(x)).join('0123456789').size() > 0"), text: numbers(n), at: 'l:' }),
  range: (n) => ({
    crd: judged(`lists.range(${n}).map(x, lists.range(${n})).size() > 0`),
    text: numbers(10),
    at: 'l:',
  }),
  'rules on many objects': (n) => ({
    crd: judged('self.l.map(x, self.l).flatten().size() > 0'),
    text: many(Math.ceil(n / 4000), () => numbers(4000), '---\n'),
    at: 'l:',
  }),
};
