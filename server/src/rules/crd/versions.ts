import { isList, isMap, type Path, type Value } from '../../base/value.ts';
import type { CrdFacts } from '../../kubernetes/crd/findings.ts';
import { insertKey, removeAt, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn, removal, valueIn } from '../fixing/fixes.ts';
import { relatedAt } from '../judging/related.ts';
import type { Fix } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf, type RelatedProblem } from '../model/rule.ts';

export const versionRules = family<CrdFacts>()({
  'crd/version-name': {
    title: 'A version name is not a valid DNS label',
    explanation: `A version name is used in URLs and in \`apiVersion\`: lower-case letters, digits and \`-\`, starting
with a letter. Names such as \`v1\`, \`v1beta2\` and \`v2alpha1\` are sorted by age and stability; all others come
last.`,
    bad: `#- use: version
name: v1.0
`,
    good: `#- use: version
name: v1
`,
    fixes: tidyVersion,
  },
  'crd/version-duplicate': {
    title: 'Two versions have the same name',
    explanation: `Versions are identified by name, so each name may appear only once in \`spec.versions\`. A copied
version often still has the name of the original.`,
    bad: `#- use: spec
versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`,
    good: `#- use: spec
versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
`,
    related: versionsNamed,
  },
  'crd/storage-version': {
    title: 'There is not exactly one storage version',
    explanation: `Objects are written to etcd in one version and converted from it to all others. So exactly one
version must have \`storage: true\`, and the others \`storage: false\`. Objects that are already stored stay in the
version in which they were last written.`,
    marker: '+kubebuilder:storageversion',
    bad: `#- use: version
storage: false
`,
    along: ['crd/stored-versions-empty'],
    good: `#- use: version
storage: true
`,
    fixes: storageFixes,
    related: storageVersions,
  },
  'crd/version-schema-missing': {
    title: 'A version has no schema',
    explanation: `Every version describes its objects in \`schema.openAPIV3Schema\`. The smallest possible schema is
\`type: object\` with \`x-kubernetes-preserve-unknown-fields: true\`, which accepts everything and checks nothing.`,
    bad: `#- use: spec
versions:
  - name: v1
    served: true
    storage: true
`,
    good: `#- use: spec
versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-preserve-unknown-fields: true
`,
    fixes: schemaFixes,
  },
  'crd/deprecation-warning': {
    title: 'A deprecation warning that cannot be sent',
    explanation: `The text of \`deprecationWarning\` is sent to clients in an HTTP header. It is allowed only together
with \`deprecated: true\`, must not be empty, and may have at most 256 bytes without line breaks or other control
characters. If you leave it out, clients get a standard text.`,
    marker: '+kubebuilder:deprecatedversion:warning=…',
    bad: `#- use: version
deprecationWarning: example.com/v1 Widget is deprecated; use example.com/v2 Widget
`,
    good: `#- use: version
deprecated: true
deprecationWarning: example.com/v1 Widget is deprecated; use example.com/v2 Widget
`,
    fixes: deprecationFixes,
  },
  'crd/stored-versions-empty': {
    title: 'No stored version is recorded',
    explanation: `\`status.storedVersions\` lists the versions in which objects may be stored in etcd. The API server
initializes it with the storage version, so on a new CRD this only repeats that no version has \`storage: true\`.`,
    bad: `#- use: version
storage: false
`,
    along: ['crd/storage-version'],
    good: `#- use: version
storage: true
`,
  },
  'crd/stored-versions-storage': {
    title: 'The storage version is missing from the stored versions',
    explanation: `New objects are written in the storage version, so \`status.storedVersions\` must include it. The API
server adds it automatically; do not remove it when you edit the status.`,
    bad: `#- use: whole
status:
  storedVersions: [v1]
spec:
  versions:
    - {name: v1, served: true, storage: false}
    - {name: v2, served: true, storage: true}
`,
    notShown: 'it is about the status, which a manifest cannot set on creation',
    good: `#- use: version
storage: true
`,
  },
  'crd/stored-version-missing': {
    title: 'A removed version may still have stored objects',
    explanation: `\`status.storedVersions\` lists this version: some objects in etcd may have been written in it, and
nobody could read them any more if it were removed. First rewrite all objects (read and write each of them once while
another version is the storage version), then remove the version from \`status.storedVersions\`, and then from
\`spec.versions\`.`,
    bad: `#- use: whole
status:
  storedVersions: [v1, v2]
spec:
  versions:
    - {name: v2, served: true, storage: true}
`,
    notShown: 'it is about the status, which a manifest cannot set on creation',
    good: `#- use: version
storage: true
`,
  },
  'crd/preserve-unknown-fields-true': {
    title: 'preserveUnknownFields must not be true',
    explanation: `In \`v1beta1\`, \`spec.preserveUnknownFields: true\` kept fields that were not in the schema. In
\`v1\` it can only be \`false\`. If a part of the object really is free-form, set
\`x-kubernetes-preserve-unknown-fields: true\` on that part.`,
    bad: `#- use: spec
preserveUnknownFields: true
`,
    good: `#- use: spec
group: example.com
`,
    fixes: removal(true),
  },
  'crd/preserve-unknown-fields-defaults': {
    title: 'Defaults are not allowed with preserveUnknownFields: true',
    explanation: `Defaults can be applied only if the schema says exactly what is stored. With
\`spec.preserveUnknownFields: true\` it does not, so no \`default\` is allowed anywhere in the schema. Remove
\`preserveUnknownFields\`.`,
    bad: `#- use: spec
preserveUnknownFields: true
versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, default: 3}
`,
    along: ['crd/preserve-unknown-fields-true'],
    good: `#- use: spec
versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, default: 3}
`,
    fixes: removal(true),
  },
});

