// What catalogues of other programs need, to install ours from npm. Each is a file of the catalogue's own repository.

export interface Release {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly repository: string;
  /** Of the package as npm has it. */
  readonly sha256: string;
}

/** A formula of Homebrew. */
export function formula({ version, license, repository, sha256 }: Release): string {
  return `class KubeCrd < Formula
  desc ${JSON.stringify(inShort)}
  homepage ${JSON.stringify(repository)}
  url "https://registry.npmjs.org/kube-crd/-/kube-crd-${version}.tgz"
  sha256 ${JSON.stringify(sha256)}
  license ${JSON.stringify(license)}

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kube-crd --version")
  end
end
`;
}

/** Homebrew takes 80 characters, and no full stop. */
const inShort = 'Checks Kubernetes CRDs, custom resources and CEL as the API server does';

/** An entry of the registry from which mason.nvim installs. */
export function masonEntry({ version, description, license, repository }: Release): string {
  return `---
name: kube-crd
description: |
  ${description}
homepage: ${repository}
licenses:
  - ${license}
languages:
  - YAML
  - Helm
  - Go
categories:
  - LSP
  - Linter

source:
  id: pkg:npm/kube-crd@${version}

bin:
  kube-crd: npm:kube-crd
`;
}

/** An archive with the executable of one system. */
export interface Archive {
  readonly platform: 'linux' | 'darwin' | 'windows';
  readonly arch: 'amd64' | 'arm64';
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
}

/** A plugin's manifest of krew, with which `kubectl krew install crd` installs it. */
export function krewManifest({ version, repository }: Release, archives: readonly Archive[]): string {
  return `apiVersion: krew.googlecontainertools.github.com/v1alpha2
kind: Plugin
metadata:
  name: crd
spec:
  version: v${version}
  homepage: ${repository}
  shortDescription: Check CRDs and custom resources
  description: |
    Says of CustomResourceDefinitions, custom resources and the CEL rules in
    them exactly what the API server would say on create and on update, with
    the line to blame and the fix, and compares a changed CRD with the objects
    that a cluster stores.
  platforms:
${archives
  .map(
    ({ platform, arch, uri, sha256, bin }) => `  - selector:
      matchLabels:
        os: ${platform}
        arch: ${arch}
    uri: ${uri}
    sha256: ${sha256}
    bin: ${bin}
`,
  )
  .join('')}`;
}

/** What Debian's and npm's tools for sums read: \`sha256sum --check SHA256SUMS\`. */
export function sums(files: readonly (readonly [name: string, sha256: string])[]): string {
  return files.map(([name, sha256]) => `${sha256}  ${name}\n`).join('');
}
