import type { CelType } from '../../cel/types.ts';
import { boolType, nullType, stringType } from '../../cel/types.ts';

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
}

export const hostGroup = 'admissionregistration.k8s.io';

const [validating, mutating] = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'] as const;
const known = { params: true, authorizer: true, variables: true, trimmed: false } as const;

export const hosts: readonly Host[] = [
  {
    ...known,
    kinds: [validating, mutating],
    path: ['spec', 'matchConditions', '*', 'expression'],
    variables: false,
    types: [boolType],
    trimmed: true,
    missing: '',
  },
  {
    ...known,
    kinds: [validating, mutating],
    path: ['spec', 'variables', '*', 'expression'],
    missing: 'expression is not specified',
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'validations', '*', 'expression'],
    types: [boolType],
    missing: 'expression is not specified',
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'validations', '*', 'messageExpression'],
    authorizer: false,
    types: [stringType],
    missing: undefined,
  },
  {
    ...known,
    kinds: [validating],
    path: ['spec', 'auditAnnotations', '*', 'valueExpression'],
    types: [stringType, nullType],
    trimmed: true,
    missing: 'valueExpression is not specified',
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
  },
];
