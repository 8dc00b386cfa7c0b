import { memo } from '../../base/memo.ts';
import { breaks, type Change, type ChangeKind } from '../changes/change.ts';
import { crdChanges, crdRenamed } from '../changes/crds.ts';
import { type Found, lintFamily } from './lint.ts';
import type { Linted } from './linted.ts';

// What a change of a CRD breaks for stored objects and for clients: the warnings among the changes that
// rules/changes knows.

type BreakingFacts = {
  'lint/limit-tightened': undefined;
  'lint/enum-value-removed': undefined;
  'lint/type-changed': undefined;
  'lint/field-removed': undefined;
  'lint/field-now-required': undefined;
  'lint/list-type-changed': undefined;
  'lint/rule-added': undefined;
  'lint/version-removed': undefined;
  'lint/crd-renamed': undefined;
};

type Code = keyof BreakingFacts;

/** The changes that each warning tells of, where they break something. */
const told: Readonly<Record<Code, readonly ChangeKind[]>> = {
  'lint/limit-tightened': ['limit-tightened'],
  'lint/enum-value-removed': ['enum-value-removed'],
  'lint/type-changed': ['type-changed', 'field-declared'],
  'lint/field-removed': ['field-removed'],
  'lint/field-now-required': ['field-now-required'],
  'lint/list-type-changed': ['list-type-changed'],
  'lint/rule-added': ['rule-added', 'rule-changed'],
  'lint/version-removed': ['version-removed'],
  'lint/crd-renamed': ['crd-renamed'],
};

/** All that a change of a CRD breaks, looked for once for the lints that each tell of one kind. */
const brokenBy = memo((linted: Linted): readonly Change[] => {
  const { crd, committed, formerName, settings, kubernetes } = linted;
  const changes = [
    ...(formerName === undefined ? [] : [crdRenamed(formerName, settings.baseline ?? 'HEAD')]),
    ...(committed ? crdChanges({ crd, old: committed.crd, ref: committed.ref, kubernetes, onlyBroken: true }) : []),
  ];
  return changes.filter(breaks);
});

const tells = (code: Code) => ({
  restsOn: 'crd' as const,
  check: (linted: Linted) =>
    brokenBy(linted).flatMap(({ kind, message, at, anchor }): Found<undefined>[] =>
      told[code].includes(kind) ? [{ message, at, anchor }] : [],
    ),
});

const ratcheting = `The API server does not check stored objects when a CRD changes. Later, an update may leave an invalid value
as it is; this is called ratcheting. It is rejected as soon as it changes the value itself or a list of type \`set\` or
\`atomic\` that contains it. For \`required\`, \`minItems\` and the like, a change anywhere below the object or list is enough.
Updates of the status endpoint are treated the same way since Kubernetes 1.33; older versions reject them in any case. People
often find out only when a controller can no longer update its objects.

The CRD is compared with the commit that \`kubeCrd.baseline\` names, version by version.`;

const size = (...lines: string[]) => `size:\n${lines.map((line) => `  ${line}\n`).join('')}`;
const update = (old: string, now: string) => `#- use: schema\n${old}---\n${now}`;

