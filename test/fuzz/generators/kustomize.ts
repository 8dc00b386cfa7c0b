import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';
import { Raw, type Tree, yamlOf } from './kustomizeTrees.ts';

type Fields = Record<string, Tree>;
type Files = Record<string, string>;

/** Trees of bases, components and overlays, with everything that a kustomization can say. */
export const kustomizeGenerator: Generator = {
  name: 'kustomize',
  oracle: 'made',
  generate: (random) => ({ op: 'kustomize', path: '/overlay', files: tree(random) }),
  kindOf: (rows) =>
    rows
      .map((row) => row.replace(/"[^"]*"|\d+/g, '').slice(0, 80))
      .join('; ')
      .slice(0, 160),
  smaller,
  // Go sorts its tables with an order that is not stable, and prints them whole.
  explain: (_ask, rows) =>
    rows.every((row) => /merging config &\{/.test(row)) ? 'printed tables in another order' : undefined,
};

/** Without a file, without a line, without a part of a kustomization. */
function* smaller(ask: Ask): Iterable<Ask> {
  const files = ask.files as Files;
  for (const name of Object.keys(files)) {
    const { [name]: _, ...rest } = files;
    yield { ...ask, files: rest };
  }
  for (const [name, text] of Object.entries(files)) {
    const lines = text.split('\n');
    for (let size = Math.max(1, lines.length >> 1); size >= 1; size >>= 1) {
      for (let at = 0; at + size <= lines.length; at += size) {
        const cut = [...lines.slice(0, at), ...lines.slice(at + size)].join('\n');
        if (cut.length < text.length) yield { ...ask, files: { ...files, [name]: cut } };
      }
    }
  }
}

function tree(random: Random, files: Files = {}): Files {
  const made = new Maker(random, files);
  made.folder('/base', 'Kustomization', 3);
  if (random.chance(0.3)) made.folder('/other', 'Kustomization', 2);
  if (random.chance(0.35)) made.folder('/component', 'Component', 1);
  made.folder('/overlay', 'Kustomization', 2);
  return files;
}

/** Files, and the spec of a Kustomization of Flux that applies the folder `/overlay` of them. */
export function treeOfFlux(random: Random): { readonly files: Files; readonly spec: string } {
  const files: Files = {};
  tree(random, files);
  // Without a kustomization Flux makes one of all that is there.
  const hasMore = Object.keys(files).filter((name) => name.startsWith('/overlay/')).length > 1;
  if (hasMore && random.chance(0.2)) delete files['/overlay/kustomization.yaml'];
  const maker = new Maker(random, {});
  const spec: Fields = {};
  if (random.chance(0.4)) spec.targetNamespace = random.pick(namespaces);
  if (random.chance(0.3)) spec.namePrefix = 'flux-';
  if (random.chance(0.2)) spec.nameSuffix = '-flux';
  if (random.chance(0.6)) spec.patches = list(random, () => inlinePatch(maker));
  if (random.chance(0.4)) spec.images = list(random, () => fluxImage(random));
  if (random.chance(0.3)) spec.components = [random.pick(['../component', '../component', '../gone', '/x'])];
  if (random.chance(0.3)) spec.ignoreMissingComponents = true;
  if (random.chance(0.1)) spec.buildMetadata = random.pick<Tree>([['originAnnotations'], []]);
  return { files, spec: JSON.stringify(spec) };
}

/** Files, and `source.kustomize` of an Application of Argo CD that applies the folder `/overlay` of them. */
export function treeOfArgo(random: Random): { readonly files: Files; readonly kustomize: Fields } {
  const files: Files = {};
  tree(random, files);
  const maker = new Maker(random, {});
  const kustomize: Fields = {};
  if (random.chance(0.2)) kustomize.namespace = random.pick(namespaces);
  if (random.chance(0.3)) kustomize.namePrefix = 'argo-';
  if (random.chance(0.2)) kustomize.nameSuffix = '-argo';
  if (random.chance(0.5)) kustomize.patches = list(random, () => inlinePatch(maker));
  if (random.chance(0.4)) kustomize.images = list(random, () => argoImage(random));
  if (random.chance(0.1)) kustomize.replicas = [{ name: random.pick(['a', 'b']), count: random.pick([2, '3', 'x']) }];
  if (random.chance(0.3)) kustomize.commonLabels = argoPairs(random);
  for (const flag of ['forceCommonLabels', 'labelWithoutSelector', 'labelIncludeTemplates', 'forceCommonAnnotations'])
    if (random.chance(0.4)) kustomize[flag] = true;
  if (random.chance(0.3)) kustomize.commonAnnotations = argoPairs(random);
  if (random.chance(0.3)) kustomize.components = [random.pick(['../component', '../component', '../gone', '/x'])];
  if (random.chance(0.5)) kustomize.ignoreMissingComponents = true;
  return { files, kustomize };
}

function argoImage(random: Random): string {
  const { name, newName, newTag, digest } = imageEntry(random) as Record<string, string>;
  const rest = `${newTag ? `:${newTag}` : ''}${digest ? `@${digest}` : ''}`;
  return newName || random.chance(0.2) ? `${name}=${newName ?? '*'}${rest}` : `${name}${rest || ':1'}`;
}

/** One pair: of several, Go takes any one first. */
function argoPairs(random: Random): Fields {
  return { [random.pick(['app', 'a', 'b/c', 'team'])]: random.pick(['x', '', '"q"', 'a:b', "'"]) };
}

function inlinePatch(maker: Maker): Fields {
  const { path: _, options: __, ...made } = patch(maker, '', 0);
  return { ...made, patch: made.patch ?? smText(maker) };
}

function fluxImage(random: Random): Fields {
  const { tagSuffix: _, ...made } = imageEntry(random);
  return made;
}

class Maker {
  readonly random: Random;
  readonly files: Files;
  /** Resources so far, to patch and to refer to. */
  readonly known: Fields[] = [];

  constructor(random: Random, files: Files) {
    this.random = random;
    this.files = files;
  }

  folder(folder: string, kind: 'Kustomization' | 'Component', most: number): void {
    const { random, files } = this;
    const fields: Fields = {};
    if (random.chance(0.7) || kind === 'Component') {
      fields.apiVersion = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
      fields.kind = kind;
    }
    const resources: string[] = [];
    if (folder === '/overlay') {
      resources.push('../base');
      if ('/other/kustomization.yaml' in files) resources.push('../other');
      if ('/component/kustomization.yaml' in files) fields.components = ['../component'];
    }
    for (let i = random.below(most + 1); i > 0; i--) resources.push(this.resourceFile(folder, i));
    if (resources.length > 0 || random.chance(0.5)) fields[random.chance(0.03) ? 'bases' : 'resources'] = resources;
    for (const [name, make] of Object.entries(parts))
      if (random.chance(oftenOf(name))) Object.assign(fields, make(this, folder));
    files[`${folder}/kustomization.yaml`] = yamlOf(random, fields);
  }

  resourceFile(folder: string, i: number): string {
    const { random } = this;
    const count = random.chance(0.7) ? 1 : 1 + random.below(3);
    const docs = Array.from({ length: count }, () => this.resource());
    const text = random.chance(0.05)
      ? yamlOf(random, { apiVersion: 'v1', kind: random.pick(['List', 'ConfigMapList', 'FooList']), items: docs })
      : docs.map((doc) => yamlOf(random, doc)).join(random.pick(['---\n', '---\n', '--- # c\n', '\n---\n']));
    this.files[`${folder}/r${i}.yaml`] = text;
    return random.chance(0.1) ? `./r${i}.yaml` : `r${i}.yaml`;
  }

  resource(): Fields {
    const { random } = this;
    const made = random.pick(kinds)(random);
    if (random.chance(0.03)) delete made.metadata;
    this.known.push(made);
    return made;
  }

  target(): Fields {
    return this.known.length > 0 ? this.random.pick(this.known) : configMap(this.random);
  }
}

const often: Readonly<Record<string, number>> = {
  patches: 0.5,
  configMapGenerator: 0.3,
  namePrefix: 0.3,
  namespace: 0.3,
};

function oftenOf(name: string): number {
  return Object.hasOwn(often, name) ? often[name]! : 0.13;
}

const names = ['web', 'db', 'app', 'cfg', 'x'] as const;
const namespaces = ['one', 'two', 'default'] as const;

function nameOf(random: Random): string {
  return random.pick(names);
}

function metadata(random: Random): Fields {
  const meta: Fields = { name: nameOf(random) };
  if (random.chance(0.25)) meta.namespace = random.pick(namespaces);
  if (random.chance(0.3)) meta.labels = entries(random);
  if (random.chance(0.3)) meta.annotations = entries(random);
  return meta;
}

const odd = [
  '1',
  'yes',
  'a: b',
  ' lead',
  'tail ',
  '',
  '0x1F',
  '1e3',
  '2020-01-01',
  'null',
  '~',
  '#c',
  'é',
  '"q"',
  "it's",
  'on',
  '1_000',
  '<a>&',
];
const raws = [
  'yes',
  '0x1F',
  '1e3',
  '2020-01-01',
  '~',
  '1.0',
  '0o17',
  '017',
  '.5',
  '1_000',
  '12345678',
  '1.5e300',
  '!!str 5',
  '!!int "5"',
  '9007199254740993',
  'off',
  '-0',
  '.inf',
];
const long = 'a text that is long enough to be broken into lines where it is printed, since it goes on and on';
const lines = ['a\nb\n', 'a\n  b\nc\n', 'x\n\ny', '\nlead', 'a \nb', 'tab\there\n', 'one\n\n\ntwo\n\n'];

function scalar(random: Random): Tree {
  const kind = random.below(14);
  if (kind < 6) return random.pick(['a', 'b', 'value', 'some-text', 'c1']);
  if (kind === 6) return random.pick(odd);
  if (kind === 7) return random.pick([true, false]);
  if (kind === 8) return random.pick([0, 1, 80, 3.5, 1234567]);
  if (kind === 9) return new Raw(random.pick(raws));
  if (kind === 10) return random.chance(0.4) ? long : random.pick(lines);
  return random.chance(0.2) ? null : 'd';
}

function text(random: Random): string {
  return random.chance(0.8) ? random.pick(['a', 'b', 'c', 'v1']) : random.pick(odd);
}

const keys = ['app', 'tier', 'a.b/c', 'k1', 'x', 'y'] as const;

function entries(random: Random, value: (random: Random) => Tree = text): Fields {
  const made: Fields = {};
  for (let i = 1 + random.below(3); i > 0; i--)
    made[random.pick(keys)] = random.chance(0.05) ? scalar(random) : value(random);
  return made;
}

const imageNames = ['nginx', 'repo/app', 'gcr.io:5000/x/y', 'redis'] as const;

function image(random: Random): string {
  return random.pick(imageNames) + random.pick(['', ':1.0', ':1.0', '@sha256:abc', ':1@sha256:abc', ':latest']);
}

function container(random: Random): Fields {
  const made: Fields = { name: random.pick(['main', 'side', 'init']), image: image(random) };
  if (random.chance(0.4)) made.env = list(random, env);
  if (random.chance(0.3)) made.ports = list(random, port);
  if (random.chance(0.2)) made.args = list(random, (r) => r.pick(['--a', '$(VAR)', '-x=$(OTHER)', 'plain']));
  if (random.chance(0.2))
    made.volumeMounts = list(random, (r) => ({ name: nameOf(r), mountPath: r.pick(['/a', '/b']) }));
  if (random.chance(0.15))
    made.envFrom = list(random, (r) => ({ [r.pick(['configMapRef', 'secretRef'])]: { name: nameOf(r) } }));
  if (random.chance(0.15)) made.resources = { limits: { cpu: random.pick(['1', '100m']), memory: scalar(random) } };
  return made;
}

function list(random: Random, item: (random: Random) => Tree): Tree[] {
  return Array.from({ length: random.below(3) + (random.chance(0.9) ? 1 : 0) }, () => item(random));
}

function env(random: Random): Fields {
  const name = random.pick(['A', 'B', 'C']);
  if (random.chance(0.6)) return { name, value: random.chance(0.3) ? '$(VAR)-x' : text(random) };
  return {
    name,
    valueFrom: { [random.pick(['configMapKeyRef', 'secretKeyRef'])]: { name: nameOf(random), key: 'k1' } },
  };
}

function port(random: Random): Fields {
  const made: Fields = { containerPort: random.pick([80, 443]) };
  if (random.chance(0.5)) made.protocol = random.pick(['TCP', 'UDP']);
  if (random.chance(0.4)) made.name = random.pick(['http', 'tls']);
  return made;
}

function podSpec(random: Random): Fields {
  const made: Fields = { containers: list(random, container) };
  if (random.chance(0.2)) made.initContainers = list(random, container);
  if (random.chance(0.3)) made.volumes = list(random, volume);
  if (random.chance(0.2)) made.serviceAccountName = nameOf(random);
  if (random.chance(0.15)) made.imagePullSecrets = list(random, (r) => ({ name: nameOf(r) }));
  if (random.chance(0.15)) made.tolerations = list(random, (r) => ({ key: r.pick(keys), operator: 'Exists' }));
  if (random.chance(0.1)) made.nodeSelector = entries(random);
  return made;
}

function volume(random: Random): Fields {
  const source = random.below(3);
  if (source === 0) return { name: nameOf(random), configMap: { name: nameOf(random) } };
  if (source === 1) return { name: nameOf(random), secret: { secretName: nameOf(random) } };
  return { name: nameOf(random), emptyDir: {} };
}

function deployment(random: Random): Fields {
  const kind = random.pick(['Deployment', 'Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet']);
  const template: Fields = { spec: podSpec(random) };
  if (random.chance(0.7)) template.metadata = { labels: entries(random) };
  const spec: Fields = { template };
  if (random.chance(0.5)) spec.replicas = random.pick([1, 2]);
  if (random.chance(0.5)) spec.selector = { matchLabels: entries(random) };
  return { apiVersion: 'apps/v1', kind, metadata: metadata(random), spec };
}

function configMap(random: Random): Fields {
  const made: Fields = { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(random) };
  if (random.chance(0.9)) made.data = entries(random, random.chance(0.3) ? scalar : text);
  if (random.chance(0.05)) made.binaryData = { b: 'AAEC' };
  const json = '{"a": {"b": [1, {"name": "x", "v": "y"}]}}';
  if (random.chance(0.1)) made.data = { ...(made.data as Fields | undefined), json };
  return made;
}

function secret(random: Random): Fields {
  return { apiVersion: 'v1', kind: 'Secret', metadata: metadata(random), type: 'Opaque', stringData: entries(random) };
}

function service(random: Random): Fields {
  const ports = list(random, (r) => ({
    port: r.pick([80, 443]),
    ...(r.chance(0.5) ? { protocol: r.pick(['TCP', 'UDP']) } : {}),
    ...(r.chance(0.4) ? { name: r.pick(['http', 'tls']) } : {}),
  }));
  return { apiVersion: 'v1', kind: 'Service', metadata: metadata(random), spec: { selector: entries(random), ports } };
}

function binding(random: Random): Fields {
  const cluster = random.chance(0.5);
  const subjects = list(random, (r) => ({
    kind: r.pick(['ServiceAccount', 'User']),
    name: r.chance(0.3) ? 'default' : nameOf(r),
    ...(r.chance(0.6) ? { namespace: r.pick(namespaces) } : {}),
  }));
  const role = random.pick(['ClusterRole', 'Role']);
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: cluster ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadata(random),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role, name: nameOf(random) },
    subjects,
  };
}

