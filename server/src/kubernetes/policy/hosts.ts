import type { CelType } from '../../cel/types.ts';
import { anyType, boolType, listOf, nullType, stringType } from '../../cel/types.ts';
import { jsonPatchType, objectType } from './patchValues.ts';
import { accessRequest, claims, device, madeUser, type World, watchedObject } from './worlds.ts';

/** A field of some kinds that holds an expression, and how the API server compiles it. A new one is a new row. */
export interface Host {
  readonly kinds: readonly string[];
  /** From the object; `*` stands for any item of a list. */
  readonly path: readonly string[];
  /** Whether `params` is known where the object names a `paramKind`. */
  readonly params: boolean;
  readonly authorizer: boolean;
  /** Whether the policy's own variables are known: those above, for a variable. */
  readonly variables: boolean;
  /** The types that the expression may have; any, where they are left out. */
  readonly types?: readonly CelType[];
  /** Blanks around it are cut off before it is compiled. */
  readonly trimmed: boolean;
  /** What is said where there is nothing but blanks; undefined where there need not be anything. */
  readonly missing: string | undefined;
  /** `Object{…}`, `JSONPatch{…}` and what belongs to them are known. */
  readonly patches?: true;
  /** An error shows the whole text, also of an expression that is trimmed. */
  readonly showsWhole?: true;
  /** How many bytes it may have. */
  readonly longest?: number;
  /** Where an update looks for the same text: there, it has been stored and is compiled as such. */
  readonly storedAt?: readonly string[];
  /** It is looked for without the blanks around it. */
  readonly storedTrimmed?: true;
  /** What the expression knows, where it is none of admission. */
  readonly world?: World;
}

/** A field of a kind outside of admission. */
export interface WorldHost extends Host {
  readonly world: World;
  /** An empty expression: it is not looked at, it is missing, or it is compiled like any other. */
  readonly empty: 'ignored' | 'missing' | 'compiled';
  /** Blanks alone are not an expression either. */
  readonly blankIsEmpty?: boolean;
  /** A list has an expression only once. */
  readonly once?: boolean;
  /** Where this stands beside it, the expression is not looked at. */
  readonly instead?: string;
  /** Where validation has the field: it judges another form of the object than the one that is written. */
  readonly judgedAt?: readonly string[];
}

export const hostGroup = 'admissionregistration.k8s.io';

const [validating, mutating] = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'] as const;
const known = { params: true, authorizer: true, variables: true, trimmed: false } as const;

const admissionHosts: readonly Host[] = [
  {
    ...known,
    kinds: [validating, mutating],
    path: ['spec', 'matchConditions', '*', 'expression'],
    variables: false,
    types: [boolType],
    trimmed: true,
    missing: '',
    storedAt: ['spec', 'matchConditions', '*', 'expression'],
    storedTrimmed: true,
  },
  {
    ...known,
    kinds: [validating, mutating],
    path: ['spec', 'variables', '*', 'expression'],
    missing: 'expression is not specified',
    // An oversight upstream: not among the variables. Mutating policies have no validations.
    storedAt: ['spec', 'validations', '*', 'expression'],
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'validations', '*', 'expression'],
    types: [boolType],
    missing: 'expression is not specified',
    storedAt: ['spec', 'validations', '*', 'expression'],
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'validations', '*', 'messageExpression'],
    authorizer: false,
    types: [stringType],
    missing: undefined,
    storedAt: ['spec', 'validations', '*', 'messageExpression'],
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'auditAnnotations', '*', 'valueExpression'],
    types: [stringType, nullType],
    trimmed: true,
    missing: 'valueExpression is not specified',
    showsWhole: true,
    longest: 5 * 1024,
    storedAt: ['spec', 'auditAnnotations', '*', 'valueExpression'],
  },
  {
    ...known,
    kinds: [mutating],
    path: ['spec', 'mutations', '*', 'applyConfiguration', 'expression'],
    types: [objectType],
    trimmed: true,
    missing: '',
    patches: true,
    storedAt: ['spec', 'mutations', '*', 'applyConfiguration', 'expression'],
  },
  {
    ...known,
    kinds: [mutating],
    path: ['spec', 'mutations', '*', 'jsonPatch', 'expression'],
    types: [listOf(jsonPatchType)],
    trimmed: true,
    missing: '',
    patches: true,
    // Another oversight upstream.
    storedAt: ['spec', 'mutations', '*', 'applyConfiguration', 'expression'],
  },
  {
    ...known,
    kinds: ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
    path: ['webhooks', '*', 'matchConditions', '*', 'expression'],
    params: false,
    variables: false,
    types: [boolType],
    trimmed: true,
    missing: '',
    storedAt: ['webhooks', '*', 'matchConditions', '*', 'expression'],
    storedTrimmed: true,
  },
];

