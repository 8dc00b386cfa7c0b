import type { StructInfo, Structs } from '../../cel/env.ts';
import { zero } from '../../cel/range.ts';
import {
  anyType,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  stringType,
  structType,
  timestampType,
  uintType,
} from '../../cel/types.ts';
import type { DeclType } from '../cel/declType.ts';
import { declaredScalar } from '../cel/environment.ts';
import { kubernetesTypes } from '../cel/libraries/types.ts';
import { noSchema } from '../cr/form.ts';
import type { KubernetesVersion } from '../releases/release.ts';
import { noValidation, type Structural } from '../schema/structural.ts';

// What expressions of admission policies and of webhooks can read, as the API server declares it. Objects are named by
// their types here, unlike in the rules of a CRD.

/** A type as an expression sees it, with what is to be said of its fields. */
export interface Declared {
  readonly decl: DeclType;
  readonly structural: Structural;
}

export function scalar(type: CelType): Declared {
  return { decl: { type, maxElements: 0n, size: zero, minSize: 0n, shape: 0 }, structural: noSchema };
}

/** The same with the most that it can hold. */
export function sized({ decl, structural }: Declared, maxElements: bigint): Declared {
  return { decl: { ...decl, maxElements, size: { min: 0, max: Number(maxElements) } }, structural };
}

export const text = scalar(stringType);
const [flag, whole, time, anything] = [boolType, intType, timestampType, dynType].map(scalar) as [
  Declared,
  Declared,
  Declared,
  Declared,
];

export function list({ decl, structural }: Declared): Declared {
  return {
    decl: { ...scalar(listOf(decl.type)).decl, element: decl },
    structural: { ...noSchema, type: 'array', items: structural },
  };
}

export function mapTo({ decl, structural }: Declared, key = text): Declared {
  return {
    decl: { ...scalar(mapOf(stringType, decl.type)).decl, key: key.decl, element: decl },
    structural: { ...noSchema, type: 'object', additionalProperties: { allowed: true, schema: structural } },
  };
}

/** What an object's field holds, and what is said of it. */
export type Field = readonly [of: Declared, doc: string];

export function declaredObject(
  name: string,
  fields: Readonly<Record<string, Field>>,
  optional: readonly string[] = [],
): Declared {
  const rows = Object.entries(fields);
  const required = Object.keys(fields).filter((field) => !optional.includes(field));
  return {
    decl: { ...scalar(structType(name)).decl, fields: new Map(rows.map(([key, [{ decl }]]) => [key, decl])) },
    structural: {
      ...noSchema,
      type: 'object',
      validation: { ...noValidation, required },
      properties: new Map(rows.map(([key, [{ structural }, description]]) => [key, { ...structural, description }])),
    },
  };
}

const kindType = declaredObject('kubernetes.GroupVersionKind', {
  group: [text, 'The API group, empty for the core one.'],
  version: [text, 'The version, such as v1.'],
  kind: [text, 'The kind, such as Deployment.'],
});

const resourceType = declaredObject('kubernetes.GroupVersionResource', {
  group: [text, 'The API group, empty for the core one.'],
  version: [text, 'The version, such as v1.'],
  resource: [text, 'The resource, such as deployments.'],
});

export const userType = declaredObject(
  'kubernetes.UserInfo',
  {
    username: [text, 'The name that the user was authenticated as.'],
    uid: [text, 'An identifier of the user that is never used again.'],
    groups: [list(text), 'The groups that the user is in.'],
    extra: [mapTo(list(text)), 'What the authenticator adds.'],
  },
  ['username', 'uid', 'groups', 'extra'],
);

const requestType = declaredObject(
  'kubernetes.AdmissionRequest',
  {
    kind: [kindType, 'The kind of the object, after conversion to a version that the policy matches.'],
    resource: [resourceType, 'The resource, after conversion to a version that the policy matches.'],
    subResource: [text, 'The subresource, such as status or scale; empty where it is none.'],
    requestKind: [kindType, 'The kind as the client named it.'],
    requestResource: [resourceType, 'The resource as the client named it.'],
    requestSubResource: [text, 'The subresource as the client named it.'],
    name: [text, 'The name of the object; empty where the server is to make it.'],
    namespace: [text, 'The namespace of the request, empty for what is in none.'],
    operation: [text, 'CREATE, UPDATE, DELETE or CONNECT.'],
    userInfo: [userType, 'Who asks.'],
    dryRun: [flag, 'Nothing is to be stored.'],
    options: [anything, 'The options of the operation, such as CreateOptions.'],
  },
  ['subResource', 'requestSubResource', 'namespace', 'dryRun', 'options'],
);

const conditionType = declaredObject('kubernetes.NamespaceCondition', {
  status: [text, 'True, False or Unknown.'],
  type: [text, 'What the condition is about.'],
  lastTransitionTime: [time, 'When its status last changed.'],
  message: [text, 'Details for a person.'],
  reason: [text, 'The reason for the last change, in one word.'],
});

