import { featureSuites } from '../support/featureSuite.ts';
import { withKustomizations } from '../support/kustomizations.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

// Kustomizations, and what they build of other files.

featureSuites('kustomizations', ({ files }) => {
  const snapshot = withKustomizations({ ...snapshotOf(files), builtin: builtinFile() }, files);
  return { snapshot, textOf: (uri) => files.find((file) => file.uri === uri)!.text };
});
