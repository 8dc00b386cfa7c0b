import { tryPlayground } from '../trying/tryPlayground.ts';
import type { Features } from './features.ts';
import { yamlFeatures } from './yaml.ts';

/** Playgrounds: as YAML, with what their expression comes to. */
export const celFeatures: Features = { ...yamlFeatures, tryHere: tryPlayground };
