import { isMap, type Value, valueAt } from '../../../server/src/base/value.ts';
import { isJsonObject, type Json, plainValue } from '../../../server/src/gostd/json.ts';
import { quote } from '../../../server/src/gostd/quote.ts';
import { applyResource, type LastApplied } from '../../../server/src/kubernetes/apply/serverSide.ts';
import { createResource } from '../../../server/src/kubernetes/cr/create.ts';
import {
  type ServedCrd,
  type ServedVersion,
  type Serving,
  serveCrd,
} from '../../../server/src/kubernetes/cr/served.ts';
import { kept, readBack } from '../../../server/src/kubernetes/cr/storage.ts';
import { updateResource } from '../../../server/src/kubernetes/cr/update.ts';
import { createCrd } from '../../../server/src/kubernetes/crd/create.ts';
import { deprecationWarning } from '../../../server/src/kubernetes/crd/deprecation.ts';
import { readHead } from '../../../server/src/kubernetes/crd/read.ts';
import { updateCrd } from '../../../server/src/kubernetes/crd/update.ts';
import type { Finding } from '../../../server/src/kubernetes/finding.ts';
import { parseGroupVersion } from '../../../server/src/kubernetes/names.ts';
import { newestVersion } from '../../../server/src/kubernetes/releases/all.ts';
import { cleaned, type FieldValidation } from '../exchange.ts';
import type { Plain } from '../normal.ts';
import { encode, type Request } from '../protocol.ts';
import { statusText } from '../status.ts';
import { type Body, bodyOf, bodyText } from './body.ts';

// What we say a real API server answers over HTTP: what it makes of a verdict.

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

/** `last` is what is there and what was applied before; without it the old object was applied to nothing. */
export function httpAnswer(request: Request, validation: FieldValidation, last?: LastApplied): Plain {
  return request.raw('obj') === undefined ? crdAnswer(request, validation) : resourceAnswer(request, validation, last);
}

function crdAnswer(request: Request, validation: FieldValidation): Plain {
  const body = bodyOf(request, 'crd');
  const isUpdate = request.raw('old') !== undefined;
  const asked: Asked = {
    kind: 'CustomResourceDefinition',
    version: 'v1',
    success: isUpdate ? 200 : 201,
    always: [],
    text: bodyText(request, 'crd'),
    read: (stored) => stored,
  };
  if ('error' in body) return undecoded(asked, body.error);
  const old = isUpdate ? bodyOf(request, 'old') : undefined;
  if (old && 'error' in old) return { unserved: old.error };
  if (!old) return answered(asked, createCrd(body.json), body, validation);
  const refused = renamed(old.json, body.json);
  return answered({ ...asked, refused }, updateCrd(old.json, body.json), body, validation);
}

function resourceAnswer(request: Request, validation: FieldValidation, last: LastApplied | undefined): Plain {
  const crd = servedOnce(request);
  if ('error' in crd) return { unserved: crd.error };
  const body = bodyOf(request, 'obj');
  const served = versionOf(crd, body);
  const text = bodyText(request, 'obj');
  const asked: Asked = {
    kind: served.kind,
    version: served.version,
    success: request.raw('old') === undefined ? 201 : 200,
    text,
    always: [deprecationWarning(crd.lowered, served.version) ?? []].flat(),
    read: (stored) => {
      const inStore = kept(stored, crd);
      return inStore && readBack(inStore, served, crd);
    },
  };
  if ('error' in body) return undecoded(asked, body.error);
  const old = request.raw('old') === undefined ? undefined : bodyOf(request, 'old');
  if (old && 'error' in old) return { unserved: old.error };
  const foreign = foreignAnswer(asked, body.json, served, validation);
  if (foreign) return foreign;
  if (request.raw('apply') === 'true') {
    return appliedAnswer(asked, crd, body, last ?? appliedFirst(old, crd, served), validation);
  }
  if (!old) return answered(asked, createResource(body.json, crd, { text }), body, validation);
  const subresource = request.raw('subresource') === '"status"' ? ('status' as const) : undefined;
  const refused = renamed(old.json, body.json);
  const verdict = updateResource(old.json, body.json, crd, { text, subresource });
  return answered({ ...asked, refused }, verdict, body, validation);
}

const mostServed = 20;
const servedTexts = new Map<string, Serving>();

/** Questions about one CRD mostly follow each other. */
function servedOnce(request: Request): Serving {
  const text = bodyText(request, 'crd');
  let served = servedTexts.get(text);
  if (!served) {
    const definition = bodyOf(request, 'crd');
    served = 'error' in definition ? definition : serveCrd(definition.json, newestVersion);
    if (servedTexts.size >= mostServed) servedTexts.clear();
    servedTexts.set(text, served);
  }
  return served;
}

/** What a cluster holds once an object was applied to nothing. */
function appliedFirst(
  old: Extract<Body, { json: Json }> | undefined,
  crd: ServedCrd,
  served: ServedVersion,
): LastApplied | undefined {
  const config = old && plainValue(old.json);
  const stored = config === undefined ? undefined : createResource(config, crd).stored;
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
): Plain {
  const config = plainValue(body.json);
  if (!isMap(config)) throw new Error('only objects are applied');
  const { refused, verdict, managed } = applyResource(config, last, crd);
  if (refused !== undefined) return { code: 500, ...warned(asked, []), message: refused };
  const answer = answered({ ...asked, success: last ? 200 : 201 }, verdict, body, validation);
  const isAccepted = typeof answer === 'object' && answer !== null && 'body' in answer;
  return isAccepted && managed ? { ...answer, managers: [JSON.parse(encode(managed))] } : answer;
}

/** The answer to an object that is not of the path's version or kind. */
function foreignAnswer(
  asked: Asked,
  json: Json,
  served: ServedVersion,
  validation: FieldValidation,
): Plain | undefined {
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

function unrecognized(kind: string, problem: string, text: string): string {
  const bytes = Buffer.from(text);
  const shown = bytes.subarray(0, 30).toString(text.startsWith('{') ? 'utf8' : 'hex');
  const start = bytes.length > 30 ? `${shown} ...` : shown || '<empty>';
  return `the object provided is unrecognized (must be of type ${kind}): ${problem} (${start})`;
}

/** An object of another kind gets no further than this. */
function otherKind(json: Json, { kind, group }: ServedVersion): { causes: Plain[]; message: string } | undefined {
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
function undecoded({ kind, version, always, text }: Asked, problem: string, json?: Json): Plain {
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
): Plain {
  if (verdict.decode) return undecoded(asked, verdict.decode.message, json);
  const found = [...strict, ...verdict.strict.map(({ message }) => message)];
  if (validation === 'Strict' && found.length > 0) {
    return undecoded(asked, `strict decoding error: ${found.join(', ')}`, json);
  }
  if (verdict.panic) return { code: 0, body: '' };
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
    const message = statusText({ errors, ...(isMap(stored) && { stored }) })!;
    return { code: 422, ...warnings, causes, message };
  }
  const body = stored === undefined ? undefined : asked.read(stored);
  return { code: asked.success, ...warnings, body: body === undefined ? null : cleaned(encode(body)) };
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
