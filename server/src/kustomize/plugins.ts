/** Plugins that kustomize has built in, configured by resources in `transformers` and `generators`. */

import { quote } from '../gostd/quote.ts';
import { parseStream } from '../yaml/parse.ts';
import type { Accumulated } from './accumulator.ts';
import { specOf } from './configFiles.ts';
import { decodeStruct } from './decode.ts';
import { attempt, fail, prefixed, within } from './failure.ts';
import { type GeneratorPlaces, generate } from './generators.ts';
import { type ChartWanted, configured } from './helmCharts.ts';
import { gvkText, idText } from './ids.ts';
import {
  type GeneratorArgs,
  type HelmChart,
  type Image,
  type Patch,
  pluginTypes,
  type Replacement,
  type Replica,
  type Selector,
  type Spec,
} from './kustomization.ts';
import { kustomizationNames, type Loader } from './loader.ts';
import { type Place, placeIn } from './origin.ts';
import { loadReplacements } from './replacementFiles.ts';
import type { Resource } from './resource.ts';
import { placeOf } from './resourceSet.ts';
import { addHashes } from './transform/hash.ts';
import { imageTransformer } from './transform/images.ts';
import { entriesTransformer } from './transform/labels.ts';
import { affixTransformer } from './transform/names.ts';
import { namespaceTransformer, type SubjectMode, subjectModes } from './transform/namespace.ts';
import { applyStrategic, json6902Operations, loadStrategic, pluginPatch } from './transform/patches.ts';
import { replacementTransformer } from './transform/replacements.ts';
import { replicaTransformer } from './transform/replicas.ts';
import type { Transformer } from './transform/transformer.ts';
import { type ValueAdd, valueAddTransformer } from './transform/valueAdd.ts';
import { plainOf, valueOfBuilt } from './tree/built.ts';
import { get } from './tree/edit.ts';
import { resourceYaml } from './tree/json.ts';
import type { TextSource } from './tree/read.ts';

export function isBuiltin(resource: Resource): boolean {
  const { group, version } = resource.gvk;
  return group === '' && version === 'builtin';
}

interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
}

interface Fields extends GeneratorArgs, ValueAdd {
  readonly metadata?: Metadata;
  readonly annotations?: ReadonlyMap<string, string>;
  readonly labels?: ReadonlyMap<string, string>;
  readonly fieldSpecs?: readonly Spec[];
  readonly imageTag?: Image;
  readonly unsetOnly?: boolean;
  readonly setRoleBindingSubjects?: string;
  readonly target?: Selector;
  readonly path?: string;
  readonly jsonOp?: string;
  readonly paths?: readonly string[];
  readonly patches?: string;
  readonly patch?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly replacements?: readonly Replacement[];
  readonly replica?: Replica;
}

const generators = ['ConfigMapGenerator', 'SecretGenerator', 'IAMPolicyGenerator', 'HelmChartInflationGenerator'];

/** What a resource configures, as it was decoded. */
interface Configured {
  readonly resource: Resource;
  readonly fields: Fields;
  readonly place: Place;
  readonly loader: Loader;
}

function configure(resource: Resource, loader: Loader): Configured {
  const { kind } = resource;
  const type = Object.hasOwn(pluginTypes, kind) ? pluginTypes[kind] : undefined;
  const place = placeOf(resource) ?? placeIn('');
  if (!type) fail(`unable to load builtin ${gvkText(resource.gvk)}`, place);
  const words = `marshalling yaml from res ${idText(resource.originalId)}`;
  const configuration = within(words, () => valueOfBuilt(plainOf(resource.node!)), place);
  const { value, complaint } = decodeStruct(configuration, type, false, true);
  if (complaint)
    fail(
      `plugin ${idText(resource.originalId)} fails configuration: error unmarshaling JSON: while decoding JSON: ${complaint.message}`,
      place,
    );
  return { resource, fields: (value ?? {}) as Fields, place, loader };
}

/** The step that a resource configures. */
export function pluginTransformer(resource: Resource, loader: Loader): Transformer {
  const configured = configure(resource, loader);
  const words = `plugin ${idText(resource.originalId)} fails configuration`;
  if (generators.includes(resource.kind))
    fail(`plugin ${idText(resource.originalId)} not a transformer`, configured.place);
  const made = attempt(() => makers.get(resource.kind)?.(configured));
  if (made.failure) {
    if (made.failure.kind === 'unknown' || made.failure.kind === 'bound') throw made.failure;
    throw prefixed(words, made.failure, configured.place);
  }
  return made.value ?? fail(`unable to load builtin ${gvkText(resource.gvk)}`, configured.place);
}

/** A chart that a resource in `generators` has rendered. */
export function pluginChart(resource: Resource, loader: Loader): ChartWanted {
  const { fields, place } = configure(resource, loader);
  const { chartHome, configHome, ...chart } = fields as unknown as HelmChart & ChartWanted['globals'];
  const globals = { ...(chartHome && { chartHome }), ...(configHome && { configHome }) };
  const wanted = { chart, globals, place, inline: valuesIn(resource, place, loader), isPlugin: true };
  within(`plugin ${idText(resource.originalId)} fails configuration`, () => configured(wanted, loader), place);
  return wanted;
}

/** The values that are written in a resource; their places are known where it has its file for itself. */
function valuesIn({ node }: Resource, { file }: Place, loader: Loader): ChartWanted['inline'] {
  const known = loader.context.file(file);
  const isAlone = known && !isKustomization(file) && parseStream(known.text).documents.length === 1;
  return {
    node: get(node, 'valuesInline'),
    ...(isAlone && { place: { path: file, file: known, at: ['valuesInline'] } }),
  };
}

