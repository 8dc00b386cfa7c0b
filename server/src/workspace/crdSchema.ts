import type { Value, ValueMap } from '../base/value.ts';

// What a CRD itself is made of, as a schema of the same form as a CRD's own: completion and hover read it as they read
// any kind's. Schemas contain schemas, so these maps contain themselves.

type Node = Map<string, Value>;

function node(type: string, description: string, more: Readonly<Record<string, Value>> = {}): Node {
  return new Map<string, Value>([['type', type], ['description', description], ...Object.entries(more)]);
}

const text = (description: string, more: Readonly<Record<string, Value>> = {}) => node('string', description, more);
const flag = (description: string, more: Readonly<Record<string, Value>> = {}) => node('boolean', description, more);
const whole = (description: string) => node('integer', description);
const amount = (description: string) => node('number', description);
const anything = (description: string) =>
  new Map<string, Value>([
    ['description', description],
    ['x-kubernetes-preserve-unknown-fields', true],
  ]);
const list = (description: string, items: Node) => node('array', description, { items });
const mapOf = (description: string, values: Node) => node('object', description, { additionalProperties: values });

function object(
  description: string,
  properties: Readonly<Record<string, Node>>,
  required: readonly string[] = [],
): Node {
  return node('object', description, { properties: new Map(Object.entries(properties)), required });
}

/** The keywords that judge a value: allowed on every node, and the only ones inside junctors. */
function judging(inner: () => Node): Readonly<Record<string, Node>> {
  return {
    enum: list('The values that are allowed. Null is never one of them, even if it is listed.', anything('A value.')),
    format: text(
      'A form that strings or numbers must have, such as `date-time`, `duration`, `ipv4`, `uuid` or `int32`. A format that the API server does not know is accepted with a warning and checks nothing. `date`, `date-time` and `duration` also give CEL rules a timestamp or duration.',
      {
        enum: [
          'byte',
          'cidr',
          'date',
          'date-time',
          'datetime',
          'double',
          'duration',
          'email',
          'float',
          'hostname',
          'int32',
          'int64',
          'ipv4',
          'ipv6',
          'k8s-long-name',
          'k8s-short-name',
          'mac',
          'password',
          'uri',
          'uuid',
        ],
      },
    ),
    pattern: text(
      'A regular expression (RE2, as in Go: no look-around, no back-references) that strings must match somewhere. Anchor it with `^` and `$` to mean the whole string.',
    ),
    maxLength: whole(
      'The most characters of a string. Give one to every string that CEL rules look at: without it a rule counts with strings as large as a request.',
    ),
    minLength: whole('The fewest characters of a string.'),
    maximum: amount('The largest number allowed.'),
    exclusiveMaximum: flag('Whether the maximum itself is too large.'),
    minimum: amount('The smallest number allowed.'),
    exclusiveMinimum: flag('Whether the minimum itself is too small.'),
    multipleOf: amount('Numbers must be a multiple of this.'),
    maxItems: whole(
      'The most items of a list. Give one to every list that CEL rules look at or below which there are rules.',
    ),
    minItems: whole('The fewest items of a list.'),
    maxProperties: whole('The most keys of a map or object.'),
    minProperties: whole('The fewest keys of a map or object.'),
    required: list('The properties that must be there.', text('The name of a property.')),
    get allOf() {
      return list(
        'Schemas that must all hold. They may only judge the value: its shape belongs on the node itself.',
        inner(),
      );
    },
    get anyOf() {
      return list('Schemas of which at least one must hold. They may only judge the value.', inner());
    },
    get oneOf() {
      return list('Schemas of which exactly one must hold. They may only judge the value.', inner());
    },
    get not() {
      return inner();
    },
  };
}

/** A schema inside allOf, anyOf, oneOf or not. */
const junctor: Node = node(
  'object',
  'A schema that judges the value. Types, defaults, descriptions and `x-kubernetes-` keywords may not stand here.',
);
fill(junctor, {
  ...judging(() => junctor),
  properties: mapOf('Schemas for properties. Each property must also be declared outside.', junctor),
  items: junctor,
});

