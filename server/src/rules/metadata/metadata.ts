import { valueAt } from '../../base/value.ts';
import type { MetadataFacts } from '../../kubernetes/metadata/findings.ts';
import { removeAt, setValue } from '../../yaml/edit.ts';
import { valueOf } from '../../yaml/value.ts';
import { fixOf, lastStep, putKey, removal } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

const meta = (rows: string) => `#- use: metadata
${rows}`;

const embedded = (metadata: string) => `#- use: gizmos
apiVersion: example.com/v1
kind: Gizmo
metadata:
  name: a
spec:
  template:
    apiVersion: v1
    kind: Pod
    metadata:
      ${metadata}
`;

const right = meta('name: widgets.example.com\n');

const owner = (fields: string) =>
  meta(`name: widgets.example.com
ownerReferences:
  - ${fields}
`);

const rightOwner = owner(
  '{apiVersion: apps/v1, kind: Deployment, name: operator, uid: 6f1c0d3e-1c9b-4b42-9d8f-3e6d0d0c7a11}',
);

export const metadataRules = family<MetadataFacts>()({
  'metadata/name-required': {
    unnamed: true,
    ofMissing: true,
    meantInTests: true,
    title: 'The object has no name',
    explanation: `Every object needs \`metadata.name\`. (\`generateName\`, from which the API server makes up a name,
does not help here: the name of a CRD consists of its plural and group.)`,
    bad: meta('labels: {app: widgets}\n'),
    good: meta('name: widgets.example.com\nlabels: {app: widgets}\n'),
    fixes: nameFixes,
  },
  'metadata/name': {
    ofForm: true,
    title: 'metadata.name is not valid here',
    explanation: `A CRD's name is \`spec.names.plural\`, a dot, and \`spec.group\`, so no two CRDs can define the same
resource. Names of other objects consist of lower-case letters, digits, \`-\` and \`.\`, have at most 253 characters,
and start and end with a letter or digit.`,
    bad: meta('name: widget.example.com\n'),
    good: right,
    fixes: nameFixes,
  },
  'metadata/generate-name': {
    title: 'generateName is not a valid name prefix',
    explanation: `The API server appends five random characters to \`generateName\`, so it follows the rules for names
but may end in \`-\`. It cannot be used for a CRD, whose name consists of its plural and group.`,
    bad: meta('name: widgets.example.com\ngenerateName: Widgets-\n'),
    good: right,
    fixes: removal(true),
  },
  'metadata/namespace': {
    ofForm: true,
    title: 'A namespace where none is allowed, or none where one is required',
    explanation: `Objects of a cluster-scoped kind have no namespace; objects of a namespaced kind are in exactly one,
whose name is a DNS label. CRDs are cluster-scoped: the API server drops a namespace on creation.`,
    bad: `#- use: metadata
name: widgets.example.com
namespace: default
`,
    notShown: 'the API server drops the namespace of a new CRD before it validates',
    good: right,
    fixes: (problem) => (lastStep(problem) === 'namespace' ? removal(true)(problem) : []),
  },
  'metadata/generation': {
    title: 'The generation is negative',
    explanation: 'The API server maintains `metadata.generation`, and it is never negative. Leave it out of manifests.',
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
generation: -1
`,
    good: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
`,
    notShown: 'the API server sets the generation itself, whatever a manifest says',
    fixes: removal(true),
  },
  'metadata/label': {
    title: 'A label has an invalid key or value',
    explanation: `A label key is a name of at most 63 letters, digits, \`-\`, \`_\` and \`.\`, optionally preceded by a
domain and a slash. Its value has at most 63 of the same characters, or is empty. Both start and end with a letter or
digit. Put longer or free-form text into annotations.`,
    bad: meta('name: widgets.example.com\nlabels:\n  app: my widgets\n'),
    good: meta('name: widgets.example.com\nlabels:\n  app: my-widgets\n'),
    fixes: labelFixes,
  },
  'metadata/annotation': {
    title: 'An annotation has an invalid key',
    explanation: `An annotation can have any value, but its key must be a name of at most 63 letters, digits, \`-\`,
\`_\` and \`.\`, optionally preceded by a domain and a slash.`,
    bad: meta('name: widgets.example.com\nannotations:\n  made by: us\n'),
    good: meta('name: widgets.example.com\nannotations:\n  made-by: us\n'),
  },
  'metadata/annotations-too-long': {
    title: 'The annotations are too large',
    explanation: `The keys and values of all annotations of an object may not exceed 256 KiB in total. The usual cause
is \`kubectl apply\`, which keeps the whole last manifest in an annotation: for large CRDs use \`kubectl apply
--server-side\`.`,
    bad: meta(`name: widgets.example.com\nannotations:\n  notes: ${'long '.repeat(10)}…\n`),
    notShown: 'the example would need a quarter of a megabyte',
    good: meta('name: widgets.example.com\nannotations:\n  notes: short\n'),
  },
  'metadata/owner-reference': {
    meantInTests: true,
    title: 'An owner reference is incomplete',
    explanation: `An owner reference needs \`apiVersion\`, \`kind\`, \`name\` and \`uid\`. The \`uid\` is known only in
the cluster, so owner references are set by controllers and rarely written in a manifest.`,
    bad: owner('{apiVersion: apps/v1, kind: Deployment, name: operator, uid: ""}'),
    good: rightOwner,
  },
  'metadata/owner-event': {
    title: 'An event is named as an owner',
    explanation: `Events are short-lived, and the API server does not let them own anything. Name the object that the
event is about.`,
    bad: owner('{apiVersion: v1, kind: Event, name: a, uid: 6f1c0d3e-1c9b-4b42-9d8f-3e6d0d0c7a11}'),
    good: rightOwner,
    fixes: (problem) => fixOf('Remove the owner', removeAt(problem.document, problem.path), false),
  },
  'metadata/repeated-owner': {
    severity: 'warning',
    title: 'An owner reference is repeated',
    explanation: `References that are equal in all their fields are merged by the API server, which warns of it and may
refuse them one day.`,
    bad: owner(`{apiVersion: apps/v1, kind: Deployment, name: a, uid: "1"}
  - {apiVersion: apps/v1, kind: Deployment, name: a, uid: "1"}`),
    good: owner('{apiVersion: apps/v1, kind: Deployment, name: a, uid: "1"}'),
    fixes: (problem) => fixOf('Remove the repeated owner', removeAt(problem.document, problem.path), true),
  },
  'metadata/two-controllers': {
    title: 'Two owners have controller: true',
    explanation: `An object may have several owners, but only one of them can manage it. Two controllers would undo
each other's work.`,
    bad: owner(`{apiVersion: apps/v1, kind: Deployment, name: a, uid: "1", controller: true}
  - {apiVersion: apps/v1, kind: Deployment, name: b, uid: "2", controller: true}`),
    good: owner(`{apiVersion: apps/v1, kind: Deployment, name: a, uid: "1", controller: true}
  - {apiVersion: apps/v1, kind: Deployment, name: b, uid: "2"}`),
  },
  'metadata/finalizer': {
    title: 'A finalizer has an invalid name',
    explanation: `The name of a finalizer has the same form as a label key. It should start with the domain of whoever
removes it, as in \`example.com/cleanup\`. Names without a domain belong to Kubernetes itself.`,
    bad: meta('name: widgets.example.com\nfinalizers: [clean up]\n'),
    good: meta('name: widgets.example.com\nfinalizers: [example.com/cleanup]\n'),
  },
  'metadata/finalizer-conflict': {
    title: 'The finalizers orphan and foregroundDeletion are both set',
    explanation: `\`orphan\` leaves dependents alone when the object is deleted, \`foregroundDeletion\` deletes them
first. They contradict each other. The API server sets them on deletion; a manifest needs neither.`,
    bad: meta('name: widgets.example.com\nfinalizers: [orphan, foregroundDeletion]\n'),
    good: right,
    fixes: (problem) =>
      ['orphan', 'foregroundDeletion'].flatMap((name, i) =>
        fixOf(`Keep only \`${name}\``, keepFinalizers(problem, i === 0 ? 'foregroundDeletion' : 'orphan'), false),
      ),
  },
  'metadata/managed-fields': {
    title: 'managedFields is malformed',
    explanation: `\`managedFields\` is the API server's record of who applied what. It does not belong in a manifest,
but ends up there when one is copied from \`kubectl get -o yaml\`. In an object's own metadata the server silently
replaces it; in an object that is embedded in another one it is validated. Remove it.`,
    bad: embedded('name: a\n      managedFields:\n        - {operation: Patch, fieldsType: FieldsV1}'),
    good: embedded('name: a'),
    fixes: withoutManagedFields,
  },
  'metadata/resource-version': {
    title: 'The resource version does not match the stored object',
    explanation: `An update names the \`resourceVersion\` that it is based on, so that nobody overwrites changes they
have not seen. It does not belong in a manifest; \`kubectl apply\` takes care of it.`,
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
resourceVersion: "0"
`,
    good: right,
    notShown: 'resource versions are ignored when a manifest is compared',
    fixes: (problem) => (lastStep(problem) === 'resourceVersion' ? removal(true)(problem) : []),
  },
  'metadata/immutable': {
    title: 'A metadata field that cannot be changed',
    explanation: `\`name\`, \`namespace\`, \`uid\` and the creation and deletion timestamps of a stored object cannot
be changed. Remove them from the manifest; to use another name, create another object.`,
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
---
name: gadgets.example.com
`,
    good: `#- use: metadata
name: widgets.example.com
---
name: widgets.example.com
`,
  },
  'metadata/new-finalizer': {
    title: 'A new finalizer on an object that is being deleted',
    explanation: `Once an object has a deletion timestamp, finalizers can only be removed. Otherwise its deletion could
be delayed forever by adding one finalizer after another.`,
    onUpdate: true,
    bad: `#- use: metadata
name: widgets.example.com
deletionTimestamp: 2024-01-01T00:00:00Z
finalizers: [example.com/a]
---
name: widgets.example.com
deletionTimestamp: 2024-01-01T00:00:00Z
finalizers: [example.com/a, example.com/b]
`,
    good: `#- use: metadata
name: widgets.example.com
deletionTimestamp: 2024-01-01T00:00:00Z
finalizers: [example.com/a]
---
name: widgets.example.com
deletionTimestamp: 2024-01-01T00:00:00Z
finalizers: [example.com/a]
`,
  },
});

/** The name of a CRD follows from its spec. */
function nameFixes(problem: Problem): Fix[] {
  const { document, manifest, path } = problem;
  const at = manifest?.at ?? [];
  if (path.at(-1) !== 'name' && path.at(-1) !== 'metadata') return [];
  const root = valueOf(document);
  const plural = root && valueAt(root, [...at, 'spec', 'names', 'plural']);
  const group = root && valueAt(root, [...at, 'spec', 'group']);
  if (manifest?.role !== 'crd') return tidyName(problem);
  if (typeof plural !== 'string' || typeof group !== 'string' || plural === '' || group === '') return [];
  const name = `${plural}.${group}`;
  const edits = putKey(problem, [...at, 'metadata'], 'name', name, { first: true });
  return fixOf(`Name it \`${name}\``, edits, true);
}

/** What of a name can be part of one, in lower case. */
function tidyName({ document, path, manifest }: Problem): Fix[] {
  const name = manifest && valueAt(manifest.value, path.slice(manifest.at.length));
  if (typeof name !== 'string') return [];
  const tidy = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .slice(0, 253)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .replace(/[-.]*\.[-.]*/g, '.');
  return tidy === name || tidy === '' ? [] : fixOf(`Change to \`${tidy}\``, setValue(document, path, tidy), false);
}

function labelFixes({ facts: { value }, document, path }: ProblemOf<MetadataFacts, 'metadata/label'>): Fix[] {
  const tidy = value
    .trim()
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  return tidy === value ? [] : fixOf(`Change to \`${tidy}\``, setValue(document, path, tidy), false);
}

function keepFinalizers(problem: Problem, dropped: string) {
  const root = valueOf(problem.document);
  const all = root && valueAt(root, problem.path);
  return Array.isArray(all)
    ? setValue(
        problem.document,
        problem.path,
        all.filter((one) => one !== dropped),
      )
    : [];
}

function withoutManagedFields(problem: Problem): Fix[] {
  const at = problem.path.lastIndexOf('managedFields');
  const path = problem.path.slice(0, at + 1);
  return at === -1 ? [] : fixOf('Remove `managedFields`', removeAt(problem.document, path), true);
}
