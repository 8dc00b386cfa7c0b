import { ruleOf } from '../../rules/model/registry.ts';
import { definitionsIn } from '../../workspace/definitions.ts';
import { goCrdsFor, goViewIn } from '../../workspace/languages/go.ts';
import { fileAt, type Snapshot } from '../../workspace/snapshot.ts';
import { hover } from '../at/hover.ts';
import { signatureHelp } from '../at/signature.ts';
import {
  completeGiven,
  definitionGiven,
  diagnoseGiven,
  fixesGiven,
  hoverGiven,
  searchGiven,
} from '../charts/givenTexts.ts';
import { complete, wantsBuiltin } from '../complete/complete.ts';
import { onEnter } from '../complete/onEnter.ts';
import { triggers } from '../complete/triggers.ts';
import { definitionApplied, lensesApplied, searchApplied } from '../delivery/applied.ts';
import { definitionVariable, hoverVariable, searchVariable } from '../delivery/variables.ts';
import { renamedFields } from '../golang/renameGo.ts';
import { differencesInCrds, fixesAtSource, regenerating, withOrigins } from '../golang/stale.ts';
import { inTypes, namedInGo } from '../golang/usesGo.ts';
import { originInTypes, type WrittenCrd, writtenIn } from '../golang/written.ts';
import { withBuilds } from '../kustomizations/diagnoseBuild.ts';
import { fixesInBuild } from '../kustomizations/fixesBuild.ts';
import { definitionPatched, searchPatches } from '../kustomizations/patched.ts';
import { shownBuild } from '../kustomizations/shownBuild.ts';
import { colors } from '../lenses/colors.ts';
import { crdLenses } from '../lenses/crdLenses.ts';
import { inlayHints } from '../lenses/inlayHints.ts';
import { ruleLenses } from '../lenses/testLenses.ts';
import { assistsAt } from '../mend/assists/assists.ts';
import { fixAll, isOneOfSeveral } from '../mend/fixAll.ts';
import { asksOf, fixesFor, markersOf, silencingFor } from '../mend/fixes.ts';
import { definitionAt } from '../navigate/definition.ts';
import { folds } from '../navigate/folding.ts';
import { links } from '../navigate/links.ts';
import { highlights, type Search, searchAt } from '../navigate/references.ts';
import { isRefusal, type Refusal } from '../navigate/rename/places.ts';
import { isProperty } from '../navigate/rename/property.ts';
import { type Renameable, renameAt } from '../navigate/rename/rename.ts';
import { expressionSelection, ruleAround, selectionAt } from '../navigate/selection.ts';
import { outline } from '../navigate/symbols.ts';
import type { Location } from '../place/location.ts';
import { diagnose } from '../problems/diagnose.ts';
import { newCaseAt } from '../tests/newCase.ts';
import { policyAtCursor, policyLenses } from '../trying/tryPolicy.ts';
import { ruleAtCursor } from '../trying/tryRule.ts';
import { valueHints } from '../trying/valueHints.ts';
import { costMap } from '../views/costMap.ts';
import { kindAt } from '../views/schemaTree.ts';
import type { Features, FixElsewhere, Told } from './features.ts';

