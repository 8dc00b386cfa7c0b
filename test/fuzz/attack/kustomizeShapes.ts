// Trees of kustomizations that grow: deep, in circles, of aliases, patterns and lists that multiply.

export type Tree = Readonly<Record<string, string>>;

const map = (name: string, more = '') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n${more}`;
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: Math.max(1, count) }, (_, i) => make(i));

/** A folder in the other. */
function chain(count: number): Tree {
  const rows = times(
    count,
    (i) => [`/f${i}/kustomization.yaml`, `resources: [../f${i + 1}]\nnamePrefix: a\n`] as const,
  );
  const last = {
    [`/f${Math.max(1, count)}/kustomization.yaml`]: 'resources: [a.yaml]\n',
    [`/f${Math.max(1, count)}/a.yaml`]: map('a'),
  };
  return { ...Object.fromEntries(rows), ...last, '/o/kustomization.yaml': 'resources: [../f0]\n' };
}

/** Each level has the next one twice. */
function fan(levels: number): Tree {
  const rows = times(levels, (i) => {
    const two = `resources: [../f${i + 1}a, ../f${i + 1}b]\nnameSuffix: -x\n`;
    return [
      [`/f${i}a/kustomization.yaml`, two],
      [`/f${i}b/kustomization.yaml`, two.replace('-x', '-y')],
    ] as const;
  }).flat();
  const last = Math.max(1, levels);
  const ends = ['a', 'b'].flatMap((part) => [
    [`/f${last}${part}/kustomization.yaml`, 'resources: [a.yaml]\n'],
    [`/f${last}${part}/a.yaml`, map(part)],
  ]);
  return { ...Object.fromEntries(rows), ...Object.fromEntries(ends), '/o/kustomization.yaml': 'resources: [../f0a]\n' };
}

/** One chart again and again, with a template that works. */
function charts(count: number): Tree {
  const named = times(count, (i) => `- {name: web, releaseName: r${i}, valuesInline: {n: ${i}}}\n`);
  return {
    '/o/kustomization.yaml': `helmCharts:\n${named.join('')}`,
    '/o/charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    '/o/charts/web/values.yaml': 'n: 1\n',
    '/o/charts/web/templates/a.yaml': `{{ range until 20000 }}{{ end }}${map('{{ .Release.Name }}')}`,
  };
}

function aliases(levels: number): string {
  const rows = times(
    levels,
    (i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}, *a${i}, *a${i}, *a${i}, *a${i}]\n`,
  );
  return `a0: &a0 x\n${rows.join('')}`;
}

const one = (kustomization: string, resource = map('a'), more: Tree = {}): Tree => ({
  '/o/kustomization.yaml': `resources: [a.yaml]\n${kustomization}`,
  '/o/a.yaml': resource,
  ...more,
});

const deployment = (containers: string) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: ${containers}}}}\n`;
const containers = (count: number) => `[${times(count, (i) => `{name: c${i}, image: nginx}`).join(', ')}]`;

/** The Kustomization of Flux that applies the folder. */
export const fluxFile = '/flux.yaml';

const flux = (spec: string) =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: k}\nspec: ${spec}\n`;

/** The Application of Argo CD that applies it. */
export const argoFile = '/argo.yaml';

