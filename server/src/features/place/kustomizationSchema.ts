import type { Json } from '../../workspace/settings.ts';

// The fields of kustomization.yaml as kustomize 5 reads them, for completion and cards. What is wrong in one is found by building.

type Schema = { readonly [keyword: string]: Json };

const text = (description: string): Schema => ({ type: 'string', description });
const flag = (description: string): Schema => ({ type: 'boolean', description });
const number = (description: string): Schema => ({ type: 'integer', description });
const texts = (description: string): Schema => ({ type: 'array', description, items: { type: 'string' } });
const pairs = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});
const map = (description: string, properties: Schema): Schema => ({ type: 'object', description, properties });
const list = (description: string, properties: Schema): Schema => ({
  type: 'array',
  description,
  items: { type: 'object', properties },
});
const oneOf = (description: string, names: readonly string[]): Schema => ({
  type: 'string',
  description,
  enum: [...names],
});

const id: Schema = {
  group: text('The API group; of the core group it is empty.'),
  version: text('The version of the API.'),
  kind: text('The kind.'),
  name: text('The name of the object, as it was before prefixes and suffixes, or as it is now.'),
  namespace: text('The namespace of the object.'),
};

const selector = (description: string): Schema =>
  map(description, {
    ...id,
    group: text('A regular expression for the whole API group.'),
    version: text('A regular expression for the whole version.'),
    kind: text('A regular expression for the whole kind.'),
    name: text('A regular expression for the whole name.'),
    namespace: text('A regular expression for the whole namespace.'),
    labelSelector: text('Labels, as kubectl selects by them: `app=web,tier!=db`.'),
    annotationSelector: text('Annotations, likewise.'),
  });

const fieldSpecs = (description: string): Schema =>
  list(description, {
    group: id.group!,
    version: id.version!,
    kind: id.kind!,
    path: text('The path of the field, with slashes: `spec/template/metadata/labels`.'),
    create: flag('Make the field where it is missing.'),
  });

const generatorOptions = (description: string): Schema =>
  map(description, {
    labels: pairs('Labels of the object that is made.'),
    annotations: pairs('Annotations of the object that is made.'),
    disableNameSuffixHash: flag('Leave out the hash of the contents behind the name.'),
    immutable: flag('Make an object whose data cannot be changed.'),
  });

const sources: Schema = {
  name: text('The name, before the hash of the contents is added.'),
  namespace: text('The namespace of the object.'),
  behavior: oneOf('What to do where a base makes an object of the same name.', ['create', 'replace', 'merge']),
  files: texts('Files, each a key with the name of the file; `key=path` names the key.'),
  literals: texts('Values as `key=value`.'),
  envs: texts('Files with a line `KEY=value` for each key.'),
  env: text('One such file. Use `envs`.'),
  options: generatorOptions('What holds for this object alone.'),
};

const patchOptions = map('What the patch may change beside its fields.', {
  allowNameChange: flag('The patch may give the object another name.'),
  allowKindChange: flag('The patch may give the object another kind.'),
});

const fieldOptions: Schema = {
  fieldPaths: texts('Paths of fields, with dots: `spec.template.spec.containers.[name=app].image`.'),
  options: map('How the value is put there.', {
    delimiter: text('What splits the value into parts.'),
    index: number('Which part is meant, from 0.'),
    encoding: oneOf('How the value is encoded.', ['base64']),
    create: flag('Make the field where it is missing.'),
  }),
};

const { fieldPaths: _, options: sourceOptions } = fieldOptions;

const deprecated = (instead: string, schema: Schema): Schema => ({
  ...schema,
  description: `Deprecated: use ${instead}.`,
});

const patches = list('Patches, each for what its `target` selects, or for the object that it names itself.', {
  path: text('The file with the patch.'),
  patch: text('The patch itself: a part of an object, or a list of JSON 6902 operations.'),
  target: selector('What is patched; without it, the object that the patch names.'),
  options: patchOptions,
});