function role(random: Random): Fields {
  const rules = list(random, (r) => ({
    apiGroups: [''],
    resources: ['configmaps'],
    verbs: ['get'],
    resourceNames: list(r, nameOf),
  }));
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: random.pick(['ClusterRole', 'Role']),
    metadata: metadata(random),
    rules,
  };
}

function custom(random: Random): Fields {
  const spec: Fields = {
    list: list(random, (r) => (r.chance(0.7) ? { name: r.pick(['a', 'b']), value: scalar(r) } : scalar(r))),
    map: entries(random, scalar),
    deep: {
      containers: list(random, container),
      ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: nameOf(random) },
    },
  };
  if (random.chance(0.3)) spec.nothing = null;
  if (random.chance(0.2)) spec.empty = random.pick<Tree>([{}, []]);
  return { apiVersion: 'example.com/v1', kind: 'Thing', metadata: metadata(random), spec };
}

function plainKind(random: Random): Fields {
  const kind = random.pick(['Namespace', 'ServiceAccount', 'PersistentVolumeClaim']);
  const made: Fields = { apiVersion: 'v1', kind, metadata: metadata(random) };
  if (kind === 'ServiceAccount' && random.chance(0.5)) made.secrets = list(random, (r) => ({ name: nameOf(r) }));
  if (random.chance(0.1)) (made.metadata as Fields).finalizers = list(random, text);
  return made;
}

