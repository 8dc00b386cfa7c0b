import { hasMistakes } from '../../../server/src/controllergen/crd/generate.ts';
import type {
  ArgumentType,
  Fit,
  MarkerDefinition,
  MarkerTarget,
} from '../../../server/src/controllergen/markers/model.ts';
import { allMarkers } from '../../../server/src/controllergen/markers/table.ts';
import { type GoPackage, isBroken } from '../../../server/src/controllergen/packages.ts';
import { packagesOf } from '../../conformance/ops/goCrd.ts';
import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import { lineCuts } from '../shrink.ts';
import { mutated } from './goMutations.ts';

// Go packages with the kind Widget, types of all forms around it, and markers in right and wrong places.

const typeNames = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Kappa'];
const fieldNames = ['A', 'B', 'C', 'Name', 'hidden', 'Größe'];
const basics = [
  ...['string', 'string', 'string', 'bool', 'int', 'int32', 'int32', 'int64', 'uint8', 'byte', 'rune', 'uint32'],
  ...['float64', 'int8', 'uintptr', 'any'],
];

/** What is imported where a file speaks of it. */
const imports: Readonly<Record<string, string>> = {
  metav1: 'k8s.io/apimachinery/pkg/apis/meta/v1',
  resource: 'k8s.io/apimachinery/pkg/api/resource',
  runtime: 'k8s.io/apimachinery/pkg/runtime',
  intstr: 'k8s.io/apimachinery/pkg/util/intstr',
  apiextensionsv1: 'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  time: 'time',
  netip: 'net/netip',
  net: 'net',
  url: 'net/url',
  json: 'encoding/json',
  big: 'math/big',
  sync: 'sync',
  debug: 'runtime/debug',
  common: 'example.com/common',
};
const outside = new Set(Object.values(imports).filter((path) => !path.startsWith('example.com/')));
const foreign = [
  ...['metav1.Time', 'metav1.MicroTime', 'metav1.Duration', 'metav1.ObjectMeta', 'resource.Quantity'],
  ...['runtime.RawExtension', 'intstr.IntOrString', 'apiextensionsv1.JSON', 'time.Duration'],
  ...[
    'time.Time',
    'time.Month',
    'netip.Addr',
    'net.IP',
    'net.IPNet',
    'url.URL',
    'url.Values',
    'json.RawMessage',
    'json.Number',
  ],
  ...['big.Int', 'big.Rat', 'sync.Mutex', 'debug.Module', 'netip.Address'],
  ...['common.Thing', 'common.Things', 'common.Word', 'common.Same', 'common.Thing', 'common.Nothing'],
];

/** The types that something can be made of: directly, so that nothing is made of itself without an end, and behind pointers. */
interface Known {
  readonly direct: readonly string[];
  readonly behind: readonly string[];
}

/** Behind pointers and lists kinds stand for themselves as well. */
const behindPointers = [...typeNames, 'Widget'];
const all: Known = { direct: typeNames, behind: behindPointers };

function later(name: string): readonly string[] {
  return typeNames.slice(typeNames.indexOf(name) + 1);
}

const keysOfGo = ['time.Weekday', 'time.Time', 'netip.Addr', 'url.EscapeError'];

function typeText(random: Random, { direct, behind }: Known = all, depth = 2): string {
  const one = random.below(depth > 0 ? 20 : 9);
  const inner = () => typeText(random, { direct: behind, behind }, depth - 1);
  const same = () => typeText(random, { direct, behind }, depth - 1);
  if (one < 4) return random.pick(basics);
  if (one < 8) return random.pick(random.chance(0.97) && direct.length > 0 ? direct : ['Nothing', 'string']);
  if (one < 9) return random.pick(foreign);
  if (one < 11) return `*${inner()}`;
  if (one < 15) return `[]${inner()}`;
  if (one < 16) return random.pick([`[3]${same()}`, `[len("ab")]${same()}`, `[]byte`, `[]uint8`, `[4]byte`]);
  if (one < 19)
    return `map[${random.chance(0.8) ? 'string' : random.pick([...direct, 'int', 'bool', ...keysOfGo])}]${inner()}`;
  return random.pick([`struct {\n\t\tX ${same()} \`json:"x"\`\n\t}`, `(${same()})`, 'interface{}', `Box[${same()}]`]);
}

// Markers

