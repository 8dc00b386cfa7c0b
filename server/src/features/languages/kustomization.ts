import { hover } from '../at/hover.ts';
import { complete } from '../complete/complete.ts';
import { onEnter } from '../complete/onEnter.ts';
import { triggers } from '../complete/triggers.ts';
import { backEdits, inPatch } from '../kustomizations/inlinePatch.ts';
import { completeOperation, hoverOperation, isOperations } from '../kustomizations/pointer.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Kustomizations: what is found while they are built, and the patches that are written in them. */
export const kustomizationFeatures: Features = {
  ...yamlFeatures,
  triggers: triggers.kustomization,
  complete: inPatch((place) => {
    if (isOperations(place)) return completeOperation(place) ?? [];
    const { snapshot, source, offset, back } = place;
    return complete(snapshot, source.uri, offset).map((item) => ({ ...item, range: back(item.range) }));
  }, yamlFeatures.complete!),
  hover: inPatch((place) => {
    if (isOperations(place)) return hoverOperation(place);
    const card = hover(place.snapshot, place.source.uri, place.offset);
    return card && { ...card, range: place.back(card.range) };
  }, yamlFeatures.hover!),
  onEnter: inPatch(
    (place) => backEdits(place, onEnter(place.snapshot, place.source.uri, place.offset)),
    yamlFeatures.onEnter!,
  ),
  wantsBuiltin: (snapshot) => snapshot.builtin === undefined,
};
