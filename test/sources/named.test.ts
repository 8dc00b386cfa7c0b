import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartsNamed } from '../../server/src/workspace/sources/places.ts';
import { filesOf } from '../support/goFiles.ts';

// The charts that files of a workspace name, with where they could be fetched from.

async function named(...texts: readonly (readonly [name: string, text: string])[]): Promise<string[]> {
  const files = filesOf(new Map(texts.map(([name, text]) => [`mem:/${name}`, text])));
  const workspace = texts.map(([name]) => `mem:/${name}`);
  const charts = await chartsNamed(files, { workspace, settings: [], catalogues: [] });
  return charts.map(({ chart, version, repository }) => `${chart} ${version} ${repository}`);
}

const argo = (kind: string, spec: string) =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;
const flux = (group: string, kind: string, spec: string) =>
  `apiVersion: ${group}.toolkit.fluxcd.io/v2\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;

test('Argo CD, with registries as it writes them', async () => {
  const source = '{chart: a, targetRevision: 1.2.3, repoURL: "https://charts.a.io"}';
  assert.deepEqual(await named(['a.yaml', argo('Application', `{source: ${source}}`)]), [
    'a 1.2.3 https://charts.a.io',
  ]);
  const sources = `{sources: [${source}, {chart: b, targetRevision: v1.0.0, repoURL: ghcr.io/b/charts}]}`;
  assert.deepEqual(await named(['a.yaml', argo('ApplicationSet', `{template: {spec: ${sources}}}`)]), [
    'a 1.2.3 https://charts.a.io',
    'b v1.0.0 oci://ghcr.io/b/charts',
  ]);
});

test('Flux, whose repositories are objects of their own', async () => {
  const release = flux(
    'helm',
    'HelmRelease',
    '{chart: {spec: {chart: a, version: 1.2.3, sourceRef: {kind: HelmRepository, name: a}}}}',
  );
  const repository = flux('source', 'HelmRepository', '{url: "https://charts.a.io/"}');
  assert.deepEqual(await named(['release.yaml', release]), []);
  assert.deepEqual(await named(['release.yaml', release], ['other/repository.yaml', repository]), [
    'a 1.2.3 https://charts.a.io/',
  ]);
  const oci = flux('source', 'OCIRepository', '{url: "oci://ghcr.io/charts/a", ref: {tag: 1.2.3}}');
  assert.deepEqual(await named(['oci.yaml', oci]), ['a 1.2.3 oci://ghcr.io/charts/a']);
});

test('Helm, kustomize, k3s and Crossplane', async () => {
  const lock = (repository: string) => `dependencies:\n- {name: a, version: 1.2.3, repository: "${repository}"}\n`;
  assert.deepEqual(await named(['Chart.lock', lock('https://charts.a.io')]), ['a 1.2.3 https://charts.a.io']);
  const kustomization = 'helmCharts:\n- {name: a, version: 1.2.3, repo: "https://charts.a.io"}\n';
  assert.deepEqual(await named(['kustomization.yaml', kustomization]), ['a 1.2.3 https://charts.a.io']);
  const k3s =
    'apiVersion: helm.cattle.io/v1\nkind: HelmChart\nspec: {chart: a, version: 1.2.3, repo: "https://charts.a.io"}\n';
  assert.deepEqual(await named(['k3s.yaml', k3s]), ['a 1.2.3 https://charts.a.io']);
  const chart = '{name: a, version: 1.2.3, repository: "https://charts.a.io"}';
  const crossplane = `apiVersion: helm.crossplane.io/v1beta1\nkind: Release\nspec: {forProvider: {chart: ${chart}}}\n`;
  assert.deepEqual(await named(['release.yaml', crossplane]), ['a 1.2.3 https://charts.a.io']);
});

test('what is no address that may be asked names nothing to fetch from', async () => {
  const repositories = [
    '@stable',
    'alias:stable',
    'file://../a',
    'http://charts.a.io',
    's3://a',
    'git+https://a',
    '',
    'https://a b',
  ];
  for (const repository of [...repositories, `https://${'a'.repeat(1_000)}`, 'https://a\\u202eb'])
    assert.deepEqual(
      await named(['Chart.lock', `dependencies:\n- {name: a, version: 1.2.3, repository: "${repository}"}\n`]),
      [],
      repository,
    );
});