const wrongValues = ['', 'abc', '1.5', '-1', '{a', '"open', 'a;b', '{a: 1}', 'true', '99999999999999999999', 'null'];
const valuesOf: Readonly<Record<ArgumentType['kind'], readonly string[]>> = {
  string: ['abc', '"a b"', '`^[a-z]+$`', '""', 'a.b/c', 'é', "'q'", '"a\\"b"', 'v1'],
  int: ['0', '1', '5', '-1', '0x10', '3000000000'],
  number: ['0', '1', '1.5', '-0.5', '1e3', '5.0', '100'],
  bool: ['true', 'false'],
  any: ['abc', '1', '1.5', 'true', '"x"', '{a,b}', '{a: 1}', '{}', '{"k": {1,2}}', 'a;b', '{{a: 1},{a: 2}}'],
  raw: ['x', 'a,b'],
  list: [],
  map: ['{a: 1}', '{}'],
};

function valueText(random: Random, type: ArgumentType, usual: readonly string[]): string {
  if (random.chance(0.01)) return random.pick(wrongValues);
  if (type.kind !== 'list') return random.pick(usual.length > 0 && random.chance(0.8) ? usual : valuesOf[type.kind]);
  const items = Array.from({ length: 1 + random.below(3) }, () => valueText(random, type.of, usual));
  return random.chance(0.5) ? items.join(';') : `{${items.join(',')}}`;
}

const jsonValues = ['"a"', '1', '1.5', 'true', '{"a": 1}', '["a", "b"]', 'null', '{}', '[]'];

function markerText(random: Random, { name, arguments: known, reads }: MarkerDefinition): string {
  if (reads === 'json') return `+${name}=${random.pick(jsonValues)}`;
  if (name.endsWith('OneOf')) return `+${name}=${random.pick(['a;b', 'a', 'a;b;c', '{b,c}', 'a.b'])}`;
  if (known.length === 0) return `+${name}`;
  if (known[0]!.name === '') return `+${name}=${valueText(random, known[0]!.type, known[0]!.values ?? [])}`;
  const given = known.filter(({ optional }) => random.chance(optional ? 0.4 : 0.97));
  const texts = given.map((row) => `${row.name}=${valueText(random, row.type, row.values ?? [])}`);
  return texts.length > 0 ? `+${name}:${texts.join(',')}` : `+${name}`;
}

const ofCrds = allMarkers.filter(({ reader }) => reader === 'crd');

/** Most of the time one that makes sense there. */
function marker(random: Random, target: MarkerTarget, fit?: Fit): string {
  const there = ofCrds.filter(({ targets }) => targets.includes(target));
  const fitting = there.filter(({ fits }) => fit !== undefined && fits?.includes(fit));
  const among = random.chance(0.05) ? allMarkers : fitting.length > 0 && random.chance(0.8) ? fitting : there;
  return markerText(random, random.pick(among));
}