/** What of a version's name can be part of one. */
function tidyVersion(problem: Problem): Fix[] {
  const written = valueIn(problem, problem.path);
  if (typeof written !== 'string') return [];
  const tidy = written
    .toLowerCase()
    .replace(/\.0$/, '')
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 63)
    .replace(/^[^a-z]+|-+$/g, '');
  if (tidy === '' || tidy === written) return [];
  return fixOf(`Change to \`${tidy}\``, setValue(problem.document, problem.path, tidy), false);
}

function versionsOf(problem: Problem): readonly (readonly [path: Path, version: Value])[] {
  const path = [...(problem.manifest?.at ?? []), 'spec', 'versions'];
  const versions = valueIn(problem, path);
  return isList(versions) ? versions.map((version, i) => [[...path, i], version] as const) : [];
}

function versionsNamed(problem: ProblemOf<CrdFacts, 'crd/version-duplicate'>): RelatedProblem[] {
  const repeated = new Set<unknown>(problem.facts.names);
  return versionsOf(problem).flatMap(([path, version]) => {
    const name = isMap(version) ? (version.get('name') ?? '') : undefined;
    return repeated.has(name) ? [relatedAt(problem, [...path, 'name'], `a version ${String(name)}`, 'value')] : [];
  });
}

function storageVersions(problem: ProblemOf<CrdFacts, 'crd/storage-version'>): RelatedProblem[] {
  const all = versionsOf(problem);
  return problem.facts.storage.flatMap((i) => {
    const [path, version] = all[i] ?? [];
    if (!path || !isMap(version)) return [];
    return [relatedAt(problem, [...path, 'storage'], `${String(version.get('name'))} is the storage version`)];
  });
}

function storageFixes(problem: Problem): Fix[] {
  const { document, manifest } = problem;
  const path = [...(manifest?.at ?? []), 'spec', 'versions'];
  const versions = valueIn(problem, path);
  if (!isList(versions)) return [];
  const storing = versions.flatMap((one, i) => (isMap(one) && one.get('storage') === true ? [i] : []));
  const candidates = storing.length === 0 ? versions.map((_, i) => i) : storing;
  return candidates.flatMap((i) => {
    const version = versions[i];
    if (!isMap(version)) return [];
    const title = `Make \`${version.get('name')}\` the storage version`;
    const others = storing.filter((other) => other !== i);
    const off = others.flatMap((other) => setValue(document, [...path, other, 'storage'], false));
    const on = storing.includes(i) ? [] : setStorage(problem, [...path, i]);
    return fixOf(title, [...on, ...off], candidates.length === 1);
  });
}

function setStorage(problem: Problem, version: readonly (string | number)[]) {
  const { document } = problem;
  if (mapIn(problem, version)?.has('storage')) return setValue(document, [...version, 'storage'], true);
  return insertKey(document, version, 'storage', true, { after: 'served' });
}

const anything = () =>
  new Map([
    [
      'openAPIV3Schema',
      new Map<string, string | boolean>([
        ['type', 'object'],
        ['x-kubernetes-preserve-unknown-fields', true],
      ]),
    ],
  ]);

function schemaFixes(problem: Problem): Fix[] {
  const at = problem.path.lastIndexOf('versions');
  const version = problem.path.slice(0, at + 2);
  if (at === -1 || mapIn(problem, version) === undefined) return [];
  const edits = mapIn(problem, version)!.has('schema')
    ? setValue(problem.document, [...version, 'schema'], anything())
    : insertKey(problem.document, version, 'schema', anything());
  return fixOf('Add a schema that accepts everything', edits, false);
}

function deprecationFixes(problem: ProblemOf<CrdFacts, 'crd/deprecation-warning'>): Fix[] {
  const { document, path, facts } = problem;
  const version = path.slice(0, -1);
  const remove = fixOf('Remove `deprecationWarning`', removeAt(document, path), false);
  if (facts.deprecated) return remove;
  const edits = mapIn(problem, version)?.has('deprecated')
    ? setValue(document, [...version, 'deprecated'], true)
    : insertKey(document, version, 'deprecated', true, { before: 'deprecationWarning' });
  return [...fixOf('Add `deprecated: true`', edits, true), ...remove];
}
