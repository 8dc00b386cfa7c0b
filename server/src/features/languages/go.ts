import { ruleOf } from '../../rules/model/registry.ts';
import { definitionsIn } from '../../workspace/definitions.ts';
import { goViewAt, isWantedGo, withMade } from '../../workspace/languages/go.ts';
import { type GoView, ruleStringAt, rulesMade, toMade } from '../../workspace/projections/goTypes.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import { triggers } from '../complete/triggers.ts';
import { diagnoseGoSafely, goNotJudged } from '../golang/diagnoseGo.ts';
import { fixesGo } from '../golang/fixesGo.ts';
import { colorsGo, completeGo, definitionGo, hintsGo, hoverGo, signatureGo, valueHintsGo } from '../golang/inRules.ts';
import { judgedByTypes, lensesGo } from '../golang/lensesGo.ts';
import { renameInGo } from '../golang/renameGo.ts';
import { crdAt, crdNamed } from '../golang/shownCrd.ts';
import { silencingGo } from '../golang/silencingGo.ts';
import { generatedFrom, staleCrds } from '../golang/stale.ts';
import { foldsGo, outlineGo, selectionGo } from '../golang/structureGo.ts';
import { highlightsGo, searchGo } from '../golang/usesGo.ts';
import { costsGo, kindAtGo } from '../golang/viewsGo.ts';
import { ruleInGenerated } from '../golang/written.ts';
import type { Features, PlaceInYaml } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Go files with types that CRDs come of. */
export const goFeatures: Features = {
  diagnose: (snapshot, uri) => {
    const view = goViewAt(snapshot, uri);
    return view ? [...diagnoseGoSafely(snapshot, view), ...staleCrds(snapshot, view)] : failed(snapshot, uri);
  },
  expressionAround: at(({ view }, offset) => {
    const map = ruleStringAt(view.file, offset)?.map;
    return map && { start: map.toText(0), end: map.toText(map.value.length) };
  }, undefined),
  hover: at(({ snapshot, view }, offset) => hoverGo(snapshot, view, offset), undefined),
  signature: at(({ snapshot, view }, offset) => signatureGo(snapshot, view, offset), undefined),
  complete: at(({ snapshot, view }, offset) => completeGo(snapshot, view, offset), []),
  // In comments editors ask for nothing else by themselves than what begins something new there.
  triggers: triggers.go,
  definition: at(({ snapshot, view }, offset) => definitionGo(snapshot, view, offset), []),
  highlights: at(({ snapshot, view }, offset) => highlightsGo(snapshot, view, offset), []),
  search: at(({ snapshot, view }, offset) => searchGo(snapshot, view, offset), undefined),
  rename: at(({ snapshot, view }, offset) => renameInGo(snapshot, view, offset), undefined),
  outline: (snapshot, uri) => {
    const view = goViewAt(snapshot, uri);
    return view ? outlineGo(view) : [];
  },
  folds: (snapshot, uri) => {
    const view = goViewAt(snapshot, uri);
    return view && foldsGo(view.file.go);
  },
  selection: at(({ snapshot, view }, offset) => selectionGo(snapshot, view, offset), []),
  colors: at(({ snapshot, view }, within) => colorsGo(snapshot, view, within), []),
  madeCrd: at(({ view }, of) => (typeof of === 'string' ? crdNamed(view, of) : crdAt(view, of)), undefined),
  madeFile: (snapshot, uri) => {
    const view = goViewAt(snapshot, uri);
    return view && { snapshot: withMade(snapshot, view), uri: view.made };
  },
  *costs(snapshot, uri) {
    const view = goViewAt(snapshot, uri);
    return view ? yield* costsGo(snapshot, view) : [];
  },
  kindAt: at(({ snapshot, view }, offset) => kindAtGo(snapshot, view, offset), undefined),
  valueHints: (snapshot, uri, within, resource) => {
    const view = goViewAt(snapshot, uri);
    return view ? valueHintsGo(snapshot, view, within, resource) : [];
  },
  costHints: at(({ snapshot, view }, within) => hintsGo(snapshot, view, within), []),
  kindLenses: {
    kinds: (snapshot, uri) => {
      const view = goViewAt(snapshot, uri);
      return view?.crds.some(({ kinds }) => kinds.some(({ place }) => place.uri === uri))
        ? definitionsIn(view.source)
        : [];
    },
    *make(snapshot, uri, { resources }) {
      const view = goViewAt(snapshot, uri);
      return view ? yield* lensesGo(snapshot, view, resources) : [];
    },
  },
  inMade: at(placeInMade, undefined),
  toTry: at((seen, offset) => {
    const place = placeInMade(seen, offset);
    return place && yamlFeatures.toTry?.(place.snapshot, place.uri, place.offset);
  }, undefined),
  inGenerated: at(placeInGenerated, undefined),
  newCase: at((seen, offset) => {
    const place = placeInGenerated(seen, offset);
    return place && yamlFeatures.newCase?.(place.snapshot, place.uri, place.offset);
  }, undefined),
  fixes: at(({ snapshot, view }, told) => (ruleOf(told.code)?.ofTypes ? [] : fixesGo(snapshot, view, told)), []),
  silencing: at(({ snapshot, view }, told) => silencingGo(snapshot, view, told), []),
  fixesElsewhere: at(
    ({ snapshot, view }, { code, offset }) => (ruleOf(code)?.ofTypes ? generatedFrom(snapshot, view, offset) : []),
    [],
  ),
};

interface Seen {
  readonly snapshot: Snapshot;
  readonly view: GoView;
}

/** Whatever of a rule an offset is at. What is made of a file is there without a rule as well. */
function placeInMade({ snapshot, view }: Seen, offset: number): PlaceInYaml {
  const [rule] = rulesMade(view, { start: offset, end: offset });
  return {
    snapshot: judgedByTypes(snapshot, view),
    uri: view.made,
    offset: toMade(view, offset) ?? rule?.start ?? 0,
  };
}

function placeInGenerated({ snapshot, view }: Seen, offset: number): PlaceInYaml | undefined {
  const rule = ruleInGenerated(snapshot, view, offset);
  return rule && { snapshot, uri: rule.uri, offset: rule.range.start };
}

/** A feature of files that something is made of; `none` is the answer where that is not known yet. */
function at<Asked, Answer>(feature: (seen: Seen, asked: Asked) => Answer, none: Answer) {
  return (snapshot: Snapshot, uri: string, asked: Asked): Answer => {
    const view = goViewAt(snapshot, uri);
    return view ? feature({ snapshot, view }, asked) : none;
  };
}

/** What is said where kube-crd itself has failed over the types. */
function failed(snapshot: Snapshot, uri: string) {
  const failure = isWantedGo(snapshot, uri) ? snapshot.go.get(folderOf(uri))?.failure : undefined;
  return failure ? [goNotJudged(snapshot.others.get(uri)!.text, failure.message)] : [];
}
