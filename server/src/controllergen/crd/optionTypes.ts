import type { ArgumentType } from '../markers/model.ts';

/** What controller-gen's generator of CRDs is asked for, as `crd:…` on its command line. */
export interface CrdOptions {
  readonly allowDangerousTypes?: boolean;
  readonly generateEmbeddedObjectMeta?: boolean;
  readonly ignoreUnexportedFields?: boolean;
  /** How many bytes a description may have; 0 for none. */
  readonly maxDescLen?: number;
  readonly deprecatedV1beta1CompatibilityPreserveUnknownFields?: boolean;
  readonly omitToolVersion?: boolean;
  /** The versions that CRDs themselves are written in. */
  readonly crdVersions?: readonly string[];
  /** The file whose text comes before each CRD. */
  readonly headerFile?: string;
  /** What is put in the place of ` YEAR` in that. */
  readonly year?: string;
}

export const noOptions: CrdOptions = {};

/** Those of old releases of controller-gen, which say nothing any more. */
export const oldOptionTypes = {
  trivialVersions: { kind: 'bool' },
  preserveUnknownFields: { kind: 'bool' },
} as const satisfies Readonly<Record<string, ArgumentType>>;

/** How each is written. */
export const crdOptionTypes: Readonly<Record<keyof CrdOptions | keyof typeof oldOptionTypes, ArgumentType>> = {
  allowDangerousTypes: { kind: 'bool' },
  generateEmbeddedObjectMeta: { kind: 'bool' },
  ignoreUnexportedFields: { kind: 'bool' },
  maxDescLen: { kind: 'int' },
  deprecatedV1beta1CompatibilityPreserveUnknownFields: { kind: 'bool' },
  omitToolVersion: { kind: 'bool' },
  crdVersions: { kind: 'list', of: { kind: 'string' } },
  headerFile: { kind: 'string' },
  year: { kind: 'string' },
  ...oldOptionTypes,
};
