import { append } from '../base/append.ts';
import { isList, isMap, textAt, type Value, type ValueMap, valueAt } from '../base/value.ts';
import { decodeBase64 } from '../gostd/base64.ts';
import { utf8 } from '../gostd/bytes.ts';
import { plainValue, readJson } from '../gostd/json.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import { jsonPatched } from '../kubernetes/apply/jsonPatch.ts';
import { type Admitted, textsAt } from '../kubernetes/policy/admit.ts';
import type { ResourceAs } from '../kubernetes/policy/matching.ts';
import { type Webhook, webhookMatch } from '../kubernetes/policy/webhookCalls.ts';
import { type Call, CallFailed } from './calls.ts';
import type { JsonMap } from './json.ts';
import { type Reply, status } from './replies.ts';
import type { User } from './users.ts';

// Webhooks that are called about a request, and what becomes of what they answer.

/** A request as webhooks are told of it. */
export interface Told {
  readonly one: Admitted;
  readonly user: User;
  uid(): string;
  call(call: Call): Promise<string>;
}

/** What webhooks made of a request, or why it is refused. */
export type Heard = { readonly object: Value; readonly warnings: readonly string[] } | { readonly refused: Reply };

/** Asks all webhooks that mutate, one after the other, and some of them once more after others have changed the object. */
export async function askMutating(hooks: readonly Webhook[], told: Told): Promise<Heard> {
  let object = told.one.value();
  const warnings: string[] = [];
  const asked: { hook: Webhook; isStale: boolean }[] = [];
  const ask = async (hook: Webhook): Promise<Reply | undefined> => {
    const now = { ...told, one: { ...told.one, value: () => object } };
    const heard = await heardFrom(hook, now, true);
    if (!heard) return undefined;
    if ('refused' in heard) return heard.refused;
    append(warnings, heard.warnings);
    if (printJson(heard.object) !== printJson(object)) for (const other of asked) other.isStale = true;
    object = heard.object;
    asked.push({ hook, isStale: false });
    return undefined;
  };
  for (const hook of hooks) {
    const refused = await ask(hook);
    if (refused) return { refused };
  }
  const again = asked.filter(({ hook, isStale }) => isStale && hook.hook.get('reinvocationPolicy') === 'IfNeeded');
  for (const { hook } of again) {
    const refused = await ask(hook);
    if (refused) return { refused };
  }
  return { object, warnings };
}

/** Asks all webhooks that validate, at once; the first one that refuses is heard. */
export async function askValidating(hooks: readonly Webhook[], told: Told): Promise<Heard> {
  const all = await Promise.all(hooks.map((hook) => heardFrom(hook, told, false)));
  const warnings: string[] = [];
  for (const heard of all) {
    if (heard && 'refused' in heard) return heard;
    append(warnings, heard?.warnings ?? []);
  }
  return { object: told.one.value(), warnings };
}

/** What one webhook says; undefined where it is not asked, or where its failure does not count. */
async function heardFrom(hook: Webhook, told: Told, mutates: boolean): Promise<Heard | undefined> {
  const match = webhookMatch(hook, told.one);
  if ('unknown' in match || 'denied' in match) {
    const why = 'denied' in match ? match.denied : match.unknown;
    return { refused: status(403, 'Forbidden', `webhook ${quote(hook.name)}: ${why}`) };
  }
  if (!match.called) return undefined;
  const effects = textAt(hook.hook, ['sideEffects']);
  if (told.one.asked?.dryRun && effects !== 'None' && effects !== 'NoneOnDryRun') {
    return { refused: status(400, 'BadRequest', `admission webhook ${quote(hook.name)} does not support dry run`) };
  }
  try {
    return await answerOf(hook, told, match.as, mutates);
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    if (hook.hook.get('failurePolicy') === 'Ignore') return undefined;
    return internal(`failed calling webhook ${quote(hook.name)}: ${error.message}`);
  }
}

