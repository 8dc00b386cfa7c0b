import {
  type DocumentPath,
  isList,
  isMap,
  isString,
  type ManifestPath,
  type Value,
  type ValueMap,
} from '../../base/value.ts';
import type { Trial } from '../../kubernetes/cel/tryExpression.ts';
import { storedResource } from '../../kubernetes/cr/create.ts';
import { noFields } from '../../kubernetes/cr/form.ts';
import { serveCrd } from '../../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import { type Definition, definitionsFor } from '../../workspace/definitions.ts';
import { inManifest, isTooDeep, type Manifest, splitApiVersion } from '../../workspace/manifest.ts';
import { below } from '../../workspace/projections/below.ts';
import { looseRule, lowered, type RulePlace } from '../../workspace/rulePlace.ts';
import type { Json } from '../../workspace/settings.ts';
import { kubernetesFor, type Snapshot } from '../../workspace/snapshot.ts';
import type { YamlDocument } from '../../yaml/parse.ts';
import { scalarMap } from '../../yaml/scalarMap.ts';
import { tolerantValueOf } from '../../yaml/tolerantValue.ts';

// A playground is a YAML document with an expression that belongs to no rule, and with what it is evaluated over.

/** For completion and hover of the document's own keys. */
export const playgroundSchema: Json = {
  type: 'object',
  required: ['expression'],
  properties: {
    expression: {
      type: 'string',
      description:
        'A CEL expression of any type, with what rules of a CRD have: `self`, `oldSelf` and the functions of the Kubernetes release.',
    },
    self: { description: 'What `self` is. A whole resource whose CRD is known is pruned and gets its defaults.' },
    oldSelf: { description: 'What `oldSelf` is, if there is to be one.' },
    schema: {
      type: 'object',
      description: 'The schema of `self`, as in a CRD. Without it the types are those of the values.',
    },
  },
};

/** A new playground. */
export const newPlayground = ({
  name,
}: KubernetesVersion) => `# CEL playground: what the expression comes to is shown beside it.
# kube-crd: kubernetes ${name}
expression: |-
  self.replicas <= self.maxReplicas &&
  self.users.all(u, u.role != 'owner')
self:
  replicas: 2
  maxReplicas: 3
  users:
    - {name: shop, role: writer}
`;

/** What an expression of a playground is evaluated over. */
interface Ground extends Trial {
  /** The schema as it is written; undefined where it was made of the values. */
  readonly written: ValueMap | undefined;
  /** Where the types are from, where that is not clear; or ''. */
  readonly types: string;
}

/** The object that a path of a playground leads into, as if it was one of the file's. */
export function objectInPlayground(
  { definitions }: Snapshot,
  uri: string,
  document: YamlDocument,
  path: DocumentPath,
): { manifest: Manifest; path: ManifestPath; definitions: readonly Definition[] } | undefined {
  const root = playgroundRoot(document);
  const [key] = path;
  const manifest = isMap(root) && isString(key) ? resourceAt(document, root, key) : undefined;
  return (
    manifest && { manifest, path: inManifest(manifest, path), definitions: definitionsFor(definitions, manifest, uri) }
  );
}

function resourceAt(document: YamlDocument, root: ValueMap, key: string): Manifest | undefined {
  const value = key === 'self' || key === 'oldSelf' ? root.get(key) : undefined;
  if (!isMap(value)) return undefined;
  const [apiVersion, kind] = [value.get('apiVersion'), value.get('kind')];
  if (!isString(apiVersion) || !isString(kind)) return undefined;
  const at = [key];
  return { role: 'resource', document, at, value, apiVersion, kind, projection: below(at) };
}

