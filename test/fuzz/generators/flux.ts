import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import { kustomizeGenerator, treeOfFlux } from './kustomize.ts';

/** Objects with variables in all forms, well-formed or not, and Kustomizations that set some of them. */
export const substituteGenerator: Generator = {
  name: 'flux.substitute',
  oracle: 'made',
  generate: (random) => ({
    op: 'flux.substitute',
    object: objectText(random),
    kustomization: kustomizationText(random),
    there: [configMap(random, 'ConfigMap'), configMap(random, 'Secret')],
    strict: random.chance(0.3),
    always: false,
  }),
  kindOf: (rows) =>
    rows
      .map((row) => row.replace(/ours[\s\S]*/, ''))
      .join('; ')
      .slice(0, 120),
  smaller,
  explain: (_, rows) =>
    rows.every((row) => /map key/.test(row)) ? 'what the reader says of keys that are no texts' : undefined,
};

/** Values of releases, and ConfigMaps and Secrets that they read others from. */
export const releaseValuesGenerator: Generator = {
  name: 'flux.values',
  oracle: 'made',
  generate: (random) => ({
    op: 'flux.values',
    own: valuesText(random, 3),
    refs: JSON.stringify(Array.from({ length: 1 + random.below(4) }, () => reference(random))),
    there: [valuesMap(random, 'ConfigMap'), valuesMap(random, 'Secret')],
  }),
  kindOf: (rows) =>
    rows
      .map((row) => row.replace(/ours[\s\S]*/, ''))
      .join('; ')
      .slice(0, 120),
  smaller: function* (ask: Ask) {
    const refs = JSON.parse(String(ask.refs)) as unknown[];
    for (let i = 0; i < refs.length; i++) yield { ...ask, refs: JSON.stringify(refs.filter((_, at) => at !== i)) };
  },
};

/** Folders that a Kustomization applies with all that it can add. */
export const fluxBuildGenerator: Generator = {
  name: 'flux.build',
  oracle: 'made',
  generate: (random) => {
    const { files, spec } = treeOfFlux(random);
    const substitute = random.chance(0.3) ? { postBuild: { substitute: { A: '5', B: 'b' } } } : {};
    return {
      op: 'flux.build',
      path: '/overlay',
      files,
      kustomization: applying({ ...JSON.parse(spec), ...substitute }),
    };
  },
  kindOf: (rows) => kustomizeGenerator.kindOf!(rows),
  explain: (_, rows) => {
    if (rows.every((row) => /unsupported type: map\[interface/.test(row)))
      return 'what is said of keys that are no texts';
    return rows.every((row) => /merging config &\{/.test(row)) ? 'printed tables in another order' : undefined;
  },
  smaller: function* (ask) {
    for (const one of kustomizeGenerator.smaller!(ask)) if (hasFolder(one)) yield one;
    const { spec } = JSON.parse(String(ask.kustomization));
    for (const name of Object.keys(spec)) {
      const { [name]: _, ...rest } = spec;
      yield { ...ask, kustomization: applying(rest) };
    }
  },
};

/** A folder that is not there is another matter. */
function hasFolder({ files }: Ask): boolean {
  return Object.keys(files as object).some((name) => name.startsWith('/overlay/'));
}

export function applying(spec: object): string {
  return JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'k', namespace: 'apps' },
    spec,
  });
}

const names = ['A', 'B', '_c', 'D1', 'nope', 'x'];
const values = [
  '',
  '5',
  'true',
  'foo/bar.baz',
  'héllo',
  'a b',
  '{x: 1}',
  '"q"',
  'aXbXc',
  '007',
  'x: y',
  '- 1',
  '#c',
  '~',
  'ÀÉ',
];
const patterns = ['*', 'a*', '*b', '?', '[a-f]*', 'foo/', '*/', '[', '\\*', 'o', '[^a]', 'é', 'X', '*X', '.'];
const numbers = ['0', '1', '3', '-1', '-2', '99', 'x', ' 1', '2'];

function call(random: Random, depth: number): string {
  const name = random.pick(names);
  const argument = () =>
    depth > 0 && random.chance(0.25) ? call(random, depth - 1) : random.pick([...values, ...patterns]);
  const forms: readonly (() => string)[] = [
    () => `\${${name}}`,
    () =>
      `\${${name}${random.pick([':-', ':=', '=', ':?', ':+', '-', '+', '?'])}${argument()}${random.chance(0.3) ? argument() : ''}}`,
    () => `\${${name}${random.pick([',', ',,', '^', '^^', ',^', '^^^'])}}`,
    () => `\${#${name}}`,
    () => `\${${name}${random.pick(['#', '##', '%', '%%'])}${random.pick(patterns)}}`,
    () => `\${${name}:${random.pick(numbers)}${random.chance(0.5) ? `:${random.pick(numbers)}` : ''}}`,
    () => `\${${name}${random.pick(['/', '//', '/#', '/%'])}${argument()}/${random.chance(0.8) ? argument() : ''}}`,
    () =>
      random.pick([
        '$',
        '$$',
        '${',
        '}',
        '$${A}',
        '$${',
        '${}',
        '${ A}',
        '$A',
        '${A',
        '${A:',
        '${A:é}',
        '\\$',
        '$$$',
        '$$$${A}',
      ]),
  ];
  return random.pick(forms)();
}