function clusterKind(random: Random): Fields {
  const webhooks = list(random, (r) => ({
    name: r.pick(['a.b.c', 'd.e.f']),
    clientConfig: { service: { name: nameOf(r), namespace: r.pick(namespaces) } },
  }));
  if (random.chance(0.5))
    return {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: metadata(random),
      webhooks,
    };
  const spec = { service: { name: nameOf(random), namespace: random.pick(namespaces) }, group: 'g', version: 'v1' };
  return { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: metadata(random), spec };
}

function cronJob(random: Random): Fields {
  const template = { metadata: { labels: entries(random) }, spec: podSpec(random) };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(random),
    spec: { jobTemplate: { spec: { template } } },
  };
}

function ingress(random: Random): Fields {
  const backend = { service: { name: nameOf(random), port: { number: 80 } } };
  const rules = [{ host: 'h', http: { paths: [{ path: '/', backend }] } }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(random),
    spec: { rules, tls: [{ secretName: nameOf(random) }] },
  };
}

function autoscaler(random: Random): Fields {
  const scaleTargetRef = {
    apiVersion: 'apps/v1',
    kind: random.pick(['Deployment', 'StatefulSet']),
    name: nameOf(random),
  };
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(random),
    spec: { scaleTargetRef },
  };
}

const kinds = [
  ...[
    deployment,
    deployment,
    deployment,
    configMap,
    configMap,
    secret,
    service,
    service,
    binding,
    role,
    custom,
    plainKind,
  ],
  ...[clusterKind, cronJob, ingress, autoscaler],
] as const;

