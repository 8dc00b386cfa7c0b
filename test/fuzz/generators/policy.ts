import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

// Policies, bindings and webhooks that are right but for a few fields, and updates of them.

type Json = null | boolean | string | bigint | readonly Json[] | { readonly [key: string]: Json };
type Fields = Readonly<Record<string, Json | undefined>>;

interface Maker {
  readonly random: Random;
  /** How likely a field is wrong. */
  readonly faults: number;
}

function object(fields: Fields): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Json;
}

/** One of the right values, or of the wrong ones. */
function either<T>({ random, faults }: Maker, right: readonly T[], wrong: readonly T[]): T {
  return random.pick(random.chance(faults) ? wrong : right);
}

function sometimes<T>({ random }: Maker, chance: number, make: () => T): T | undefined {
  return random.chance(chance) ? make() : undefined;
}

function several<T>({ random }: Maker, least: number, most: number, make: () => T): T[] {
  return Array.from({ length: least + random.below(most - least + 1) }, make);
}

const long = 'a'.repeat(64);
const badNames = [
  '',
  ' ',
  'A b',
  'a/b/c',
  '/',
  'é',
  '.',
  '..',
  'a/b',
  '-a',
  long,
  `x/${long}`,
  `${'a.'.repeat(130)}b`,
  'x%y',
];

const name = (m: Maker) => either(m, ['a', 'b', 'c.example.com', 'example.com/x'], badNames);

function words(m: Maker, right: readonly string[], wrong: readonly string[]): Json | undefined {
  return sometimes(m, 0.5, () => either<Json>(m, right, [...wrong, '', null]));
}

function selector(m: Maker): Json {
  return object({
    matchLabels: sometimes(m, 0.4, () => {
      return object({
        [either(m, ['a', 'example.com/a'], badNames)]: either<Json>(m, ['b', ''], ['é', long, '-', null]),
      });
    }),
    matchExpressions: sometimes(m, 0.4, () =>
      several(m, 0, 2, () =>
        object({
          key: either<Json>(m, ['a', 'x.io/b'], [...badNames, null]),
          operator: either<Json>(m, ['In', 'NotIn', 'Exists', 'DoesNotExist'], ['in', '', 'Equals', null]),
          values: sometimes(m, 0.6, () => several(m, 0, 2, () => either<Json>(m, ['a', 'b'], ['é', long, null]))),
        }),
      ),
    ),
  });
}

function list(m: Maker, right: readonly string[], wrong: readonly string[]): Json | undefined {
  if (m.random.chance(m.faults)) return m.random.pick<Json | undefined>([undefined, null, [], [null], ['']]);
  return several(m, 1, 2, () => either(m, right, wrong));
}

function rule(m: Maker, isNamed: boolean): Json {
  return object({
    apiGroups: list(m, ['', 'apps'], ['*', 'A b']),
    apiVersions: list(m, ['v1', 'v2'], ['*', '']),
    operations: list(m, ['CREATE', 'UPDATE'], ['*', 'DELETE', 'CONNECT', 'create', '']),
    resources: m.random.chance(0.3)
      ? several(m, 0, 4, () =>
          m.random.pick(['*', '*/*', 'pods', 'pods/*', '*/status', 'pods/status', '', 'a/b/c', '/']),
        )
      : list(m, ['pods', 'deployments/scale'], ['*', '*/*', 'tokenreviews']),
    scope: words(m, ['*', 'Namespaced', 'Cluster'], ['namespaced']),
    resourceNames: isNamed ? sometimes(m, 0.3, () => several(m, 0, 3, () => name(m))) : undefined,
  });
}

function match(m: Maker): Json | undefined {
  if (m.random.chance(m.faults)) return m.random.pick<Json | undefined>([undefined, null, {}]);
  return object({
    matchPolicy: words(m, ['Exact', 'Equivalent'], ['exact']),
    namespaceSelector: sometimes(m, 0.3, () => selector(m)),
    objectSelector: sometimes(m, 0.3, () => selector(m)),
    resourceRules: several(m, m.random.chance(m.faults) ? 0 : 1, 2, () => rule(m, true)),
    excludeResourceRules: sometimes(m, 0.2, () => several(m, 0, 1, () => rule(m, true))),
  });
}

