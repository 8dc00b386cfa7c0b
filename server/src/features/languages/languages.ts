import { type LanguageName, languageNameAt } from '../../workspace/languages/languages.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { celFeatures } from './cel.ts';
import { chartFeatures } from './chart.ts';
import { crdtestFeatures } from './crdtest.ts';
import type { Features, PlaceInYaml } from './features.ts';
import { goFeatures } from './go.ts';
import { kustomizationFeatures } from './kustomization.ts';
import { yamlFeatures } from './yaml.ts';

const byLanguage: Readonly<Record<LanguageName, Features>> = {
  yaml: yamlFeatures,
  crdtest: crdtestFeatures,
  cel: celFeatures,
  config: yamlFeatures,
  kustomization: kustomizationFeatures,
  go: goFeatures,
  chart: chartFeatures,
};

/** What there is for a file. */
export function featuresOf(snapshot: Snapshot, uri: string): Features {
  return byLanguage[languageNameAt(snapshot, uri)];
}

/** A place of a file in the YAML that a feature works on: in what stands for the file, where something does. */
export function placeFor(
  through: 'inMade' | 'inGenerated',
  snapshot: Snapshot,
  uri: string,
  offset: number,
): PlaceInYaml | undefined {
  const leads = featuresOf(snapshot, uri)[through];
  return leads ? leads(snapshot, uri, offset) : { snapshot, uri, offset };
}