/** YAML: manifests, and all that is written beside them. */
export const yamlFeatures: Features = {
  diagnose: (snapshot, uri) => {
    const here = generatedIn(snapshot, uri);
    const own = [...withOrigins(here, diagnose(snapshot, uri)), ...differencesInCrds(snapshot, uri, here)];
    return [...withBuilds(snapshot, uri, own), ...diagnoseGiven(snapshot, uri)];
  },
  expressionAround: ruleAround,
  hover: (snapshot, uri, offset) =>
    hoverVariable(snapshot, uri, offset) ?? hoverGiven(snapshot, uri, offset) ?? hover(snapshot, uri, offset),
  signature: signatureHelp,
  complete: (snapshot, uri, offset) => completeGiven(snapshot, uri, offset) ?? complete(snapshot, uri, offset),
  triggers: triggers.yaml,
  wantsBuiltin,
  onEnter,
  definition: definitionInYaml,
  highlights,
  search,
  rename,
  outline,
  folds,
  selection: selectionAt,
  ownSelection: expressionSelection,
  links,
  colors,
  costHints: inlayHints,
  valueHints,
  lenses: (snapshot, uri) => [...policyLenses(snapshot, uri), ...lensesApplied(snapshot, uri)],
  kindLenses: {
    kinds: (snapshot, uri) => {
      const file = fileAt(snapshot, uri);
      return file?.definesKinds ? definitionsIn(file) : [];
    },
    *make(snapshot, uri, { resources, tests }) {
      return [...(yield* crdLenses(snapshot, uri, resources)), ...(yield* ruleLenses(snapshot, uri, tests))];
    },
  },
  fixes: (snapshot, uri, told) =>
    ruleOf(told.code)?.ofTypes
      ? regenerating(generatedIn(snapshot, uri), told.key)
      : [
          ...(told.key.of === 'file' ? fixesInBuild(snapshot, uri, told) : fixesFor(snapshot, uri, told, told.among)),
          ...fixesGiven(snapshot, uri, told.code, told.offset),
        ],
  fixesElsewhere,
  asks: asksOf,
  markers: markersOf,
  silencing: silencingFor,
  fixAll,
  isOneOfSeveral,
  rendered: shownBuild,
  assists: assistsAt,
  newCase: newCaseAt,
  costs: costMap,
  kindAt,
  toTry: (snapshot, uri, offset) => {
    if (ruleAtCursor(snapshot, uri, offset)) return 'rule';
    return policyAtCursor(snapshot, uri, offset) ? 'policy' : undefined;
  },
};

/** The CRDs of a file that are generated from types that are known. */
function generatedIn(snapshot: Snapshot, uri: string): WrittenCrd[] {
  return writtenIn(snapshot, uri, goCrdsFor(snapshot, uri));
}

/** What has no other place is where its Go types say it. */
function definitionInYaml(snapshot: Snapshot, uri: string, offset: number): Location[] {
  for (const own of [definitionVariable, definitionGiven, definitionApplied, definitionPatched]) {
    const places = own(snapshot, uri, offset);
    if (places.length > 0) return places;
  }
  const found = definitionAt(snapshot, uri, offset);
  if (found.length > 0) return found;
  const origin = originInTypes(generatedIn(snapshot, uri), offset);
  return origin ? [origin] : [];
}

/** The Go types that a kind comes of name it as well. */
function search(snapshot: Snapshot, uri: string, offset: number): Search | undefined {
  for (const own of [searchVariable, searchGiven, searchApplied]) {
    const given = own(snapshot, uri, offset);
    if (given) return given;
  }
  const patches = searchPatches(snapshot, uri, offset);
  const found = searchAt(snapshot, uri, offset) ?? patches;
  const inGo = (found?.elsewhere ?? []).flatMap((wanted) => {
    const go = inTypes(snapshot, wanted);
    return go ? namedInGo(snapshot, go.types, go.wanted) : [];
  });
  const more = found === patches ? [] : (patches?.uses ?? []);
  return found && { ...found, uses: [...found.uses, ...inGo, ...more] };
}

/** A property that comes of Go types which are known is renamed there too, and wherever else its field is used. */
function rename(snapshot: Snapshot, uri: string, offset: number): Renameable | Refusal | undefined {
  const found = renameAt(snapshot, uri, offset);
  if (!found || isRefusal(found) || !found.property) return found;
  const go = inTypes(snapshot, found.property);
  const wanted = go?.wanted.filter(isProperty) ?? [];
  const isInGo = go !== undefined && namedInGo(snapshot, go.types, wanted).length > 0;
  return isInGo ? { ...found, to: (name) => renamedFields(snapshot, go.types, wanted, name) } : found;
}

/** For a generated CRD: what mends the types that it comes from. */
function fixesElsewhere(snapshot: Snapshot, uri: string, { code, offset }: Told): FixElsewhere[] {
  const origin = originInTypes(generatedIn(snapshot, uri), offset);
  const view = origin && goViewIn(snapshot, origin.uri);
  return view ? fixesAtSource(snapshot, view, origin, code).map((fix) => ({ uri: view.uri, fix })) : [];
}
