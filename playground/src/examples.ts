import chartFile from '../../examples/chart/Chart.yaml';
import helpers from '../../examples/chart/templates/_helpers.tpl';
import template from '../../examples/chart/templates/database.yaml';
import values from '../../examples/chart/values.yaml';
import caches from '../../examples/crds/caches.yaml';
import databases from '../../examples/crds/databases.yaml';
import crossplane from '../../examples/crossplane.yaml';
import database from '../../examples/database.yaml';
import mistakes from '../../examples/database-mistakes.yaml';
import kro from '../../examples/kro.yaml';
import policyTests from '../../examples/tests/replicas.crdtest.yaml';
import policy from '../../examples/tests/replicas.yaml';
import type { Play } from '../../server/src/share/link.ts';
import deployment from '../examples/deployment.yaml';
import loose from '../examples/expression.cel.yaml';
import refused from '../examples/shrunk.yaml';

export interface Example extends Play {
  readonly id: string;
  readonly title: string;
}

const crd = { name: 'crds/databases.yaml', text: databases };

/** What to start from; the first is there when the page opens. */
export const examples: readonly Example[] = [
  {
    id: 'resource',
    title: 'A custom resource with mistakes',
    files: [{ name: 'database.yaml', text: mistakes }, crd],
  },
  {
    id: 'update',
    title: 'An update that a rule refuses',
    files: [{ name: 'database.yaml', text: refused, before: database }, crd],
  },
  {
    id: 'crd',
    title: 'A CRD with mistakes',
    files: [{ name: 'caches.yaml', text: caches }],
  },
  {
    id: 'expression',
    title: 'A CEL expression by itself',
    files: [{ name: 'expression.cel.yaml', text: loose }],
  },
  {
    id: 'policy',
    title: 'An admission policy and its tests',
    files: [
      { name: 'replicas.yaml', text: policy },
      { name: 'deployment.yaml', text: deployment },
      { name: 'replicas.crdtest.yaml', text: policyTests },
    ],
  },
  {
    id: 'xrd',
    title: 'A definition of Crossplane',
    files: [{ name: 'crossplane.yaml', text: crossplane }],
  },
  {
    id: 'rgd',
    title: 'A definition of kro',
    files: [{ name: 'kro.yaml', text: kro }],
  },
  {
    id: 'chart',
    title: 'A Helm chart',
    files: [
      { name: 'chart/templates/database.yaml', text: template },
      { name: 'chart/templates/_helpers.tpl', text: helpers },
      { name: 'chart/values.yaml', text: values },
      { name: 'chart/Chart.yaml', text: chartFile },
      crd,
    ],
  },
];
