import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHold } from '../../server/src/workspace/sources/library.ts';

const holding = [
  ['github.com/cert-manager/cert-manager', 'cert-manager.io'],
  ['cert-manager', 'acme.cert-manager.io'],
  ['sigs.k8s.io/cluster-api', 'infrastructure.cluster.x-k8s.io'],
  ['github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring', 'monitoring.coreos.com'],
  ['github.com/openshift/api', 'config.openshift.io'],
  ['github.com/cilium/cilium', 'cilium.io'],
] as const;

const others = [
  ['golang.org/x/sync', 'cluster.x-k8s.io'],
  ['k8s.io/api', 'gateway.networking.k8s.io'],
  ['github.com/golang/protobuf', 'go.example.com'],
  ['k8s.io/kubernetes', 'config.openshift.io'],
  ['sigs.k8s.io/yaml', 'karpenter.k8s.aws'],
  ['k8s.io/cluster-bootstrap', 'cluster.karmada.io'],
  ['sigs.k8s.io/cluster-api', 'cluster.karmada.io'],
  ['github.com/cilium/tetragon/metricstool', 'cilium.io'],
  ['github.com/openshift/library-go', 'config.openshift.io'],
  ['github.com/opencontainers/image-spec', 'spec.example.com'],
] as const;

for (const [name, group] of holding)
  test(`${name} may hold kinds of ${group}`, () => {
    assert.equal(mayHold(name, group), true);
  });

for (const [name, group] of others)
  test(`${name} is not named for kinds of ${group}`, () => {
    assert.equal(mayHold(name, group), false);
  });