type Part = (maker: Maker, folder: string) => Fields;

const parts: Readonly<Record<string, Part>> = {
  namePrefix: ({ random }) => ({ [random.pick(['namePrefix', 'nameSuffix'])]: random.pick(['pre-', '-post', 'x']) }),
  nameSuffix: ({ random }) => ({ nameSuffix: random.pick(['-s', '-t']) }),
  namespace: ({ random }) => ({ namespace: random.pick(namespaces) }),
  commonLabels: ({ random }) => ({ commonLabels: entries(random) }),
  labels: ({ random }) => ({ labels: list(random, label) }),
  commonAnnotations: ({ random }) => ({ commonAnnotations: entries(random) }),
  images: ({ random }) => ({ images: list(random, imageEntry) }),
  replicas: (maker) => ({ replicas: [{ name: nameIn(maker.target()), count: maker.random.below(5) }] }),
  patches: (maker, folder) => ({
    patches: Array.from({ length: 1 + maker.random.below(2) }, (_, i) => patch(maker, folder, i)),
  }),
  patchesStrategicMerge: (maker, folder) => ({ patchesStrategicMerge: [strategic(maker, folder)] }),
  patchesJson6902: (maker) => ({
    patchesJson6902: [{ target: selector(maker, true), patch: yamlOf(maker.random, operations(maker.random)) }],
  }),
  configMapGenerator: (maker, folder) => ({ configMapGenerator: [generator(maker, folder)] }),
  secretGenerator: (maker, folder) => ({
    secretGenerator: [{ ...generator(maker, folder), ...(maker.random.chance(0.3) ? { type: 't' } : {}) }],
  }),
  generatorOptions: ({ random }) => ({ generatorOptions: options(random) }),
  replacements: (maker) => ({ replacements: list(maker.random, () => replacement(maker)) }),
  vars: (maker) => ({ vars: [variable(maker)] }),
  sortOptions: ({ random }) => ({
    sortOptions: random.pick<Tree>([
      { order: 'legacy' },
      { order: 'fifo' },
      { order: 'legacy', legacySortOptions: { orderFirst: ['Service', 'Deployment'], orderLast: ['ConfigMap'] } },
    ]),
  }),
  buildMetadata: ({ random }) => ({
    buildMetadata: random.pick<Tree>([['originAnnotations'], ['transformerAnnotations', 'originAnnotations']]),
  }),
  transformers: (maker, folder) => ({ transformers: [transformer(maker, folder)] }),
  configurations: (maker, folder) => ({ configurations: [configuration(maker, folder)] }),
  odd: ({ random }) =>
    random.chance(0.15)
      ? random.pick<Fields>([
          { unknown: 1 },
          { resources: 'x' },
          { images: { a: 1 } },
          { namespace: 5 },
          { kind: 'Other' },
          { Namespace: 'upper' },
        ])
      : {},
};