const conditions = [
  ...['true', ' true ', 'object.a == 1', 'has(object.spec)', "request.operation == 'CREATE'", 'oldObject == null'],
  ...["namespaceObject.metadata.name == 'a'", "authorizer.group('').resource('pods').check('get').allowed()"],
  ...['isURL(object.u)', "quantity('1') == quantity('1')", '[1, 2].all(i, v, i < v)', 'semver("1.2.3").major() == 1'],
  ...['[1].includes(1)', "format.named('uuid').hasValue()", "'a'.reverse() == 'a'", '[3, 1].sort() == [1, 3]'],
  ...["authorizer.group('').resource('pods').fieldSelector('a=b').check('get').allowed()", 'params.a == 1'],
];
const badConditions = [
  ...[
    '',
    ' ',
    '1',
    'object',
    "'a'",
    'object.',
    'variables.a',
    'params',
    'nope',
    'Object{}',
    'request.nope',
    '\n',
    'a b',
  ],
  ...['variables', 'authorizer', 'x.all(y, true)', "jsonpatch.escapeKey('a') == ''", 'Object{a: 1}.a == 1'],
];
const texts = [
  "'a'",
  "'a' + object.metadata.name",
  'string(object.a)',
  'request.name',
  "params.a + 'b'",
  "'a'.reverse()",
];
const applies = [
  ...['Object{}', 'Object{spec: Object.spec{replicas: 3}}', ' Object{} ', 'Object{?spec: optional.none()}'],
  ...[
    'true ? Object{} : Object{a: 1}',
    "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
    'Object{a: variables.a}',
  ],
  ...['Object{a: [Object.a.item{b: semver("1.0.0").major()}]}', 'cel.bind(x, 1, Object{a: x})', 'Object{a: params.x}'],
];
const badApplies = [
  ...[
    'Object',
    'Object.spec{}',
    'object',
    '{}',
    '[]',
    '',
    ' ',
    'Objects{}',
    'Object{a}',
    'dyn(Object{})',
    'JSONPatch{}',
  ],
  ...[
    'Object{} == Object.a{}',
    'Object{a: Object}',
    'type(Object{})',
    'Object{}.a',
    'a.Object{}',
    '[Object{}]',
    '.Object{}',
  ],
  ...['Object == Object.a', 'Object{`a-b`: 1}', 'Object.a.b', 'Object{} == Object{}'],
];
const patches = [
  ..."[JSONPatch{op: 'add', path: '/a', value: 1}]|[JSONPatch{}]|[JSONPatch{op: 'test'}, JSONPatch{from: '/a'}]".split(
    '|',
  ),
  ...["[JSONPatch{path: '/a/' + jsonpatch.escapeKey('b/c')}]", '[JSONPatch{value: Object.a{b: 1}}]', ' [JSONPatch{}] '],
  ...[
    '[JSONPatch{?op: optional.of("a")}]',
    '[1].map(x, JSONPatch{value: x})',
    'true ? [JSONPatch{}] : [JSONPatch{op: "a"}]',
  ],
  ...[
    '[JSONPatch{value: variables.a}]',
    'request.operation == "CREATE" ? [JSONPatch{value: [1].includes(1)}] : [JSONPatch{}]',
  ],
];
const badPatches = [
  ...[
    'JSONPatch{}',
    '[]',
    '',
    'JSONPatch',
    '[JSONPatch]',
    '[JSONPatch{op: 1}]',
    '[JSONPatch{nope: 1}]',
    'JSONPatch{}.nope',
  ],
  ...[
    '[Object{}]',
    '[JSONPatch{}, Object{}]',
    'dyn([])',
    '[dyn(JSONPatch{})]',
    '[JSONPatch{op: null}]',
    'JSONPatch{}.value',
  ],
  ...[
    'jsonpatch.escapeKey(1)',
    'jsonpatch.escapeKey("a")',
    'escapeKey("a")',
    'has(JSONPatch{}.nope)',
    'JSONPatch{}.op',
  ],
  ...['[JSONPatch{}].map(x, x.nope)', 'jsonpatch', '[JSONPatch{}].all(x, x.op == x.nope)', 'JSONPatch{}.nope == 1'],
  ...['[JSONPatch{}.nope, 1]', '[1, JSONPatch{}.nope]', '{"a": JSONPatch{}.nope}', '[JSONPatch{}.nope] == [1]'],
  ...[
    '[JSONPatch{}.nope.a]',
    'true ? JSONPatch{}.nope : 1',
    'string(JSONPatch{}.nope)',
    '!JSONPatch{}.nope',
    '[JSONPatch{}.?nope]',
  ],
];

function condition(m: Maker): Json {
  return object({ name: name(m), expression: either<Json>(m, conditions, [...badConditions, null]) });
}

function matchConditions(m: Maker): Json | undefined {
  const most = m.random.chance(m.faults / 4) ? 66 : 2;
  return sometimes(m, 0.4, () => several(m, most === 66 ? 63 : 0, most, () => condition(m)));
}

function variable(m: Maker): Json {
  return object({
    name: either<Json>(m, ['a', 'b', '_c'], ['', ' ', 'a-b', 'if', '1a', 'true', 'namespace', 'é', 'a\n', null]),
    expression: either<Json>(m, ['object.a', '1', ...conditions, ...texts], [...badConditions, 'variables.a', null]),
  });
}