const fits: readonly (readonly [RegExp, Fit])[] = [
  [/^\*?(?:string|\[\]byte|metav1\.Time)$/, 'string'],
  [/^\*?u?(?:int|float)/, 'number'],
  [/^\*?\[/, 'list'],
  [/^\*?map/, 'map'],
  [/^\*?struct/, 'struct'],
];

function fitOf(random: Random, type: string): Fit | undefined {
  const found = fits.find(([pattern]) => pattern.test(type));
  return found?.[1] ?? random.pick(['string', 'number', 'list', 'struct', undefined]);
}

const words = [
  ...[
    'Some words.',
    'More words,\tand a tab.',
    'TODO: mend',
    '---',
    '```',
    'a: b',
    '😀 é',
    '',
    ' indented',
    '+ no marker',
  ],
  ...['Deprecated: not used', 'trailing  '],
];

/** Comments with markers among them, in one or more blocks. */
function comments(random: Random, target: MarkerTarget, indent: string, fit?: Fit): string {
  const lines: string[] = [];
  for (let i = random.pick([0, 1, 1, 2, 3]); i > 0; i--) {
    if (random.chance(0.7)) lines.push(`${indent}// ${marker(random, target, fit)}`);
    else if (random.chance(0.9)) lines.push(`${indent}//${random.pick([' ', ' ', ''])}${random.pick(words)}`);
    else lines.push(`${indent}/* ${random.pick(words)}\n${indent}   ${random.pick(words)} */`);
    if (random.chance(0.08)) lines.push('');
  }
  return lines.map((line) => `${line}\n`).join('');
}

// Fields

function tag(random: Random, name: string): string {
  const json = name.toLowerCase();
  if (random.chance(0.93)) return ` \`json:"${json}${random.pick(['', ',omitempty', ',omitempty', ',omitzero'])}"\``;
  return random.pick([
    ...['', ' `json:"-"`', ' `json:"-,"`', ' `json:",omitempty"`', ' `json:""`', ` \`json:"${json},inline"\``],
    ...[
      ` "json:\\"${json}\\""`,
      ` \`yaml:"x" json:"${json}"\``,
      ` \`json: "${json}"\``,
      ` \`json:"${json}" json:"z"\``,
    ],
    ...[` \`json:"${json},string,omitempty"\``, ` \`x json:"${json}"\``, ` \`json:"${json}\``, ' ``'],
  ]);
}

function field(random: Random, names: string[], known: Known): string {
  if (random.chance(0.12) || names.length === 0) {
    const type = random.pick([
      ...known.direct,
      ...known.direct,
      '*Kappa',
      'common.Thing',
      'Box[string]',
      'metav1.Time',
      ...['netip.Addr', 'debug.Module', 'time.Time'],
    ]);
    return `${comments(random, 'field', '\t')}\t${type}${random.pick([' `json:",inline"`', ' `json:",inline"`', ' `json:"e"`', ''])}\n`;
  }
  const name = names.splice(random.below(names.length), 1)[0]!;
  const more = random.chance(0.02) && names.length > 0 ? `, ${names.pop()}` : '';
  const type = typeText(random, known);
  const behind = random.chance(0.05) ? ` // ${random.pick([marker(random, 'field'), ...words])}` : '';
  return `${comments(random, 'field', '\t', fitOf(random, type))}\t${name}${more} ${type}${tag(random, name)}${behind}\n`;
}

function structText(random: Random, known = all): string {
  const names = [...fieldNames];
  const fields = Array.from({ length: random.pick([0, 1, 1, 2, 2, 3, 4]) }, () => field(random, names, known));
  const last = random.chance(0.03) ? comments(random, 'field', '\t') : '';
  return `struct {\n${fields.join('')}${last}}`;
}

// Declarations

const marshalers = [
  'MarshalJSON() ([]byte, error) { return nil, nil }',
  'MarshalText() ([]byte, error) { return nil, nil }',
  'MarshalText() (text []byte, err error) { return nil, nil }',
  'MarshalJSON() (out []byte, err error) { return nil, nil }',
  'MarshalJSON() string { return "" }',
  'MarshalText(a int) ([]byte, error) { return nil, nil }',
  'MarshalJSON() ([]uint8, error) { return nil, nil }',
];

function constants(random: Random, name: string): string {
  const values = Array.from({ length: 1 + random.below(3) }, (_, i) => `${name}${i}`);
  const type = random.pick([` ${name}`, ` ${name}`, '']);
  const rows = values.map(
    (one) => `\t${one}${type} = ${random.pick([`"${one}"`, '`raw`', `${name}("x")`, '"a" + "b"'])}`,
  );
  return `const (\n${rows.join('\n')}\n)\n\n`;
}

/** The type behind a name, and what comes with it. */
function declared(random: Random, name: string): { readonly type: string; readonly more: string; readonly fit?: Fit } {
  const one = random.below(20);
  const known = { direct: later(name), behind: later(name) };
  const more = random.chance(0.06) ? `func (x ${random.pick(['', '*'])}${name}) ${random.pick(marshalers)}\n\n` : '';
  if (one < 9) return { type: structText(random, { ...known, behind: behindPointers }), more, fit: 'struct' };
  if (one < 12)
    return { type: 'string', more: more + (random.chance(0.4) ? constants(random, name) : ''), fit: 'string' };
  if (one < 13) return { type: random.pick(basics), more };
  if (one < 15) return { type: `= ${typeText(random, known)}`, more: '' };
  const type = typeText(random, known);
  const fit = fitOf(random, type);
  return { type, more, ...(fit && { fit }) };
}

function typeDeclaration(random: Random, name: string): string {
  const { type, more, fit } = declared(random, name);
  const above = comments(random, 'type', '', fit);
  if (random.chance(0.9)) return `${above}type ${name} ${type}\n\n${more}`;
  const inside = comments(random, 'type', '\t', fit);
  return `${above}type (\n${inside}\t${name} ${type}\n)\n\n${more}`;
}

const kindBody = '\tmetav1.TypeMeta `json:",inline"`\n\tmetav1.ObjectMeta `json:"metadata,omitempty"`\n';

function kindText(random: Random, name: string): string {
  const spec = random.chance(0.95) ? 'WidgetSpec' : typeText(random, all);
  const status = random.chance(0.2)
    ? `${comments(random, 'field', '\t')}\tStatus ${random.pick(typeNames)} \`json:"status,omitempty"\`\n`
    : '';
  return `${comments(random, 'type', '')}type ${name} struct {\n${kindBody}\n\tSpec ${spec} \`json:"spec,omitempty"\`\n${status}}\n\n`;
}

function packageText(random: Random, name: string, declarations: readonly string[]): string {
  const text = declarations.join('');
  const used = Object.entries(imports).filter(([name]) => new RegExp(`\\b${name}\\.`).test(text));
  const imported = used.map(([name, from]) => `\t${name} "${from}"\n`).join('');
  const group = random.chance(0.97) ? '// +groupName=example.com\n' : '';
  const other = random.chance(0.1) ? `// ${marker(random, 'package')}\n` : '';
  const apart = random.chance(0.1) ? `${comments(random, 'package', '')}\n` : '';
  return `${group}${other}package ${name}\n\nimport (\n${imported})\n\n${apart}${text}`;
}

function version(random: Random, name: string): string {
  const box = ['type Box[T any] struct {\n\tItem T `json:"item"`\n}\n\n'];
  const declarations = [
    kindText(random, 'Widget'),
    `${comments(random, 'type', '', 'struct')}type WidgetSpec ${structText(random)}\n\n`,
    ...typeNames.map((one) => typeDeclaration(random, one)),
    ...box,
    ...(random.chance(0.15) ? [kindText(random, 'Gadget')] : []),
  ];
  return packageText(random, name, declarations);
}

function common(random: Random): string {
  return packageText(random, 'common', [
    `${comments(random, 'type', '', 'struct')}type Thing ${structText(random)}\n\n`,
    `${comments(random, 'type', '', 'list')}type Things []${typeText(random, all, 1)}\n\n`,
    `${comments(random, 'type', '', 'string')}type Word ${random.pick(basics)}\n\n`,
    `type Same = ${typeText(random, all, 1)}\n\n`,
    ...typeNames.map((name) => typeDeclaration(random, name)),
  ]).replace('// +groupName=example.com\n', '');
}

function files(random: Random): Record<string, string> {
  const out: Record<string, string> = { 'v1/types.go': version(random, 'v1') };
  if (random.chance(0.1)) out['v2/types.go'] = version(random, 'v2');
  const speaksOfCommon = Object.values(out).some((text) => text.includes('"example.com/common"'));
  if (speaksOfCommon)
    out['common/common.go'] = common(random)
      .replaceAll('common.', '')
      .replaceAll('Widget', 'Alpha')
      .replace(/\tcommon .*\n/, '');
  return out;
}

// Options

const optionTexts: readonly ((random: Random) => string)[] = [
  ...['generateEmbeddedObjectMeta', 'allowDangerousTypes', 'generateEmbeddedObjectMeta', 'allowDangerousTypes'].map(
    (name) => () => `${name}=true`,
  ),
  (random) => `generateEmbeddedObjectMeta=${random.chance(0.5)}`,
  (random) => `allowDangerousTypes=${random.chance(0.5)}`,
  (random) => `ignoreUnexportedFields=${random.chance(0.8)}`,
  (random) => `deprecatedV1beta1CompatibilityPreserveUnknownFields=${random.chance(0.5)}`,
  (random) => `omitToolVersion=${random.chance(0.8)}`,
  (random) => `maxDescLen=${random.pick([0, 0, -1, 1, 3, 5, 8, 10, 12, 20, 40, 80, 200])}`,
  (random) => `crdVersions=${random.pick(['v1', '{v1}', '"v1"'])}`,
  (random) => `headerFile=${random.pick([headerName, `"${headerName}"`])}`,
  (random) => `year=${random.pick(['2026', '"2026"', '20-26'])}`,
];
const headerName = 'hack/header.txt';
const headers = ['# Copyright YEAR A\n', '# a YEAR, b YEARS, cYEAR', ''];

/** Some options of the generator; of each at most one. */
function options(random: Random): string {
  const texts = Array.from({ length: 1 + random.below(4) }, () => random.pick(optionTexts)(random));
  const byName = new Map(texts.map((text) => [text.split('=')[0], text]));
  return `crd:${[...byName.values()].join(',')}`;
}

export const goGenerator: Generator = {
  name: 'go',
  oracle: 'golang',
  generate(random): Ask {
    const made = files(random);
    const obj = random.chance(0.5) ? made : { ...made, 'v1/types.go': mutated(random, made['v1/types.go']!) };
    if (random.chance(0.3)) return { op: 'go.crd', obj, texts: true };
    const given = options(random);
    const header = given.includes(headerName) ? { [headerName]: random.pick(headers) } : {};
    return { op: 'go.crd', obj: { ...obj, ...header }, options: given, texts: true };
  },
  together: (asks) => ({
    op: 'go.crd',
    modules: asks.map(({ obj }) => obj),
    eachOptions: asks.map(({ options }) => options ?? ''),
    texts: true,
  }),
  kindOf: (rows) =>
    (rows[0] ?? '')
      .replace(/\d+/g, '')
      .replace(/(?:Alpha|Beta|Gamma|Delta|Kappa)/g, '')
      .slice(0, 120),
  smaller: smallerFiles,
  explain: explained,
};

function explained({ obj }: Ask, rows: readonly string[]): string | undefined {
  if (rows.some((row) => row.startsWith('.stored.endless'))) return 'has types without an end, which are not asked';
  const broken = rows.find((row) => row.startsWith('.stored.broken'));
  if (broken !== undefined) return broken.includes('ours undefined') ? 'is not Go, which goes unnoticed' : undefined;
  // Of what is not Go the oracle says no more among many.
  if (rows.some((row) => row.startsWith('.stored.by'))) return 'is not Go';
  const isBrokenGo = packagesOf(obj as Record<string, string>).some(isBroken);
  if (isBrokenGo && rows.every((row) => row.startsWith('.stored.errors'))) return 'is not Go, in other words';
  // In a link the folder of one among many that are asked together stays.
  if (rows.some((row) => /example\.com~1m\d+~1/.test(row))) return 'has a link that leads nowhere';
  const why = whyNotCompiled(Object.values(obj as Record<string, string>).join('\n'));
  if (why !== undefined) return why;
  if (rows.some((row) => escapedName.test(row))) return 'has a name that files of ours do not have';
  if (rows.some((row) => row.startsWith('.panic'))) return 'controller-gen panics';
  const files = obj as Record<string, string>;
  // What a type of a module that is not here is made of, a key of it included, is not known.
  if (rows.some((row) => /map keys must be .*(?:protobuf:|k8s\.io\/apimachinery)/.test(row)))
    return 'is made of a type that is not here';
  const packages = packagesOf(files);
  if (packages.some(declaresTwice)) return 'declares a type twice';
  const own = new Set(packages.map(({ path }) => path));
  const imported = packages.flatMap((one) => one.files.flatMap(({ go }) => go.imports));
  const isThere = ({ path }: { readonly path: string }) => own.has(path) || outside.has(path);
  if (!imported.every(isThere)) return 'imports what is not there';
  // controller-gen goes on without that package's types, and we with them.
  if (packages.length > 1 && packages.some(hasMistakes)) return 'has a package with markers that cannot be read';
  // Packages that are only spoken of where no tag is are not read, unless others of the same batch have asked for them.
  const isWhole = Object.values(files).some((text) => text.includes('`json:"metadata,omitempty"`'));
  return isWhole ? undefined : 'has no kind any more';
}

/** Characters of groups and plurals that names of files have escaped: controller-gen writes into folders of those names. */
const escapedName = /^\.(?:stored\.crds|texts)\.[^:]*%[0-9a-f]{2}/;

function declaresTwice({ files }: GoPackage): boolean {
  const names = files.flatMap(({ go }) => go.types.map(({ name }) => name));
  return new Set(names).size < names.length;
}

/** What Go refuses when it compiles a package, which controller-gen does not do. */
function whyNotCompiled(text: string): string | undefined {
  const receivers = [...text.matchAll(/^func \(\w+ \*?(\w+)\)/gm)].map(([, name]) => name);
  const hasNone = (name = '') =>
    new RegExp(`^\\s*(?:type )?${name} =? ?\\(*(?:\\*|interface\\b|any\\b)`, 'm').test(text);
  if (receivers.some(hasNone)) return 'has a method of a pointer or an interface';
  return undefined;
}

function* smallerFiles({ obj, ...rest }: Ask): Iterable<Ask> {
  const given = rest.options;
  if (typeof given === 'string') {
    const { options: _, ...without } = rest;
    yield { ...without, obj };
    const texts = given.slice('crd:'.length).split(/,(?![^{]*\})/);
    if (texts.length > 1) {
      for (const one of texts) yield { ...rest, options: `crd:${texts.filter((text) => text !== one).join(',')}`, obj };
    }
  }
  const files = Object.entries(obj as Record<string, string>);
  for (const [name] of files) yield { ...rest, obj: Object.fromEntries(files.filter(([other]) => other !== name)) };
  for (const [name, text] of files) {
    for (const cut of lineCuts(text)) yield { ...rest, obj: { ...Object.fromEntries(files), [name]: cut } };
  }
}