export const kustomizationSchema: Schema = {
  type: 'object',
  description: 'What `kustomize build` makes of this folder.',
  properties: {
    apiVersion: oneOf('`kustomize.config.k8s.io/v1beta1`; of a Component `v1alpha1`.', [
      'kustomize.config.k8s.io/v1beta1',
      'kustomize.config.k8s.io/v1alpha1',
    ]),
    kind: oneOf('A Kustomization is built; a Component is put into others.', ['Kustomization', 'Component']),
    metadata: map('Names and annotations of the kustomization itself.', {
      name: text('A name, which nothing reads.'),
      namespace: text('A namespace, which nothing reads.'),
      labels: pairs('Labels, which nothing reads.'),
      annotations: pairs('Annotations: `config.kubernetes.io/local-config` keeps it out of what is built.'),
    }),
    resources: texts('Files with objects, and folders with kustomizations.'),
    components: texts('Folders with components, which change what was gathered before them.'),
    namespace: text('The namespace of all objects that are in one.'),
    namePrefix: text('What is put in front of all names, and of what refers to them.'),
    nameSuffix: text('What is put behind all names, and behind what refers to them.'),
    labels: list('Labels for all objects.', {
      pairs: pairs('The labels.'),
      includeSelectors: flag('Put them into selectors, and into the templates that these select.'),
      includeTemplates: flag('Put them into templates of pods, but not into selectors.'),
      fields: fieldSpecs('More fields that they are put into.'),
    }),
    commonLabels: deprecated('`labels` with `includeSelectors: true`', pairs('')),
    commonAnnotations: pairs('Annotations for all objects and templates.'),
    images: list('Other names, tags or digests of images.', {
      name: text('The image as it is named in the objects.'),
      newName: text('Its other name.'),
      newTag: text('Its other tag. Quote a number.'),
      tagSuffix: text('What is put behind its tag.'),
      digest: text('Its digest, in place of a tag.'),
    }),
    replicas: list('Counts of replicas.', {
      name: text('The object, as it was named before prefixes and suffixes.'),
      count: number('The count.'),
    }),
    patches,
    patchesStrategicMerge: deprecated('`patches`', texts('')),
    patchesJson6902: deprecated('`patches`', { ...patches }),
    configMapGenerator: list('ConfigMaps that are made of files and values.', sources),
    secretGenerator: list('Secrets that are made of files and values.', {
      ...sources,
      type: text('The type of the Secret; `Opaque` if there is none.'),
    }),
    generatorOptions: generatorOptions('What holds for everything that is made here.'),
    replacements: list('Values that are copied from one field to others.', {
      path: text('A file with such replacements.'),
      source: map('Where the value is taken from.', {
        ...id,
        fieldPath: text('The path of the field, with dots; `metadata.name` if there is none.'),
        options: sourceOptions!,
      }),
      sourceValue: text('The value itself.'),
      targets: list('Where the value is put.', {
        select: selector('The objects that get it.'),
        reject: {
          type: 'array',
          description: 'Objects among those that do not get it.',
          items: selector('Objects that do not get it.'),
        },
        ...fieldOptions,
      }),
    }),
    vars: deprecated(
      '`replacements`',
      list('', {
        name: text('The name: `$(NAME)` stands for the value.'),
        objref: map('The object.', { apiVersion: text('Its version.'), ...id }),
        fieldref: map('The field.', { fieldpath: text('The path of the field, with dots.') }),
      }),
    ),
    configurations: texts(
      'Files that say which fields hold names, images, labels and the like in kinds that kustomize does not know.',
    ),
    crds: texts('Files with OpenAPI definitions of kinds, not CRDs: they say which fields refer to names.'),
    openapi: map('The schema by which lists of kinds are merged that kustomize does not know.', {
      path: text('A file with an OpenAPI v2 document.'),
      version: text('The built-in schema of a Kubernetes version.'),
    }),
    generators: texts('Files with configurations of generators.'),
    transformers: texts('Files with configurations of transformers, or those themselves.'),
    validators: texts('Files with configurations of validators, or those themselves.'),
    buildMetadata: {
      type: 'array',
      description: 'What is noted in each object.',
      items: { type: 'string', enum: ['managedByLabel', 'originAnnotations', 'transformerAnnotations'] },
    },
    sortOptions: map('In which order objects are printed.', {
      order: oneOf('`fifo`: as they were gathered.', ['legacy', 'fifo']),
      legacySortOptions: map('Kinds that go first and last.', {
        orderFirst: texts('Kinds that go first.'),
        orderLast: texts('Kinds that go last.'),
      }),
    }),
    helmCharts: list('Charts that helm renders. They are not rendered here.', {
      name: text('The name of the chart.'),
      version: text('Its version.'),
      repo: text('Its repository.'),
      releaseName: text('The name of the release.'),
      namespace: text('The namespace of the release.'),
      valuesFile: text('A file with values.'),
      additionalValuesFiles: texts('More files with values.'),
      valuesInline: { type: 'object', description: 'Values.', additionalProperties: true },
      valuesMerge: oneOf('Which values win.', ['merge', 'override', 'replace']),
      includeCRDs: flag('Take the CRDs of the chart as well.'),
      skipHooks: flag('Leave out hooks.'),
      skipTests: flag('Leave out tests.'),
      apiVersions: texts('APIs that the chart is told of.'),
      kubeVersion: text('The version of Kubernetes that the chart is told of.'),
      nameTemplate: text('A template for the name of the release.'),
      devel: flag('Take versions that are not released.'),
      debug: flag('Let helm say more.'),
    }),
    helmGlobals: map('What holds for all charts.', {
      chartHome: text('The folder of the charts.'),
      configHome: text("The folder of helm's settings."),
    }),
    helmChartInflationGenerator: deprecated('`helmCharts`', list('', {})),
    bases: deprecated('`resources`', texts('')),
    imageTags: deprecated('`images`', list('', {})),
  },
  additionalProperties: false,
};
