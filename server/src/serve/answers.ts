import { isMap, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { isJsonObject, type Json, plainValue } from '../gostd/json.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import type { FieldSet } from '../kubernetes/apply/fieldSet.ts';
import { applyResource, type LastApplied } from '../kubernetes/apply/serverSide.ts';
import { createResource } from '../kubernetes/cr/create.ts';
import type { ServedCrd, ServedVersion } from '../kubernetes/cr/served.ts';
import { kept, readBack } from '../kubernetes/cr/storage.ts';
import { updateResource } from '../kubernetes/cr/update.ts';
import { createCrd } from '../kubernetes/crd/create.ts';
import { deprecationWarning } from '../kubernetes/crd/deprecation.ts';
import { readHead } from '../kubernetes/crd/read.ts';
import { updateCrd, updateCrdStatus } from '../kubernetes/crd/update.ts';
import type { Finding } from '../kubernetes/finding.ts';
import { parseGroupVersion } from '../kubernetes/names.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import { type Body, readBody, type Sent } from './bodies.ts';

// What the API server answers over HTTP: what it makes of a verdict.

interface Judged {
  readonly decode?: { readonly message: string };
  readonly strict: readonly { readonly message: string }[];
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly stored?: Value;
  readonly panic?: unknown;
}

/** What is asked for: the kind, the words that introduce a decoding error, and how an accepted object comes back. */
interface Asked {
  readonly kind: string;
  readonly version: string;
  readonly success: number;
  readonly always: readonly string[];
  readonly text: string;
  /** Why the object cannot replace the one that the path names. */
  readonly refused?: string | undefined;
  read(stored: Value): Value | undefined;
}

/** How unknown fields are taken. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** An object that is sent, with what it meets. */
export interface Question {
  readonly body: Sent;
  /** The CRD of its kind, as it is served; undefined where the object is a CRD itself. */
  readonly crd: ServedCrd | undefined;
  /** What it replaces. */
  readonly old: Sent | undefined;
  readonly subresource: 'status' | undefined;
  /** It is applied on the server, by a manager who has applied `last` before; to nothing without it. */
  readonly applied?: { readonly last: LastApplied | undefined };
  readonly validation: FieldValidation;
  readonly kubernetes: KubernetesVersion;
}

/** What goes back: the object, or why it is refused. */
export interface HttpAnswer {
  readonly code: number;
  readonly warnings?: readonly string[];
  /** The object as JSON text; null where nothing of it is left. */
  readonly body?: string | null;
  readonly message?: string;
  readonly causes?: readonly HttpCause[];
  /** What the manager of an applied object owns, as JSON text. */
  readonly managed?: string;
  readonly owned?: FieldSet;
  /** What was there with what was applied in it, as JSON. */
  readonly merged?: string;
}

export interface HttpCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

/** The answer of the API server, or why there is none. */
export function httpAnswer(question: Question): HttpAnswer | { readonly unserved: string } {
  return question.crd ? resourceAnswer(question, question.crd) : crdAnswer(question);
}

function crdAnswer({
  body: sent,
  old: before,
  subresource,
  validation,
  kubernetes,
}: Question): HttpAnswer | { unserved: string } {
  const body = readBody(sent);
  const asked: Asked = {
    kind: 'CustomResourceDefinition',
    version: 'v1',
    success: before ? 200 : 201,
    always: [],
    text: sent.text,
    read: (stored) => stored,
  };
  if ('error' in body) return undecoded(asked, body.error);
  const old = before && readBody(before);
  if (old && 'error' in old) return { unserved: old.error };
  if (!old) return answered(asked, createCrd(body.json, { kubernetes }), body, validation);
  const refused = renamed(old.json, body.json);
  const update = subresource === 'status' ? updateCrdStatus : updateCrd;
  return answered({ ...asked, refused }, update(old.json, body.json, { kubernetes }), body, validation);
}

function resourceAnswer(question: Question, crd: ServedCrd): HttpAnswer | { unserved: string } {
  const { body: sent, old: before, validation, kubernetes, subresource } = question;
  const body = readBody(sent);
  const served = versionOf(crd, body);
  const { text } = sent;
  const asked: Asked = {
    kind: served.kind,
    version: served.version,
    success: before ? 200 : 201,
    text,
    always: [deprecationWarning(crd.lowered, served.version) ?? []].flat(),
    read: (stored) => {
      // What a webhook makes of it comes later.
      if (crd.lowered.convertedByWebhook) return stored;
      const inStore = kept(stored, crd);
      return inStore && readBack(inStore, served, crd);
    },
  };
  if ('error' in body) return undecoded(asked, body.error);
  const old = before && readBody(before);
  if (old && 'error' in old) return { unserved: old.error };
  const foreign = foreignAnswer(asked, body.json, served, validation);
  if (foreign) return foreign;
  if (question.applied) {
    const last = question.applied.last ?? appliedFirst(old, crd, served, kubernetes);
    return appliedAnswer(asked, crd, body, last, validation, kubernetes);
  }
  if (!old) return answered(asked, createResource(body.json, crd, { text, kubernetes }), body, validation);
  const refused = renamed(old.json, body.json);
  const verdict = updateResource(old.json, body.json, crd, { text, subresource, kubernetes });
  return answered({ ...asked, refused }, verdict, body, validation);
}

/** What a cluster holds once an object was applied to nothing. */
function appliedFirst(
  old: Extract<Body, { json: Json }> | undefined,
  crd: ServedCrd,
  served: ServedVersion,
  kubernetes: KubernetesVersion,
): LastApplied | undefined {
  const config = old && plainValue(old.json);
  const stored = config === undefined ? undefined : createResource(config, crd, { kubernetes }).stored;
  const inStore = stored && kept(stored, crd);
  const live = inStore && readBack(inStore, served, crd);
  return live && isMap(config) ? { live, config } : undefined;
}

/** The answer to an object that is applied by the manager of what was applied before. */
function appliedAnswer(
  asked: Asked,
  crd: ServedCrd,
  body: Extract<Body, { json: Json }>,
  last: LastApplied | undefined,
  validation: FieldValidation,
  kubernetes: KubernetesVersion,
): HttpAnswer {
  const config = plainValue(body.json);
  if (!isMap(config)) throw new Error('only objects are applied');
  const { refused, verdict, managed, owned, merged } = applyResource(config, last, crd, { kubernetes });
  if (refused !== undefined) return { code: 500, ...warned(asked, []), message: refused };
  const answer = {
    ...answered({ ...asked, success: last ? 200 : 201 }, verdict, body, validation),
    ...(owned && { owned }),
    ...(merged !== undefined && { merged: printJson(merged) }),
  };
  return answer.body !== undefined && managed ? { ...answer, managed: printJson(managed) } : answer;
}

/** The answer to an object that is not of the path's version or kind. */
function foreignAnswer(
  asked: Asked,
  json: Json,
  served: ServedVersion,
  validation: FieldValidation,
): HttpAnswer | undefined {
  const head = headOf(json);
  const message = misplaced(json, served, asked.text);
  if (message === undefined) {
    const wrongKind = otherKind(json, served);
    return wrongKind && { code: 422, ...warned(asked, []), ...wrongKind };
  }
  // No schema belongs to a version that is not there: none of the object's fields is known.
  const isOther = head?.group === served.group && head.kind === served.kind && head.version !== served.version;
  const unknown = isOther ? fieldsOf(json) : [];
  if (unknown.length > 0 && validation === 'Strict') {
    return undecoded(asked, `strict decoding error: ${unknown.join(', ')}`, json);
  }
  return { code: 400, ...warned(asked, validation === 'Warn' ? unknown : []), message };
}

/** The version of the path: the object's own, or the first one where the CRD does not have it. */
function versionOf(crd: ServedCrd, body: Body): ServedVersion {
  const apiVersion = 'error' in body ? undefined : valueAt(plainValue(body.json), ['apiVersion']);
  const name = typeof apiVersion === 'string' ? apiVersion.split('/').at(-1)! : '';
  return crd.versions.get(name) ?? [...crd.versions.values()][0]!;
}

/** An object of another version than the path's. */
function misplaced(json: Json, { group, version, kind }: ServedVersion, text: string): string | undefined {
  const object = isJsonObject(json) ? plainValue(json) : undefined;
  const named = valueAt(object, ['kind']);
  if (json === null || (object !== undefined && (named === undefined || named === null || named === ''))) {
    return unrecognized(kind, `Object 'Kind' is missing in '${text}'`, text);
  }
  const parsed = headOf(json);
  if (!parsed) return undefined;
  const [given, wanted] = [groupVersion(parsed), groupVersion({ group, version })];
  if (given === wanted) return undefined;
  return `the API version in the data (${given}) does not match the expected API version (${wanted})`;
}

/** What strict decoding says of all fields of an object. */
function fieldsOf(json: Json): string[] {
  const value = plainValue(json);
  const own = isMap(value) ? [...value.keys()].filter((key) => !/^(apiVersion|kind|metadata)$/.test(key)) : [];
  return own.sort().map((key) => `unknown field "${key}"`);
}

/** The kind and version that a body says it has; undefined where that cannot be read. */
function headOf(json: Json): { group: string; version: string; kind: string } | undefined {
  const head = readHead(json);
  if ('message' in head) return undefined;
  const parsed = parseGroupVersion(head.apiVersion);
  return 'error' in parsed ? undefined : { ...parsed, kind: head.kind };
}

function groupVersion({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

export function unrecognized(kind: string, problem: string, text: string): string {
  const bytes = Buffer.from(text);
  const shown = bytes.subarray(0, 30).toString(text.startsWith('{') ? 'utf8' : 'hex');
  const start = bytes.length > 30 ? `${shown} ...` : shown || '<empty>';
  return `the object provided is unrecognized (must be of type ${kind}): ${problem} (${start})`;
}

/** An object of another kind gets no further than this. */
function otherKind(json: Json, { kind, group }: ServedVersion): { causes: HttpCause[]; message: string } | undefined {
  const object = plainValue(json);
  const named = valueAt(object, ['kind']);
  if (typeof named !== 'string' || named === kind) return undefined;
  const message = `Invalid value: ${quote(named)}: must be ${kind}`;
  const name = String(valueAt(object, ['metadata', 'name']) ?? '');
  return {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'kind' }],
    message: `${named}.${group} ${quote(name)} is invalid: kind: ${message}`,
  };
}

function renamed(old: Json, json: Json): string | undefined {
  const nameOf = (document: Json) => valueAt(plainValue(document), ['metadata', 'name']);
  const [before, now] = [nameOf(old), nameOf(json)];
  if (now === undefined || now === null || now === '') {
    return `the name of the object (${before} based on URL) was undeterminable: name must be provided`;
  }
  if (typeof now !== 'string' || now === before) return undefined;
  return `the name of the object (${now}) does not match the name on the URL (${before})`;
}

/** What begins the message of a body that cannot be decoded is its own kind and version, if it has them. */
function undecoded({ kind, version, always, text }: Asked, problem: string, json?: Json): HttpAnswer {
  if (problem.startsWith('the API version in the data')) return { code: 400, message: problem };
  const head = json === undefined ? undefined : headOf(json);
  const message = head
    ? `${head.kind || kind} in version "${head.version || version}" cannot be handled as a ${kind}: ${problem}`
    : unrecognized(kind, problem, text);
  return { code: 400, ...warned({ always }, []), message };
}

function answered(
  asked: Asked,
  verdict: Judged,
  { json, strict }: Extract<Body, { json: Json }>,
  validation: FieldValidation,
): HttpAnswer {
  if (verdict.decode) return undecoded(asked, verdict.decode.message, json);
  const found = [...strict, ...verdict.strict.map(({ message }) => message)];
  if (validation === 'Strict' && found.length > 0) {
    return undecoded(asked, `strict decoding error: ${found.join(', ')}`, json);
  }
  // The connection ends without an answer.
  if (verdict.panic) return { code: 0 };
  const aboutFields = validation === 'Warn' ? found.flatMap(linesOf) : [];
  const warnings = warned(asked, [...aboutFields, ...verdict.warnings.map(({ message }) => message)]);
  if (asked.refused !== undefined) return { code: 400, ...warned(asked, aboutFields), message: asked.refused };
  const { errors, stored } = verdict;
  if (errors.length > 0) {
    const causes = errors.map(({ type, field, message }) => ({
      reason: type,
      message,
      ...(field !== '' && { field }),
    }));
    const message = statusText(errors, isMap(stored) ? stored : new Map());
    return { code: 422, ...warnings, causes, message };
  }
  const body = stored === undefined ? undefined : asked.read(stored);
  return { code: asked.success, ...warnings, body: body === undefined ? null : printJson(body) };
}

/** The whole message that a client prints of a refusal: what was refused, and every error once. */
export function statusText(errors: readonly Pick<Finding, 'field' | 'message'>[], stored: ValueMap): string {
  const [version, group] = String(stored.get('apiVersion') ?? '')
    .split('/')
    .reverse();
  const name = valueAt(stored, ['metadata', 'name']) ?? '';
  const kind = `${stored.get('kind')}${group === undefined && version !== '' ? '' : `.${group ?? ''}`}`;
  return `${kind} ${JSON.stringify(name)} is invalid: ${together(errors)}`;
}

/** One error as it is, several in brackets; the same text never twice. */
function together(errors: readonly Pick<Finding, 'field' | 'message'>[]): string {
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}

/** A header holds one line: what YAML found is given line by line. */
function linesOf(text: string): string[] {
  const [head, ...lines] = text.split('\n  ');
  return head === 'yaml: unmarshal errors:' ? lines : [text];
}

/** The same text is given once, and one with a control character not at all: no header can hold it. */
function warned({ always }: Pick<Asked, 'always'>, texts: readonly string[]): { warnings?: string[] } {
  const all = [...new Set([...always, ...texts])].filter((text) => !/[\x00-\x1f\x7f]/.test(text)).sort();
  return all.length > 0 ? { warnings: all } : {};
}
