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

const testCase: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: text('What the case shows, in a few words.'),
    create: objectSpec('A new object.'),
    update: change('An object that replaces a stored one.'),
    status: change('The same through the status subresource.'),
    rule: text('One rule alone, by its place in the schema: `spec.x-kubernetes-validations[0]`.'),
    self: { description: 'The value that the rule is evaluated on, as it is.' },
    oldSelf: { description: 'The value before the change.' },
    crd: {
      type: 'object',
      description: 'A patch of the CRD before the update, in the form of `with`: what ratcheting forgives.',
      additionalProperties: true,
    },
    each: {
      type: 'array',
      description: 'A table: each row sets values by their paths, and says with `error` or `errors` what comes.',
      items: {
        type: 'object',
        properties: { error: text('A part of the message that comes.'), errors: errors('The errors that come.') },
        additionalProperties: true,
      },
    },
    expect: {
      description: '`valid` for an object, which holds where nothing is said; `true`, `false` or `error` for a rule.',
      enum: ['valid', 'true', 'false', 'error'],
      type: ['string', 'boolean'],
    },
    errors: errors('Exactly these errors come.'),
    warnings: errors('Exactly these warnings come.'),
    stored: { type: 'object', description: 'What is stored, as far as it is named.', additionalProperties: true },
    exactly: { type: 'object', description: 'All that is stored.', additionalProperties: true },
    message: text('What the broken rule says.'),
    cost: { type: 'integer', description: 'What evaluating the rule may cost at most.' },
  },
  additionalProperties: false,
};

export const testFileSchema: Schema = {
  type: 'object',
  required: ['crd', 'cases'],
  properties: {
    crd: {
      description: 'The CRD that is tested: a file or glob from the folder of the tests, or a kind of the workspace.',
      type: ['string', 'object'],
      properties: { kind: text('Its kind.'), group: text('Its group, where several have the kind.') },
      additionalProperties: false,
    },
    kubernetes: {
      description: 'The versions in which the cases hold, such as `1.33..1.37`; otherwise those of the settings.',
      type: ['string', 'number'],
    },
    bases: { type: 'object', description: 'Objects by name, which cases start from.', additionalProperties: true },
    cases: { type: 'array', description: 'The cases.', items: testCase },
  },
  additionalProperties: false,
};
