/** The steps that the fields of a kustomization stand for, in kustomize's order. */
import type { Path } from '../base/value.ts';
import { goYaml } from '../yaml/goYaml.ts';
import type { Accumulated } from './accumulator.ts';
import type { Building } from './building.ts';
import { type Config, type FieldSpec, mergeSpecs } from './config.ts';
import { specOf } from './configFiles.ts';
import { attempt, fail, prefixed } from './failure.ts';
import type { Label, Patch, Replacement } from './kustomization.ts';
import { loadReplacements } from './replacementFiles.ts';
import { replacementsValue } from './replacementsValue.ts';
import { imageTransformer } from './transform/images.ts';
import { entriesTransformer } from './transform/labels.ts';
import { affixTransformer } from './transform/names.ts';
import { namespaceTransformer } from './transform/namespace.ts';
import {
  configured,
  json6902Transformer,
  type PatchPlaces,
  patchTransformer,
  strategicTransformer,
} from './transform/patches.ts';
import { replacementTransformer } from './transform/replacements.ts';
import { replicaTransformer } from './transform/replicas.ts';
import type { Transformer } from './transform/transformer.ts';

export function builtinTransformers(target: Building, made: Accumulated): Transformer[] {
  const { config } = made;
  const known = (act: () => Transformer) => {
    const step = target.known(made, act);
    return step ? [step] : [];
  };
  const { fields, file, loader } = target;
  const { namePrefix, nameSuffix, namespace } = fields;
  const affix = (name: 'namePrefix' | 'nameSuffix', text: string | undefined) =>
    text
      ? [
          affixTransformer({
            text,
            isPrefix: name === 'namePrefix',
            specs: config[name],
            place: file.place([name]),
            what: name,
          }),
        ]
      : [];
  return [
    ...strategic(target, known),
    ...(fields.patches ?? []).flatMap((patch, i) =>
      known(() => patchTransformer(patch, loader, placesOf(target, ['patches', i], 'patch'))),
    ),
    ...(namespace ? [namespaceStep(target, namespace, config)] : []),
    ...affix('namePrefix', namePrefix),
    ...affix('nameSuffix', nameSuffix),
    ...labels(target, config),
    ...annotations(target, config),
    ...(fields.patchesJson6902 ?? []).flatMap((patch: Patch, i) =>
      known(() => json6902Transformer(patch, loader, placesOf(target, ['patchesJson6902', i], 'patch'))),
    ),
    ...(fields.replicas ?? []).map((one, i) => replicaTransformer(one, config.replicas, file.place(['replicas', i]))),
    ...(fields.images ?? []).map((one, i) => imageTransformer(one, config.images, file.place(['images', i]))),
    ...(fields.imageTags ?? []).map((one, i) => imageTransformer(one, config.images, file.place(['imageTags', i]))),
    ...replacements(target, known),
  ];
}

function namespaceStep({ file }: Building, namespace: string, config: Config): Transformer {
  const place = file.place(['namespace']);
  return namespaceTransformer({
    namespace,
    specs: config.namespace,
    place,
    what: 'namespace',
    unsetOnly: false,
    subjects: 'defaultOnly',
  });
}

function placesOf({ file }: Building, at: Path, field: string): PatchPlaces {
  return {
    whole: file.place(at),
    path: file.place([...at, 'path']),
    target: file.place([...at, 'target']),
    text: (text, offset) => file.textAt([...at, field], text, offset, 'patch'),
  };
}

type Known = (act: () => Transformer) => Transformer[];

function strategic({ fields, file, loader }: Building, known: Known): Transformer[] {
  const patches = fields.patchesStrategicMerge ?? [];
  if (patches.length === 0) return [];
  const all = patches.map((text, i) => {
    const at = ['patchesStrategicMerge', i];
    return { text, place: file.place(at), source: (inline: string) => file.textAt(at, inline, 0, 'patch') };
  });
  return known(() => strategicTransformer(all, loader, file.place(['patchesStrategicMerge'])));
}

const ownLabels: FieldSpec = { path: 'metadata/labels', group: '', version: '', kind: '', create: true };

function specsOf(label: Label, config: Config): readonly FieldSpec[] {
  const merge = (words: string, own: readonly FieldSpec[], more: readonly FieldSpec[]) => {
    const merged = attempt(() => mergeSpecs(own, more));
    if (merged.failure) throw prefixed(words, merged.failure);
    return merged.value;
  };
  const words = 'failed to merge labels';
  let specs = merge(words, (label.fields ?? []).map(specOf), config.labels);
  if (label.includeSelectors) return merge(words, specs, config.commonLabels);
  if (label.includeTemplates) specs = merge('failed to merge template fieldSpec', specs, config.templateLabels);
  return merge(words, specs, [ownLabels]);
}

function labels({ fields, file }: Building, config: Config): Transformer[] {
  const own = (fields.labels ?? []).map((label, i) => {
    const at = ['labels', i];
    const specs = (() => {
      const found = attempt(() => specsOf(label, config));
      return found.failure === undefined ? found.value : fail(found.failure.message, file.place(at));
    })();
    const entryPlace = (key: string) => both(file, [...at, 'pairs', key]);
    return entriesTransformer({
      ...{ plugin: 'LabelTransformer', entries: label.pairs ?? new Map(), specs, what: 'labels' },
      ...{ place: file.place(at), entryPlace },
    });
  });
  if ((fields.labels?.length ?? 0) === 0 && (fields.commonLabels?.size ?? 0) === 0) return [];
  const common = entriesTransformer({
    ...{ plugin: 'LabelTransformer', entries: fields.commonLabels ?? new Map(), specs: config.commonLabels },
    ...{ what: 'commonLabels', place: file.place(['commonLabels']) },
    entryPlace: (key) => both(file, ['commonLabels', key]),
  });
  return [...own, common];
}

function both(file: Building['file'], path: Path) {
  return { key: file.place(path, 'key'), value: file.place(path) };
}

function annotations({ fields, file }: Building, config: Config): Transformer[] {
  const entries = fields.commonAnnotations;
  if (!entries || entries.size === 0) return [];
  return [
    entriesTransformer({
      ...{ plugin: 'AnnotationsTransformer', entries, specs: config.commonAnnotations, what: 'commonAnnotations' },
      ...{ place: file.place(['commonAnnotations']), entryPlace: (key) => both(file, ['commonAnnotations', key]) },
    }),
  ];
}

function withoutTargets({ targets: _, ...rest }: Replacement): Replacement {
  return rest;
}

function replacements({ fields, file, loader }: Building, known: Known): Transformer[] {
  // A list of no targets is none, once it was configured.
  const all = (fields.replacements ?? []).map((one) => (one.targets?.length === 0 ? withoutTargets(one) : one));
  if (all.length === 0) return [];
  const place = file.place(['replacements']);
  const config = () => goYaml(replacementsValue(all));
  const placeOf = (i: number) => file.place(['replacements', i]);
  const pathPlace = (i: number, target: number, path: number) =>
    file.place(['replacements', i, 'targets', target, 'fieldPaths', path]);
  const load = () => loadReplacements(all, loader, placeOf, pathPlace);
  return known(() => replacementTransformer(configured('ReplacementTransformer', config, place, load), place));
}
