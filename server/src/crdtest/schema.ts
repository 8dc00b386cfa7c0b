// The JSON schema of `*.crdtest.yaml`: for completion and hover, and for other programs.

type Json = string | number | boolean | readonly Json[] | { readonly [keyword: string]: Json };
type Schema = { readonly [keyword: string]: Json };

const text = (description: string): Schema => ({ type: 'string', description });
const objectSpec = (description: string): Schema => ({
  description: `${description} A whole object, the name of a file, or a base with what is different.`,
  type: ['object', 'string'],
  properties: {
    apiVersion: text('The version of an object that is given whole.'),
    kind: text('The kind of an object that is given whole.'),
    base: text('The name of one of `bases`; with a single base it can be left out.'),
    file: text('A file with the object, from the folder of the tests.'),
    with: {
      type: 'object',
      description:
        'What is different: maps are merged, `null` takes a field away. Keys may be paths such as `spec.users[0].role`.',
      additionalProperties: true,
    },
  },
});

const change = (what: string): Schema => ({
  type: 'object',
  description: what,
  required: ['from', 'to'],
  properties: { from: objectSpec('What is stored.'), to: objectSpec('What replaces it.') },
  additionalProperties: false,
});

const error: Schema = {
  description: 'A part of the message, or a map; `and more` where there may be other errors.',
  type: ['object', 'string'],
  properties: {
    field: text("The API server's name of the field, such as `spec.users[0].role`."),
    message: text('The whole message.'),
    contains: text('A part of the message.'),
    code: text('The code of the rule, such as `cr/enum`.'),
  },
  additionalProperties: false,
};

const errors = (description: string): Schema => ({ type: 'array', description, items: error });

const texts = (description: string): Schema => ({
  type: ['array', 'string'],
  items: { type: 'string' },
  description,
});

const user: Schema = {
  type: ['object', 'string'],
  description: 'Who makes the request: a name, or also groups, uid and extra. Everybody is in system:authenticated.',
  properties: {
    name: text('The name of the user.'),
    uid: text('The identifier of the user.'),
    groups: texts('The groups that the user is in.'),
    extra: { type: 'object', description: 'What the authenticator adds: lists of texts.', additionalProperties: true },
  },
  additionalProperties: false,
};

const access: Schema = {
  type: 'array',
  description:
    'What `authorizer` answers in policies: the first row that fits. A row asks about what it names; `*` fits everything.',
  items: {
    type: 'object',
    properties: {
      users: texts('The users that it is about.'),
      groups: texts('The groups that it is about.'),
      verbs: texts('The verbs, such as get or a verb of its own.'),
      apiGroups: texts('The API groups; "" is the core one.'),
      resources: texts('The resources, such as pods or pods/log.'),
      resourceNames: texts('The names of the objects.'),
      namespaces: texts('The namespaces.'),
      nonResourceURLs: texts('Paths such as /healthz, for `authorizer.path()`.'),
      decision: {
        enum: ['allow', 'deny', 'no opinion'],
        description: 'What is answered; `allow` where nothing is said.',
      },
      reason: text('What `reason()` gives.'),
      error: text('What `error()` gives; nothing is decided then.'),
    },
    additionalProperties: false,
  },
};

const denial: Schema = {
  description: 'A part of the message, or a map; `and more` where there may be other denials.',
  type: ['object', 'string'],
  properties: {
    policy: text('The name of the policy that denies.'),
    binding: text('The name of the binding.'),
    message: text('The whole message, with or without the policy and binding before it.'),
    contains: text('A part of the message.'),
    reason: text('The reason of the answer, such as Invalid or Forbidden.'),
  },
  additionalProperties: false,
};

const table = (what: string, said: Schema): Schema => ({
  type: 'array',
  description: `A table: each row sets values by their paths, and says with ${what} what comes.`,
  items: { type: 'object', properties: said, additionalProperties: true },
});

const rowErrors = {
  error: text('A part of the message that comes.'),
  errors: errors('The errors that come.'),
};

const stored: Schema = {
  stored: { type: 'object', description: 'What is stored, as far as it is named.', additionalProperties: true },
  exactly: { type: 'object', description: 'All that is stored.', additionalProperties: true },
};

const named = { name: text('What the case shows, in a few words.') };

const requests: Schema = {
  create: objectSpec('A new object.'),
  update: change('An object that replaces a stored one.'),
  status: change('The same through the status subresource.'),
};

const crdCase: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    ...named,
    ...requests,
    rule: text('One rule alone, by its place in the schema: `spec.x-kubernetes-validations[0]`.'),
    self: { description: 'The value that the rule is evaluated on, as it is.' },
    oldSelf: { description: 'The value before the change.' },
    crd: {
      type: 'object',
      description: 'A patch of the CRD before the update, in the form of `with`: what ratcheting forgives.',
      additionalProperties: true,
    },
    each: table('`error` or `errors`', rowErrors),
    expect: {
      description: '`valid` for an object, which holds where nothing is said; `true`, `false` or `error` for a rule.',
      enum: ['valid', 'true', 'false', 'error'],
      type: ['string', 'boolean'],
    },
    errors: errors('Exactly these errors come.'),
    warnings: errors('Exactly these warnings come.'),
    ...stored,
    message: text('What the broken rule says.'),
    cost: { type: 'integer', description: 'What evaluating the rule may cost at most.' },
  },
  additionalProperties: false,
};