const notAdmission = {
  params: false,
  authorizer: false,
  variables: false,
  trimmed: false,
  missing: undefined,
} as const;
const ofAuthentication = { ...notAdmission, kinds: ['AuthenticationConfiguration'], empty: 'ignored' } as const;
const ofDevices = { ...notAdmission, world: device, types: [boolType, anyType], empty: 'compiled' } as const;
const inSelectors = ['selectors', '*', 'cel', 'expression'] as const;
const inRequests = ['devices', 'requests', '*'] as const;

function claimHosts(kind: string, ...spec: string[]): WorldHost[] {
  const row = { ...ofDevices, kinds: [kind] };
  const requests = [...spec, ...inRequests];
  return [
    { ...row, path: [...requests, ...inSelectors], judgedAt: [...requests, 'exactly', ...inSelectors] },
    { ...row, path: [...requests, 'exactly', ...inSelectors] },
    { ...row, path: [...requests, 'firstAvailable', '*', ...inSelectors] },
  ];
}

function healthHosts(kind: string): WorldHost[] {
  return ['inProgress', 'failed', 'current'].map((field) => ({
    ...notAdmission,
    kinds: [kind],
    path: ['spec', 'healthCheckExprs', '*', field],
    world: watchedObject,
    types: [boolType],
    empty: 'ignored',
  }));
}

/** By API group. */
const worldHosts: ReadonlyMap<string, readonly WorldHost[]> = new Map(
  Object.entries({
    'apiserver.config.k8s.io': [
      {
        ...ofAuthentication,
        path: ['jwt', '*', 'claimValidationRules', '*', 'expression'],
        world: claims,
        types: [boolType],
        once: true,
        instead: 'claim',
      },
      ...['username', 'groups', 'uid'].map((field) => ({
        ...ofAuthentication,
        path: ['jwt', '*', 'claimMappings', field, 'expression'],
        world: claims,
        instead: 'claim',
      })),
      {
        ...ofAuthentication,
        path: ['jwt', '*', 'claimMappings', 'extra', '*', 'valueExpression'],
        world: claims,
        empty: 'missing',
      },
      {
        ...ofAuthentication,
        path: ['jwt', '*', 'userValidationRules', '*', 'expression'],
        world: madeUser,
        types: [boolType],
        once: true,
        empty: 'missing',
      },
      {
        ...notAdmission,
        kinds: ['AuthorizationConfiguration'],
        path: ['authorizers', '*', 'webhook', 'matchConditions', '*', 'expression'],
        judgedAt: ['authorizers', '*', 'matchConditions', '*', 'expression'],
        world: accessRequest,
        types: [boolType],
        once: true,
        empty: 'missing',
        blankIsEmpty: true,
      },
    ],
    'resource.k8s.io': [
      { ...ofDevices, kinds: ['DeviceClass'], path: ['spec', ...inSelectors] },
      ...claimHosts('ResourceClaim', 'spec'),
      ...claimHosts('ResourceClaimTemplate', 'spec', 'spec'),
    ],
    'kustomize.toolkit.fluxcd.io': healthHosts('Kustomization'),
    'helm.toolkit.fluxcd.io': healthHosts('HelmRelease'),
  } satisfies Readonly<Record<string, readonly WorldHost[]>>),
);

/** The fields of a kind that hold expressions, in the order in which the API server takes them. */
export function hostsOf(group: string, kind: string): readonly Host[] {
  const ofGroup = group === hostGroup ? admissionHosts : (worldHosts.get(group) ?? []);
  return ofGroup.filter(({ kinds }) => kinds.includes(kind));
}
