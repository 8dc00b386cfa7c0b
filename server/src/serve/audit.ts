import { groupVersion } from './discovery.ts';
import { type JsonMap, mapAt, textAt } from './json.ts';
import { jsonText, parsedMap } from './judging.ts';
import type { Asked, Place } from './places.ts';
import type { Reply } from './replies.ts';
import { administrator, type User } from './users.ts';

// What was asked by whom and what came of it, as API servers write it down (audit.k8s.io/v1, level Metadata).

export interface Audited {
  readonly asked: Asked;
  /** The path with its query, as it was sent. */
  readonly uri: string;
  readonly userAgent: string;
  readonly place: Place | undefined;
  readonly reply: Pick<Reply, 'code' | 'body'>;
  /** A watch is told of when it begins, too. */
  readonly stage: 'ResponseStarted' | 'ResponseComplete';
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly received: number;
  readonly answered: number;
}

/** One request as an event. */
export function auditEvent(one: Audited): JsonMap {
  const { asked, place, reply } = one;
  const failed = typeof reply.body === 'string' ? {} : reply.body;
  const isStatus = failed.kind === 'Status';
  const status = isStatus ? textAt(failed, 'status') : '';
  const reason = isStatus ? textAt(failed, 'reason') : '';
  const message = isStatus ? textAt(failed, 'message') : '';
  const details = isStatus ? detailsOf(mapAt(failed, 'details')) : {};
  return {
    ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata', auditID: one.id, stage: one.stage },
    ...{ requestURI: one.uri, verb: verbOf(asked, place) },
    user: userText(administrator),
    ...(asked.user !== administrator && { impersonatedUser: userText(asked.user) }),
    ...{ sourceIPs: ['127.0.0.1'], userAgent: one.userAgent },
    ...(place && { objectRef: objectRef(place, asked) }),
    responseStatus: {
      metadata: {},
      ...(status !== '' && { status }),
      ...(message !== '' && { message }),
      ...(reason !== '' && { reason }),
      ...(Object.keys(details).length > 0 && { details }),
      code: reply.code,
    },
    ...{ requestReceivedTimestamp: microTime(one.received), stageTimestamp: microTime(one.answered) },
    annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
  };
}

const microTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z');

function userText({ name, uid, groups, extra }: User): JsonMap {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    groups: [...groups],
    ...(extra.size > 0 && { extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])) }),
  };
}

/** What a failure is about, in the order of an API server. */
function detailsOf(details: JsonMap): JsonMap {
  const names = ['name', 'group', 'kind', 'uid', 'causes', 'retryAfterSeconds'];
  return Object.fromEntries(names.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])));
}

/** What is asked for: where the path leads, and what the object that is sent says of itself. */
function objectRef({ resource, namespace, name, subresource }: Place, { method, body, type }: Asked): JsonMap {
  const writes = method === 'POST' || method === 'PUT';
  const sent = writes ? mapAt(parsedMap(jsonText({ body, type })), 'metadata') : {};
  const known = name ?? textAt(sent, 'name');
  // A namespace is in itself.
  const inside = resource.kind === 'Namespace' && resource.group === '' ? (name ?? '') : namespace;
  const [uid, resourceVersion] = [textAt(sent, 'uid'), textAt(sent, 'resourceVersion')];
  return {
    resource: resource.plural,
    ...(inside !== '' && { namespace: inside }),
    ...(known !== '' && { name: known }),
    ...(uid !== '' && { uid }),
    ...(resource.group !== '' && { apiGroup: resource.group }),
    apiVersion: groupVersion(resource).split('/').at(-1)!,
    ...(resourceVersion !== '' && { resourceVersion }),
    ...(subresource !== undefined && { subresource }),
  };
}

const verbs: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
]);

function verbOf({ method, query }: Asked, place: Place | undefined): string {
  // What is not about objects is named after its method.
  if (!place) return method.toLowerCase();
  const isAll = place.name === undefined;
  if (method === 'GET') return query.get('watch') === 'true' ? 'watch' : isAll ? 'list' : 'get';
  if (method === 'DELETE') return isAll ? 'deletecollection' : 'delete';
  return verbs.get(method) ?? method.toLowerCase();
}
