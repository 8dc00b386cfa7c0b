import { type BuiltinKind, type BuiltinKinds, builtinKindsOf } from '../../../server/src/kubernetes/builtin/kinds.ts';
import { guessedResources } from '../../../server/src/kubernetes/policy/watchedKinds.ts';
import { kubernetesVersions, newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import type { Random } from '../../support/random.ts';
import { builtinFile } from '../../support/workspace.ts';
import type { Generator } from '../generator.ts';

// Policies whose expressions read what the objects that they look at have, and here and there what they do not have.

interface Fields {
  readonly [name: string]: Shape;
}

/** What an expression can go on with: the fields of an object, or the items of a list or map. */
interface Shape {
  readonly fields?: () => Fields;
  readonly items?: () => Shape;
  readonly isMap?: true;
}

interface Watched {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly shape: Shape;
}

let held: readonly Watched[] | undefined;

/** The built-in kinds that all releases serve. */
function builtins(): readonly Watched[] {
  const all = kubernetesVersions.map((version) => builtinKindsOf(builtinFile(), version));
  const kinds = builtinKindsOf(builtinFile(), newestVersion);
  held ??= [...kinds.kinds]
    .filter(([key]) => all.every((one) => one.kinds.get(key)?.isGone === false))
    .map(([, kind]) => watched(kinds, kind));
  return held;
}

function watched(kinds: BuiltinKinds, { group, version, kind, root }: BuiltinKind): Watched {
  return { group, version, kind, resource: guessedResources(kind)[0]!, shape: objectShape(kinds, root) };
}

function objectShape(kinds: BuiltinKinds, id: string): Shape {
  type Field = ReturnType<BuiltinKinds['object']>['fields'][number];
  const shapeOf = (type: Field['type']): Shape => {
    if (type.is === 'object') return objectShape(kinds, type.id);
    if (type.is === 'list') return { items: () => shapeOf(type.of) };
    return type.is === 'map' ? { items: () => shapeOf(type.of), isMap: true } : {};
  };
  return { fields: () => Object.fromEntries(kinds.object(id).fields.map(({ name, type }) => [name, shapeOf(type)])) };
}

type Schema = { readonly [keyword: string]: unknown };

const leaves: readonly Schema[] = [
  ...['string', 'integer', 'number', 'boolean'].map((type) => ({ type })),
  ...['date', 'date-time', 'duration', 'byte', 'uuid'].map((format) => ({ type: 'string', format })),
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'string', nullable: true, maxLength: 5n },
];

const names = ['size', 'a', 'in', 'namespace', 'a-b', 'x.y', '__a', 'metadata', 'kind', 'items', 'labels'];

function schema(random: Random, depth: number): Schema {
  if (depth === 0 || random.chance(0.3)) return random.pick(leaves);
  if (random.chance(0.3)) return { type: 'array', items: schema(random, depth - 1) };
  if (random.chance(0.2)) return { type: 'object', additionalProperties: schema(random, depth - 1) };
  const properties = Object.fromEntries(names.filter(() => random.chance(0.4)).map((name) => [name, inner(name)]));
  const isEmbedded = Object.keys(properties).length > 0 && random.chance(0.2);
  return { type: 'object', properties, ...(isEmbedded ? { 'x-kubernetes-embedded-resource': true } : {}) };

  function inner(name: string): Schema {
    // Of embedded objects these are given.
    if (name === 'metadata') return { type: 'object' };
    return name === 'kind' ? { type: 'string' } : schema(random, depth - 1);
  }
}

function schemaShape({ properties, items, additionalProperties }: Schema): Shape {
  if (items) return { items: () => schemaShape(items as Schema) };
  if (additionalProperties) return { items: () => schemaShape(additionalProperties as Schema), isMap: true };
  if (!properties) return {};
  return {
    fields: () =>
      Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, schemaShape(one as Schema)])),
  };
}

