import { memo } from '../../base/memo.ts';
import type { CelEnv } from '../../cel/env.ts';
import { environmentOf } from '../../cel/environment.ts';
import { encoders } from '../../cel/libraries/encoders.ts';
import { newerOptionals, optionals } from '../../cel/libraries/optionals.ts';
import { sets } from '../../cel/libraries/sets.ts';
import { standard } from '../../cel/libraries/standard.ts';
import { join, stringFormat, strings } from '../../cel/libraries/strings.ts';
import { bindings, optionalMacros, standardMacros } from '../../cel/macros.ts';
import { newestOptions } from '../../cel/newestOptions.ts';
import type { CelPath } from '../../cel/path.ts';
import type { Range } from '../../cel/range.ts';
import { anyType, boolType, type CelType, dynType, runtimeText } from '../../cel/types.ts';
import { callCostLimit } from '../bounds.ts';
import type { DeclType } from '../cel/declType.ts';
import { environmentWith, type SchemaEnv, schemaEnvironment } from '../cel/environment.ts';
import { plainSemver } from '../cel/libraries/semver.ts';
import { quantityType } from '../cel/libraries/types.ts';
import { environmentName } from '../releases/environments.ts';
import type { CelAddition, KubernetesVersion } from '../releases/release.ts';
import {
  type Declared,
  declaredObject,
  declaredStructs,
  type Field,
  list,
  mapTo,
  objectsIn,
  scalar,
  sized,
  text,
  userType,
} from './variables.ts';

/** What expressions know that are none of admission: their variables, and what of the language is theirs alone. */
export interface World {
  variables(kubernetes: KubernetesVersion): Readonly<Record<string, Field>>;
  /** Beside what all expressions of Kubernetes have. */
  readonly additions: readonly CelAddition[];
  /** New expressions have what only stored ones have elsewhere. */
  readonly knowsNewest: boolean;
  /** What is said of an expression that has another type than `types`. */
  wrongType(type: CelType, types: readonly CelType[]): string;
  /** The most that an expression may cost, where a release says so. */
  readonly mostCost?: number;
  readonly mostBytes?: number;
  isLimited?(kubernetes: KubernetesVersion): boolean;
  /** The whole language, where it is not that of a Kubernetes release. */
  language?(): CelEnv;
  /** Types are not looked at before an expression runs. */
  readonly isOnlyParsed?: boolean;
}

const mustBe = (types: readonly CelType[]) => `must evaluate to ${types.map(runtimeText).join()}`;

const authentication = {
  additions: [],
  knowsNewest: true,
  wrongType: (_: CelType, types: readonly CelType[]) => mustBe(types),
};

/** What the token says of a user. */
export const claims: World = {
  ...authentication,
  variables: () => ({ claims: [mapTo(scalar(anyType)), 'The claims of the token, by name.'] }),
};

/** The user that was made of the claims. */
export const madeUser: World = {
  ...authentication,
  variables: () => ({ user: [userType, 'The user that the claims were mapped to.'] }),
};

// A request as authorization sees it

const requirement = declaredObject('kubernetes.SelectorRequirement', {
  key: [text, 'The field or label.'],
  operator: [text, 'In, NotIn, Exists or DoesNotExist.'],
  values: [list(text), 'The values, for In and NotIn.'],
});

const selectorOf = (name: string, what: string) =>
  declaredObject(`kubernetes.${name}`, {
    rawSelector: [text, `The ${what} selector as the client wrote it, where it could not be read.`],
    requirements: [list(requirement), 'What it asks for.'],
  });

const resourceFields: Readonly<Record<string, Field>> = {
  namespace: [text, 'The namespace; empty for all of them, and for what is in none.'],
  verb: [text, 'get, list, watch, create, update, patch, delete, deletecollection or another verb.'],
  group: [text, 'The API group, empty for the core one.'],
  version: [text, 'The version, such as v1.'],
  resource: [text, 'The resource, such as deployments.'],
  subresource: [text, 'The subresource, such as status; empty where it is none.'],
  name: [text, 'The name of the object; empty where the request is about many.'],
};

const selectorFields: Readonly<Record<string, Field>> = {
  fieldSelector: [selectorOf('FieldSelectorAttributes', 'field'), 'The fields that the request is limited to.'],
  labelSelector: [selectorOf('LabelSelectorAttributes', 'label'), 'The labels that the request is limited to.'],
};

const pathType = declaredObject('kubernetes.NonResourceAttributes', {
  path: [text, 'The path, such as /healthz.'],
  verb: [text, 'The method, such as get.'],
});

