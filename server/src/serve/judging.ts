import { memo } from '../base/memo.ts';
import { isMap } from '../base/value.ts';
import { plainValue, readJson } from '../gostd/json.ts';
import type { LastApplied } from '../kubernetes/apply/serverSide.ts';
import { type ServedCrd, serveCrd } from '../kubernetes/cr/served.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { parseDocument } from '../yaml/document.ts';
import { toJson } from '../yaml/value.ts';
import { type FieldValidation, httpAnswer } from './answers.ts';
import { builtinAnswer } from './builtin.ts';
import { type JsonMap, type JsonValue, mapAt, mapOf, textAt } from './json.ts';
import type { Asked, Place } from './places.ts';
import type { Judged, Serving } from './serving.ts';
import type { Entry } from './store.ts';

export interface Judging {
  readonly body: string;
  readonly old?: JsonMap;
  readonly last?: LastApplied | undefined;
  readonly applied?: boolean;
  /** Left out where what the request says counts. */
  readonly validation?: FieldValidation;
}

const validations: readonly FieldValidation[] = ['Ignore', 'Warn', 'Strict'];

/** What the engine says over HTTP. */
export function judged(
  { query }: Asked,
  { resource, subresource }: Place,
  { body, old, last, applied, validation: given }: Judging,
  serving: Serving,
): Judged {
  const validation = given ?? validations.find((one) => one === query.get('fieldValidation')) ?? 'Warn';
  if (resource.builtin) return builtinAnswer(body, old, resource.builtin, serving, validation, subresource);
  const answer = httpAnswer({
    body: { text: body },
    crd: resource.crd && servedBy(resource.crd, serving.kubernetes),
    old: old && { text: JSON.stringify(old) },
    subresource: subresource === 'status' ? 'status' : undefined,
    ...(applied && { applied: { last } }),
    validation,
    kubernetes: serving.kubernetes,
  });
  if ('unserved' in answer) return { code: 500, message: answer.unserved };
  const { body: made, managed: _, merged, ...said } = answer;
  return { ...said, ...(made && { body: JSON.parse(made) }), ...(merged && { merged: JSON.parse(merged) }) };
}

/** What is stored of a CRD never changes: another state of it is another object. */
export const servedBy = memo((crd: JsonMap, kubernetes: KubernetesVersion): ServedCrd => {
  const served = serveCrd(mapOf(crd), kubernetes);
  if ('error' in served) throw new Error(`a CRD that was accepted cannot be served: ${served.error}`);
  return served;
});

/** What a body says as JSON; as it came where it says nothing. */
export function jsonText({ body, type }: Pick<Asked, 'body' | 'type'>): string {
  return type.includes('yaml') ? (toJson(parseDocument(body)) ?? body) : body;
}

export function parsedMap(text: string): JsonMap {
  const read = readJson(text);
  const value = 'error' in read ? undefined : plainValue(read.json);
  return isMap(value) ? JSON.parse(text) : {};
}

/** Nothing where it is no JSON. */
export function parsedJson(text: string): JsonValue | undefined {
  return 'error' in readJson(text) ? undefined : JSON.parse(text);
}

export const desired = ({ metadata: _, status: __, apiVersion: ___, ...rest }: JsonMap) => rest;

/** A version that nothing was written in does not come to be. */
export function dry(object: JsonMap, entry: Entry | undefined): JsonMap {
  const { resourceVersion: _, ...metadata } = mapAt(object, 'metadata');
  const before = textAt(entry?.object, 'metadata', 'resourceVersion');
  return { ...object, metadata: { ...metadata, ...(before !== '' && { resourceVersion: before }) } };
}

/** What makes a difference: neither versions nor times do. */
export function withoutVersion(object: JsonMap): JsonMap {
  const { resourceVersion: _, managedFields, ...metadata } = mapAt(object, 'metadata');
  const managers = (Array.isArray(managedFields) ? managedFields : []).map((entry) => ({ ...mapAt(entry), time: '' }));
  return { ...object, metadata: { ...metadata, managers } };
}
