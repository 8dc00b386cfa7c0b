import type { Compiled } from '../../cel/compile.ts';
import type { CelProblem } from '../../cel/source.ts';
import type { RuleFacts } from '../cel/findings.ts';
import type { WrongType } from '../decode.ts';
import type { FindingOf } from '../finding.ts';
import type { MetadataFacts, MetadataFinding } from '../metadata/findings.ts';
import type { EmbeddedFinding } from '../schema/findings.ts';
import type { Keyword } from '../schema/validate.ts';
import type { Panic } from './panic.ts';

type Names = readonly string[];

/** An expression that does not compile. */
export interface ExpressionFacts {
  /** The server's whole text. */
  readonly detail: string;
  readonly compiled?: Compiled | undefined;
  /** Which of the mistakes in it this is about, where they were taken apart. */
  readonly problem?: CelProblem;
}

/** A path of the scale subresource. */
interface ScalePathFacts {
  readonly field: string;
  /** Where it has to lead; undefined where there is more than one such place. */
  readonly prefix?: '.spec' | '.status';
}

/** What may be said about a CRD beside its metadata, and what is known of it. */
export type CrdFacts = {
  // Decoding
  'crd/decode': WrongType | undefined;
  'crd/unknown-field': undefined;
  'crd/duplicate-field': undefined;
  'crd/server-panic': Panic;
  // Names and scope
  'crd/group-required': undefined;
  'crd/group-name': undefined;
  'crd/group-domain': undefined;
  'crd/scope': { readonly scope: string; readonly supported: Names };
  'crd/name-required': { readonly field: string };
  'crd/name-label': { readonly name: string };
  'crd/kind-label': { readonly name: string };
  'crd/list-kind-same': undefined;
  'crd/api-approved-missing': undefined;
  'crd/api-approved-invalid': undefined;
  // Versions
  'crd/version-name': { readonly name: string };
  'crd/version-duplicate': { readonly names: Names };
  'crd/storage-version': { readonly storage: readonly number[] };
  'crd/version-schema-missing': { readonly version: string };
  'crd/deprecation-warning': { readonly deprecated: boolean };
  'crd/stored-versions-empty': undefined;
  'crd/stored-versions-storage': { readonly version: string };
  'crd/stored-version-missing': { readonly version: string };
  'crd/preserve-unknown-fields-true': undefined;
  'crd/preserve-unknown-fields-defaults': undefined;
  // Conversion
  'crd/conversion-strategy': { readonly strategy: string; readonly supported: Names };
  'crd/conversion-preserve-unknown-fields': undefined;
  'crd/webhook-client-config-missing': undefined;
  'crd/webhook-url-or-service': { readonly both: boolean };
  'crd/webhook-url': { readonly part: string } | undefined;
  'crd/webhook-service-required': { readonly field: string };
  'crd/webhook-service-port': undefined;
  'crd/webhook-service-path': undefined;
  'crd/webhook-ca-bundle': undefined;
  'crd/review-versions-required': { readonly recognized: Names };
  'crd/review-version-duplicate': { readonly name: string };
  'crd/review-version-name': { readonly name: string };
  'crd/review-version-unknown': { readonly recognized: Names };
  'crd/conversion-not-webhook': { readonly strategy: string };
  // Subresources, columns, selectable fields
  'crd/scale-path-required': Required<ScalePathFacts>;
  'crd/scale-path-simple': ScalePathFacts;
  'crd/scale-path-place': ScalePathFacts;
  'crd/column-name': undefined;
  'crd/column-type': { readonly type: string; readonly supported: Names };
  'crd/column-format': { readonly format: string; readonly supported: Names };
  'crd/column-path': { readonly path: string };
  'crd/selectable-without-schema': undefined;
  'crd/selectable-path-required': undefined;
  'crd/selectable-path': { readonly path: string; readonly problem: string };
  'crd/selectable-metadata': { readonly path: string };
  'crd/selectable-type': { readonly path: string; readonly type: string | undefined };
  'crd/selectable-duplicate': undefined;
  'crd/selectable-too-many': { readonly count: number; readonly most: number };
  // The schema's root
  'crd/root-type-with-status': { readonly type: string };
  'crd/root-fields-with-status': { readonly field: string };
  'crd/root-nullable': undefined;
  'crd/not-structural': { readonly problem: string };
  // Schema nodes
  'crd/type-unknown': { readonly type: string; readonly supported: Names };
  'crd/type-null': undefined;
  'crd/default-forbidden': { readonly where: string };
  'crd/keyword-unsupported': { readonly keyword: string };
  'crd/items-list': undefined;
  'crd/embedded-in-metadata': undefined;
  'crd/unique-items': undefined;
  'crd/properties-and-additional': undefined;
  'crd/preserve-unknown-fields-false': undefined;
  'crd/map-type-object': { readonly type: string };
  'crd/map-type-unknown': { readonly mapType: string; readonly supported: Names };
  'crd/list-type-array': { readonly type: string };
  'crd/list-type-unknown': { readonly listType: string; readonly supported: Names };
  'crd/set-item-atomic': { readonly keyword: 'x-kubernetes-list-type' | 'x-kubernetes-map-type' };
  'crd/map-keys-without-map': { readonly listType: string | undefined };
  'crd/map-keys-empty': undefined;
  'crd/list-map-items': undefined;
  'crd/map-key-scalar': { readonly key: string; readonly type: string };
  'crd/map-key-undeclared': { readonly key: string };
  'crd/map-key-duplicate': { readonly key: string };
  'crd/list-item-nullable': { readonly listType: 'set' | 'map' };
  'crd/map-key-required': { readonly key: string };
  'crd/map-key-nullable': { readonly key: string };
  // Structural rules
  'crd/items-required': undefined;
  'crd/root-additional-properties': undefined;
  'crd/embedded-type': { readonly type: string };
  'crd/type-required': { readonly level: 'root' | 'item' | 'field' };
  'crd/root-type': { readonly type: string };
  'crd/embedded-additional-properties': undefined;
  'crd/embedded-properties': undefined;
  'crd/type-meta-string': { readonly field: string };
  'crd/metadata-object': undefined;
  'crd/metadata-restricted': undefined;
  'crd/int-or-string-exclusive': undefined;
  'crd/pattern': { readonly problem: string };
  'crd/forbidden-in-junctor': { readonly keyword: string };
  'crd/metadata-in-junctor': undefined;
  'crd/undeclared-in-junctor': { readonly definedIn: string };
  // Defaults
  'crd/default-unknown-fields': { readonly unknown: readonly { readonly text: string }[] };
  'crd/default-metadata': { readonly problems: readonly (EmbeddedFinding | MetadataFinding)[] };
  'crd/default-embedded': { readonly about: (EmbeddedFinding | MetadataFinding)['code'] };
  'crd/default-invalid': { readonly keyword: Keyword; readonly message: string };
  'crd/default-rule': RuleFacts;
  // Rules
  'crd/rule-empty': undefined;
  'crd/rule-message': { readonly message: string };
  'crd/rule-message-required': undefined;
  'crd/rule-message-expression-empty': undefined;
  'crd/rule-reason': { readonly reason: string; readonly supported: Names };
  'crd/rule-field-path': { readonly path: string };
  'crd/rule-compile': ExpressionFacts;
  'crd/rule-message-expression': ExpressionFacts;
  'crd/rule-cost': { readonly cost: string; readonly once: string; readonly limit: number };
  'crd/rule-message-expression-cost': { readonly cost: string; readonly limit: number };
  'crd/rule-cost-contributes': { readonly cost: string };
  'crd/rule-cost-total': { readonly cost: string; readonly limit: number };
  'crd/rule-type-info': undefined;
  'crd/rule-old-self': { readonly within: string };
  'crd/rule-optional-old-self': undefined;
  // Update
  'crd/immutable': { readonly was: string };
  // Warnings
  'crd/format-unknown': { readonly format: string; readonly type: string | undefined };
  'crd/set-of-objects': { readonly items: 'object' | 'array' };
};

export type CrdFinding = FindingOf<CrdFacts & MetadataFacts>;
