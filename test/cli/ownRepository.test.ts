import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../server/src/cli/report.ts';
import { runProgram } from '../support/program.ts';

/** The files that show mistakes, with what they show. */
const meant: Readonly<Record<string, readonly string[]>> = {
  'docs/first-example.yaml': ['cr/rule', 'cr/unknown-field'],
  'examples/chart/templates/database.yaml': ['cr/unknown-field', 'cr/enum'],
  'examples/kustomize/overlays/production/kustomization.yaml': ['builtin/unknown-field'],
  'examples/crds/caches.yaml': [
    'crd/type-required',
    'crd/type-required',
    'crd/forbidden-in-junctor',
    'crd/forbidden-in-junctor',
  ],
  'examples/database-mistakes.yaml': ['cr/unknown-field', 'cr/unknown-field'],
  'examples/kro.yaml': ['cr/maximum', 'cr/enum'],
  'examples/release.yaml': ['cr/unknown-kind', 'cr/enum'],
  'examples/queue-operator/api/v1/queue_types.go': ['crd/rule-cost', 'crd/rule-cost-contributes'],
};

test('our own repository has no findings but those that its examples are for', () => {
  const go = './examples/queue-operator/...';
  const { stdout, stderr } = runProgram('.', ['check', '--format', 'json', '--exclude', 'test/**', '.', go]);
  const { findings, faults }: { findings: Report[]; faults: string[] } = JSON.parse(stdout);
  const found = Object.fromEntries(findings.map(({ file }) => [file, [] as string[]]));
  for (const { file, code } of findings) found[file]!.push(code);
  assert.deepEqual(found, meant, stderr);
  assert.deepEqual(faults, []);
});
