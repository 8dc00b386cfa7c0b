// The tools, as a table: what each takes, and the command line that answers it.

/** Something that a tool takes. */
interface Input {
  readonly type: 'text' | 'texts';
  readonly about: string;
  readonly required?: true;
  /** It names files of the workspace, or of a commit as well; nothing else may be read by it. */
  readonly names?: 'files' | 'commit';
  /** The option of the command that it is the value of; without one the command line says where it goes. */
  readonly option?: string;
}

export type Values = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How the command line is called for a tool. */
export interface Call {
  readonly command: string;
  /** Options that always hold. */
  readonly options?: readonly string[];
  readonly args: readonly string[];
  /** What it reads from its standard input. */
  readonly stdin?: string;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly inputs: Readonly<Record<string, Input>>;
  readonly call: (values: Values) => Call;
  /** Whether the answer is JSON. */
  readonly isJson?: true;
  /** What of the JSON is the answer. */
  readonly answer?: (output: Json) => Json;
}

export type Json = { readonly [key: string]: unknown };

const paths: Input = {
  type: 'texts',
  about: 'Files, folders or globs of the workspace; the whole workspace without any.',
  names: 'files',
};
const textInput: Input = { type: 'text', about: 'YAML or JSON to look at instead of files, such as a draft.' };
const crds: Input = {
  type: 'texts',
  about: 'More places with CRDs: files, folders or globs of the workspace.',
  names: 'files',
  option: '--crds',
};
const kubernetes: Input = {
  type: 'text',
  about: 'The Kubernetes version, such as 1.36; by default that of .kube-crd.yaml or the newest.',
  option: '--kubernetes',
};

/** Files or a text: never both. */
function pathsOrText({ paths = [], text }: Values): Pick<Call, 'args' | 'stdin'> {
  const named = paths as readonly string[];
  if (text === undefined) return { args: named };
  if (named.length > 0) throw new Error('give either paths or text');
  return { args: ['-'], stdin: text as string };
}

const kindInput: Input = {
  type: 'text',
  about: 'A kind by any of its names and the path of a field, such as deployment.spec.strategy or widget.',
  required: true,
};
const apiVersion: Input = {
  type: 'text',
  about: 'Group and version, such as apps/v1, where a kind has several.',
  option: '--api-version',
};

export const tools: readonly Tool[] = [
  {
    name: 'check',
    title: 'Check Kubernetes manifests',
    about:
      'Says what the Kubernetes API server would say about CustomResourceDefinitions, custom resources and built-in kinds: each finding with its place, the code of its rule, and fixes that were tried (apply those that are safe; others are a choice). Judges charts as Helm renders them and kustomizations as they are built. Nothing is changed.',
    inputs: {
      paths,
      text: textInput,
      baseline: {
        type: 'text',
        about: 'A commit: objects are judged as updates of what git has there, such as HEAD.',
        option: '--baseline',
      },
      crds,
      kubernetes,
    },
    call: (values) => ({ command: 'check', options: ['--format', 'json', '--with-fixes'], ...pathsOrText(values) }),
    isJson: true,
    answer: firstFindings,
  },
  {
    name: 'explain',
    title: 'Explain a kind, a field or a rule',
    about:
      'Explains a kind or a field of it by the CRDs of the workspace or the kinds that Kubernetes has built in: type, description, constraints, defaults, CEL rules and fields. A code such as cr/unknown-field explains a finding of check: why, and what to do.',
    inputs: { what: kindInput, paths, apiVersion, crds, kubernetes },
    call: ({ what, paths = [] }) => ({
      command: 'explain',
      options: ['--format', 'markdown'],
      args: [what as string, ...(paths as readonly string[])],
    }),
  },
  {
    name: 'complete',
    title: 'List the fields of a kind',
    about:
      'Lists the fields that may be written at a place of a kind, with type, whether they are required, and constraints: ask before writing a manifest instead of guessing names.',
    inputs: { what: kindInput, paths, apiVersion, crds, kubernetes },
    call: ({ what, paths = [] }) => ({
      command: 'explain',
      options: ['--format', 'json'],
      args: [what as string, ...(paths as readonly string[])],
    }),
    isJson: true,
    answer: fieldsAlone,
  },
  {
    name: 'eval',
    title: 'Evaluate a CEL expression',
    about:
      'Evaluates a CEL expression as a rule of a CRD would be, over a resource: type, value, cost, and the values of its parts.',
    inputs: {
      expression: { type: 'text', about: 'The expression, such as self.minReplicas <= self.replicas.', required: true },
      resource: { type: 'text', about: 'A file of the workspace with the resource that self is.', names: 'files' },
      text: { type: 'text', about: 'The resource as YAML, instead of a file.' },
      at: { type: 'text', about: 'self is what is there, such as spec or spec.ports.', option: '--at' },
      crds,
      kubernetes,
    },
    call: ({ expression, resource, text }) => {
      if (resource !== undefined && text !== undefined) throw new Error('give either resource or text');
      const over = resource ?? (text === undefined ? undefined : '-');
      return {
        command: 'eval',
        options: ['--trace'],
        args: [expression as string, ...(over === undefined ? [] : [over as string])],
        ...(text !== undefined && { stdin: text as string }),
      };
    },
  },
  {
    name: 'test',
    title: 'Run tests of CRDs and policies',
    about: 'Runs the cases of *.crdtest.yaml files: what a CRD or an admission policy promises, without a cluster.',
    inputs: {
      paths,
      filter: { type: 'text', about: 'Only cases whose name contains it.', option: '--filter' },
      crds,
      kubernetes,
    },
    call: (values) => ({ command: 'test', options: ['--format', 'json'], ...pathsOrText(values) }),
    isJson: true,
  },
  {
    name: 'render',
    title: 'Show what is stored or applied',
    about:
      'Prints objects as the API server would store them (pruned, with defaults), what Helm renders of the folder of a chart, or what kustomize builds of the folder of a kustomization.',
    inputs: { paths, text: textInput, crds, kubernetes },
    call: (values) => ({ command: 'render', ...pathsOrText(values) }),
  },
  {
    name: 'diff',
    title: 'Compare versions of CRDs',
    about:
      'Says what a change of CRDs means for their users: what the API server would refuse as an update, which stored objects and clients break, and what only widens.',
    inputs: {
      old: {
        type: 'text',
        about: 'A file or folder of the workspace, or that of a commit, such as main:config/crd.',
        required: true,
        names: 'commit',
      },
      new: { type: 'text', about: 'A file or folder; without it the same path on disk.', names: 'files' },
      kubernetes,
    },
    call: ({ old, new: later }) => ({
      command: 'diff',
      options: ['--format', 'json'],
      args: [old as string, ...(later === undefined ? [] : [later as string])],
    }),
    isJson: true,
  },
  {
    name: 'generate',
    title: 'Make CRDs of Go types',
    about: 'Prints the CRDs that controller-gen makes of Go packages with markers, without running Go.',
    inputs: { paths: { ...paths, about: 'Folders of Go packages, such as ./api/v1 or ./api/...' } },
    call: (values) => ({ command: 'generate', ...pathsOrText(values) }),
  },
];