const accessReview = memo(({ accessSelectors }: KubernetesVersion): Declared => {
  const fields = accessSelectors ? { ...resourceFields, ...selectorFields } : resourceFields;
  return declaredObject('kubernetes.SubjectAccessReviewSpec', {
    resourceAttributes: [declaredObject('kubernetes.ResourceAttributes', fields), 'What of the API is asked for.'],
    nonResourceAttributes: [pathType, 'The path that is asked for, where it is no resource.'],
    user: [text, 'The name of the user.'],
    groups: [list(text), 'The groups that the user is in.'],
    extra: [mapTo(list(text)), 'What the authenticator adds.'],
    uid: [text, 'An identifier of the user that is never used again.'],
  });
});

export const accessRequest: World = {
  variables: (kubernetes) => ({ request: [accessReview(kubernetes), 'The request that is to be allowed or not.'] }),
  additions: [],
  knowsNewest: true,
  wrongType: (type, types) => `${mustBe(types)} but got ${runtimeText(type)}`,
};

// A device that may be allocated

const mostPerDevice = 32n;

const deviceType = memo(({ sharedDevices }: KubernetesVersion): Declared => {
  // Where nothing is estimated, sizes do not matter.
  const [domain, id, driver] = [sized(text, 63n), sized(text, 32n), sized(text, 63n)];
  const values = (value: Declared) => sized(mapTo(sized(mapTo(value, id), mostPerDevice), domain), mostPerDevice);
  const shared: Readonly<Record<string, Field>> = {
    allowMultipleAllocations: [sized(scalar(boolType), 1n), 'It can be allocated to several requests at once.'],
  };
  return declaredObject('kubernetes.DRADevice', {
    driver: [driver, 'The name of the driver that offers the device.'],
    ...(sharedDevices ? shared : {}),
    attributes: [values(sized(scalar(anyType), 64n)), 'Its attributes, by domain and then by name.'],
    capacity: [values(scalar(quantityType)), 'Its capacities, by domain and then by name.'],
  });
});

export const device: World = {
  variables: (kubernetes) => ({ device: [deviceType(kubernetes), 'A device that may be chosen.'] }),
  additions: [
    { since: '1.25', macros: bindings },
    { since: '1.25', before: '1.33', libraries: [plainSemver] },
  ],
  knowsNewest: false,
  wrongType: (type) => `must evaluate to bool or the unknown type, not ${runtimeText(type)}`,
  mostCost: callCostLimit,
  mostBytes: 10 * 1024,
  isLimited: ({ boundsDeviceSelectors }) => boundsDeviceSelectors,
};

// Flux

/** What Flux makes of an object's health. It reads any field of the object as a variable, and takes the types as they come. */
export const watchedObject: World = {
  variables: () => ({
    apiVersion: [text, "The object's API version."],
    kind: [text, "The object's kind."],
    metadata: [scalar(dynType), "The object's metadata."],
    spec: [scalar(dynType), 'What is wanted of the object.'],
    status: [scalar(dynType), 'What is known of the object.'],
  }),
  additions: [],
  knowsNewest: true,
  wrongType: (_, types) => mustBe(types),
  language: () =>
    environmentOf(newestOptions, {
      libraries: [
        ...[standard(newestOptions), strings(newestOptions), join, stringFormat(newestOptions)],
        ...[optionals, newerOptionals, sets, encoders],
      ],
      macros: [...standardMacros, ...optionalMacros],
      types: [],
      optionals: true,
      validators: false,
    }),
  isOnlyParsed: true,
};

export interface WorldEnv {
  readonly schemaEnv: SchemaEnv;
  /** All variables, as fields of one object. */
  readonly variables: Declared;
}

export const worldEnvironment = memo((world: World, kubernetes: KubernetesVersion): WorldEnv => {
  const fields = world.variables(kubernetes);
  const known = Object.entries(fields);
  const release = environmentName(kubernetes, world.knowsNewest);
  const base = world.language?.() ?? environmentWith(kubernetes, release, world.additions);
  const objects = objectsIn(known.map(([, [{ decl }]]) => decl));
  const env: CelEnv = {
    ...base,
    idents: new Map([...base.idents, ...known.map(([name, [{ decl }]]) => [name, decl.type] as const)]),
    structs: world.language ? base.structs : declaredStructs(objects, base.structs, kubernetes),
    qualified: { ...base.qualified, idents: new Set([...base.qualified.idents, 'kubernetes']) },
  };
  const variables = declaredObject('', fields);
  const { model } = schemaEnvironment(kubernetes, release, undefined);
  return { schemaEnv: { env, model: { ...model, sizeOf: (path) => sizeAt(variables.decl, path) } }, variables };
});

/** The size of what a path leads to. A name behind a map of values that can be anything is a key of that map. */
function sizeAt(variables: DeclType, path: CelPath): Range | undefined {
  if (path.length === 0) return undefined;
  let at: DeclType | undefined = variables;
  for (const step of path.steps.slice(0, path.length)) {
    if (step === '@items' || step === '@values') at = at.element;
    else if (step === '@keys') at = at.key;
    else at = at.fields?.get(step) ?? (at.element?.type === anyType ? at.element : undefined);
    if (!at) return undefined;
  }
  return at.size;
}
