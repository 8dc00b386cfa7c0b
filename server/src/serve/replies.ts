import { type JsonMap, textAt } from './json.ts';
import type { Place } from './places.ts';
import type { Judged } from './serving.ts';
import type { Entry } from './store.ts';

export interface Reply {
  readonly code: number;
  readonly body: JsonMap | string;
  readonly warnings?: readonly string[];
  /** The media type, where it is not that of JSON. */
  readonly type?: string;
}

export const ok = (body: JsonMap): Reply => ({ code: 200, body });

export function status(code: number, reason: string, message: string, details?: JsonMap): Reply {
  const said = { message, ...(reason !== '' && { reason }), code };
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...said };
  return { code, body: details ? { ...body, details: filled(details) } : body };
}

/** What is empty is not said. */
export function filled(details: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));
}

export const notAllowed = status(
  405,
  'MethodNotAllowed',
  'the server does not allow this method on the requested resource',
);

/** A body of a media type that is none of these. */
export function unknownFormat(accepted: readonly string[]): Reply {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return status(415, 'UnsupportedMediaType', message);
}

function detailsOf({ resource, name }: Place): JsonMap {
  return { name: name ?? '', group: resource.group, kind: resource.plural };
}

export function called({ resource, name }: Place): string {
  const of = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
  return `${of} ${JSON.stringify(name ?? '')}`;
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

/** What is new has no version yet. */
export const versioned = status(500, '', 'resourceVersion should not be set on objects to be created');

export function conflict(place: Place): Reply {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return status(409, 'Conflict', `Operation cannot be fulfilled on ${called(place)}: ${why}`, detailsOf(place));
}

const noManager = {
  reason: 'FieldValueRequired',
  message: 'Required value: is required for apply patch',
  field: 'fieldManager',
};

/** What is applied has to be by somebody. */
export const unmanaged = status(
  422,
  'Invalid',
  `PatchOptions.meta.k8s.io "" is invalid: ${noManager.field}: ${noManager.message}`,
  { group: 'meta.k8s.io', kind: 'PatchOptions', causes: [noManager] },
);

/** An update names an object that another one of its name has taken the place of. */
export function otherUid(place: Place, wanted: string, uid: string): Reply {
  const { resource, namespace, name } = place;
  const parts = ['/registry/apiextensions.kubernetes.io', resource.group, resource.plural, namespace, name];
  const key = parts.filter((part) => part !== '').join('/');
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${uid}`;
  const said = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return status(409, 'Conflict', `Operation cannot be fulfilled on ${called(place)}: ${said}`, detailsOf(place));
}

/** Whether what is to be deleted is what the client has seen. */
export function failedPrecondition(place: Place, { object }: Entry, wanted: JsonMap): Reply | undefined {
  const { group, kind } = place.resource;
  const differs = (what: string, member: string, since: string) => {
    const [given, found] = [textAt(wanted, member), textAt(object, 'metadata', member)];
    if (given === '' || given === found) return undefined;
    const why = `the ${what} in the precondition (${given}) does not match the ${what} in record (${found}). The object might have been ${since}`;
    const message = `Operation cannot be fulfilled on ${kind}.${group} ${JSON.stringify(place.name)}: ${why}`;
    return status(409, 'Conflict', message, { ...detailsOf(place), kind });
  };
  return (
    differs('UID', 'uid', 'deleted and then recreated') ?? differs('ResourceVersion', 'resourceVersion', 'modified')
  );
}

const reasons: Readonly<Record<number, string>> = { 400: 'BadRequest', 422: 'Invalid', 500: '' };

export function refusal({ code, message, name, causes = [] }: Judged, place: Place): Reply {
  const details = {
    ...detailsOf(place),
    ...(name !== undefined && { name }),
    kind: place.resource.kind,
    causes: causes.map((one) => ({ ...one })),
  };
  return status(code, reasons[code] ?? '', message ?? '', code === 422 ? details : undefined);
}