const argo = (kustomize: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: k}\nspec: {source: {path: o, kustomize: ${kustomize}}}\n`;

export const kustomizeShapes: Readonly<Record<string, (size: number) => Tree>> = {
  charts,
  'a chain of bases': (size) => chain(size / 20),
  'bases that are in two others each': (size) => fan(Math.log2(size)),
  'patches that Flux adds': (size) => ({
    ...one('', times(size / 8, (i) => map(`a${i}`)).join('---\n')),
    [fluxFile]: flux(
      `{patches: [${times(size / 8, (i) => `{patch: '[{op: add, path: /data, value: {a: "${i}"}}]', target: {kind: ConfigMap}}`).join(', ')}]}`,
    ),
  }),
  'images that Flux adds': (size) => ({
    ...one('', map('a')),
    [fluxFile]: flux(`{images: [${times(size / 2, (i) => `{name: a${i}, newTag: b}`).join(', ')}]}`),
  }),
  'labels that Flux adds': (size) => ({
    ...one('', times(size / 8, (i) => map(`a${i}`)).join('---\n')),
    [fluxFile]: flux(`{commonMetadata: {labels: {${times(size / 8, (i) => `a${i}: b`).join(', ')}}}}`),
  }),
  'images that Argo CD sets': (size) => ({
    ...one(`images: [${times(size / 4, (i) => `{name: a${i}, newTag: b}`).join(', ')}]\n`, map('a')),
    [argoFile]: argo(`{images: [${times(size / 4, (i) => `'a${i}=*:c'`).join(', ')}]}`),
  }),
  'labels that Argo CD adds': (size) => ({
    ...one('', times(size / 8, (i) => map(`a${i}`)).join('---\n')),
    [argoFile]: argo(`{labelWithoutSelector: true, commonLabels: {${times(size / 8, (i) => `a${i}: b`).join(', ')}}}`),
  }),
  'variables of Argo CD': (size) => ({
    ...one('', map('a')),
    [argoFile]: argo(`{commonLabels: {a: "${'${$'.repeat(size)}"}, images: ["a:${'$'.repeat(size)}"]}`),
  }),
  'files that Flux finds': (size) => ({
    ...Object.fromEntries(times(size / 8, (i) => [`/o/${'d/'.repeat(i % 50)}a${i}.yaml`, map(`a${i}`)])),
    [fluxFile]: flux('{targetNamespace: a}'),
  }),
  'a circle': () => ({
    '/o/kustomization.yaml': 'resources: [../b]\n',
    '/b/kustomization.yaml': 'resources: [../o]\n',
  }),
  'aliases in a kustomization': (size) =>
    one(`commonAnnotations:\n  ${aliases(size / 500).replaceAll('\n', '\n  ')}\n`),
  'aliases in a resource': (size) => one('', map('a', `data:\n  ${aliases(size / 500).replaceAll('\n', '\n  ')}\n`)),
  'aliases in a patch': (size) =>
    one('patches: [{path: p.yaml}]\n', map('a'), {
      '/o/p.yaml': map('a', `data:\n  ${aliases(size / 500).replaceAll('\n', '\n  ')}\n`),
    }),
  'an alias of what is around it': () => one('', map('a', 'data: &x {a: *x}\n')),
  'merge keys': (size) => one('', map('a', `x: &x {a: 1}\ny: [${times(size / 20, () => '{<<: *x}').join(', ')}]\n`)),
  'many resources': (size) =>
    one('namePrefix: p-\nnamespace: ns\ncommonLabels: {a: b}\n', times(size / 60, (i) => map(`n${i}`)).join('---\n')),
  'many references': (size) =>
    one(
      'namePrefix: p-\n',
      times(
        size / 200,
        (i) =>
          `${map(`n${i}`)}---\n${deployment('[]').replace('name: a', `name: d${i}`).replace('containers: []', `containers: [], volumes: [{name: v, configMap: {name: n${i}}}]`)}`,
      ).join('---\n'),
    ),
  'many generators': (size) =>
    one(`configMapGenerator:\n${times(size / 40, (i) => `- {name: g${i}, literals: [a=1]}\n`).join('')}`),
  'many literals': (size) =>
    one(`configMapGenerator:\n- name: g\n  literals:\n${times(size / 12, (i) => `  - k${i}=v\n`).join('')}`),
  'a list merged into a list': (size) =>
    one('patches: [{path: p.yaml}]\n', deployment(containers(size / 80)), {
      '/o/p.yaml': deployment(containers(size / 80)),
    }),
  'many patches': (size) =>
    one(
      `patches:\n${times(size / 90, (i) => `- {target: {kind: ConfigMap}, patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/d${i}\\", \\"value\\": 1}]"}\n`).join('')}`,
    ),
  'copies of copies': (size) =>
    one(
      `patches:\n- target: {kind: ConfigMap}\n  patch: |\n${times(Math.log2(size) * 4, (i) => `    - {op: copy, from: /data, path: /data/k${i}}\n`).join('')}`,
      map('a', 'data: {a: {b: c}}\n'),
    ),
  'patterns that match in many ways': (size) =>
    one(
      `patches:\n- target: {name: "${'(a|a)*'.repeat(size / 100)}b"}\n  patch: "- {op: remove, path: /x}"\n`,
      map('a'.repeat(200)),
    ),
  'patterns of counts': (size) =>
    one(
      `images: [{name: "${'(x{1,30}){1,30}'.repeat(Math.min(3, size / 1000))}", newTag: a}]\n`,
      deployment(containers(size / 100)),
    ),
  'replacements that double': (size) =>
    one(
      `replacements:\n${times(Math.log2(size) * 2, () => '- source: {kind: ConfigMap, name: a, fieldPath: data}\n  targets: [{select: {kind: ConfigMap}, fieldPaths: [data.x, data.y], options: {create: true}}]\n').join('')}`,
      map('a', 'data: {x: {}, y: {}}\n'),
    ),
  'replacements into all items': (size) =>
    one(
      'replacements:\n- sourceValue: v\n  targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.spec.containers.*.image, "spec.template.spec.containers.[name=c.*].image"]}]\n',
      deployment(containers(size / 40)),
    ),
  'variables in variables': (size) =>
    one(
      `vars: [{name: V, objref: {apiVersion: v1, kind: ConfigMap, name: b}, fieldref: {fieldPath: data.v}}]\nconfigurations: [c.yaml]\n`,
      `${map('b', `data: {v: ${'y'.repeat(Math.sqrt(size))}}\n`)}---\n${map('a', `data: {x: "${'$(V)'.repeat(Math.sqrt(size))}"}\n`)}`,
      { '/o/c.yaml': 'varReference: [{path: data, kind: ConfigMap}]\n' },
    ),
  'field specs': (size) =>
    one('configurations: [c.yaml]\nnamePrefix: p\n', times(20, (i) => map(`a${i}`)).join('---\n'), {
      '/o/c.yaml': `namePrefix:\n${times(size / 30, (i) => `- {path: data/f${i}, create: true}\n`).join('')}`,
    }),
  'labels on labels': (size) => one(`labels:\n${times(size / 30, (i) => `- pairs: {l${i}: v}\n`).join('')}`),
  'deep nesting': (size) => one('', map('a', `data: ${'{a: '.repeat(size / 8)}1${'}'.repeat(size / 8)}\n`)),
  'names of JavaScript': (size) =>
    one(
      `commonLabels: {__proto__: a, constructor: b, toString: c}\npatches: [{path: p.yaml}]\n__proto__: {}\n`,
      map('__proto__', 'data: {__proto__: x, constructor: z}\n'),
      { '/o/p.yaml': map('constructor', `__proto__: {${times(size / 20, (i) => `a${i}: b`).join(', ')}}\n`) },
    ),
  'paths that lead out': (size) =>
    one(
      `resources: [${'../'.repeat(size / 4)}etc/passwd, /etc/passwd, "..", ".", "", "a\\0b"]\n`.replace(
        'resources',
        'crds',
      ),
    ),
  'a sort of many kinds': (size) =>
    one(
      'sortOptions: {order: legacy}\n',
      times(size / 70, (i) => map(`n${i % 7}${i}`).replace('ConfigMap', `K${(i * 7919) % 1000}`)).join('---\n'),
    ),
};
