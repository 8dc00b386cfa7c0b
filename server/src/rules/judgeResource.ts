import { isList, isMap, type Path, type Value } from '../base/value.ts';
import { quote } from '../go/quote.ts';
import type { KubernetesVersion } from '../kubernetes/versions.ts';
import type { Definition } from '../workspace/definitions.ts';
import type { Manifest } from '../workspace/manifest.ts';
import { propertyNames, rootSchema, type SchemaNode, schemaAt, stepInto } from '../workspace/schemaNode.ts';
import type { UnknownFieldFacts } from './cr/unknownField.ts';
import { problemAt } from './judgeCrd.ts';
import { locate } from './locate.ts';
import { nearestNames } from './nearest.ts';
import type { Problem } from './rule.ts';

/** What the API server would say about creating this custom resource. */
export function judgeResource(
  manifest: Manifest,
  definitions: readonly Definition[],
  _kubernetes: KubernetesVersion,
): Problem[] {
  const definition = definitions[0];
  const root = definition && rootSchema(definition, manifest.apiVersion);
  if (!root) return [];
  return [...definedTwice(manifest, definitions), ...unknownFields(manifest, root)];
}

function definedTwice(manifest: Manifest, definitions: readonly Definition[]): Problem[] {
  if (definitions.length < 2) return [];
  const related = definitions.map(({ file, manifest: crd }) => {
    const range = locate(crd.document, [...crd.at, 'spec', 'names', 'kind'], 'value');
    const start = file.stream.documents.find(({ document }) => document === crd.document)?.start ?? 0;
    return { uri: file.uri, range: { start: range.start + start, end: range.end + start }, message: 'defined here' };
  });
  const message = `${definitions.length} CRDs define this kind; the nearest one is used.`;
  return [problemAt(manifest, 'cr/kind-defined-twice', message, ['kind'], 'value', { related })];
}

function unknownFields(manifest: Manifest, root: SchemaNode): Problem[] {
  return unknownPaths(manifest.value, root, [], true).map((path) => {
    const parent = schemaAt(root, path.slice(0, -1));
    const facts: UnknownFieldFacts = { known: parent ? propertyNames(parent, path.length === 1) : [] };
    const near = nearestNames(String(path.at(-1)), facts.known).map((name) => `\`${name}\``);
    const hint = near.length === 0 ? '' : `, did you mean ${near.join(' or ')}?`;
    return problemAt(manifest, 'cr/unknown-field', `unknown field ${quote(dotted(path))}${hint}`, path, 'key', {
      facts,
    });
  });
}

function unknownPaths(value: Value, node: SchemaNode, at: Path, atRoot: boolean): Path[] {
  if (isList(value)) {
    const item = stepInto(node, 0, false);
    return item ? value.flatMap((one, i) => unknownPaths(one, item, [...at, i], false)) : [];
  }
  if (!isMap(value)) return [];
  const keepsAll = keepsUnknown(node);
  return [...value].flatMap(([key, item]): Path[] => {
    // Object metadata is known to the API server itself.
    if (atRoot && key === 'metadata') return [];
    const child = stepInto(node, key, atRoot);
    if (child) return unknownPaths(item, child, [...at, key], false);
    return keepsAll ? [] : [[...at, key]];
  });
}

function keepsUnknown({ schema }: SchemaNode): boolean {
  const additional = schema.get('additionalProperties');
  return schema.get('x-kubernetes-preserve-unknown-fields') === true || additional === true || isMap(additional);
}

/** A path as the API server writes it: `spec.parts[0].name`. */
function dotted(path: Path): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}
