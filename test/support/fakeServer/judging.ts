import { memo } from '../../../server/src/base/memo.ts';
import { isMap, type ValueMap, valueAt } from '../../../server/src/base/value.ts';
import { plainValue, readJson } from '../../../server/src/gostd/json.ts';
import { type ServedCrd, serveCrd } from '../../../server/src/kubernetes/cr/served.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { parseDocument } from '../../../server/src/yaml/document.ts';
import { toJson } from '../../../server/src/yaml/value.ts';
import type { FieldValidation } from '../../conformance/exchange.ts';
import { httpAnswer } from '../../conformance/ops/http.ts';
import { encodeExact, parseRequest } from '../../conformance/protocol.ts';
import { type JsonMap, type JsonValue, listAt, mapAt, textAt } from './json.ts';
import type { Asked, Place } from './places.ts';
import type { Entry } from './store.ts';

export const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z');

export interface Judging {
  readonly body: string;
  readonly old?: JsonMap;
  readonly last?: { readonly live: ValueMap; readonly config: ValueMap } | undefined;
  readonly applied?: boolean;
}

/** What the engine says over HTTP. */
export function judged(
  { query }: Asked,
  { resource, subresource }: Place,
  { body, old, last, applied }: Judging,
): JsonMap {
  const validation = (query.get('fieldValidation') ?? 'Warn') as FieldValidation;
  const crd = resource.crd
    ? { crd: { rawJson: textOf(resource.crd) }, obj: { rawJson: body } }
    : { crd: { rawJson: body } };
  const more = { ...(old && { old: { rawJson: JSON.stringify(old) } }), ...(applied && { apply: true }) };
  const request = parseRequest(encodeExact({ op: 'http', ...crd, ...more, subresource }));
  const answer = httpAnswer(request, validation, last);
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {};
}

/** What is stored of a CRD never changes: another state of it is another object. */
export const servedBy = memo((crd: JsonMap): ServedCrd => {
  const served = serveCrd(valueOf(crd), newestVersion);
  if ('error' in served) throw new Error(`a CRD that was accepted cannot be served: ${served.error}`);
  return served;
});

export const textOf = memo((crd: JsonMap) => JSON.stringify(crd));

export function valueOf(object: JsonMap): ValueMap {
  const read = readJson(JSON.stringify(object));
  const value = 'error' in read ? undefined : plainValue(read.json);
  return isMap(value) ? value : new Map();
}

/** What a body says as JSON; as it came where it says nothing. */
export function jsonText({ body, type }: Asked): string {
  return type.includes('yaml') ? (toJson(parseDocument(body)) ?? body) : body;
}

export function parsedMap(text: string): JsonMap {
  const read = readJson(text);
  const value = 'error' in read ? undefined : valueAt(plainValue(read.json), []);
  return isMap(value) ? JSON.parse(text) : {};
}

/** Nothing where it is no JSON. */
export function parsedJson(text: string): JsonValue | undefined {
  return 'error' in readJson(text) ? undefined : JSON.parse(text);
}

/** A CRD some time after it was written: its names are accepted and it is served. */
export function established(crd: JsonMap): JsonMap {
  const storage = listAt(crd, 'spec', 'versions').filter((version) => mapAt(version).storage === true);
  const stored = listAt(crd, 'status', 'storedVersions');
  const names = storage.map((version) => textAt(version, 'name')).filter((name) => !stored.includes(name));
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: 'Settled',
    message: '',
    lastTransitionTime: now(),
  });
  const known = listAt(crd, 'status', 'conditions');
  return {
    ...crd,
    status: {
      conditions: known.length > 0 ? known : [condition('NamesAccepted'), condition('Established')],
      acceptedNames: mapAt(crd, 'spec', 'names'),
      storedVersions: [...stored, ...names],
    },
  };
}

export const desired = ({ metadata: _, status: __, apiVersion: ___, ...rest }: JsonMap) => rest;

/** A body that takes the place of whatever is there. */
export function withVersion(body: string, { object }: Entry): string {
  const whole = parsedMap(body);
  const resourceVersion = textAt(object, 'metadata', 'resourceVersion');
  return JSON.stringify({ ...whole, metadata: { ...mapAt(whole, 'metadata'), resourceVersion } });
}

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
