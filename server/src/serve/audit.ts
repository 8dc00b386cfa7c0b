import { groupVersion } from './discovery.ts';
import { type JsonMap, mapAt, textAt } from './json.ts';
import type { Asked, Place } from './places.ts';
import type { Reply } from './replies.ts';

// What was asked by whom and what came of it, as API servers write it down (audit.k8s.io/v1, level Metadata).

export interface Audited {
  readonly asked: Asked;
  /** The path with its query, as it was sent. */
  readonly uri: string;
  readonly userAgent: string;
  readonly place: Place | undefined;
  readonly reply: Pick<Reply, 'code' | 'body'>;
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly received: number;
  readonly answered: number;
}

/** One request as an event. */
export function auditEvent(one: Audited): JsonMap {
  const { asked, place, reply } = one;
  const { name, uid, groups, extra } = asked.user;
  const failed = typeof reply.body === 'string' ? {} : reply.body;
  const isStatus = failed.kind === 'Status';
  const status = isStatus ? textAt(failed, 'status') : '';
  const reason = isStatus ? textAt(failed, 'reason') : '';
  const message = isStatus ? textAt(failed, 'message') : '';
  return {
    ...{ kind: 'Event', apiVersion: 'audit.k8s.io/v1', level: 'Metadata', auditID: one.id, stage: 'ResponseComplete' },
    ...{ requestURI: one.uri, verb: verbOf(asked, place) },
    user: {
      username: name,
      ...(uid !== '' && { uid }),
      groups: [...groups],
      ...(extra.size > 0 && { extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])) }),
    },
    ...{ sourceIPs: ['127.0.0.1'], userAgent: one.userAgent },
    ...(place && { objectRef: objectRef(place, reply) }),
    responseStatus: {
      metadata: {},
      ...(status !== '' && { status }),
      ...(message !== '' && { message }),
      ...(reason !== '' && { reason }),
      code: reply.code,
    },
    ...{ requestReceivedTimestamp: microTime(one.received), stageTimestamp: microTime(one.answered) },
  };
}

const microTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace('Z', '000Z');

function objectRef({ resource, namespace, name, subresource }: Place, { code, body }: Audited['reply']): JsonMap {
  const made = code < 300 && typeof body !== 'string' ? textAt(mapAt(body, 'metadata'), 'name') : '';
  const known = name ?? made;
  return {
    resource: resource.plural,
    ...(namespace !== '' && { namespace }),
    ...(known !== '' && { name: known }),
    ...(resource.group !== '' && { apiGroup: resource.group }),
    apiVersion: groupVersion(resource).split('/').at(-1)!,
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
