/** The local sources of CRDs beside the workspace and `kubeCrd.crds`, the one that counts first in front. */
export const localSources = {
  archives: 'Chart archives in the workspace (`charts/*.tgz`).',
  kustomize: 'Files and charts outside the workspace that a kustomization names.',
  helmCache: "Helm's repository cache, for charts that the workspace names with a version.",
  goModules: 'The Go module cache, for the modules that a go.mod of the workspace requires.',
  lockFile: 'CRDs that `kube-crd.lock` names, in the `.kube-crd` folder beside it or in your cache.',
  userCache: 'CRDs that you have fetched before, from a cluster, a chart or a URL, for whatever workspace.',
} as const;

export type LocalSource = keyof typeof localSources;

/** Where a CRD comes from that is not a file of the workspace. */
export interface Origin {
  /** As a person would say it: "cert-manager 1.21.2, from the Go module cache". */
  readonly text: string;
  /**
   * `settings` for what `kubeCrd.crds` names, `cluster` for those of a cluster that counts before all else. Everything else is
   * only looked into for kinds that are not known yet.
   */
  readonly source: 'settings' | 'cluster' | 'crossplane' | 'kro' | LocalSource;
  /** The file of the workspace that names it: the nearer one counts. */
  readonly namedBy?: string;
  /**
   * The CRD was made from a JSON schema, which does not tell its scope, its other names, its subresources and versions:
   * nothing that depends on them is said.
   */
  readonly fromSchema?: true;
}

/** Whether a definition was looked for because nothing nearer defines its kind. */
export function isBroughtIn(origin: Origin | undefined): boolean {
  return origin !== undefined && origin.source !== 'settings';
}
