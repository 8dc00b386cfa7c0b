import { standardCosts } from '../../cel/eval/costs.ts';
import { listSingletons } from '../../cel/eval/ext/lists.ts';
import type { CallCosts, EvalRules, Impl, PatternImpl, Singleton } from '../../cel/eval/implementation.ts';
import { optionalImpls } from '../../cel/eval/optionals.ts';
import { matchesPattern, standardImpls, standardSingletons } from '../../cel/eval/standard.ts';
import { formattingTimeParts } from '../../cel/eval/timeParts.ts';
import { isKind, typeOfVal, typeVal, type Val } from '../../cel/eval/values.ts';
import { type CelType, dynType, listOf, mapOf, optionalOf } from '../../cel/types.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { libraryCosts } from './eval/costs.ts';
import { libraryImpls, libraryPatterns } from './eval/impls.ts';
import { reread } from './eval/reread.ts';

const byVersion = new Map<string, EvalRules>();

/** Since 1.37 the type of optionals shows its parameter. */
const typeWithParameter = (value: Val) => (isKind(value, 'optional') ? optionalOf(dynType) : typeOfVal(value));

/** Up to 1.33 what the lists and maps that are met hold has no name. */
const unnamed: CelType = { ...dynType, name: '', list: undefined, maps: undefined };
const [bareList, bareMap] = [listOf(unnamed), mapOf(unnamed, unnamed)];

function typeWithoutNames(value: Val): CelType {
  const type = typeOfVal(value);
  return type.kind === 'list' ? bareList : type.kind === 'map' ? bareMap : type;
}

function typesOf({ minor }: KubernetesVersion): (value: Val) => CelType {
  if (minor >= 37) return typeWithParameter;
  return minor <= 33 ? typeWithoutNames : typeOfVal;
}

/** How a server evaluates: implementations, costs and what is compiled ahead. */
export function evalRules(kubernetes: KubernetesVersion): EvalRules {
  let known = byVersion.get(kubernetes.name);
  if (!known) {
    known = rulesOf(kubernetes);
    byVersion.set(kubernetes.name, known);
  }
  return known;
}

function rulesOf(kubernetes: KubernetesVersion): EvalRules {
  const newer = kubernetes.cel.cost.pricesGlobalMatches;
  const standard = standardCosts(newer);
  const library = libraryCosts(kubernetes);
  const costs: CallCosts = (name, overload) => library(name, overload) ?? standard(name, overload);
  const zones = kubernetes.minor < 33 ? formattingTimeParts : [];
  const impls = new Map<string, Impl>([...standardImpls, ...zones, ...optionalImpls, ...libraryImpls(kubernetes)]);
  const patterns = new Map<string, PatternImpl>([['matches', matchesPattern], ...libraryPatterns]);
  const typeOf = typesOf(kubernetes);
  const type: Singleton = { impl: (a) => typeVal(typeOf(a)) };
  const singletons = new Map<string, Singleton>([...standardSingletons, ...listSingletons(typeOf), ['type', type]]);
  return {
    impls,
    singletons,
    costs,
    patterns,
    looseOptionals: kubernetes.minor < 37,
    reread: kubernetes.cel.rereadsOptionals ? reread : undefined,
    eagerAccumulators: kubernetes.minor < 32,
    looseRanges: kubernetes.minor < 33,
  };
}
