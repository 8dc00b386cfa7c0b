import { caseLenses } from '../lenses/testLenses.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

const { kindLenses: _, ...ofYaml } = yamlFeatures;

/** Tests of CRDs: as YAML, with their cases to run and debug. */
export const crdtestFeatures: Features = { ...ofYaml, lenses: caseLenses };
