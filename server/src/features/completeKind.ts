import type { Range } from '../base/text.ts';
import { isMap } from '../base/value.ts';
import type { Definition } from '../workspace/definitions.ts';
import {
  firstSentence,
  requiredNames,
  rootSchema,
  type SchemaNode,
  schemaAt,
  textOf,
} from '../workspace/schemaNode.ts';
import type { Snapshot } from '../workspace/snapshot.ts';
import { compareVersions } from '../workspace/versionPriority.ts';
import { tolerantValueOf } from '../yaml/tolerantValue.ts';
import type { Completion } from './completion.ts';
import type { Cursor } from './cursor.ts';
import { untrusted } from './markdown.ts';
import { fieldSnippet, newStops } from './skeleton.ts';

/** A version of a kind that some CRD defines. */
interface Served {
  readonly definition: Definition;
  readonly version: string;
  readonly apiVersion: string;
  /** The version that kubectl takes where none is named. */
  readonly preferred: boolean;
}

/** Every version of every kind; of one kind in Kubernetes' order of priority. */
function allVersions(snapshot: Snapshot): Served[] {
  const definitions = [...snapshot.definitions.values()].map(([first]) => first!);
  return definitions
    .sort((a, b) => (a.kind < b.kind ? -1 : 1))
    .flatMap((definition) => {
      const versions = [...definition.versions].sort(compareVersions);
      return versions.map((version, i) => ({
        definition,
        version,
        apiVersion: `${definition.group}/${version}`,
        preferred: i === 0,
      }));
    });
}

const crdVersion = 'apiextensions.k8s.io/v1';
const crdKind = 'CustomResourceDefinition';

/** Values of `apiVersion` and `kind`, each narrowed by what the other says already. */
export function completeTypeMeta(snapshot: Snapshot, cursor: Cursor, range: Range): Completion[] {
  const [key] = cursor.path;
  const root = tolerantValueOf(cursor.placed.document);
  const other = isMap(root) ? root.get(key === 'kind' ? 'apiVersion' : 'kind') : undefined;
  const versions = allVersions(snapshot);
  if (key === 'apiVersion') return apiVersions(versions, other, range);
  const fitting = versions.filter(({ apiVersion }) => typeof other !== 'string' || apiVersion === other);
  const kinds = [...new Set(fitting.map(({ definition }) => definition.kind))];
  if (other === undefined || other === null || other === crdVersion) kinds.push(crdKind);
  return kinds.map((kind, i) => plain(kind, 'kind', '', range, i));
}

function apiVersions(versions: readonly Served[], kind: unknown, range: Range): Completion[] {
  const fitting = versions.filter(({ definition }) => typeof kind !== 'string' || definition.kind === kind);
  const seen = new Set<string>();
  const rows = fitting.filter(({ apiVersion }) => !seen.has(apiVersion) && seen.add(apiVersion));
  const found = rows.map(({ apiVersion, definition, preferred }, i) =>
    plain(
      apiVersion,
      'value',
      typeof kind === 'string' && preferred ? 'what kubectl uses by default' : definition.kind,
      range,
      i,
    ),
  );
  return typeof kind === 'string' && kind !== crdKind
    ? found
    : [...found, plain(crdVersion, 'value', crdKind, range, rows.length)];
}

function plain(text: string, kind: Completion['kind'], detail: string, range: Range, i: number): Completion {
  return {
    label: text,
    kind,
    ...(detail === '' ? {} : { detail }),
    range,
    text,
    snippet: false,
    order: String(i).padStart(4, '0'),
  };
}

/** Whole resources, for an empty document: each kind with the fields it cannot do without. */
export function completeResource(snapshot: Snapshot, range: Range): Completion[] {
  return [
    ...allVersions(snapshot).flatMap((served, i): Completion[] => {
      const { definition, apiVersion } = served;
      const root = rootSchema(definition, apiVersion);
      if (!root) return [];
      const description = untrusted(firstSentence(textOf(root, 'description')));
      return [
        {
          label: `${definition.kind} (${apiVersion})`,
          kind: 'snippet',
          detail: 'a whole resource',
          ...(description === '' ? {} : { documentation: description }),
          range,
          text: resourceSnippet(served, root),
          snippet: true,
          order: `${served.preferred ? 0 : 1}${String(i).padStart(4, '0')}`,
        },
      ];
    }),
    {
      label: 'CustomResourceDefinition',
      kind: 'snippet',
      detail: 'a new kind',
      range,
      text: crdSnippet,
      snippet: true,
      order: '2',
    },
  ];
}

function resourceSnippet({ definition, apiVersion }: Served, root: SchemaNode): string {
  const stops = newStops();
  const head = [
    `apiVersion: ${apiVersion}`,
    `kind: ${definition.kind}`,
    'metadata:',
    `  name: \${${stops.next++}:name}`,
  ];
  const rest = [...requiredNames(root)].filter((name) => !['apiVersion', 'kind', 'metadata'].includes(name));
  // Nearly every kind has a spec, whether or not its schema demands one.
  const names = rest.includes('spec') || !schemaAt(root, ['spec']) ? rest : ['spec', ...rest];
  return [...head, ...names.map((name) => fieldSnippet(root, name, stops, ''))].join('\n');
}

const crdSnippet = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: \${1:widgets}.\${2:example.com}
spec:
  group: \${2:example.com}
  scope: \${3|Namespaced,Cluster|}
  names:
    plural: \${1:widgets}
    singular: \${4:widget}
    kind: \${5:Widget}
  versions:
    - name: \${6:v1alpha1}
      served: true
      storage: true
      subresources:
        status: {}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                \${7:size}:
                  type: \${8|string,integer,boolean,object,array|}
            status:
              type: object
              x-kubernetes-preserve-unknown-fields: true`;