function custom(random: Random): { readonly crd: unknown; readonly watched: Watched } {
  const spec = schema(random, 4);
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
  const metadata = watchedConfigMap().shape.fields!().metadata!;
  const shape = { fields: () => ({ spec: schemaShape(spec), metadata, kind: {} }) };
  return { crd, watched: { group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget', shape } };
}

function watchedConfigMap(): Watched {
  return builtins().find(({ kind }) => kind === 'ConfigMap')!;
}

const wrong = ['nowhere', 'nmae', 'spec', 'a', 'size'];
const literals = [
  '1',
  '1u',
  '1.5',
  "'a'",
  'true',
  'null',
  "b'a'",
  "duration('1s')",
  "timestamp('2020-01-01T00:00:00Z')",
];

/** A way into an object, now and then a wrong one. */
function way(random: Random, from: string, shape: Shape, depth = 0): string {
  if (depth > 7 || random.chance(depth > 2 ? 0.25 : 0.03)) return from;
  if (random.chance(0.02)) return `${from}.${random.pick(wrong)}`;
  if (shape.fields) {
    const fields = Object.entries(shape.fields());
    const [name, below] = fields.length === 0 ? [random.pick(wrong), {}] : random.pick(fields);
    const written = random.chance(0.8) ? escaped(name) : name;
    return way(random, `${from}${random.chance(0.05) ? '.?' : '.'}${written}`, below, depth + 1);
  }
  if (!shape.items) return from;
  const step = shape.isMap ? random.pick(['.a', "['a']"]) : random.pick(['[0]', '[0]', "['a']"]);
  return way(random, `${from}${step}`, shape.items(), depth + 1);
}

function escaped(name: string): string {
  const dashed = name.replace(/__/g, '__underscores__').replace(/\./g, '__dot__').replace(/-/g, '__dash__');
  return ['in', 'namespace', 'for', 'if', 'package', 'const', 'import'].includes(dashed) ? `__${dashed}__` : dashed;
}

function expression(random: Random, roots: readonly (readonly [string, Shape])[]): string {
  const read = () => {
    const [name, shape] = random.pick(roots);
    return way(random, name, shape);
  };
  const one = read();
  switch (random.below(8)) {
    case 0:
      return `has(${one})`;
    case 1:
      return one;
    case 2:
      return `${one} == ${read()}`;
    case 3:
      return `${one}.all(x, x == ${random.pick(literals)})`;
    case 4:
      return `${one}.size() > 1 && ${expression(random, roots)}`;
    case 5:
      return `${random.pick(literals)} in ${one}`;
    default:
      return `${one} ${random.pick(['==', '!=', '<', '+', '>='])} ${random.pick(literals)}`;
  }
}

export const typingGenerator: Generator = {
  name: 'typing',
  generate: (random) => {
    const own = custom(random);
    const kinds = Array.from({ length: 1 + random.below(3) }, () =>
      random.chance(0.3) ? own.watched : random.pick(builtins()),
    );
    const params = random.chance(0.4)
      ? random.pick([watchedConfigMap(), own.watched, random.pick(builtins())])
      : undefined;
    const shape = random.pick(kinds).shape;
    const roots: (readonly [string, Shape])[] = [
      ['object', shape],
      ['object', shape],
      ['oldObject', shape],
      ...(params ? [['params', params.shape] as const] : []),
    ];
    const variables = Array.from({ length: random.below(3) }, (_, i) => {
      const variable = { name: `v${i}`, expression: expression(random, roots) };
      roots.push([`variables.v${i}`, {}]);
      return variable;
    });
    const validations = Array.from({ length: 1 + random.below(4) }, () => ({
      expression: expression(random, roots),
      ...(random.chance(0.2) ? { messageExpression: expression(random, roots) } : {}),
    }));
    const resourceRules = kinds.map(({ group, version, resource }) => ({
      apiGroups: [group],
      apiVersions: [version],
      operations: ['*'],
      resources: [resource],
    }));
    const apiVersion = params && (params.group === '' ? params.version : `${params.group}/${params.version}`);
    const obj = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'p.example.com' },
      spec: {
        ...(params ? { paramKind: { apiVersion, kind: params.kind } } : {}),
        matchConstraints: { resourceRules },
        variables,
        validations,
      },
    };
    return { op: 'policy.types', obj, crds: [own.crd] };
  },
  explain: (_, rows) => {
    const texts = new Set(rows.map((row) => row.replace(/only (?:ours|theirs)/, '').replace(/_var\d+/g, '_var')));
    return texts.size * 2 === rows.length ? 'type variables have other numbers' : undefined;
  },
};
