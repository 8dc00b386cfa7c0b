import { quote } from '../gostd/quote.ts';
import type { Resource } from './discovery.ts';
import { isJsonMap, type JsonMap, listAt, mapAt } from './json.ts';
import { type Reply, status } from './replies.ts';
import type { Serving } from './serving.ts';
import { type IncludedObject, metadataOf, tableFor } from './tables.ts';

// The form that a client wants objects in: as they are, as rows of a table, or their metadata alone.

export type Form = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | 'as they are';

const forms: readonly Form[] = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'];
const readableTypes = new Set(['', '*/*', 'application/*', 'application/json', 'application/yaml']);
const protobuf = 'application/vnd.kubernetes.protobuf';

/** The first of the forms that a client accepts; undefined where there is none. */
export function formOf(accept: string, { crd }: Resource): Form | undefined {
  for (const one of accept.split(',')) {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim());
    const form = formIn(new URLSearchParams(parameters.join('&')));
    // Custom resources have no form in protobuf, and tables of them none either; others come as JSON.
    const isHad = type !== protobuf || !crd || (form !== 'as they are' && form !== 'Table');
    if (form && isHad && (readableTypes.has(type.toLowerCase()) || type === protobuf)) return form;
  }
  return undefined;
}

function formIn(parameters: URLSearchParams): Form | undefined {
  const as = parameters.get('as');
  if (as === null) return 'as they are';
  const isMeta = parameters.get('g') === 'meta.k8s.io' && ['v1', 'v1beta1'].includes(parameters.get('v') ?? '');
  return isMeta ? forms.find((form) => form === as) : undefined;
}

/** What is asked for of an answer. */
export interface Wanted {
  readonly form: Form;
  readonly query: URLSearchParams;
}

/** An answer in the form that is wanted. What is no object of the resource is answered as it is. */
export function formed(reply: Reply, { form, query }: Wanted, resource: Resource, serving: Serving): Reply {
  const { body } = reply;
  const isList = isJsonMap(body) && body.kind === resource.listKind && Array.isArray(body.items);
  if (!isJsonMap(body) || (!isList && body.kind !== resource.kind)) return reply;
  const { warnings = [] } = reply;
  const items = isList ? (listAt(body, 'items') as JsonMap[]) : [body];
  if (form === 'as they are') {
    return isList && !resource.crd ? { ...reply, body: { ...body, items: items.map(withoutKind) } } : reply;
  }
  if (form === 'Table') {
    const include = includedIn(query);
    if (typeof include !== 'string') return { ...include, warnings };
    const metadata = listMetadata(body, isList);
    return { ...reply, body: tableFor(resource, items, serving, { metadata, include }) };
  }
  if (isList !== (form === 'PartialObjectMetadataList')) return { ...otherForm(form, resource), warnings };
  if (!isList) return { ...reply, body: metadataOf(body) };
  return {
    ...reply,
    body: {
      kind: form,
      apiVersion: 'meta.k8s.io/v1',
      metadata: listMetadata(body, isList),
      items: items.map(metadataOf),
    },
  };
}

/** Only lists of custom resources say that there is no more. */
function listMetadata(body: JsonMap, isList: boolean): JsonMap {
  const { resourceVersion = '', continue: rest, ...others } = mapAt(body, 'metadata');
  return { resourceVersion, ...(isList && { ...(rest && { continue: rest }), ...others }) };
}

/** What is in a list of a built-in kind is of that kind, and does not say so. */
const withoutKind = ({ kind: _, apiVersion: __, ...rest }: JsonMap): JsonMap => rest;

const included: readonly IncludedObject[] = ['Metadata', 'Object', 'None'];

function includedIn(query: URLSearchParams): IncludedObject | Reply {
  const given = query.get('includeObject') || 'Metadata';
  const found = included.find((one) => one === given);
  const must = "must be 'Metadata', 'Object', 'None', or empty";
  const why = `includeObject: Invalid value: ${quote(given)}: ${must}`;
  return found ?? status(400, 'BadRequest', `Unable to convert to Table as requested: ${why}`);
}

/** One object where a list is wanted, or the other way round. */
function otherForm(form: Form, { crd, group, kind, listKind }: Resource): Reply {
  const wantsList = form === 'PartialObjectMetadataList';
  if (crd && wantsList) return status(500, '', 'content is not a list');
  const own = `${group === '' ? 'core' : group.split('.')[0]}.${wantsList ? kind : listKind}`;
  const type = crd ? 'unstructured.UnstructuredList' : own;
  const is = `the requested object is ${wantsList ? 'not ' : ''}a list (*${type})`;
  return status(406, 'NotAcceptable', `you requested ${form}, but ${is}`);
}

/** Makes the events of a watch into the form that is wanted; nothing where it has none. */
export function formingEvents({ form, query }: Wanted, resource: Resource, serving: Serving) {
  let hasColumns = false;
  const include = includedIn(query);
  return (event: JsonMap): JsonMap | undefined => {
    const { object } = event;
    if (form === 'as they are' || event.type === 'ERROR' || !isJsonMap(object)) return event;
    if (form === 'PartialObjectMetadata') return { ...event, object: metadataOf(object) };
    if (form === 'PartialObjectMetadataList' || typeof include !== 'string') return undefined;
    const { resourceVersion = '' } = mapAt(object, 'metadata');
    const table = tableFor(resource, [object], serving, { metadata: { resourceVersion }, include });
    const shown = hasColumns ? { ...table, columnDefinitions: null } : table;
    hasColumns = true;
    return { ...event, object: shown };
  };
}
