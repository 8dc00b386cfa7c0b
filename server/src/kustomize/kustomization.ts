/** The fields of a kustomization. */
import type { Value } from '../base/value.ts';
import type { StructType, Type } from './decode.ts';

export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly annotationSelector?: string;
  readonly labelSelector?: string;
}

export interface Patch {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Selector;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
}

export interface Spec {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly path?: string;
  readonly create?: boolean;
}

export interface Label {
  readonly pairs?: ReadonlyMap<string, string>;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly fields?: readonly Spec[];
}

export interface Image {
  readonly name?: string;
  readonly newName?: string;
  readonly tagSuffix?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

export interface Replica {
  readonly name?: string;
  readonly count?: bigint;
}

export interface GeneratorOptions {
  readonly labels?: ReadonlyMap<string, string>;
  readonly annotations?: ReadonlyMap<string, string>;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface GeneratorArgs {
  readonly namespace?: string;
  readonly name?: string;
  readonly behavior?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly options?: GeneratorOptions;
  /** Of secrets. */
  readonly type?: string;
}

export interface FieldOptions {
  readonly delimiter?: string;
  readonly index?: bigint;
  readonly encoding?: string;
  readonly create?: boolean;
}

export interface ReplacementSource extends Selector {
  readonly fieldPath?: string;
  readonly options?: FieldOptions;
}

export interface ReplacementTarget {
  readonly select?: Selector;
  readonly reject?: readonly (Selector | undefined)[];
  readonly fieldPaths?: readonly string[];
  readonly options?: FieldOptions;
}

export interface Replacement {
  readonly source?: ReplacementSource;
  readonly targets?: readonly (ReplacementTarget | undefined)[];
  readonly sourceValue?: string;
  readonly path?: string;
}

export interface Var {
  readonly name?: string;
  readonly objref?: {
    readonly apiVersion?: string;
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly fieldref?: { readonly fieldPath?: string };
}

export interface SortOptions {
  readonly order?: string;
  readonly legacySortOptions?: { readonly orderFirst?: readonly string[]; readonly orderLast?: readonly string[] };
}

export interface HelmChart {
  readonly name?: string;
  readonly version?: string;
  readonly repo?: string;
  readonly releaseName?: string;
  readonly namespace?: string;
  readonly additionalValuesFiles?: readonly string[];
  readonly valuesFile?: string;
  readonly valuesInline?: ReadonlyMap<string, Value>;
  readonly valuesMerge?: string;
  readonly includeCRDs?: boolean;
  readonly skipHooks?: boolean;
  readonly apiVersions?: readonly string[];
  readonly kubeVersion?: string;
  readonly nameTemplate?: string;
  readonly skipTests?: boolean;
}

/** A chart as it was named in the field of old. */
export interface HelmChartArgs {
  readonly chartName?: string;
  readonly chartVersion?: string;
  readonly chartRepoUrl?: string;
  readonly chartHome?: string;
  readonly helmHome?: string;
  readonly values?: string;
  readonly valuesLocal?: ReadonlyMap<string, Value>;
  readonly valuesMerge?: string;
  readonly releaseName?: string;
}

export interface Kustomization {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: object;
  readonly openapi?: ReadonlyMap<string, string>;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: ReadonlyMap<string, string>;
  readonly labels?: readonly Label[];
  readonly commonAnnotations?: ReadonlyMap<string, string>;
  readonly patchesStrategicMerge?: readonly string[];
  readonly patchesJson6902?: readonly Patch[];
  readonly patches?: readonly Patch[];
  readonly images?: readonly Image[];
  readonly imageTags?: readonly Image[];
  readonly replacements?: readonly Replacement[];
  readonly replicas?: readonly Replica[];
  readonly vars?: readonly Var[];
  readonly sortOptions?: SortOptions;
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly crds?: readonly string[];
  readonly bases?: readonly string[];
  readonly configMapGenerator?: readonly GeneratorArgs[];
  readonly secretGenerator?: readonly GeneratorArgs[];
  readonly helmGlobals?: { readonly chartHome?: string; readonly configHome?: string };
  readonly helmCharts?: readonly HelmChart[];
  readonly helmChartInflationGenerator?: readonly HelmChartArgs[];
  readonly generatorOptions?: GeneratorOptions;
  readonly configurations?: readonly string[];
  readonly generators?: readonly string[];
  readonly transformers?: readonly string[];
  readonly validators?: readonly string[];
  readonly buildMetadata?: readonly string[];
}

const strings: Type = { list: 'string' };
const stringMap: Type = { map: 'string' };

type Inside = readonly (readonly [path: string, fields: string])[];

/** `inside` names the structs without names that some fields are in. */
function struct(name: string, fields: Readonly<Record<string, Type>>, inside: Inside = []): StructType {
  if (inside.length === 0) return { name, fields };
  const rows = inside.flatMap(([path, names]) => names.split(' ').map((field) => [field, path.split(' ')] as const));
  return { name, fields, inside: new Map(rows) };
}

const inGvk: Inside = [['Gvk', 'group version kind']];
const inResId: Inside = [
  ['ResId Gvk', 'group version kind'],
  ['ResId', 'name namespace'],
];
const inGenerator: Inside = [
  ['GeneratorArgs', 'namespace name behavior options'],
  ['GeneratorArgs KvPairSources', 'literals files envs env'],
];

const gvk = { group: 'string', version: 'string', kind: 'string' } as const;
const resId = { ...gvk, name: 'string', namespace: 'string' } as const;

const selectorType = struct(
  'types.Selector',
  {
    ...resId,
    annotationSelector: 'string',
    labelSelector: 'string',
  },
  inResId,
);
const patchArgs = struct('types.PatchArgs', { allowNameChange: 'bool', allowKindChange: 'bool' });
const patchFields: Readonly<Record<string, Type>> = {
  path: 'string',
  patch: 'string',
  target: selectorType,
  options: patchArgs,
};
const patch = struct('types.Patch', patchFields);
export const fieldSpec = struct('types.FieldSpec', { ...gvk, path: 'string', create: 'bool' }, inGvk);
const label = struct('types.Label', {
  pairs: stringMap,
  includeSelectors: 'bool',
  includeTemplates: 'bool',
  fields: { list: fieldSpec },
});
const imageType = struct('types.Image', {
  name: 'string',
  newName: 'string',
  tagSuffix: 'string',
  newTag: 'string',
  digest: 'string',
});
const objectMeta = struct('types.ObjectMeta', {
  name: 'string',
  namespace: 'string',
  labels: stringMap,
  annotations: stringMap,
});
const options = struct('types.GeneratorOptions', {
  labels: stringMap,
  annotations: stringMap,
  disableNameSuffixHash: 'bool',
  immutable: 'bool',
});
const generatorFields: Readonly<Record<string, Type>> = {
  namespace: 'string',
  name: 'string',
  behavior: 'string',
  literals: strings,
  files: strings,
  envs: strings,
  env: 'string',
  options,
};
const fieldOptions = struct('types.FieldOptions', {
  delimiter: 'string',
  index: 'int',
  encoding: 'string',
  create: 'bool',
});
const source = struct('types.SourceSelector', { ...resId, fieldPath: 'string', options: fieldOptions }, inResId);
const target = struct('types.TargetSelector', {
  select: selectorType,
  reject: { list: selectorType, named: '[]*types.Selector' },
  fieldPaths: strings,
  options: fieldOptions,
});
const replacementFields: Readonly<Record<string, Type>> = {
  source,
  targets: { list: target, named: '[]*types.TargetSelector' },
  sourceValue: 'string',
};
export const replacementType = struct('types.Replacement', replacementFields);
const replacementField = struct('types.ReplacementField', { ...replacementFields, path: 'string' }, [
  ['Replacement', 'source targets sourceValue'],
]);
const replicaType = struct('types.Replica', { name: 'string', count: 'int64' });
const variable = struct('types.Var', {
  name: 'string',
  objref: struct('types.Target', { apiVersion: 'string', ...gvk, name: 'string', namespace: 'string' }, inGvk),
  fieldref: struct('types.FieldSelector', { fieldPath: 'string' }),
});
const sortOptions = struct('types.SortOptions', {
  order: 'string',
  legacySortOptions: struct('types.LegacySortOptions', { orderFirst: strings, orderLast: strings }),
});
const helmChartFields: Readonly<Record<string, Type>> = {
  name: 'string',
  version: 'string',
  repo: 'string',
  releaseName: 'string',
  namespace: 'string',
  additionalValuesFiles: strings,
  valuesFile: 'string',
  valuesInline: { map: 'any' },
  valuesMerge: 'string',
  includeCRDs: 'bool',
  skipHooks: 'bool',
  apiVersions: strings,
  kubeVersion: 'string',
  nameTemplate: 'string',
  skipTests: 'bool',
  debug: 'bool',
  devel: 'bool',
};
const helmChart = struct('types.HelmChart', helmChartFields);
const helmChartArgs = struct('types.HelmChartArgs', {
  chartName: 'string',
  chartVersion: 'string',
  chartRepoUrl: 'string',
  chartHome: 'string',
  chartRepoName: 'string',
  helmBin: 'string',
  helmHome: 'string',
  values: 'string',
  valuesLocal: { map: 'any' },
  valuesMerge: 'string',
  releaseName: 'string',
  releaseNamespace: 'string',
  extraArgs: strings,
});

export const kustomizationType = struct(
  'types.Kustomization',
  {
    kind: 'string',
    apiVersion: 'string',
    metadata: objectMeta,
    openapi: stringMap,
    namePrefix: 'string',
    nameSuffix: 'string',
    namespace: 'string',
    commonLabels: stringMap,
    labels: { list: label },
    commonAnnotations: stringMap,
    patchesStrategicMerge: { list: 'string' },
    patchesJson6902: { list: patch },
    patches: { list: patch },
    images: { list: imageType },
    imageTags: { list: imageType },
    replacements: { list: replacementField },
    replicas: { list: replicaType },
    vars: { list: variable },
    sortOptions,
    resources: strings,
    components: strings,
    crds: strings,
    bases: strings,
    configMapGenerator: { list: struct('types.ConfigMapArgs', generatorFields, inGenerator) },
    secretGenerator: { list: struct('types.SecretArgs', { ...generatorFields, type: 'string' }, inGenerator) },
    helmGlobals: struct('types.HelmGlobals', { chartHome: 'string', configHome: 'string' }),
    helmCharts: { list: helmChart },
    helmChartInflationGenerator: { list: helmChartArgs },
    generatorOptions: options,
    configurations: strings,
    generators: strings,
    transformers: strings,
    validators: strings,
    buildMetadata: strings,
  },
  [['TypeMeta', 'kind apiVersion']],
);

/** What plugins that kustomize has built in are configured with, by their kind. */
const specs: Type = { list: fieldSpec };
const generator = { ...generatorFields, metadata: objectMeta };
export const pluginTypes: Readonly<Record<string, StructType>> = {
  AnnotationsTransformer: struct('builtins.AnnotationsTransformerPlugin', {
    annotations: stringMap,
    fieldSpecs: specs,
  }),
  ConfigMapGenerator: struct('builtins.ConfigMapGeneratorPlugin', generator),
  SecretGenerator: struct('builtins.SecretGeneratorPlugin', { ...generator, type: 'string' }),
  HelmChartInflationGenerator: struct(
    'builtins.HelmChartInflationGeneratorPlugin',
    { chartHome: 'string', configHome: 'string', ...helmChartFields },
    [
      ['HelmGlobals', 'chartHome configHome'],
      ['HelmChart', Object.keys(helmChartFields).join(' ')],
    ],
  ),
  HashTransformer: struct('builtins.HashTransformerPlugin', {}),
  ImageTagTransformer: struct('builtins.ImageTagTransformerPlugin', { imageTag: imageType, fieldSpecs: specs }),
  LabelTransformer: struct('builtins.LabelTransformerPlugin', { labels: stringMap, fieldSpecs: specs }),
  NamespaceTransformer: struct('builtins.NamespaceTransformerPlugin', {
    metadata: objectMeta,
    fieldSpecs: specs,
    unsetOnly: 'bool',
    setRoleBindingSubjects: 'string',
  }),
  PatchJson6902Transformer: struct('builtins.PatchJson6902TransformerPlugin', {
    target: selectorType,
    path: 'string',
    jsonOp: 'string',
  }),
  PatchStrategicMergeTransformer: struct('builtins.PatchStrategicMergeTransformerPlugin', {
    paths: strings,
    patches: 'string',
  }),
  PatchTransformer: struct('builtins.PatchTransformerPlugin', patchFields),
  PrefixTransformer: struct('builtins.PrefixTransformerPlugin', { prefix: 'string', fieldSpecs: specs }),
  SuffixTransformer: struct('builtins.SuffixTransformerPlugin', { suffix: 'string', fieldSpecs: specs }),
  PrefixSuffixTransformer: struct('builtinhelpers.MultiTransformer', {
    prefix: 'string',
    suffix: 'string',
    fieldSpecs: specs,
  }),
  ReplacementTransformer: struct('builtins.ReplacementTransformerPlugin', { replacements: { list: replacementField } }),
  ReplicaCountTransformer: struct('builtins.ReplicaCountTransformerPlugin', {
    replica: replicaType,
    fieldSpecs: specs,
  }),
  ValueAddTransformer: struct('builtins.ValueAddTransformerPlugin', {
    value: 'string',
    targets: {
      list: struct('builtins.Target', { selector: selectorType, fieldPath: 'string', filePathPosition: 'int' }),
    },
    targetFilePath: 'string',
  }),
};

const fluxSelector = struct('kustomize.Selector', { ...resId, annotationSelector: 'string', labelSelector: 'string' });
const fluxMetadata = struct('v1.CommonMetadata', { labels: stringMap, annotations: stringMap });

/** What of the spec of Flux's Kustomization changes a build. */
export const fluxType = struct('v1.KustomizationSpec', {
  targetNamespace: 'string',
  namePrefix: 'string',
  nameSuffix: 'string',
  patches: { list: struct('kustomize.Patch', { patch: 'string', target: fluxSelector }) },
  images: {
    list: struct('kustomize.Image', { name: 'string', newName: 'string', newTag: 'string', digest: 'string' }),
  },
  components: strings,
  ignoreMissingComponents: 'bool',
  buildMetadata: strings,
  commonMetadata: fluxMetadata,
});

export interface FluxSpec {
  readonly targetNamespace?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly patches?: readonly Patch[];
  readonly images?: readonly Image[];
  readonly components?: readonly string[];
  readonly ignoreMissingComponents?: boolean;
  readonly buildMetadata?: readonly string[];
  readonly commonMetadata?: {
    readonly labels?: ReadonlyMap<string, string>;
    readonly annotations?: ReadonlyMap<string, string>;
  };
}

/** What of `source.kustomize` of Argo CD changes a build. */
export const argoType = struct('v1alpha1.ApplicationSourceKustomize', {
  namePrefix: 'string',
  nameSuffix: 'string',
  namespace: 'string',
  images: strings,
  replicas: { list: struct('v1alpha1.KustomizeReplica', { name: 'string', count: 'any' }) },
  commonLabels: stringMap,
  forceCommonLabels: 'bool',
  labelWithoutSelector: 'bool',
  labelIncludeTemplates: 'bool',
  commonAnnotations: stringMap,
  forceCommonAnnotations: 'bool',
  commonAnnotationsEnvsubst: 'bool',
  patches: { list: patch },
  components: strings,
  ignoreMissingComponents: 'bool',
});

export interface ArgoSpec {
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly images?: readonly string[];
  readonly replicas?: readonly { readonly name?: string; readonly count?: Value }[];
  readonly commonLabels?: ReadonlyMap<string, string>;
  readonly forceCommonLabels?: boolean;
  readonly labelWithoutSelector?: boolean;
  readonly labelIncludeTemplates?: boolean;
  readonly commonAnnotations?: ReadonlyMap<string, string>;
  readonly forceCommonAnnotations?: boolean;
  readonly commonAnnotationsEnvsubst?: boolean;
  readonly patches?: readonly Patch[];
  readonly components?: readonly string[];
  readonly ignoreMissingComponents?: boolean;
}