function label(random: Random): Fields {
  const made: Fields = { pairs: entries(random) };
  if (random.chance(0.3)) made.includeSelectors = random.chance(0.7);
  if (random.chance(0.3)) made.includeTemplates = true;
  if (random.chance(0.2))
    made.fields = [
      {
        path: random.pick(['spec/map', 'spec/list/value', 'metadata/annotations']),
        kind: 'Thing',
        create: random.chance(0.7),
      },
    ];
  return made;
}

function imageEntry(random: Random): Fields {
  const made: Fields = { name: random.pick(imageNames) };
  if (random.chance(0.5)) made.newTag = random.pick(['2.0', 'v3', '5']);
  if (random.chance(0.4)) made.newName = random.pick(['other/repo', 'nginx']);
  if (random.chance(0.2)) made.digest = 'sha256:def';
  if (random.chance(0.1)) made.tagSuffix = '-x';
  return made;
}

function nameIn(resource: Fields): string {
  const meta = resource.metadata as Fields | undefined;
  return String(meta?.name ?? 'web');
}

function selector({ random, ...maker }: Maker | { random: Random; known: Fields[] }, named = false): Fields {
  const known = maker.known;
  const of = known.length > 0 ? random.pick(known) : {};
  const made: Fields = {};
  if (named || random.chance(0.6))
    made.name = random.chance(0.8) ? nameIn(of) : random.pick(['.*', 'w.*', '(bad', 'web|db']);
  if (random.chance(0.7)) made.kind = random.chance(0.9) ? String(of.kind ?? 'Deployment') : '.*Set';
  if (random.chance(0.15)) made.namespace = random.pick(namespaces);
  if (random.chance(0.15))
    made.labelSelector = random.pick(['app=a', 'tier in (a,b)', '!app', 'app', 'x!=c', 'bad==', 'a b']);
  if (random.chance(0.1)) made.annotationSelector = random.pick(['x=a', 'k1']);
  return made;
}

