import { isMap, type Path, valueAt } from '../../base/value.ts';
import { compareVersions } from '../../kubernetes/versionPriority.ts';
import { insertKey, setValue } from '../../yaml/edit.ts';
import { fixOf, mapIn } from '../fixing/fixes.ts';
import type { Fix } from '../model/diagnostic.ts';
import type { ProblemOf } from '../model/rule.ts';
import { type Found, lintFamily } from './lint.ts';
import { type Linted, type LintedVersion, propertyPlace, schemaPath } from './linted.ts';

type VersionFacts = {
  /** The path of the version in the manifest. */
  'lint/status-subresource': { readonly version: Path };
  /** The text in Kubernetes' own words, where that says enough. */
  'lint/deprecation-text': { readonly standard: string | undefined };
};

/** A status that clients and controllers write into each other's hands. */
function lintStatus(
  _: Linted,
  { version, path, root }: LintedVersion,
): Found<VersionFacts['lint/status-subresource']>[] {
  const status = propertyPlace(root, 'status');
  if (!status || version.status) return [];
  return [{ message: noSubresource, at: schemaPath(status), anchor: 'key', facts: { version: path } }];
}

const noSubresource =
  'The schema has a `status` but no status subresource: whoever writes the object can also change its status.';

/** What a client should learn from a deprecation: what is deprecated, and what to use instead. */
function lintDeprecation(
  linted: Linted,
  { version, path }: LintedVersion,
): Found<VersionFacts['lint/deprecation-text']>[] {
  const { crd } = linted;
  const text = version.deprecationWarning;
  const kind = crd.names.kind ?? '';
  if (text === undefined || !version.deprecated) return [];
  const namesKind = text.toLowerCase().includes(kind.toLowerCase());
  // Where every version is deprecated, it is the kind as a whole.
  const isWhole = crd.versions.every((one) => one.deprecated || !one.served);
  const lacks = [
    // A kind's name mostly says enough.
    ...(namesKind || text.includes(crd.group) ? [] : [`the group \`${crd.group}\``]),
    ...(isWhole || hasWord(text, version.name) ? [] : [`the version \`${version.name}\``]),
    ...(namesKind ? [] : [`the kind \`${kind}\``]),
    ...(namesSuccessor(linted, version.name, text) ? [] : ['what to use instead']),
  ];
  if (lacks.length === 0) return [];
  const message = `Clients see only this text, without the object, and it does not mention ${lacks.join(', ')}.`;
  const standard = standardText(linted, version.name);
  const facts = { standard: namesSuccessor(linted, version.name, standard) ? standard : undefined };
  return [{ message, at: [...path, 'deprecationWarning'], anchor: 'value', facts }];
}

const hasWord = (text: string, word: string): boolean => new Set<string>(text.match(/[\w-]+/g) ?? []).has(word);

function namesSuccessor({ crd }: Linted, name: string, text: string): boolean {
  const others = crd.versions.filter((one) => one.name !== name);
  if (others.some((other) => hasWord(text, other.name))) return true;
  return /\b(?:use|see|instead|switch|move|upgrade|without|removed|successor|favou?r)\b|\b(?:migrat|replace)|https?:/i.test(
    text,
  );
}

/** In the words of Kubernetes' own deprecations. */
function standardText({ crd }: Linted, name: string): string {
  const { group, names, versions } = crd;
  const next = versions
    .filter((one) => one.name !== name && one.served && !one.deprecated)
    .map((one) => one.name)
    .sort(compareVersions)[0];
  const successor = next === undefined ? '' : `; use ${group}/${next} ${names.kind}`;
  return `${group}/${name} ${names.kind} is deprecated${successor}`;
}

const withStatus = (rest: string) => `#- use: version
schema:
  openAPIV3Schema:
    type: object
    properties:
      status: {type: object, properties: {phase: {type: string}}}
${rest}`;

const deprecated = (text: string) => `#- use: spec
versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - name: v1beta1
    served: true
    storage: false
    deprecated: true
    deprecationWarning: ${text}
    schema: {openAPIV3Schema: {type: object}}
`;

export const versionLints = lintFamily<VersionFacts>()({
  'lint/status-subresource': {
    inLogs: 'information',
    severity: 'warning',
    title: 'The schema has a status but no status subresource',
    explanation: `With \`subresources: {status: {}}\`, an ordinary write leaves \`status\` alone and a write to
\`/status\` leaves everything else alone, so users and the controller do not overwrite each other.
\`metadata.generation\` counts only changes to the rest of the object, which \`observedGeneration\` relies on, and
permission to write the status can be granted separately. Without the subresource, applying a manifest can wipe out the
status. Once it is enabled, controllers have to write through \`/status\` (\`UpdateStatus\`).`,
    marker: '+kubebuilder:subresource:status',
    bad: withStatus(''),
    good: withStatus('subresources:\n  status: {}\n'),
    fixes: addSubresource,
    restsOn: 'version',
    check: lintStatus,
  },
  'lint/deprecation-text': {
    severity: 'hint',
    title: 'A deprecation warning that does not say what is deprecated or what to use instead',
    explanation: `Clients show the text on a line of its own after \`Warning:\`, often among many others and without
the object. So it should be self-explanatory, like Kubernetes' own warnings: group, version and kind, and what to use
instead.`,
    marker: '+kubebuilder:deprecatedversion:warning=…',
    bad: deprecated('This API is deprecated'),
    good: deprecated('example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget'),
    fixes: (problem) => {
      const { standard } = problem.facts;
      if (standard === undefined) return [];
      return fixOf(
        'Say what is deprecated and what to use instead',
        setValue(problem.document, problem.path, standard),
        false,
      );
    },
    restsOn: 'version',
    check: lintDeprecation,
  },
});

function addSubresource(problem: ProblemOf<VersionFacts, 'lint/status-subresource'>): Fix[] {
  const { version } = problem.facts;
  const { document, manifest } = problem;
  const at = [...(manifest?.at ?? []), ...version];
  const written = valueAt(mapIn(problem, at), ['subresources']);
  const edits = isMap(written)
    ? insertKey(document, [...at, 'subresources'], 'status', new Map(), { first: true })
    : insertKey(document, at, 'subresources', new Map([['status', new Map()]]));
  return fixOf('Add the status subresource', edits, false);
}