const policyCase: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    ...named,
    ...requests,
    delete: objectSpec('The object that is deleted.'),
    connect: objectSpec('What is connected to.'),
    user,
    access,
    subresource: text('The subresource of the request, such as scale.'),
    options: {
      type: 'object',
      description: 'The options of the request: `dryRun: true`, `fieldManager` and others.',
      additionalProperties: true,
    },
    each: table('`denied`, `error` or `errors`', { denied: denial, ...rowErrors }),
    expect: {
      description:
        '`admitted`, which holds where nothing is said; `denied`, by whatever policy; `not matched`, where none is for it.',
      enum: ['admitted', 'denied', 'not matched'],
      type: 'string',
    },
    denied: { type: 'array', description: 'Exactly these denials come.', items: denial },
    errors: errors('Exactly these errors of the schema, its rules or the kind come.'),
    warnings: errors('Exactly these warnings come.'),
    audit: {
      type: 'object',
      description: 'Audit annotations by `policy/key`; null for one that is not written.',
      additionalProperties: true,
    },
    called: texts('Exactly these webhooks are called.'),
    ...stored,
    cost: { type: 'integer', description: 'What all policies may cost together at most.' },
  },
  additionalProperties: false,
};

const policy = texts(
  'The policies that are tested: files or globs with policies, webhooks, bindings, parameters and namespaces.',
);

const inputs: Readonly<Record<string, Schema>> = {
  claims: {
    type: 'object',
    description: 'The claims of a token whose signature, issuer, audience and times are verified.',
    additionalProperties: true,
  },
  user: {
    type: 'object',
    description: 'The user that claims were mapped to.',
    properties: {
      username: text('The name of the user.'),
      uid: text('The identifier of the user.'),
      groups: texts('The groups that the user is in.'),
      extra: {
        type: 'object',
        description: 'What else is known of the user: lists of texts.',
        additionalProperties: true,
      },
    },
    additionalProperties: false,
  },
  request: {
    type: 'object',
    description: 'The request that is to be authorized: the spec of a SubjectAccessReview.',
    properties: {
      user: text('The name of the user.'),
      uid: text('The identifier of the user.'),
      groups: texts('The groups that the user is in.'),
      extra: {
        type: 'object',
        description: 'What the authenticator adds: lists of texts.',
        additionalProperties: true,
      },
      resourceAttributes: {
        type: 'object',
        description:
          'What of the API is asked for: verb, group, version, resource, subresource, namespace, name, and selectors.',
        additionalProperties: true,
      },
      nonResourceAttributes: {
        type: 'object',
        description: 'The path that is asked for, where it is no resource.',
        properties: { path: text('The path, such as /healthz.'), verb: text('The method, such as get.') },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  device: {
    type: 'object',
    description: 'A device as ResourceSlices have it, with its driver.',
    properties: {
      driver: text('The name of the driver.'),
      attributes: {
        type: 'object',
        description: 'Attributes by name, each with `string`, `int`, `bool` or `version`.',
        additionalProperties: true,
      },
      capacity: {
        type: 'object',
        description: 'Capacities by name, each with a quantity as `value`.',
        additionalProperties: true,
      },
      allowMultipleAllocations: { type: 'boolean', description: 'It can be allocated to several requests at once.' },
    },
    additionalProperties: false,
  },
};

const comesTo: Readonly<Record<string, Schema>> = {
  value: {
    description: 'What comes of it; of a map, as far as it is named. What can be false is true where nothing is said.',
  },
  error: text('A part of the message that comes.'),
  cost: { type: 'integer', description: 'What the expressions may cost together at most.' },
};

const evaluationCase: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    ...named,
    evaluate: text(
      'The place of an expression, or of what holds several, such as `jwt[0]`; it may be left out where there is one.',
    ),
    of: text('The name of the object, where several have the place.'),
    ...inputs,
    each: table('`value` or `error`', comesTo),
    ...comesTo,
  },
  additionalProperties: false,
};

const ofBoth = {
  kubernetes: {
    description: 'The versions in which the cases hold, such as `1.33..1.37`; otherwise those of the settings.',
    type: ['string', 'number'],
  },
  bases: { type: 'object', description: 'Objects by name, which cases start from.', additionalProperties: true },
} satisfies Readonly<Record<string, Schema>>;

const crdRef = (description: string): Schema => ({
  description: `${description}: a file or glob from the folder of the tests, or a kind of the workspace.`,
  type: ['string', 'object'],
  properties: { kind: text('Its kind.'), group: text('Its group, where several have the kind.') },
  additionalProperties: false,
});

/** Of tests of expressions outside of CRDs and admission. */
export const expressionTestsSchema: Schema = {
  type: 'object',
  required: ['expressions', 'cases'],
  properties: {
    expressions: texts(
      'Files or globs with authentication or authorization configurations, device classes or resource claims.',
    ),
    kubernetes: ofBoth.kubernetes,
    cases: { type: 'array', description: 'The cases.', items: evaluationCase },
  },
  additionalProperties: false,
};

/** Of tests of a CRD; `policy` makes them tests of policies. */
export const crdTestsSchema: Schema = {
  type: 'object',
  required: ['crd', 'cases'],
  properties: {
    crd: crdRef('The CRD that is tested'),
    policy,
    expressions: texts('The files with the expressions that are tested, where they belong to no CRD and no policy.'),
    ...ofBoth,
    cases: { type: 'array', description: 'The cases.', items: crdCase },
  },
  additionalProperties: false,
};

export const policyTestsSchema: Schema = {
  type: 'object',
  required: ['policy', 'cases'],
  properties: {
    policy,
    objects: {
      type: 'array',
      description: 'More objects that policies are asked with, such as namespaces and parameters.',
      items: { type: 'object', additionalProperties: true },
    },
    user,
    access,
    crd: crdRef('The CRD of custom resources in the cases'),
    ...ofBoth,
    cases: { type: 'array', description: 'The cases.', items: policyCase },
  },
  additionalProperties: false,
};