function text(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.6) ? call(random, 2) : random.pick(['a', '-', ' ', '.', '1']),
  );
  return parts.join('');
}

function objectText(random: Random): string {
  const data = Array.from({ length: 1 + random.below(4) }, (_, i) => {
    const key = random.chance(0.1) ? text(random) : `k${i}`;
    const value = random.chance(0.15)
      ? [text(random), text(random)]
      : random.chance(0.1)
        ? { in: text(random) }
        : text(random);
    return [key, value] as const;
  });
  const metadata = {
    name: 'a',
    ...(random.chance(0.05) && {
      [random.pick(['labels', 'annotations'])]: {
        'kustomize.toolkit.fluxcd.io/substitute': random.pick(['disabled', 'enabled']),
      },
    }),
  };
  return JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Box', metadata, spec: Object.fromEntries(data) });
}

function kustomizationText(random: Random): string {
  const substitute = Object.fromEntries(
    names.filter(() => random.chance(0.4)).map((name) => [name, random.pick(values)]),
  );
  const from = ['ConfigMap', 'Secret'].filter(() => random.chance(0.4)).map((kind) => ({ kind, name: 'vars' }));
  const postBuild = { ...(random.chance(0.9) && { substitute }), ...(random.chance(0.7) && { substituteFrom: from }) };
  return JSON.stringify({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'k', namespace: 'apps' },
    spec: { postBuild },
  });
}

function configMap(random: Random, kind: string): string {
  const entries = names.filter(() => random.chance(0.4)).map((name) => [name, random.pick(values)] as const);
  return objectOf(kind, 'vars', Object.fromEntries(entries));
}

function objectOf(kind: string, name: string, data: Record<string, string>): string {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const);
  const own = kind === 'Secret' ? Object.fromEntries(encoded) : data;
  return JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace: 'apps' }, data: own });
}

const keys = ['a', 'b', 'c'];
const scalars = ['1', 'true', 'x', '"5"', '1.5', '{}', '[]', '[1, {a: 2}]', '1000000', '0x10', '"true"'];

function valuesText(random: Random, depth: number): string {
  return `{${keys
    .filter(() => random.chance(0.6))
    .map((key) => `${key}: ${depth > 0 && random.chance(0.5) ? valuesText(random, depth - 1) : random.pick(scalars)}`)
    .join(', ')}}`;
}

const targets = ['a', 'a.b', 'a.b.c', 'b[0]', 'b[1].a', 'c[0][1]', 'a\\.b', 'x.y', '', 'a.', '.a', 'a[x]', 'c[0].b'];
const texts = [
  '5',
  'true',
  'null',
  'a,b=2',
  '{1,2}',
  '"5"',
  "'x'",
  'a\\,b',
  '',
  '0',
  '007',
  'x=y',
  '{',
  '-3',
  '"',
  'line\nline',
];

function valuesMap(random: Random, kind: string): string {
  return objectOf(kind, 'vals', {
    'values.yaml': valuesText(random, 2),
    one: random.pick(texts),
    two: random.pick(texts),
  });
}

function reference(random: Random): unknown {
  const kind = random.pick(['ConfigMap', 'Secret']);
  const targetPath = random.chance(0.6) ? random.pick(targets) : undefined;
  const valuesKey = targetPath ? random.pick(['one', 'two']) : random.pick([undefined, 'values.yaml', 'gone']);
  return { kind, name: 'vals', valuesKey, targetPath, optional: random.chance(0.9), literal: random.chance(0.2) };
}

/** Objects with fewer texts, and shorter ones. */
function* smaller(ask: Ask): Iterable<Ask> {
  const object = JSON.parse(String(ask.object)) as { spec: Record<string, unknown> };
  for (const key of Object.keys(object.spec)) {
    const spec = { ...object.spec };
    delete spec[key];
    yield { ...ask, object: JSON.stringify({ ...object, spec }) };
    const value = object.spec[key];
    if (typeof value !== 'string') continue;
    for (let at = 0; at < value.length; at++)
      yield {
        ...ask,
        object: JSON.stringify({
          ...object,
          spec: { ...object.spec, [key]: value.slice(0, at) + value.slice(at + 1) },
        }),
      };
  }
}