function operations(random: Random): Tree {
  return list(random, operation);
}

const pointers = [
  ...[
    '/metadata/labels/app',
    '/metadata/annotations/x',
    '/spec/replicas',
    '/spec/template/spec/containers/0/image',
    '/data/k1',
  ],
  ...[
    '/spec/template/spec/containers/-',
    '/spec/list/0',
    '/spec/list/-',
    '/spec/map/a.b~1c',
    '/metadata/name',
    '/spec/template',
    '/none/x',
  ],
  ...[
    '/metadata/labels',
    '/spec/ports/0/port',
    '/spec/template/spec/containers/0/env/-',
    '/spec/list/1/name',
    '/spec/list/9',
    '/spec/list/x',
  ],
] as const;

function operation(random: Random): Fields {
  const op = random.pick(['add', 'add', 'add', 'replace', 'replace', 'remove', 'test', 'move', 'copy', 'odd']);
  const made: Fields = { op, path: random.pick(pointers) };
  if (op === 'move' || op === 'copy') made.from = random.pick(pointers);
  else if (op !== 'remove')
    made.value = random.pick<Tree>([scalar(random), scalar(random), entries(random), [scalar(random)]]);
  return made;
}

function patch(maker: Maker, folder: string, i: number): Fields {
  const { random, files } = maker;
  const isJson = random.chance(0.4);
  const content = isJson ? yamlOf(random, operations(random)) : smText(maker);
  const made: Fields = {};
  if (random.chance(0.5)) made.patch = content;
  else {
    made.path = `patch${i}.yaml`;
    if (random.chance(0.97)) files[`${folder}/patch${i}.yaml`] = content;
  }
  if (random.chance(isJson ? 0.95 : 0.4)) made.target = selector(maker);
  if (random.chance(0.1)) made.options = { [random.pick(['allowNameChange', 'allowKindChange'])]: true };
  return made;
}

function smText(maker: Maker): string {
  const { random } = maker;
  const one = () => yamlOf(random, merge(random, maker.target()));
  return random.chance(0.9) ? one() : `${one()}---\n${one()}`;
}

function strategic(maker: Maker, folder: string): string {
  const content = smText(maker);
  if (maker.random.chance(0.5)) return content;
  maker.files[`${folder}/sm.yaml`] = content;
  return 'sm.yaml';
}

