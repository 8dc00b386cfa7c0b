import { mapInsertImpls } from '../../../cel/eval/ext/comprehensions.ts';
import { listImpls } from '../../../cel/eval/ext/lists.ts';
import { setImpls } from '../../../cel/eval/ext/sets.ts';
import { stringImpls } from '../../../cel/eval/ext/strings.ts';
import type { Impl, PatternImpl } from '../../../cel/eval/implementation.ts';
import { noSuchOverload } from '../../../cel/eval/values.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import { authorization, authorizationSelectors } from '../libraries/authorization.ts';
import { formatImpls } from './formats.ts';
import { kubernetesListImpls } from './lists.ts';
import { networkImpls } from './network.ts';
import { quantityImpls, semverImpls } from './quantities.ts';
import { regexImpls, regexPatterns, urlImpls } from './text.ts';

/** Rules have no authorizer: nothing ever reaches these. */
const authorizationImpls = [...authorization, ...authorizationSelectors]
  .flatMap((decl) => decl.overloads)
  .map(({ id }): [string, Impl] => [id, () => noSuchOverload]);

/** What the libraries of a server's environments do, by overload. */
export function libraryImpls(kubernetes: KubernetesVersion): readonly (readonly [string, Impl])[] {
  return [
    ...stringImpls({
      spacedExponents: kubernetes.minor <= 32,
      strictOffsets: kubernetes.minor <= 31,
      strictEmpty: kubernetes.minor <= 33,
      emptyAnywhere: kubernetes.minor <= 36,
    }),
    ...listImpls(kubernetes.minor >= 37),
    ...setImpls,
    ...mapInsertImpls,
    ...kubernetesListImpls,
    ...regexImpls,
    ...urlImpls(kubernetes),
    ...networkImpls,
    ...quantityImpls,
    ...semverImpls,
    ...formatImpls(kubernetes),
    ...authorizationImpls,
  ];
}

export const libraryPatterns: readonly (readonly [string, PatternImpl])[] = regexPatterns;
