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

/** What Debian's and npm's tools for sums read: \`sha256sum --check SHA256SUMS\`. */
export function sums(files: readonly (readonly [name: string, sha256: string])[]): string {
  return files.map(([name, sha256]) => `${sha256}  ${name}\n`).join('');
}