const rule = object(
  'A rule in CEL that values must obey.',
  {
    rule: text(
      'The expression. `self` is the value, `oldSelf` the value before an update; it must give a boolean. At most 10,000,000 in estimated cost.',
    ),
    message: text('What users read when the rule is broken. Required if the rule has line breaks.'),
    messageExpression: text('An expression that gives the message, as a string. `message` is used where it fails.'),
    reason: text('The reason in the error that clients get.', {
      enum: ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'],
      default: 'FieldValueInvalid',
    }),
    fieldPath: text(
      "The field below this node that the error names, such as `.spec.size` or `['a-b']`. It must exist in the schema; no list indices.",
    ),
    optionalOldSelf: flag(
      'Makes `oldSelf` an optional, so that a transition rule also runs on creation. Only where the rule uses `oldSelf`.',
    ),
  },
  ['rule'],
);

const externalDocs = object('Where there is more to read.', {
  url: text('An address.'),
  description: text('What is there.'),
});

const schema: Node = node('object', 'The schema of a value.');
fill(schema, {
  type: text(
    'The type of the value. Every property, list item and map value needs one, except with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields`.',
    {
      enum: ['array', 'boolean', 'integer', 'number', 'object', 'string'],
    },
  ),
  description: text('What the field is for: `kubectl explain` and this editor show it.'),
  title: text('A short title.'),
  default: anything(
    'The value where none is given. It must fit the schema, and is put in when objects are written and read. Not at the root, and not under `metadata`.',
  ),
  nullable: flag(
    'Whether null is a value of its own. Without it, null is dropped, or replaced by the default. Not at the root.',
  ),
  example: anything('An example. It checks nothing.'),
  properties: mapOf('The fields of an object, by name. Not together with `additionalProperties`.', schema),
  items: schema,
  additionalProperties: schema,
  externalDocs,
  'x-kubernetes-validations': list('Rules in CEL, judged on every write.', rule),
  'x-kubernetes-list-type': text(
    'How lists are merged by server-side apply, and what is a duplicate: `atomic` replaces the whole list, `set` holds each scalar once, `map` holds objects by their keys. Only `map` lets rules compare items with their old selves.',
    { enum: ['atomic', 'set', 'map'] },
  ),
  'x-kubernetes-list-map-keys': list(
    'The properties that tell the items of a list of type `map` apart. Each must be a scalar, and required or with a default.',
    text("The name of an item's property."),
  ),
  'x-kubernetes-map-type': text('How objects are merged by server-side apply: field by field, or as a whole.', {
    enum: ['granular', 'atomic'],
  }),
  'x-kubernetes-preserve-unknown-fields': flag('Keeps fields that the schema does not name. Only `true` is allowed.', {
    enum: [true],
  }),
  'x-kubernetes-int-or-string': flag(
    'The value is an integer or a string; `type` is left out then. Only `true` makes sense.',
    { enum: [true] },
  ),
  'x-kubernetes-embedded-resource': flag(
    'The value is a whole Kubernetes object: it has `apiVersion`, `kind` and `metadata`, which are checked as usual.',
    { enum: [true] },
  ),
  ...judging(() => junctor),
});

/** Fills a node that was made before, so that it can contain itself. */
function fill(target: Node, properties: Readonly<Record<string, Node>>): void {
  target.set('properties', new Map(Object.entries(properties)));
}

const column = object(
  'A column that `kubectl get` prints.',
  {
    name: text('The heading.'),
    type: text('The type of the value.', { enum: ['boolean', 'date', 'integer', 'number', 'string'] }),
    jsonPath: text('Where the value is, as a simple path from the object: `.spec.size`.'),
    format: text('How the value is shown.', {
      enum: ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'],
    }),
    priority: whole('Columns above 0 are shown with `-o wide` only.'),
    description: text('What the column shows.'),
  },
  ['name', 'type', 'jsonPath'],
);

const scale = object(
  'Lets `kubectl scale` and autoscalers change the number of replicas.',
  {
    specReplicasPath: text('Where the wanted number is: a simple path under `.spec`.'),
    statusReplicasPath: text('Where the actual number is: a simple path under `.status`.'),
    labelSelectorPath: text(
      'Where the selector of the pods is, as a string, under `.spec` or `.status`. A horizontal autoscaler needs it.',
    ),
  },
  ['specReplicasPath', 'statusReplicasPath'],
);

