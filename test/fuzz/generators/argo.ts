import type { Generator } from '../generator.ts';
import { fluxBuildGenerator } from './flux.ts';
import { kustomizeGenerator, treeOfArgo } from './kustomize.ts';

/** Folders that an Application applies with all that it can say of their kustomization. */
export const argoBuildGenerator: Generator = {
  name: 'argo.build',
  oracle: 'made',
  generate: (random) => {
    const { files, kustomize } = treeOfArgo(random);
    return { op: 'argo.build', path: '/overlay', files, application: applicationWith(kustomize) };
  },
  kindOf: (rows) => kustomizeGenerator.kindOf!(rows),
  explain: (ask, rows) => fluxBuildGenerator.explain!(ask, rows),
  smaller: function* (ask) {
    for (const one of kustomizeGenerator.smaller!(ask)) if (hasFolder(one.files as object)) yield one;
    const { kustomize } = JSON.parse(String(ask.application)).spec.source;
    for (const name of Object.keys(kustomize)) {
      const { [name]: _, ...rest } = kustomize;
      yield { ...ask, application: applicationWith(rest) };
    }
  },
};

/** A folder without a kustomization is another matter. */
function hasFolder(files: object): boolean {
  return Object.keys(files).includes('/overlay/kustomization.yaml');
}

function applicationWith(kustomize: object): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'a', namespace: 'argocd' },
    spec: { source: { path: 'overlay', kustomize } },
  });
}
