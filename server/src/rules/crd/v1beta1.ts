import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import type { Manifest } from '../../workspace/manifest.ts';
import { insertKey, removeAt, renameKey, setValue, styleOf } from '../../yaml/edit.ts';
import { parseDocument, type YamlDocument } from '../../yaml/parse.ts';
import { rangeOf } from '../../yaml/place.ts';
import { valueOf } from '../../yaml/value.ts';
import { difference, editedText } from '../fixing/fixes.ts';
import { problemAt } from '../judging/problemAt.ts';
import { saysOfVersion } from '../judging/says.ts';
import type { Fix, TextEdit } from '../model/diagnostic.ts';
import { family, type Problem, type ProblemOf } from '../model/rule.ts';

type V1beta1Facts = { 'crd/v1beta1': undefined };

/** In the words of whoever asks the API server for a version that it does not serve. */
export function outdated(manifest: Manifest): ProblemOf<V1beta1Facts> {
  const message = `no matches for kind "${manifest.kind}" in version "${manifest.apiVersion}"`;
  const says = saysOfVersion(manifest, message);
  return problemAt(manifest, { code: 'crd/v1beta1' }, message, ['apiVersion'], 'value', { says });
}

export const v1beta1 = family<V1beta1Facts>()({
  'crd/v1beta1': {
    meantInTests: true,
    ofKind: true,
    ofVersion: true,
    hides: true,
    title: 'A CRD in an API version that no longer exists',
    explanation: `\`apiextensions.k8s.io/v1beta1\` was removed in Kubernetes 1.22: \`no matches for kind
"CustomResourceDefinition"\`. In \`v1\` each version has its own schema, subresources and columns; the path of a column
is called \`jsonPath\`; the webhook is configured under \`conversion.webhook\`; \`scope\` is required; and unknown
fields are pruned unless \`x-kubernetes-preserve-unknown-fields: true\` keeps them. The fix turns the CRD into a \`v1\`
CRD that stores the same objects: if \`preserveUnknownFields\` was true, which was its default, it keeps unknown fields
at the root of the schema. A schema that is not structural still has to be fixed by hand.`,
    bad: `#- use: whole
apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  version: v1
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  preserveUnknownFields: false
  validation:
    openAPIV3Schema:
      type: object
      properties:
        spec: {type: object}
`,
    good: `#- use: whole
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object}
`,
    fixes: (problem) => toV1(problem),
  },
});

/** A document on its way to v1: after each step it is read again, so that the steps need not know of each other. */
interface Draft {
  readonly document: YamlDocument;
  /** Where the CRD is in the document. */
  readonly at: Path;
}

type Step = (draft: Draft) => readonly TextEdit[];

function toV1({ document, manifest }: Problem): Fix[] {
  const steps: readonly Step[] = [setVersion, addVersions, openRoots, setScope];
  let draft: Draft = { document, at: manifest?.at ?? [] };
  for (const step of steps) draft = taken(draft, step(draft));
  for (const key of ['schema', 'subresources', 'additionalPrinterColumns']) draft = pushedDown(draft, key);
  for (const step of [moveWebhook, addSchemas]) draft = taken(draft, step(draft));
  draft = eachVersion(draft, renameColumns);
  for (const key of ['version', 'validation', 'subresources', 'additionalPrinterColumns', 'preserveUnknownFields']) {
    draft = taken(draft, removeAt(draft.document, [...draft.at, 'spec', key]));
  }
  const edits = difference(document.text, draft.document.text);
  return edits.length === 0 ? [] : [{ title: 'Convert to `apiextensions.k8s.io/v1`', edits, safe: false }];
}

function taken({ document, at }: Draft, edits: readonly TextEdit[]): Draft {
  return edits.length === 0 ? { document, at } : { document: parseDocument(editedText(document.text, edits)), at };
}

const specOf = (draft: Draft): Value | undefined => inDraft(draft, ['spec']);
const inDraft = ({ document, at }: Draft, path: Path): Value | undefined =>
  valueAt(valueOf(document), [...at, ...path]);

function setVersion({ document, at }: Draft): readonly TextEdit[] {
  return setValue(document, [...at, 'apiVersion'], 'apiextensions.k8s.io/v1');
}

/** The list of versions, which `spec.version` stood for before there was one. */
function addVersions(draft: Draft): readonly TextEdit[] {
  const spec = specOf(draft);
  const versions = valueAt(spec, ['versions']);
  const name = valueAt(spec, ['version']);
  if (!isMap(spec) || (isList(versions) && versions.length > 0)) return [];
  const only = new Map<string, Value>([
    ['name', typeof name === 'string' ? name : 'v1'],
    ['served', true],
    ['storage', true],
  ]);
  const path = [...draft.at, 'spec'];
  if (versions !== undefined) return setValue(draft.document, [...path, 'versions'], [only]);
  return insertKey(draft.document, path, 'versions', [only]);
}

function versionPaths(draft: Draft): Path[] {
  const versions = inDraft(draft, ['spec', 'versions']);
  return isList(versions) ? [...versions.keys()].map((i) => [...draft.at, 'spec', 'versions', i]) : [];
}

