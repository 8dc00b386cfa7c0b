import { isMap, type Value } from '../base/value.ts';
import { plainValue, readJson } from '../gostd/json.ts';
import { printJson } from '../gostd/jsonPrint.ts';
import { quote } from '../gostd/quote.ts';
import { type Call, CallFailed } from './calls.ts';
import type { Resource } from './discovery.ts';
import { isJsonMap, type JsonMap, listAt, mapAt, textAt } from './json.ts';
import type { Serving } from './serving.ts';
import { authorityIn, cleanUrl } from './webhooks.ts';

// Webhooks that convert objects between the versions of their CRD.

/** Why an object cannot be had in a version, in the API server's words. */
export class ConversionFailed extends Error {}

/** What an answer holds is read by recursion. */
const mostLevels = 1_000;

const seconds = 30;

/** Whether a webhook converts the objects of a CRD. */
export const convertsByWebhook = (crd: JsonMap | undefined) =>
  textAt(crd, 'spec', 'conversion', 'strategy') === 'Webhook';

/** An object in another version, as the webhook of its CRD has it. */
export async function convertedTo(
  object: JsonMap,
  { group, version, crd }: Pick<Resource, 'group' | 'version' | 'crd'>,
  serving: Serving,
): Promise<JsonMap> {
  const wanted = `${group}/${version}`;
  if (object.apiVersion === wanted) return object;
  const who = `conversion webhook for ${object.apiVersion}, Kind=${object.kind}`;
  const { webhook } = mapAt(crd, 'spec', 'conversion');
  const uid = serving.uid();
  const reviewVersion = listAt(webhook, 'conversionReviewVersions').find((one) => one === 'v1' || one === 'v1beta1');
  if (reviewVersion === undefined) throw new ConversionFailed('no supported conversion review versions');
  const apiVersion = `apiextensions.k8s.io/${reviewVersion}`;
  const request = { uid, desiredAPIVersion: wanted, objects: [object] };
  const body = JSON.stringify({ kind: 'ConversionReview', apiVersion, request, response: noResponse });
  const answer = await said(mapAt(webhook, 'clientConfig'), body, serving).catch((error: unknown) => {
    throw error instanceof CallFailed ? new ConversionFailed(`${who} failed: ${error.message}`) : error;
  });
  const found = objectsIn(answer, uid, apiVersion);
  if ('error' in found) throw new ConversionFailed(`${who} failed: ${found.error}`);
  if (found.objects.length !== 1) {
    throw new ConversionFailed(`${who} returned ${found.objects.length} objects, expected 1`);
  }
  return restored(object, found.objects[0], wanted, who);
}

/** What is empty in Go has its fields all the same. */
const noResponse = { uid: '', convertedObjects: null, result: { metadata: {} } };

async function said(config: JsonMap, body: string, serving: Serving): Promise<JsonMap> {
  const text = await serving.call(callOf(config, body));
  const read = readJson(text, mostLevels);
  if ('error' in read) throw new CallFailed(`couldn't get version/kind; json parse error: ${read.error.message}`);
  const value: Value = plainValue(read.json);
  return isMap(value) ? JSON.parse(printJson(value)) : {};
}

function callOf(config: JsonMap, body: string): Call {
  const url = textAt(config, 'url');
  if (url === '') {
    const { namespace, name, path = '', port = 443 } = mapAt(config, 'service');
    const at = `https://${name}.${namespace}.svc:${port}${path}?timeout=${seconds}s`;
    throw new CallFailed(`Post "${at}": service ${quote(String(name))} not found`);
  }
  const timed = `${cleanUrl(url)}${url.includes('?') ? '&' : '?'}timeout=${seconds}s`;
  return { url: timed, authority: authorityIn(textAt(config, 'caBundle')), body, milliseconds: seconds * 1000 };
}

function objectsIn(review: JsonMap, uid: string, apiVersion: string): { error: string } | { objects: unknown[] } {
  const isOld = apiVersion.endsWith('beta1');
  const named = (version: string, kind: string) => `${version}, Kind=${kind}`;
  const [found, wanted] = [
    named(textAt(review, 'apiVersion'), textAt(review, 'kind')),
    named(apiVersion, 'ConversionReview'),
  ];
  if (!isOld && found !== wanted) return { error: `expected webhook response of ${wanted}, got ${found}` };
  const { response } = review;
  if (!isJsonMap(response)) return { error: 'no response provided' };
  const given = textAt(response, 'uid');
  if (!isOld && given !== uid) return { error: `expected response.uid=${quote(uid)}, got ${quote(given)}` };
  const status = textAt(response, 'result', 'status');
  if (status === 'Success') return { objects: listAt(response, 'convertedObjects') };
  const message = textAt(response, 'result', 'message');
  return { error: message || `response.result.status was '${status}', not 'Success'` };
}

/** What a webhook made, with the metadata that it may not change. */
function restored(before: JsonMap, made: unknown, wanted: string, who: string): JsonMap {
  const fail = (why: string) => new ConversionFailed(`${who} returned invalid ${why}`);
  const object = made as JsonMap;
  if (!isJsonMap(object) || textAt(object, 'kind') === '') {
    throw new ConversionFailed(`Object 'Kind' is missing in '${JSON.stringify(made)}'`);
  }
  const [version, kind] = [textAt(object, 'apiVersion'), textAt(object, 'kind')];
  if (version !== wanted) {
    throw fail(`object at index 0: invalid groupVersion (expected ${wanted}, received ${version})`);
  }
  if (kind !== before.kind) throw fail(`object at index 0: invalid kind (expected ${before.kind}, received ${kind})`);
  for (const [member, word] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [textAt(before, 'metadata', member), textAt(object, 'metadata', member)];
    if (was !== is) throw fail(`object: must have the same ${word}: ${was} != ${is}`);
  }
  if (object.metadata === undefined) throw fail('metadata: missing metadata in converted object');
  const { labels, annotations } = mapAt(object, 'metadata');
  const { labels: _, annotations: __, ...kept } = mapAt(before, 'metadata');
  const metadata = { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { ...object, metadata };
}