async function answerOf(hook: Webhook, told: Told, as: ResourceAs | undefined, mutates: boolean): Promise<Heard> {
  const uid = told.uid();
  const wanted = textsAt(hook.hook, ['admissionReviewVersions']).find((one) => one === 'v1' || one === 'v1beta1');
  const apiVersion = `admission.k8s.io/${wanted ?? 'v1'}`;
  const review = new Map<string, Value>([
    ['kind', 'AdmissionReview'],
    ['apiVersion', apiVersion],
    ['request', requestFor(told, uid, as)],
  ]);
  const text = await told.call(callOf(hook, printJson(review))).catch((error: unknown) => {
    throw error instanceof CallFailed ? new CallFailed(`failed to call webhook: ${error.message}`) : error;
  });
  const response = responseIn(text, uid, apiVersion);
  const warnings = textsAt(response, ['warnings']).map((warning) => warning.slice(0, 4096));
  if (response.get('allowed') !== true) return { refused: { ...denial(hook.name, response.get('status')), warnings } };
  const object = told.one.value();
  const came = mutates ? patchedBy(hook.name, response, object) : { object: unpatched(response, object) };
  return 'refused' in came ? { refused: { ...came.refused, warnings } } : { ...came, warnings };
}

function callOf({ hook }: Webhook, body: string): Call {
  const seconds = Number(hook.get('timeoutSeconds') ?? 10);
  const url = textAt(hook, ['clientConfig', 'url']);
  if (url === '') {
    const [namespace, name] = [['namespace'], ['name']].map((path) =>
      textAt(hook, ['clientConfig', 'service', ...path]),
    );
    const at = `https://${name}.${namespace}.svc:443${textAt(hook, ['clientConfig', 'service', 'path'])}`;
    throw new CallFailed(`failed to call webhook: Post "${at}?timeout=${seconds}s": service ${quote(name!)} not found`);
  }
  const clean = cleanUrl(url);
  const timed = `${clean}${clean.includes('?') ? '&' : '?'}timeout=${seconds}s`;
  const authority = authorityIn(textAt(hook, ['clientConfig', 'caBundle']));
  return { url: timed, authority, body, milliseconds: seconds * 1000 };
}

/** The server joins the path anew, and envtest counts on it. */
export const cleanUrl = (url: string) => url.replace(/(?<!:)\/{2,}/g, '/');

/** The certificates of a bundle in base64. */
export function authorityIn(bundle: string): string | undefined {
  const decoded = bundle.trim() === '' ? undefined : decodeBase64(utf8(bundle));
  return decoded && 'bytes' in decoded ? new TextDecoder().decode(decoded.bytes) : undefined;
}

/** What a webhook is told; what is empty is left out. */
function requestFor({ one, user }: Told, uid: string, as: ResourceAs | undefined): ValueMap {
  const { request, asked, kind } = one;
  const sent: ResourceAs = { ...request, kind };
  const seen = as ?? sent;
  const object = (value: Value) => (as && value !== null ? one.converted!(value, as) : value);
  const rows: readonly (readonly [string, Value])[] = [
    ['uid', uid],
    ['kind', groupVersion(seen, 'kind')],
    ['resource', groupVersion(seen, 'resource')],
    ['subResource', request.subresource ?? ''],
    ['requestKind', groupVersion(sent, 'kind')],
    ['requestResource', groupVersion(sent, 'resource')],
    ['requestSubResource', request.subresource ?? ''],
    ['name', request.name],
    ['namespace', request.namespace ?? ''],
    ['operation', request.operation],
    ['userInfo', userInfo(user)],
    ['object', object(one.value())],
    ['oldObject', object(one.old())],
    ['dryRun', asked?.dryRun ?? false],
    ['options', asked?.options ?? null],
  ];
  return new Map(rows.filter(([, value]) => value !== ''));
}

function groupVersion(as: ResourceAs, last: 'kind' | 'resource'): ValueMap {
  return new Map([
    ['group', as.group],
    ['version', as.version],
    [last, as[last]],
  ]);
}

function userInfo({ name, uid, groups, extra }: User): ValueMap {
  return new Map<string, Value>([
    ['username', name],
    ...(uid === '' ? [] : [['uid', uid] as const]),
    ['groups', groups],
    ...(extra.size === 0 ? [] : [['extra', extra] as const]),
  ]);
}