/** Roots are objects, and keep what they do not know where that was so. */
function openRoots(draft: Draft): readonly TextEdit[] {
  const preserves = inDraft(draft, ['spec', 'preserveUnknownFields']) !== false;
  const roots = [[...draft.at, 'spec', 'validation'], ...versionPaths(draft).map((path) => [...path, 'schema'])];
  return roots.flatMap((path) => {
    const root = [...path, 'openAPIV3Schema'];
    const schema = valueAt(valueOf(draft.document), root);
    if (!isMap(schema)) return [];
    const keyword = 'x-kubernetes-preserve-unknown-fields';
    return [
      ...(schema.has('type') ? [] : insertKey(draft.document, root, 'type', 'object', { first: true })),
      ...(preserves && !schema.has(keyword) ? insertKey(draft.document, root, keyword, true) : []),
    ];
  });
}

function setScope(draft: Draft): readonly TextEdit[] {
  const spec = specOf(draft);
  if (!isMap(spec) || spec.has('scope')) return [];
  return insertKey(draft.document, [...draft.at, 'spec'], 'scope', 'Namespaced', { after: 'group' });
}

const placeholder = 'a-block-goes-here';

/** Gives each version that has none of its own what stood in the spec for all of them, in the words of the file. */
function pushedDown(draft: Draft, key: string): Draft {
  const from = [...draft.at, 'spec', key === 'schema' ? 'validation' : key];
  const value = valueAt(valueOf(draft.document), from);
  if (value === undefined || value === null) return draft;
  const block = blockAt(draft.document, from);
  return eachVersion(draft, (now, path) => {
    const version = valueAt(valueOf(now.document), path);
    if (!isMap(version) || version.has(key)) return now;
    const edits = insertKey(now.document, path, key, block === undefined ? value : placeholder);
    const filled = edits.map(({ range, text }) => ({ range, text: withBlock(text, block, now.document) }));
    return taken(now, filled);
  });
}

/** A block's lines, without the indentation that they have in common; undefined for what is not a block. */
function blockAt(document: YamlDocument, path: Path): string[] | undefined {
  const { text } = document;
  const range = rangeOf(document, path, 'value');
  if (!range) return undefined;
  const lineStart = text.lastIndexOf('\n', range.start - 1) + 1;
  const indent = text.slice(lineStart, range.start);
  if (!/^ *$/.test(indent)) return undefined;
  const lines = text.slice(range.start, range.end).trimEnd().split(/\r?\n/);
  const rest = lines.slice(1).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()));
  return [lines[0]!, ...rest];
}

function withBlock(text: string, block: readonly string[] | undefined, document: YamlDocument): string {
  const at = text.indexOf(placeholder);
  if (block === undefined || at === -1) return text;
  const { eol, step, indentLists } = styleOf(document);
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const column = /^(?:[ -]|$)*/.exec(text.slice(lineStart))![0].length;
  const indent = ' '.repeat(column + (block[0]!.startsWith('- ') && !indentLists ? 0 : step));
  const lines = block.map((line) => (line === '' ? '' : indent + line));
  return text.slice(0, at).trimEnd() + eol + lines.join(eol) + text.slice(at + placeholder.length);
}

function eachVersion(draft: Draft, change: (draft: Draft, path: Path) => Draft): Draft {
  return versionPaths(draft).reduce((now, path) => change(now, path), draft);
}

function renameColumns(draft: Draft, version: Path): Draft {
  const path = [...version, 'additionalPrinterColumns'];
  const columns = valueAt(valueOf(draft.document), path);
  const edits = (isList(columns) ? columns : []).flatMap((column, i) =>
    isMap(column) && column.has('JSONPath') ? renameKey(draft.document, [...path, i, 'JSONPath'], 'jsonPath') : [],
  );
  return taken(draft, edits);
}

/** The webhook's configuration moves under `webhook`, and says which reviews it speaks: before, v1beta1 was understood. */
function moveWebhook(draft: Draft): readonly TextEdit[] {
  const path = [...draft.at, 'spec', 'conversion'];
  const conversion = valueAt(valueOf(draft.document), path);
  if (!isMap(conversion)) return [];
  const { webhookClientConfig, conversionReviewVersions, ...rest } = Object.fromEntries(conversion);
  if (conversion.get('strategy') !== 'Webhook') {
    const leftOver = webhookClientConfig !== undefined || conversionReviewVersions !== undefined;
    return leftOver ? setValue(draft.document, path, new Map(Object.entries(rest))) : [];
  }
  if (isMap(conversion.get('webhook'))) return [];
  const webhook: ValueMap = new Map<string, Value>([
    ...(webhookClientConfig === undefined ? [] : [['clientConfig', webhookClientConfig] as const]),
    ['conversionReviewVersions', conversionReviewVersions ?? ['v1beta1']],
  ]);
  return setValue(draft.document, path, new Map<string, Value>([...Object.entries(rest), ['webhook', webhook]]));
}

/** A version without a schema accepted everything. */
function addSchemas(draft: Draft): readonly TextEdit[] {
  const anything = new Map<string, Value>([
    ['type', 'object'],
    ['x-kubernetes-preserve-unknown-fields', true],
  ]);
  return versionPaths(draft).flatMap((path) => {
    const version = valueAt(valueOf(draft.document), path);
    if (!isMap(version) || version.has('schema')) return [];
    return insertKey(draft.document, path, 'schema', new Map([['openAPIV3Schema', anything]]));
  });
}
