type Manifest = Readonly<Record<string, unknown>>;

/** Of the extension, or of whoever works on it. */
const notOfThePackage = new Set([
  ...['main', 'browser', 'l10n', 'icon', 'galleryBanner', 'displayName', 'publisher', 'categories'],
  ...['activationEvents', 'capabilities', 'contributes', 'devDependencies', 'scripts'],
]);

/** package.json as npm publishes it. Links of the README are looked up where it comes from, which only a release knows. */
export function npmManifest(manifest: Manifest, repository: string): Manifest {
  const { vscode: _, ...engines } = manifest.engines as Manifest;
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([key]) => !notOfThePackage.has(key))),
    engines,
    repository: { type: 'git', url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}