const namespaceType = declaredObject('kubernetes.Namespace', {
  metadata: [
    declaredObject('kubernetes.NamespaceMetadata', {
      name: [text, 'Its name.'],
      generateName: [text, 'What its name was made from.'],
      namespace: [text, 'Empty: a namespace is in none.'],
      labels: [mapTo(text), 'Its labels.'],
      annotations: [mapTo(text), 'Its annotations.'],
      UID: [text, 'Its identifier, written UID here.'],
      creationTimestamp: [time, 'When it was made.'],
      deletionGracePeriodSeconds: [whole, 'How long its deletion may take.'],
      deletionTimestamp: [time, 'When its deletion was asked for.'],
      generation: [whole, 'How often its spec has changed.'],
      resourceVersion: [text, 'Its stored version.'],
      finalizers: [list(text), 'Who still has to do something before it goes.'],
    }),
    'Its metadata; managed fields and owners are left out.',
  ],
  spec: [
    declaredObject('kubernetes.NamespaceSpec', {
      finalizers: [list(text), 'Who has to empty it before it goes.'],
    }),
    'What is wanted.',
  ],
  status: [
    declaredObject('kubernetes.NamespaceStatus', {
      conditions: [list(conditionType), 'What is known of its deletion.'],
      phase: [text, 'Active or Terminating.'],
    }),
    'What is.',
  ],
});

const authorizationType = (name: string) => kubernetesTypes.get(`kubernetes.authorization.${name}`)!;

export const variablesType = structType('kubernetes.variables');

/** All variables that there may be, in the order in which they are offered. */
export const policyVariables: Readonly<Record<string, Field>> = {
  object: [anything, 'The object of the request as it would be stored; null when it is deleted.'],
  oldObject: [anything, 'The object as it is stored; null when it is created.'],
  request: [requestType, 'The request: its operation, kind, resource, and who asks.'],
  namespaceObject: [namespaceType, "The object's namespace; null for what is in none."],
  params: [anything, 'The parameters that the binding names, of the kind in `paramKind`.'],
  variables: [scalar(variablesType), "The policy's own variables that stand above."],
  authorizer: [scalar(authorizationType('Authorizer')), 'Asks what the user who makes the request is allowed to do.'],
  'authorizer.requestResource': [
    scalar(authorizationType('ResourceCheck')),
    'The same, about the resource of the request.',
  ],
};

/** The types of objects that are declared, by name. */
export const declaredObjects: ReadonlyMap<string, DeclType> = objectsIn(
  Object.values(policyVariables).map(([{ decl }]) => decl),
);

/** The types of objects in some types, by name. */
export function objectsIn(types: readonly DeclType[], into = new Map<string, DeclType>()): Map<string, DeclType> {
  for (const type of types) {
    if (type.fields) into.set(type.type.name, type);
    objectsIn([...(type.fields?.values() ?? []), ...(type.element ? [type.element] : [])], into);
  }
  return into;
}

/** A type that is declared for variables alone. */
export function declaredStruct(
  type: CelType,
  field: StructInfo['field'],
  { cel: { plainTypeNames } }: KubernetesVersion,
): StructInfo {
  return { type, ...(plainTypeNames ? { named: type } : {}), onlyChecked: true, field };
}

/** Such types of objects, by name, before those that there are anyhow. */
export function declaredStructs(
  objects: ReadonlyMap<string, DeclType>,
  outer: Structs,
  kubernetes: KubernetesVersion,
): Structs {
  return (name) => {
    const object = objects.get(name);
    if (object) return declaredStruct(object.type, (field) => object.fields?.get(field)?.type, kubernetes);
    return declaredScalar(name, kubernetes.cel.plainTypeNames) ?? outer(name);
  };
}

const kept: ReadonlySet<CelType> = new Set([
  ...[anyType, boolType, bytesType, doubleType, durationType],
  ...[intType, nullType, stringType, timestampType, uintType],
]);

/** The type under which a variable is known to the expressions below it: of objects only that they are something. */
export function variableType(type: CelType | undefined): CelType {
  if (type === undefined) return dynType;
  if (kept.has(type)) return type;
  const [first, second] = type.params;
  if (type.kind === 'list' && first) return listOf(variableType(first));
  if (type.kind === 'map' && first && second) return mapOf(variableType(first), variableType(second));
  return dynType;
}

/** The variables that are declared above, as fields of `variables`. */
export function composed(types: ReadonlyMap<string, CelType>): Declared {
  const fields = [...types].map(([name, type]): [string, Field] => [name, [scalar(type), 'A variable of the policy.']]);
  return declaredObject(variablesType.name, Object.fromEntries(fields));
}
