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

const ofBoth: Schema = {
  kubernetes: {
    description: 'The versions in which the cases hold, such as `1.33..1.37`; otherwise those of the settings.',
    type: ['string', 'number'],
  },
  bases: { type: 'object', description: 'Objects by name, which cases start from.', additionalProperties: true },
};

const crdRef = (description: string): Schema => ({
  description: `${description}: a file or glob from the folder of the tests, or a kind of the workspace.`,
  type: ['string', 'object'],
  properties: { kind: text('Its kind.'), group: text('Its group, where several have the kind.') },
  additionalProperties: false,
});

/** Of tests of a CRD; `policy` makes them tests of policies. */
export const crdTestsSchema: Schema = {
  type: 'object',
  required: ['crd', 'cases'],
  properties: {
    crd: crdRef('The CRD that is tested'),
    policy,
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