function isKustomization(path: string): boolean {
  return (kustomizationNames as readonly string[]).includes(path.slice(path.lastIndexOf('/') + 1));
}

export function pluginGenerator(resource: Resource, loader: Loader): () => Resource {
  const configured = configure(resource, loader);
  const { fields, place } = configured;
  const { kind } = resource;
  if (kind !== 'ConfigMapGenerator' && kind !== 'SecretGenerator')
    fail(`plugin ${idText(resource.originalId)} not a generator`, place);
  const args = {
    ...fields,
    name: fields.name || fields.metadata?.name,
    namespace: fields.namespace || fields.metadata?.namespace,
  };
  const all = () => place;
  const places: GeneratorPlaces = { whole: place, name: place, literal: all, file: all, env: all, option: all };
  return () => generate(kind === 'ConfigMapGenerator' ? 'ConfigMap' : 'Secret', args as GeneratorArgs, loader, places);
}

type Maker = (configured: Configured) => Transformer;

const what = 'transformers';

function specs({ fields }: Configured) {
  return (fields.fieldSpecs ?? []).map(specOf);
}

const entries = (plugin: 'LabelTransformer' | 'AnnotationsTransformer', name: 'labels' | 'annotations'): Maker => {
  return (configured) => {
    const { place, fields } = configured;
    const entryPlace = () => ({ key: place, value: place });
    return entriesTransformer({
      plugin,
      entries: fields[name] ?? new Map(),
      specs: specs(configured),
      what,
      place,
      entryPlace,
    });
  };
};

const affix = (isPrefix: boolean): Maker => {
  return (configured) => {
    const { fields, place } = configured;
    if (!fields.fieldSpecs) fail('fieldSpecs is not expected to be nil');
    const text = (isPrefix ? fields.prefix : fields.suffix) ?? '';
    return affixTransformer({ text, isPrefix, specs: specs(configured), place, what });
  };
};

const makers: ReadonlyMap<string, Maker> = new Map(
  Object.entries<Maker>({
    AnnotationsTransformer: entries('AnnotationsTransformer', 'annotations'),
    LabelTransformer: entries('LabelTransformer', 'labels'),
    HashTransformer: ({ place }) => ({
      plugin: 'HashTransformer',
      place,
      isAlone: false,
      transform: (made: Accumulated) => addHashes(made),
    }),
    ImageTagTransformer: (configured) => {
      return imageTransformer(configured.fields.imageTag ?? {}, specs(configured), configured.place, what);
    },
    NamespaceTransformer: (configured) => {
      const { fields, place } = configured;
      const mode = fields.setRoleBindingSubjects || 'defaultOnly';
      if (!subjectModes.includes(mode as SubjectMode))
        fail(
          `invalid value ${quote(mode)} for setRoleBindingSubjects: must be one of "defaultOnly", "none" or "allServiceAccounts"`,
        );
      return namespaceTransformer({
        ...{ namespace: fields.metadata?.namespace ?? '', specs: specs(configured), place, what },
        ...{ unsetOnly: fields.unsetOnly ?? false, subjects: mode as SubjectMode },
      });
    },
    PatchTransformer: ({ resource, fields, place, loader }) => {
      return pluginPatch(fields as Patch, loader, placesAt(place), () => resourceYaml(resource.node));
    },
    PatchJson6902Transformer: ({ fields, place, loader }) => {
      const { path, jsonOp, target } = fields;
      const patch: Patch = {
        ...(path ? { path } : {}),
        ...(jsonOp ? { patch: jsonOp } : {}),
        ...(target ? { target } : {}),
      };
      return json6902Operations(patch, loader, placesAt(place));
    },
    PatchStrategicMergeTransformer: ({ fields, place, loader }) => {
      const { paths = [], patches = '' } = fields;
      if (paths.length === 0 && patches === '') fail('empty file path and empty patch content');
      const source = (text: string) => sourceAt(text, place);
      const loaded = [
        ...paths.flatMap((text) => loadStrategic({ text, place, source }, loader)),
        ...(patches === '' ? [] : loadStrategic({ text: patches, place, source }, loader, true)),
      ];
      if (loaded.length === 0) fail(`patch appears to be empty; files=[${paths.join(' ')}], Patch=${patches}`);
      return {
        plugin: 'PatchStrategicMergeTransformer',
        place,
        isAlone: false,
        transform: (made, context) => {
          for (const patch of loaded) applyStrategic(patch, place, made, context);
        },
      };
    },
    PrefixTransformer: affix(true),
    SuffixTransformer: affix(false),
    PrefixSuffixTransformer: (configured) => {
      const [prefix, suffix] = [affix(true)(configured), affix(false)(configured)];
      return {
        ...prefix,
        isAlone: false,
        transform: (made, context) => {
          prefix.transform(made, context);
          suffix.transform(made, context);
        },
      };
    },
    ReplacementTransformer: ({ fields, place, loader }) => {
      return replacementTransformer(
        loadReplacements(
          fields.replacements ?? [],
          loader,
          () => place,
          () => place,
        ),
        place,
        what,
      );
    },
    ReplicaCountTransformer: (configured) => {
      return replicaTransformer(configured.fields.replica ?? {}, specs(configured), configured.place, what);
    },
    ValueAddTransformer: ({ fields, place, loader }) => valueAddTransformer(fields, loader, place),
  }),
);

function sourceAt(text: string, place: Place): TextSource {
  return { text, in: 'patch', place: () => place };
}

function placesAt(place: Place) {
  return { whole: place, path: place, target: place, text: (text: string) => sourceAt(text, place) };
}
