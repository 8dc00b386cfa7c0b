import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { type Archive, formula, krewManifest, masonEntry, sums } from '../../scripts/release/entries.ts';
import { listingProblems } from '../../scripts/release/listings.ts';
import { npmManifest } from '../../scripts/release/npmManifest.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const page = readFileSync('docs/marketplace.md', 'utf8');
const about = {
  version: '1.2.3',
  description: manifest.description,
  license: 'Apache-2.0',
  repository: 'https://github.com/somebody/kube-crd',
  sha256: 'a'.repeat(64),
};

test('what is listed is what the marketplaces take', () => {
  assert.deepEqual(listingProblems(manifest, page), []);
});

test('what the marketplaces refuse is told', () => {
  const wrong = {
    ...manifest,
    name: 'Kube CRD',
    version: '1.2.3-rc.1',
    publisher: '',
    icon: 'package.json',
    categories: ['Yaml'],
    keywords: Array.from({ length: 31 }, (_, i) => `word${i}`),
  };
  assert.deepEqual(listingProblems(wrong, '![a](http://a.example/b.png)\n<img src="https://a.example/c.svg">'), [
    'package.json has no publisher',
    'Kube CRD cannot be the name of an extension',
    '1.2.3-rc.1 is not a version that the marketplaces take',
    'there is no category Yaml',
    'there are 31 keywords; 30 are taken',
    'package.json is not a PNG',
    'the picture http://a.example/b.png does not come over https',
    'the picture https://a.example/c.svg is an SVG',
  ]);
});

test('npm gets nothing that is of the extension, and links that lead somewhere', () => {
  const { name, version, description, license, type, keywords, exports, bin, man, engines } = manifest;
  assert.deepEqual(npmManifest(manifest, about.repository), {
    ...{ name, version, description, license, type, keywords, exports, bin, man },
    engines: { node: engines.node },
    repository: { type: 'git', url: 'git+https://github.com/somebody/kube-crd.git' },
    homepage: 'https://github.com/somebody/kube-crd#readme',
    bugs: { url: 'https://github.com/somebody/kube-crd/issues' },
  });
});

test('the formula names the package, its sum, and what it says of itself in 80 characters', () => {
  const text = formula(about);
  assert.match(text, /url "https:\/\/registry\.npmjs\.org\/kube-crd\/-\/kube-crd-1\.2\.3\.tgz"\n {2}sha256 "a{64}"/);
  const [, description = ''] = /^ {2}desc "(.*)"$/m.exec(text) ?? [];
  assert.ok(description.length > 30 && description.length <= 80 && !description.endsWith('.'), description);
});

test('the entry of mason is YAML with the version to install', () => {
  const entry = parse(masonEntry(about));
  assert.equal(entry.source.id, 'pkg:npm/kube-crd@1.2.3');
  assert.deepEqual(entry.bin, { 'kube-crd': 'npm:kube-crd' });
  assert.deepEqual(entry.licenses, ['Apache-2.0']);
});

test('the manifest of krew has an archive for each system', () => {
  const archives = (['linux', 'windows'] as const).map((platform) => ({
    ...{ platform, arch: 'arm64', sha256: 'b'.repeat(64), bin: platform === 'windows' ? 'kube-crd.exe' : 'kube-crd' },
    uri: `https://example.com/kube-crd-${platform}.tar.gz`,
  })) as Archive[];
  const { kind, metadata, spec } = parse(krewManifest(about, archives));
  assert.deepEqual([kind, metadata.name, spec.version], ['Plugin', 'crd', 'v1.2.3']);
  // krew's listing cuts what is longer.
  assert.ok(spec.shortDescription.length <= 50 && !/kubectl|plugin/i.test(spec.shortDescription));
  assert.deepEqual(spec.platforms[1], {
    selector: { matchLabels: { os: 'windows', arch: 'arm64' } },
    ...{ uri: archives[1]!.uri, sha256: 'b'.repeat(64), bin: 'kube-crd.exe' },
  });
});

test('sums are lines as sha256sum reads them', () => {
  assert.equal(sums([['a.tgz', 'b'.repeat(64)]]), `${'b'.repeat(64)}  a.tgz\n`);
});