const subresources = object('What can be read and written apart from the object itself.', {
  status: object(
    'Makes `status` an endpoint of its own: writes to the object leave it alone, and writes to it change nothing else.',
    {},
  ),
  scale,
});

const version = object(
  'One version of the kind.',
  {
    name: text('The name, such as `v1` or `v1alpha1`: lower case, at most 63 characters.'),
    served: flag('Whether clients can use this version.'),
    storage: flag('Whether objects are stored in this version. Exactly one version is.'),
    deprecated: flag('Whether clients are warned that they should move on.', { default: false }),
    deprecationWarning: text(
      'The warning, in place of the usual one. At most 256 bytes; only for deprecated versions.',
    ),
    schema: object('The schema of this version.', { openAPIV3Schema: schema }, ['openAPIV3Schema']),
    subresources,
    additionalPrinterColumns: list('The columns that `kubectl get` prints beside the name.', column),
    selectableFields: list(
      'Fields that `kubectl get --field-selector` can select by, at most 8. Since Kubernetes 1.31.',
      object(
        'A field.',
        { jsonPath: text('A simple path to a string, boolean or integer: `.spec.color`. Not into lists or metadata.') },
        ['jsonPath'],
      ),
    ),
  },
  ['name', 'served', 'storage', 'schema'],
);

const service = object(
  'A service in the cluster.',
  {
    namespace: text('Its namespace.'),
    name: text('Its name.'),
    path: text('The path of the request, starting with `/`.'),
    port: node('integer', 'Its port.', { default: 443n }),
  },
  ['namespace', 'name'],
);

const clientConfig = object('How the API server reaches the webhook: by `service` or by `url`.', {
  url: text('An address that starts with `https://`, without user, query or fragment.'),
  service,
  caBundle: text("Certificates in PEM, as base64, that the webhook's certificate is checked against."),
});

const webhook = object(
  'The webhook that converts.',
  {
    clientConfig,
    conversionReviewVersions: list(
      'The versions of `ConversionReview` that the webhook understands. One of `v1` and `v1beta1` must be among them.',
      text('A version.', { enum: ['v1', 'v1beta1'] }),
    ),
  },
  ['clientConfig', 'conversionReviewVersions'],
);

const conversion = object(
  'How objects are turned from one version into another.',
  {
    strategy: text(
      '`None` only changes `apiVersion`: fields that the other version does not have are lost. `Webhook` asks a server of yours.',
      {
        enum: ['None', 'Webhook'],
        default: 'None',
      },
    ),
    webhook,
  },
  ['strategy'],
);

const names = object(
  'What the kind is called.',
  {
    plural: text("The name in the API's addresses, in lower case: `widgets`. It cannot be changed later."),
    singular: text('The name that kubectl also takes. By default the kind in lower case.'),
    kind: text('The kind in manifests, in CamelCase: `Widget`.'),
    listKind: text('The kind of lists. By default the kind with `List`.'),
    shortNames: list('Short names for kubectl.', text('A short name.')),
    categories: list('Groups that `kubectl get` knows the kind by, such as `all`.', text('A category.')),
  },
  ['plural', 'kind'],
);

const spec = object(
  'What the kind is.',
  {
    group: text('The API group, a domain with at least one dot: `example.com`. It cannot be changed later.'),
    names,
    scope: text('Whether objects live in namespaces.', { enum: ['Namespaced', 'Cluster'] }),
    versions: list('The versions of the kind. Exactly one has `storage: true`.', version),
    conversion,
    preserveUnknownFields: flag(
      'An old switch that must be false: use `x-kubernetes-preserve-unknown-fields` in the schema.',
    ),
  },
  ['group', 'names', 'scope', 'versions'],
);

/** The schema of CustomResourceDefinition, apiextensions.k8s.io/v1. */
export const crdSchema: ValueMap = object("Defines a kind of one's own.", { spec }, ['metadata', 'spec']);

/** The parts of a CRD whose fields are documented one by one. */
export const crdNodes = {
  schema,
  junctor,
  externalDocs,
  rule,
  version,
  column,
  subresources,
  scale,
  conversion,
  webhook,
  clientConfig,
  service,
  names,
  spec,
} as const;
