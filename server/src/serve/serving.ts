import type { FieldSet } from '../kubernetes/apply/fieldSet.ts';
import type { BuiltinKinds } from '../kubernetes/builtin/kinds.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { HttpCause } from './answers.ts';
import type { Call } from './calls.ts';
import type { JsonMap } from './json.ts';
import type { OpenApiTexts } from './openApi/texts.ts';

/** Which Kubernetes is served, and what the server takes from around it. */
export interface Serving {
  readonly kubernetes: KubernetesVersion;
  readonly builtin: BuiltinKinds;
  /** The time, in seconds since 1970. */
  seconds(): number;
  /** An identifier that nothing else has. */
  uid(): string;
  /** What OpenAPI documents say alike, read when it is first needed. */
  openApiTexts(): Promise<OpenApiTexts>;
  /** Asks a webhook. */
  call(call: Call): Promise<string>;
}

/** A time as objects hold it. */
export function timeText({ seconds }: Serving): string {
  return new Date(Math.floor(seconds()) * 1000).toISOString().replace('.000Z', 'Z');
}

/** What is said of an object. */
export interface Judged {
  readonly code: number;
  readonly warnings?: readonly string[];
  readonly body?: JsonMap;
  readonly message?: string;
  /** The name of the object, where admission may have changed it. */
  readonly name?: string;
  readonly causes?: readonly HttpCause[];
  /** What the manager of an applied object owns. */
  readonly owned?: FieldSet;
  /** What was there with what was applied in it, whatever is said of it. */
  readonly merged?: JsonMap;
}