function paramKind(m: Maker): Json {
  return object({
    apiVersion: either<Json>(m, ['v1', 'example.com/v1'], ['', 'a/b/c', '/', '/v1', 'x/', 'A/v1', 'v.1', 'é/é', null]),
    kind: either<Json>(m, ['ConfigMap', 'A'], ['', 'A b', 'a.b', '1a', 'İ', 'É', null]),
  });
}

function start(m: Maker): Fields {
  return {
    failurePolicy: words(m, ['Fail', 'Ignore'], ['fail']),
    paramKind: sometimes(m, 0.6, () => (m.random.chance(m.faults) ? m.random.pick<Json>([null, {}]) : paramKind(m))),
    matchConstraints: match(m),
    matchConditions: matchConditions(m),
    variables: sometimes(m, 0.5, () => several(m, 0, 3, () => variable(m))),
  };
}

function validation(m: Maker): Json {
  return object({
    expression: either<Json>(m, [...conditions, 'variables.a == 1'], [...badConditions, null]),
    message: sometimes(m, 0.3, () => either<Json>(m, ['no'], ['', ' ', 'a\nb', ' a\r', 'a\n ', '\u2028', null])),
    messageExpression: sometimes(m, 0.3, () => either<Json>(m, texts, ['', ' ', '1', ...badConditions, null])),
    reason: sometimes(m, 0.3, () => either<Json>(m, ['Invalid', 'Forbidden'], ['Unauthorized', '', 'invalid', null])),
  });
}

function annotation(m: Maker): Json {
  return object({
    key: either<Json>(m, ['a', 'b', 'c'], [...badNames, null]),
    valueExpression: either<Json>(
      m,
      [...texts, 'null', ' "a" '],
      ['', ' ', '1', `"${'a'.repeat(5119)}"`, ...badConditions],
    ),
  });
}

function validatingSpec(m: Maker): Json {
  const most = m.random.chance(m.faults / 4) ? 22 : 2;
  return object({
    ...start(m),
    validations: sometimes(m, 0.8, () => several(m, 0, 2, () => validation(m))),
    auditAnnotations: sometimes(m, 0.4, () => several(m, most === 22 ? 20 : 0, most, () => annotation(m))),
  });
}

function mutation(m: Maker): Json {
  const isPatch = m.random.chance(0.5);
  const part = (right: readonly string[], wrong: readonly string[]) =>
    m.random.chance(m.faults / 2) ? m.random.pick<Json>([null, {}]) : object({ expression: either(m, right, wrong) });
  const isBoth = m.random.chance(m.faults);
  return object({
    patchType: either<Json>(
      m,
      [isPatch ? 'JSONPatch' : 'ApplyConfiguration'],
      ['', 'jsonPatch', 'ApplyConfiguration', null],
    ),
    jsonPatch: isPatch !== m.random.chance(m.faults) || isBoth ? part(patches, badPatches) : undefined,
    applyConfiguration: !isPatch || isBoth ? part(applies, badApplies) : undefined,
  });
}

function mutatingSpec(m: Maker): Json {
  return object({
    ...start(m),
    mutations: sometimes(m, 1 - m.faults, () => several(m, m.random.chance(m.faults) ? 0 : 1, 2, () => mutation(m))),
    reinvocationPolicy: either<Json>(m, ['Never', 'IfNeeded'], ['', 'Always', null]),
  });
}

function bindingSpec(m: Maker, isValidating: boolean): Json {
  return object({
    policyName: either<Json>(m, ['a', 'a.example.com'], [...badNames, null]),
    paramRef: sometimes(m, 0.4, () =>
      object({
        name: sometimes(m, 0.6, () => either<Json>(m, ['a'], [...badNames, null])),
        namespace: sometimes(m, 0.3, () => name(m)),
        selector: sometimes(m, 0.4, () => selector(m)),
        parameterNotFoundAction: either<Json>(m, ['Deny', 'Allow'], ['', 'deny', null]),
      }),
    ),
    matchResources: sometimes(m, 0.4, () => match(m) ?? null),
    validationActions: isValidating
      ? list(m, [m.random.pick(['Deny', 'Warn', 'Audit'])], ['Deny', 'Warn', 'deny', ''])
      : undefined,
  });
}

function clientConfig(m: Maker): Json | undefined {
  const url = () =>
    either<Json>(
      m,
      ['https://a.example.com/x'],
      ['http://a', 'a', '', 'https://', 'https://u@a/', 'https://a?b#c', '%', null],
    );
  const service = () =>
    object({
      name: either<Json>(m, ['a'], ['', null]),
      namespace: either<Json>(m, ['b'], ['', null]),
      path: sometimes(m, 0.4, () => either<Json>(m, ['/x', '/'], ['x', '//', '/a//b', '/A', '', '/x/', 'é', null])),
      port: sometimes(m, 0.3, () => either<Json>(m, [443n, 8443n], [0n, -1n, 65536n, null])),
    });
  const isUrl = m.random.chance(0.5);
  const isBoth = m.random.chance(m.faults);
  if (m.random.chance(m.faults)) return m.random.pick<Json | undefined>([undefined, null, {}]);
  return object({ url: isUrl || isBoth ? url() : undefined, service: !isUrl || isBoth ? service() : undefined });
}

