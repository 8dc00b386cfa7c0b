import { type JsonMap, listAt, textAt } from './json.ts';
import type { Place } from './places.ts';

export interface Reply {
  readonly code: number;
  readonly body: JsonMap | string;
  readonly warnings?: readonly string[];
}

export const asTable = (accept: string) => /as=Table/.test(accept);
export const ok = (body: JsonMap): Reply => ({ code: 200, body });

export function status(code: number, reason: string, message: string, details?: JsonMap): Reply {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { code, body: details ? { ...body, details } : body };
}

export const notAllowed = status(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
);

export function detailsOf({ resource, name }: Place): JsonMap {
  return { name: name ?? '', group: resource.group, kind: resource.plural };
}

export function called({ resource, name }: Place): string {
  return `${resource.plural}.${resource.group} ${JSON.stringify(name ?? '')}`;
}

export function missing(place: Place): Reply {
  return status(404, 'NotFound', `${called(place)} not found`, detailsOf(place));
}

export function exists(place: Place): Reply {
  return status(409, 'AlreadyExists', `${called(place)} already exists`, detailsOf(place));
}

export function unversioned(place: Place): Reply {
  const message = 'Invalid value: 0: must be specified for an update';
  const field = 'metadata.resourceVersion';
  const causes = [{ reason: 'FieldValueInvalid', message, field }];
  return status(422, 'Invalid', `${called(place)} is invalid: ${field}: ${message}`, { ...detailsOf(place), causes });
}

export function conflict(place: Place): Reply {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return status(409, 'Conflict', `Operation cannot be fulfilled on ${called(place)}: ${why}`, detailsOf(place));
}

export const reasons: Readonly<Record<number, string>> = { 400: 'BadRequest', 422: 'Invalid', 500: '' };

export function refusal(answer: JsonMap, place: Place): Reply {
  const code = Number(answer.code ?? 500);
  const details = { ...detailsOf(place), kind: place.resource.kind, causes: listAt(answer, 'causes') };
  const message = textAt(answer, 'message') || JSON.stringify(answer);
  return status(code, reasons[code] ?? '', message, code === 422 ? details : undefined);
}