/** The expression of a playground, with all that is known where it stands. */
export function playgroundPlace(
  snapshot: Snapshot,
  uri: string,
  document: YamlDocument,
  path: DocumentPath,
): RulePlace | undefined {
  const root = playgroundRoot(document);
  const map = path.length === 1 && path[0] === 'expression' ? scalarMap(document, path) : undefined;
  if (!isMap(root) || !map) return undefined;
  const kubernetes = kubernetesFor(snapshot, uri);
  const { schema, isRoot, written } = groundOf(snapshot, uri, document, root, kubernetes);
  return { ...looseRule(map.value, schema, isRoot, kubernetes), map, node: ['schema'], written };
}

export function groundOf(
  { definitions }: Snapshot,
  uri: string,
  document: YamlDocument,
  root: ValueMap,
  kubernetes: KubernetesVersion,
): Ground {
  const [self = new Map(), old, given] = ['self', 'oldSelf', 'schema'].map((key) => root.get(key));
  const plain = { isRoot: false, value: self, old, written: undefined, types: '' };
  if (isMap(given)) {
    const schema = lowered(given, kubernetes);
    return schema
      ? { ...plain, schema, written: given }
      : { ...plain, schema: noFields, types: 'the schema cannot be read' };
  }
  const ofValues = (why: string): Ground => {
    const schema = lowered(schemaOfValues([self, old]), kubernetes) ?? noFields;
    return { ...plain, schema, types: `types are those of the values${why}` };
  };
  const manifest = resourceAt(document, root, 'self');
  if (!manifest) return ofValues('');
  const definition = definitionsFor(definitions, manifest, uri)[0];
  const crd = definition && serveCrd(definition.manifest.value, kubernetes);
  if (!crd) return ofValues(`, since no CRD of ${manifest.kind} is known`);
  if ('error' in crd) return ofValues(`, since the CRD of ${manifest.kind} cannot be served`);
  const schema = crd.versions.get(splitApiVersion(manifest.apiVersion).version)?.structural;
  if (!schema) return ofValues(`, since the CRD of ${manifest.kind} has no schema for ${manifest.apiVersion}`);
  const stored = (value: Value) => storedResource(value, crd, { kubernetes }) ?? value;
  return { ...plain, schema, isRoot: true, value: stored(self), old: old && stored(old) };
}

function typeOf(value: Value): string {
  if (isMap(value)) return 'object';
  if (isList(value)) return 'array';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

/** Of longer lists the first items show the types. */
const mostItems = 200;
/** Deeper values, as aliases can make them of a few lines, have no types. */
const deepest = 12;

/** A schema that all of some values have. */
function schemaOfValues(values: readonly (Value | undefined)[], depth = 0): ValueMap {
  if (depth > deepest) return new Map([['x-kubernetes-preserve-unknown-fields', true]]);
  const all = values.filter((value) => value !== undefined && value !== null);
  const nullable: [string, Value][] = values.includes(null) ? [['nullable', true]] : [];
  const types = new Set(all.map(typeOf));
  if (types.has('number')) types.delete('integer');
  const [type = '', other] = types;
  if (types.size === 2 && types.has('integer') && types.has('string'))
    return new Map([['x-kubernetes-int-or-string', true], ...nullable]);
  if (type === '' || other !== undefined) return new Map([['x-kubernetes-preserve-unknown-fields', true]]);
  const of: [string, Value][] = [['type', type], ...nullable];
  if (type === 'array')
    return new Map([
      ...of,
      [
        'items',
        schemaOfValues(
          all.flatMap((one) => (isList(one) ? one.slice(0, mostItems) : [])),
          depth + 1,
        ),
      ],
    ]);
  if (type !== 'object') return new Map(of);
  const maps = all.filter(isMap);
  const names = new Set(maps.flatMap((map) => [...map.keys()]));
  const properties = new Map(
    [...names].map((name) => [
      name,
      schemaOfValues(
        maps.map((map) => map.get(name)),
        depth + 1,
      ),
    ]),
  );
  return new Map<string, Value>([...of, ['properties', properties]]);
}

/** What a document of a playground holds. */
export function playgroundRoot(document: YamlDocument): Value | undefined {
  return isTooDeep(document) ? undefined : tolerantValueOf(document);
}
