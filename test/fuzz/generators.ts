import type { Generator } from './generator.ts';
import { argoBuildGenerator } from './generators/argo.ts';
import { builtinGenerator } from './generators/builtin.ts';
import { celGenerator, celValueGenerator } from './generators/cel.ts';
import { crCreateGenerator, crRetypedGenerator, crUpdateGenerator } from './generators/cr.ts';
import { crdCreateGenerator, crdUpdateGenerator } from './generators/crd.ts';
import { fluxBuildGenerator, releaseValuesGenerator, substituteGenerator } from './generators/flux.ts';
import { goGenerator } from './generators/go.ts';
import { goParseGenerator } from './generators/goParse.ts';
import { helmGenerator } from './generators/helm.ts';
import { helmSharedGenerator } from './generators/helmShared.ts';
import { hostsGenerator } from './generators/hosts.ts';
import { kustomizeGenerator } from './generators/kustomize.ts';
import { policyGenerator } from './generators/policy.ts';
import { rgdGenerator } from './generators/rgd.ts';
import { typingGenerator } from './generators/typing.ts';
import { validationGenerator } from './generators/validation.ts';
import { xrdGenerator } from './generators/xrd.ts';
import { yaml } from './generators/yaml.ts';

/** Every generator of the fuzzer, in the order in which they run. */
export const generators: readonly Generator[] = [
  yaml,
  crdCreateGenerator,
  crdUpdateGenerator,
  crCreateGenerator,
  crUpdateGenerator,
  crRetypedGenerator,
  celGenerator,
  celValueGenerator,
  builtinGenerator,
  validationGenerator,
  typingGenerator,
  hostsGenerator,
  policyGenerator,
  rgdGenerator,
  xrdGenerator,
  goGenerator,
  goParseGenerator,
  helmGenerator,
  helmSharedGenerator,
  kustomizeGenerator,
  substituteGenerator,
  releaseValuesGenerator,
  fluxBuildGenerator,
  argoBuildGenerator,
];