/** A patch of a resource: the parts that name it, and some of the others, changed. */
function merge(random: Random, of: Fields): Fields {
  const meta = (of.metadata ?? { name: 'web' }) as Fields;
  const metadata: Fields = { name: random.chance(0.95) ? meta.name! : nameOf(random) };
  if (meta.namespace !== undefined && random.chance(0.9)) metadata.namespace = meta.namespace;
  if (random.chance(0.2)) metadata.labels = entries(random, (r) => (r.chance(0.3) ? null : text(r)));
  if (random.chance(0.2)) metadata.annotations = random.chance(0.2) ? null : entries(random);
  const made: Fields = { apiVersion: of.apiVersion!, kind: of.kind!, metadata };
  if (random.chance(0.05)) made.$patch = random.pick(['delete', 'replace', 'merge', 'odd']);
  for (const [key, value] of Object.entries(of)) {
    if (key !== 'apiVersion' && key !== 'kind' && key !== 'metadata' && random.chance(0.8))
      made[key] = changed(random, value);
  }
  return made;
}

function changed(random: Random, value: Tree): Tree {
  if (random.chance(0.04)) return null;
  if (Array.isArray(value)) return changedList(random, value);
  if (value === null || typeof value !== 'object' || value instanceof Raw)
    return random.chance(0.5) ? scalar(random) : value;
  const made: Fields = {};
  for (const [key, item] of Object.entries(value)) if (random.chance(0.65)) made[key] = changed(random, item);
  if (random.chance(0.15)) made[random.pick(keys)] = scalar(random);
  if (random.chance(0.05)) made.$patch = random.pick(['delete', 'replace', 'merge', 'odd']);
  return made;
}

function changedList(random: Random, items: readonly Tree[]): Tree {
  const made: Tree[] = items
    .filter(() => random.chance(0.7))
    .map((item) => (random.chance(0.7) ? changedItem(random, item) : item));
  if (random.chance(0.2) && items.length > 0) made.push(changedItem(random, random.pick(items)));
  if (random.chance(0.1))
    made.push(
      random.pick<Tree>([
        { $patch: 'replace' },
        { $patch: 'delete' },
        { name: 'main', $patch: 'delete' },
        scalar(random),
      ]),
    );
  return made;
}

/** Keys by which items are told apart mostly stay. */
function changedItem(random: Random, item: Tree): Tree {
  const made = changed(random, item);
  if (made === null || typeof made !== 'object' || Array.isArray(made) || made instanceof Raw) return made;
  const kept: Fields = {};
  for (const key of ['name', 'containerPort', 'port', 'mountPath', 'protocol']) {
    const old = (item as Fields)[key];
    if (old !== undefined && random.chance(0.85)) kept[key] = old;
  }
  return { ...(made as Fields), ...kept };
}

function generator(maker: Maker, folder: string): Fields {
  const { random, files } = maker;
  const made: Fields = { name: random.chance(0.97) ? nameOf(random) : '' };
  if (random.chance(0.7))
    made.literals = list(random, (r) => r.pick(['a=1', 'b="q"', "c='s'", 'd=x=y', 'e=', 'bad', 'k1=v', 'f="u']));
  if (random.chance(0.3)) {
    files[`${folder}/f.txt`] = random.pick(['text\n', 'no end', '', 'a\tb\n', 'l1\nl2\n', ' lead\n']);
    made.files = [random.pick(['f.txt', 'key=f.txt', 'a=b=c', '=f.txt', 'missing.txt', './f.txt'])];
  }
  if (random.chance(0.3)) {
    files[`${folder}/e.env`] = random.pick([
      'A=1\nB=two words\n',
      '# c\n\nX=y',
      ' L=1\nNOVALUE\n',
      '\ufeffBOM=1\n',
      'Q="x"\r\nR=z\r\n',
    ]);
    made[random.pick(['envs', 'env'])] = 'e.env';
    if ('envs' in made) made.envs = ['e.env'];
  }
  if (random.chance(0.3)) made.behavior = random.pick(['merge', 'replace', 'create']);
  if (random.chance(0.2)) made.namespace = random.pick(namespaces);
  if (random.chance(0.3)) made.options = options(random);
  return made;
}

function options(random: Random): Fields {
  const made: Fields = {};
  if (random.chance(0.4)) made.labels = entries(random);
  if (random.chance(0.4)) made.annotations = entries(random);
  if (random.chance(0.5)) made.disableNameSuffixHash = random.chance(0.8);
  if (random.chance(0.2)) made.immutable = true;
  return made;
}

const fieldPaths = [
  ...[
    'metadata.name',
    'metadata.namespace',
    'data.k1',
    'data.a\\.b/c',
    'spec.replicas',
    'spec.template.spec.containers.0.image',
    'data.[a.b/c]',
  ],
  ...[
    'spec.template.spec.containers.[name=main].image',
    'spec.template.spec.containers.*.image',
    'metadata.labels.app',
    'spec.list.[=a]',
  ],
  ...[
    'spec.map.new',
    'data.json.a.b.0',
    'data.json.a.b.[name=x].v',
    'spec.list.*.value',
    'metadata.annotations.x',
    'spec',
    'spec.list.9',
    'spec.list',
  ],
] as const;