export const breakingLints = lintFamily<BreakingFacts>()({
  'lint/limit-tightened': {
    severity: 'warning',
    title: 'A limit is tighter than the committed one',
    explanation: `Objects that the committed CRD allows may exceed the new limit.\n\n${ratcheting}\n\nLeave the limit, or add a new version of the CRD.`,
    onUpdate: true,
    bad: update(size('type: integer', 'maximum: 10'), size('type: integer', 'maximum: 5')),
    good: update(size('type: integer', 'maximum: 10'), size('type: integer', 'maximum: 20')),
    ...tells('lint/limit-tightened'),
  },
  'lint/enum-value-removed': {
    severity: 'warning',
    title: 'A value is no longer allowed',
    explanation: `There may be stored objects with a value that the committed CRD allows and this one does not.\n\n${ratcheting}`,
    onUpdate: true,
    bad: update(size('type: string', 'enum: [small, large]'), size('type: string', 'enum: [large]')),
    good: update(size('type: string', 'enum: [small, large]'), size('type: string', 'enum: [small, large, huge]')),
    ...tells('lint/enum-value-removed'),
  },
  'lint/type-changed': {
    severity: 'warning',
    title: 'The type of a field has changed since the commit',
    explanation: `Stored objects have values of the old type, and clients were written for it: a client in Go cannot read a list of
objects if a single value has another type.\n\n${ratcheting}\n\nAdd a field with another name, or a new version with a conversion webhook.`,
    onUpdate: true,
    bad: update(size('type: integer'), size('type: string')),
    good: update(size('type: integer'), size('x-kubernetes-int-or-string: true')),
    ...tells('lint/type-changed'),
  },
  'lint/field-removed': {
    severity: 'warning',
    title: 'A field of the committed CRD is missing',
    explanation: `The API server drops what the schema does not declare, also from objects that it reads from etcd: no client of
this version can see the values, and they are lost for good once the object is written. To rename a field that is in use, add
the new one, let the controller read both, and remove the old one in a new version.`,
    onUpdate: true,
    bad: update(`${size('type: integer')}color:\n  type: string\n`, size('type: integer')),
    good: update(size('type: integer'), `${size('type: integer')}color:\n  type: string\n`),
    ...tells('lint/field-removed'),
  },
  'lint/field-now-required': {
    severity: 'warning',
    title: 'A field is newly required',
    explanation: `There may be stored objects and manifests without it.\n\n${ratcheting}\n\nWith a \`default\`, the API server fills in the field, also in objects that it reads.`,
    onUpdate: true,
    bad: update(
      'size:\n  type: object\n  properties:\n    unit:\n      type: string\n',
      'size:\n  type: object\n  required:\n    - unit\n  properties:\n    unit:\n      type: string\n',
    ),
    good: update(
      'size:\n  type: object\n  properties:\n    unit:\n      type: string\n',
      'size:\n  type: object\n  required:\n    - unit\n  properties:\n    unit:\n      type: string\n      default: cm\n',
    ),
    ...tells('lint/field-now-required'),
  },
  'lint/list-type-changed': {
    severity: 'warning',
    title: 'A list has become a set or a map since the commit',
    explanation: `In a list of type \`set\` no item may appear twice; in one of type \`map\` no two items may have the same keys. The API
server checks this when objects are written. A stored object that already has such items may keep them: the lists of
an update are checked only if those of the stored object are valid. The type also decides how server-side apply
merges the list, and whether rules that compare it consider the order.`,
    onUpdate: true,
    bad: update(
      'names:\n  type: array\n  items:\n    type: string\n',
      'names:\n  type: array\n  x-kubernetes-list-type: set\n  items:\n    type: string\n',
    ),
    good: update(
      'names:\n  type: array\n  x-kubernetes-list-type: set\n  items:\n    type: string\n',
      'names:\n  type: array\n  x-kubernetes-list-type: atomic\n  items:\n    type: string\n',
    ),
    ...tells('lint/list-type-changed'),
  },
  'lint/rule-added': {
    severity: 'information',
    title: 'A rule is new or has changed since the commit',
    explanation: `There may be stored objects that break the rule. Which ones nobody can tell from the rule alone; \`kube-crd diff\` asks
the resources that it knows.\n\n${ratcheting}\n\nA rule that uses \`oldSelf\` judges changes alone, so no object breaks it by itself.`,
    onUpdate: true,
    bad: update(
      size('type: integer'),
      size('type: integer', 'x-kubernetes-validations:', '  - rule: self > 0', '    message: must be positive'),
    ),
    good: update(
      size('type: integer', 'x-kubernetes-validations:', '  - rule: self > 0', '    message: must be positive'),
      size('type: integer', 'x-kubernetes-validations:', '  - rule: self > 0', '    message: has to be positive'),
    ),
    ...tells('lint/rule-added'),
  },
  'lint/version-removed': {
    severity: 'warning',
    title: 'A version is no longer served',
    explanation: `Manifests, controllers and Helm releases that use the version fail. First mark it as \`deprecated: true\`, with a
\`deprecationWarning\` that names its successor, and stop serving it in a later release. Objects that were stored in it are
still served in the other versions.`,
    onUpdate: true,
    bad: `#- use: version\nserved: true\n---\nserved: false\n`,
    good: `#- use: version\nserved: true\n---\nserved: true\ndeprecated: true\n`,
    ...tells('lint/version-removed'),
  },
  'lint/crd-renamed': {
    severity: 'warning',
    title: 'The CRD of this kind has been renamed',
    explanation: `The name of a CRD consists of its plural and its group, and neither can change: a CRD with another name is a new
one, without objects. Tools that delete what is no longer in a repository delete the old CRD and all of its objects with it.`,
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.org
`,
    notShown: 'it needs the commits of a repository',
    good: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
`,
    ...tells('lint/crd-renamed'),
  },
});