/** What is in an answer, and in its patch, is read by recursion. */
const mostLevels = 1_000;

const invalid = (why: string) => new CallFailed(`received invalid webhook response: ${why}`);

function responseIn(text: string, uid: string, apiVersion: string): ValueMap {
  const read = readJson(text, mostLevels);
  const review = 'error' in read ? null : plainValue(read.json);
  const response = valueAt(review, ['response']);
  if (!isMap(response)) throw invalid('webhook response was absent');
  const code = valueAt(response, ['status', 'code']) ?? 0n;
  if (typeof code !== 'bigint') throw invalid('response.status.code is not an integer');
  if (apiVersion.endsWith('beta1')) return response;
  const said = textAt(response, ['uid']);
  if (said !== uid) throw invalid(`expected response.uid=${quote(uid)}, got ${quote(said)}`);
  const named = (version: string, kind: string) => `${version}, Kind=${kind}`;
  const found = named(textAt(review, ['apiVersion']), textAt(review, ['kind']));
  const wanted = named(apiVersion, 'AdmissionReview');
  if (found !== wanted) throw invalid(`expected webhook response of ${wanted}, got ${found}`);
  return response;
}

function denial(name: string, said: Value | undefined): Reply {
  const given = isMap(said) ? said : new Map<string, Value>();
  const deniedBy = `admission webhook ${quote(name)} denied the request`;
  const [message, reason] = [textAt(given, ['message']), textAt(given, ['reason'])];
  const text =
    message === '' && reason === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${message || reason}`;
  const code = Math.max(Number(given.get('code') ?? 0), 400);
  const details = given.get('details');
  const about: JsonMap | undefined = isMap(details) ? JSON.parse(printJson(details)) : undefined;
  return status(Math.min(code, 599), reason, text, about);
}

/** A patch that cannot be read is a webhook's failure; one that does not apply is nobody's, and the request fails. */
function patchedBy(
  name: string,
  response: ValueMap,
  object: Value,
): { readonly object: Value } | { readonly refused: Reply } {
  const [patch, type] = [textAt(response, ['patch']), response.get('patchType')];
  if (patch === '' && type === undefined) return { object };
  if (patch === '') throw invalid('webhook returned response.patchType but not response.patch');
  if (type === undefined) throw invalid('webhook returned response.patch but not response.patchType');
  const steps = stepsOf(patch);
  if (steps.length === 0) return { object };
  if (object === null) {
    return internal(
      `admission webhook ${quote(name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (type !== 'JSONPatch') throw new CallFailed(`unsupported patch type ${quote(String(type))}`);
  const patched = jsonPatched(object, steps);
  return 'error' in patched ? internal(patched.error) : { object: patched.value };
}

function stepsOf(patch: string): readonly Value[] {
  const decoded = decodeBase64(utf8(patch));
  const read = readJson('bytes' in decoded ? new TextDecoder().decode(decoded.bytes) : '', mostLevels);
  const undecodable = (why: string) => new CallFailed(`received undecodable patch in webhook response: ${why}`);
  if ('error' in read) throw undecodable(read.error.message);
  const steps = plainValue(read.json);
  if (steps === null) return [];
  if (isList(steps)) return steps;
  const named = isMap(steps)
    ? 'object'
    : typeof steps === 'string' || typeof steps === 'boolean'
      ? wordFor(steps)
      : 'number';
  throw undecodable(`json: cannot unmarshal ${named} into Go value of type jsonpatch.Patch`);
}

const wordFor = (value: string | boolean) => (typeof value === 'string' ? 'string' : 'bool');

/** What fails whatever the policy for failures is. */
function internal(why: string): { readonly refused: Reply } {
  const message = `Internal error occurred: ${why}`;
  return { refused: status(500, 'InternalError', message, { causes: [{ message: why }] }) };
}

function unpatched(response: ValueMap, object: Value): Value {
  if (textAt(response, ['patch']) !== '') throw invalid('validating webhook may not return response.patch');
  if (response.has('patchType')) throw invalid('validating webhook may not return response.patchType');
  return object;
}