/** More findings are counted: what is told has to be read. */
const mostFindings = 100;

function firstFindings({ findings, ...rest }: Json): Json {
  const all = findings as readonly Json[];
  const told = all.slice(0, mostFindings).map(({ fingerprint: _, ...finding }) => finding);
  return { findings: told, ...(all.length > told.length && { more: all.length - told.length }), ...rest };
}

function fieldsAlone({ kind, apiVersion, path, type, fields }: Json): Json {
  const all = (fields as readonly Json[]).map(({ name, type, required, description, constraints, default: usual }) => ({
    ...{ name, type, required, description },
    ...((constraints as readonly unknown[]).length > 0 && { constraints }),
    ...(usual !== undefined && { default: usual }),
  }));
  return { kind, apiVersion, path, type, fields: all };
}

/** What a tool takes, as JSON schema. */
export function inputSchema({ inputs }: Tool): Json {
  const types = {
    text: { type: 'string' },
    texts: { type: 'array', items: { type: 'string' } },
  } as const;
  const properties = Object.entries(inputs).map(([name, { type, about }]) => [
    name,
    { ...types[type], description: about },
  ]);
  const required = Object.entries(inputs).flatMap(([name, one]) => (one.required ? [name] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** What was given, if it is what the tool takes. */
export function valuesOf({ name, inputs }: Tool, given: Json): Values {
  for (const key of Object.keys(given))
    if (!Object.hasOwn(inputs, key))
      throw new Error(`${name} takes no ${key}; it takes ${Object.keys(inputs).join(', ')}`);
  for (const [key, { type, required }] of Object.entries(inputs)) {
    const value = given[key];
    if (value === undefined) {
      if (required) throw new Error(`${name} takes ${key}`);
    } else if (!fits[type](value)) throw new Error(`${name}: ${key} is not ${wanted[type]}`);
  }
  return given as Values;
}

const fits: Readonly<Record<Input['type'], (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};

const wanted: Readonly<Record<Input['type'], string>> = {
  text: 'a text',
  texts: 'a list of texts',
};

/** What a call names of files. */
export function pathsIn({ inputs }: Tool, values: Values) {
  return Object.entries(inputs).flatMap(([key, { names }]) =>
    names === undefined ? [] : ([values[key] ?? []].flat() as string[]).map((place) => ({ place, of: names })),
  );
}

/** The arguments of the command line, and what it reads: what was given comes behind `--`, or as the value of an option in one argument. */
export function commandLine(tool: Tool, values: Values): { readonly args: string[]; readonly input: string } {
  const { command, options = [], args, stdin = '' } = tool.call(values);
  const given = Object.entries(tool.inputs).flatMap(([key, { option }]) =>
    option === undefined ? [] : ([values[key] ?? []].flat() as string[]).map((value) => `${option}=${value}`),
  );
  return { args: [command, ...options, ...given, '--', ...args], input: stdin };
}