function replacement(maker: Maker): Fields {
  const { random } = maker;
  const made: Fields = {};
  if (random.chance(0.2)) made.sourceValue = text(random);
  else {
    const source = maker.target();
    made.source = {
      kind: source.kind!,
      name: nameIn(source),
      ...(random.chance(0.8) ? { fieldPath: random.pick(fieldPaths) } : {}),
    };
    if (random.chance(0.2))
      (made.source as Fields).options = { delimiter: random.pick(['/', ':', '-']), index: random.below(3) };
  }
  made.targets = list(random, () => {
    const target: Fields = { select: selector(maker), fieldPaths: list(random, (r) => r.pick(fieldPaths)) };
    if (random.chance(0.4))
      target.options = random.pick<Tree>([
        { create: true },
        { delimiter: ':', index: 1 },
        { delimiter: '/', index: -1 },
        { create: true, delimiter: '-' },
      ]);
    if (random.chance(0.2)) target.reject = [selector(maker)];
    return target;
  });
  return made;
}

function variable(maker: Maker): Fields {
  const { random } = maker;
  const target = maker.target();
  const objref: Fields = { apiVersion: target.apiVersion!, kind: target.kind!, name: nameIn(target) };
  const made: Fields = { name: random.pick(['VAR', 'OTHER']), objref };
  if (random.chance(0.6)) made.fieldref = { fieldPath: random.pick(fieldPaths) };
  return made;
}

function transformer(maker: Maker, folder: string): string {
  const { random } = maker;
  const fieldSpecs = [
    {
      path: random.pick(['metadata/name', 'metadata/labels', 'spec/map', 'metadata/annotations']),
      create: random.chance(0.7),
    },
  ];
  const meta = { name: 't' };
  const config = random.pick<() => Fields>([
    () => ({ kind: 'PrefixTransformer', prefix: 'tp-', fieldSpecs }),
    () => ({ kind: 'SuffixTransformer', suffix: '-ts', fieldSpecs }),
    () => ({ kind: 'LabelTransformer', labels: entries(random), fieldSpecs }),
    () => ({ kind: 'AnnotationsTransformer', annotations: entries(random), fieldSpecs }),
    () => ({
      kind: 'NamespaceTransformer',
      metadata: { name: 't', namespace: 'three' },
      unsetOnly: random.chance(0.5),
      setRoleBindingSubjects: random.pick(['none', 'defaultOnly', 'allServiceAccounts', 'bad']),
    }),
    () => ({
      kind: 'PatchTransformer',
      patch: smText(maker),
      ...(random.chance(0.5) ? { target: selector(maker) } : {}),
    }),
    () => ({ kind: 'ReplacementTransformer', replacements: [replacement(maker)] }),
    () => ({ kind: 'ImageTagTransformer', imageTag: imageEntry(random) }),
    () => ({
      kind: 'ReplicaCountTransformer',
      replica: { name: nameOf(random), count: 3 },
      fieldSpecs: [{ path: 'spec/replicas', create: true }],
    }),
    () => ({ kind: 'HashTransformer' }),
  ])();
  const content = yamlOf(random, { apiVersion: 'builtin', metadata: meta, ...config });
  if (random.chance(0.4)) return content;
  maker.files[`${folder}/t.yaml`] = content;
  return 't.yaml';
}

function configuration(maker: Maker, folder: string): string {
  const { random, files } = maker;
  const spec = (path: string): Fields => ({ path, kind: 'Thing', create: random.chance(0.5) });
  files[`${folder}/config.yaml`] = yamlOf(random, {
    nameReference: [
      {
        kind: random.pick(['ConfigMap', 'Deployment']),
        fieldSpecs: [spec('spec/deep/ref/name'), spec('spec/list/name')],
      },
    ],
    varReference: [spec('spec/map'), spec('spec/list/value')],
    ...(random.chance(0.3) ? { images: [spec('spec/deep/image')] } : {}),
    ...(random.chance(0.3) ? { commonLabels: [spec('spec/map')] } : {}),
    ...(random.chance(0.05) ? { odd: 1 } : {}),
  });
  return 'config.yaml';
}
