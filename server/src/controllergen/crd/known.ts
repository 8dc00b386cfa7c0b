import type { Draft } from '../markers/model.ts';
import { draft } from './draft.ts';
import type { CrdOptions } from './optionTypes.ts';

const meta = 'k8s.io/apimachinery/pkg/apis/meta/v1';
const intOrString = (): Draft =>
  draft(['x-kubernetes-int-or-string', true], ['anyOf', [draft(['type', 'integer']), draft(['type', 'string'])]]);
const anything = (): Draft => draft(['x-kubernetes-preserve-unknown-fields', true]);
const dateTime = (): Draft => draft(['type', 'string'], ['format', 'date-time']);
const object = (): Draft => draft(['type', 'object']);
const text = (): Draft => draft(['type', 'string']);

/** Types whose schema controller-gen knows by heart, whatever their Go type looks like. */
const known = new Map<string, () => Draft>([
  [`${meta}#ObjectMeta`, object],
  [`${meta}#Time`, dateTime],
  [`${meta}#MicroTime`, dateTime],
  [`${meta}#Duration`, () => draft(['type', 'string'])],
  [`${meta}#Fields`, () => draft(['type', 'object'], ['additionalProperties', true])],
  [`${meta}/unstructured#Unstructured`, object],
  [
    'k8s.io/apimachinery/pkg/api/resource#Quantity',
    () =>
      intOrString().set(
        'pattern',
        '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
      ) as Draft,
  ],
  [
    'k8s.io/apimachinery/pkg/runtime#RawExtension',
    () => draft(['type', 'object'], ['x-kubernetes-preserve-unknown-fields', true]),
  ],
  ['k8s.io/apimachinery/pkg/util/intstr#IntOrString', intOrString],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1#JSON', anything],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1#JSON', anything],
]);

/**
 * Types without which little could be said of any kind, for packages that were not read: what they have in all releases.
 */
const standIns = new Map<string, () => Draft>([
  [
    `${meta}#TypeMeta`,
    () =>
      draft(
        ['type', 'object'],
        [
          'properties',
          new Map([
            ['kind', draft(['type', 'string'], ['description', kindText])],
            ['apiVersion', draft(['type', 'string'], ['description', apiVersionText])],
          ]),
        ],
      ),
  ],
]);

const kindText = [
  'Kind is a string value representing the REST resource this object represents.',
  'Servers may infer this from the endpoint the client submits requests to.',
  'Cannot be updated.',
  'In CamelCase.',
  'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds',
].join('\n');

const apiVersionText = [
  'APIVersion defines the versioned schema of this representation of an object.',
  'Servers should convert recognized schemas to the latest internal value, and',
  'may reject unrecognized values.',
  'More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources',
].join('\n');

export const metaPackage = meta;

/** What `generateEmbeddedObjectMeta` lets people set of the metadata of an object inside another. */
const objectMeta = (): Draft =>
  draft(
    ['type', 'object'],
    [
      'properties',
      new Map([
        ['annotations', texts()],
        ['finalizers', draft(['type', 'array'], ['items', text()])],
        ['labels', texts()],
        ['name', text()],
        ['namespace', text()],
      ]),
    ],
  );
const texts = (): Draft => draft(['type', 'object'], ['additionalProperties', text()]);

export function knownSchema(path: string, name: string, { generateEmbeddedObjectMeta }: CrdOptions): Draft | undefined {
  if (generateEmbeddedObjectMeta && path === meta && name === 'ObjectMeta') return objectMeta();
  return known.get(`${path}#${name}`)?.();
}

export function standIn(path: string, name: string): Draft | undefined {
  return standIns.get(`${path}#${name}`)?.();
}