function webhook(m: Maker, isMutating: boolean): Json {
  return object({
    name: either<Json>(m, ['a.b.example.com', 'c.b.example.com'], ['', 'a', 'a.b', 'A.b.c', 'é.b.c', null]),
    clientConfig: clientConfig(m),
    rules: sometimes(m, 0.6, () => several(m, 0, 2, () => (m.random.chance(0.1) ? excludedRule : rule(m, false)))),
    failurePolicy: words(m, ['Fail', 'Ignore'], ['fail']),
    matchPolicy: words(m, ['Exact', 'Equivalent'], ['exact']),
    namespaceSelector: sometimes(m, 0.3, () => selector(m)),
    objectSelector: sometimes(m, 0.3, () => selector(m)),
    sideEffects: either<Json | undefined>(
      m,
      ['None', 'NoneOnDryRun'],
      ['Some', 'Unknown', 'none', '', undefined, null],
    ),
    timeoutSeconds: sometimes(m, 0.3, () => either<Json>(m, [1n, 30n], [0n, 31n, -5n, null])),
    admissionReviewVersions: list(m, [m.random.pick(['v1', 'v1beta1'])], ['v1', 'v2', 'V1', '']),
    reinvocationPolicy: isMutating ? words(m, ['Never', 'IfNeeded'], ['never']) : undefined,
    matchConditions: matchConditions(m),
  });
}

const excludedRule: Json = {
  apiGroups: ['', 'authentication.k8s.io', 'authentication.k8s.io'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['pods', 'tokenreviews'],
};

function policyObject(m: Maker, kind: string): Json {
  const isMutating = kind.startsWith('Mutating');
  const version = kind.endsWith('Configuration') ? 'v1' : m.random.pick(['v1', 'v1', 'v1', 'v1beta1', 'v1alpha1']);
  const head = { apiVersion: `admissionregistration.k8s.io/${version}`, kind };
  if (kind.endsWith('Configuration')) {
    return object({ ...head, webhooks: sometimes(m, 0.95, () => several(m, 0, 2, () => webhook(m, isMutating))) });
  }
  if (kind.endsWith('Binding')) return object({ ...head, spec: bindingSpec(m, !isMutating) });
  return object({ ...head, spec: isMutating ? mutatingSpec(m) : validatingSpec(m) });
}

const kinds = [
  ...['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
  ...['MutatingAdmissionPolicy', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
];

/** The new object keeps most of the old one. */
function mixed(m: Maker, old: Json, other: Json): Json {
  const isFields = (value: Json): value is Readonly<Record<string, Json>> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isFields(old) && isFields(other)) {
    const keys = [...new Set([...Object.keys(old), ...Object.keys(other)])];
    return object(
      Object.fromEntries(
        keys.flatMap((key): [string, Json | undefined][] => {
          if (key === 'metadata' || key === 'kind' || key === 'apiVersion') return [[key, old[key]]];
          if (old[key] !== undefined && other[key] !== undefined) return [[key, mixed(m, old[key], other[key])]];
          return m.random.chance(0.7) ? [[key, old[key]]] : [[key, other[key]]];
        }),
      ),
    );
  }
  if (Array.isArray(old) && Array.isArray(other) && m.random.chance(0.3)) {
    return old.map((item, i) => (other[i] === undefined ? item : mixed(m, item, other[i])));
  }
  return m.random.chance(0.75) ? old : other;
}

function withName(m: Maker, value: Json, isNew: boolean): Json {
  const wrong = isNew ? ['x.static.k8s.io', 'A', 'é', 'a'.repeat(254), ''] : ['x.static.k8s.io'];
  return { ...(value as Readonly<Record<string, Json>>), metadata: { name: either(m, ['a', 'a.example.com'], wrong) } };
}

export const policyGenerator: Generator = {
  name: 'policy',
  generate: (random): Ask => {
    const m: Maker = { random, faults: random.pick([0, 0.02, 0.05, 0.05, 0.15]) };
    const kind = random.pick(kinds);
    const obj = policyObject(m, kind);
    if (random.chance(0.6)) return { op: 'policy', obj: withName(m, obj, true) };
    // Metadata is left as it is: what is said of its changes does not depend on the kind.
    const old = withName(m, obj, false);
    return { op: 'policy', obj: mixed(m, old, policyObject(m, kind)), old };
  },
};
