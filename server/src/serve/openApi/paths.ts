import { groupVersion, type Resource } from '../discovery.ts';
import { isJsonMap, type JsonMap, type JsonValue, listAt, sameJson, textAt } from '../json.ts';
import { metaNames, modelName, type OpenApiTexts, refTo } from './texts.ts';

// What can be asked about a kind, as OpenAPI describes it.

type About = 'object' | 'list' | 'status' | 'patch' | 'deletion' | 'scale';

interface Operation {
  readonly method: string;
  /** What is done, and the verb that its description begins with. */
  readonly action: string;
  readonly verb: string;
  readonly body?: About;
  readonly reply: About;
  readonly codes: readonly string[];
}

const [found, created, accepted] = ['200', '201', '202'];
const list: Operation = { method: 'get', action: 'list', verb: 'list', reply: 'list', codes: [found] };

const ofAll: readonly Operation[] = [
  list,
  {
    ...{ method: 'post', action: 'post', verb: 'create', body: 'object', reply: 'object' },
    codes: [found, created, accepted],
  },
  {
    ...{ method: 'delete', action: 'deletecollection', verb: 'deletecollection', reply: 'status' },
    codes: [found],
  },
];

const ofPart = (about: 'object' | 'scale'): Operation[] => [
  { method: 'get', action: 'get', verb: 'read', reply: about, codes: [found] },
  { method: 'put', action: 'put', verb: 'replace', body: about, reply: about, codes: [found, created] },
  { method: 'patch', action: 'patch', verb: 'patch', body: 'patch', reply: about, codes: [found] },
];

const ofOne: readonly Operation[] = [
  ...ofPart('object'),
  {
    ...{ method: 'delete', action: 'delete', verb: 'delete', body: 'deletion', reply: 'status' },
    codes: [found, accepted],
  },
];

const meanings: ReadonlyMap<string, string> = new Map([
  [found, 'OK'],
  [created, 'Created'],
  [accepted, 'Accepted'],
]);

const answers = ['application/json', 'application/yaml'];
const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

/** The paths of a kind, with what can be done at each. */
export function pathsOf(resource: Resource, hasScale: boolean, texts: OpenApiTexts): JsonMap {
  const { namespaced, plural, hasStatus } = resource;
  const root = `/apis/${groupVersion(resource)}`;
  const all = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${plural}`;
  const at = (path: string, operations: readonly Operation[], everywhere = false) => {
    return [path, itemFor({ resource, path, texts, everywhere }, operations)] as const;
  };
  return Object.fromEntries([
    ...(namespaced ? [at(`${root}/${plural}`, [list], true)] : []),
    at(all, ofAll),
    at(`${all}/{name}`, ofOne),
    ...(hasStatus ? [at(`${all}/{name}/status`, ofPart('object'))] : []),
    ...(hasScale ? [at(`${all}/{name}/scale`, ofPart('scale'))] : []),
  ]);
}

interface At {
  readonly resource: Resource;
  readonly path: string;
  readonly texts: OpenApiTexts;
  /** All namespaces are asked. */
  readonly everywhere: boolean;
}

function itemFor(at: At, operations: readonly Operation[]): JsonMap {
  const lists = operations.map(({ action }) => parametersOf(at, action));
  const common = lists[0]!.filter((one) => lists.every((others) => others.some((other) => sameJson(one, other))));
  const item: JsonMap = { parameters: byName(common) };
  operations.forEach((operation, i) => {
    const own = lists[i]!.filter((one) => !common.includes(one) && !common.some((other) => sameJson(one, other)));
    item[operation.method] = describe(at, operation, byName(own));
  });
  return item;
}

const byName = (parameters: readonly JsonMap[]) =>
  parameters.toSorted((a, b) => (textAt(a, 'name') < textAt(b, 'name') ? -1 : 1));

function parametersOf({ resource, path, texts }: At, action: string): JsonMap[] {
  const { namespace, pretty } = texts.inPaths;
  const name = { ...namespace, name: 'name', description: `name of the ${resource.kind}` };
  return [
    ...texts.parameters[action === 'deletecollection' ? 'list' : action]!,
    ...(path.includes('{name}') ? [name] : []),
    ...(path.includes('{namespace}') ? [namespace] : []),
    pretty,
  ];
}

function describe(at: At, operation: Operation, parameters: JsonMap[]): JsonMap {
  const { resource } = at;
  const { group, version, kind } = resource;
  const { verb, action, body, reply, codes } = operation;
  const sub = /\{name\}\/(\w+)$/.exec(at.path)?.[1] ?? '';
  const trimmed = group.replace(/\.k8s\.io$/, '');
  const scope = resource.namespaced && !at.everywhere ? 'Namespaced' : '';
  const what = `${verb === 'deletecollection' ? 'Collection' : ''}${scope}${kind}${capital(sub)}${at.everywhere ? 'ForAllNamespaces' : ''}`;
  const content = (about: About, types: readonly string[]) => {
    const schema = refTo(nameOf(resource, about));
    return Object.fromEntries(types.map((type) => [type, { schema }]));
  };
  const answer = (code: string): [string, JsonMap] => {
    return [code, { description: meanings.get(code)!, content: content(reply, answers) }];
  };
  const sent = body && content(body, action === 'patch' ? patchTypes : answers);
  return {
    tags: [`${identifier(trimmed, false)}_${identifier(version, false)}`],
    description: descriptionOf(verb, sub, kind),
    operationId: `${verb.replace('collection', '')}${identifier(trimmed, true)}${identifier(version, true)}${identifier(what, true)}`,
    ...(parameters.length > 0 && { parameters }),
    ...(sent && { requestBody: { content: sent, ...(body !== 'deletion' && { required: true }) } }),
    responses: { ...Object.fromEntries(codes.map(answer)), 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
}

function nameOf({ group, version, kind, listKind }: Resource, about: About): string {
  if (about === 'object') return modelName(group, version, kind);
  return about === 'list' ? modelName(group, version, listKind) : metaNames[about];
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A text as a part of a name in programs. */
function identifier(text: string, capitalized: boolean): string {
  const words = text.split(/[^\p{L}\d_]+/u).map((word, i) => (i > 0 || capitalized ? capital(word) : word));
  return words.join('');
}

function descriptionOf(verb: string, sub: string, kind: string): string {
  const of = sub === '' ? '' : ` ${sub} of`;
  switch (verb) {
    case 'list':
      return `list objects of kind ${kind}`;
    case 'patch':
      return `partially update${of} the specified ${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'create':
    case 'delete':
      return `${verb}${articleFor(kind)}${kind}`;
    default:
      return `${verb}${of} the specified ${kind}`;
  }
}

/** What ends in one s is taken for several things. */
function articleFor(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return ' ';
  return /^[aeiou]/i.test(kind) ? ' an ' : ' a ';
}

// OpenAPI 2

/** An item of paths in the words of OpenAPI 2. */
export function oldItem(item: JsonMap, shared: OpenApiTexts['shared']): JsonMap {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      name === 'parameters' ? oldParameters(listAt(item, name), shared) : oldOperation(value, shared),
    ]),
  );
}

function oldOperation(value: JsonValue, shared: OpenApiTexts['shared']): JsonValue {
  if (!isJsonMap(value)) return value;
  const { requestBody, responses, parameters, ...rest } = value;
  const body = isJsonMap(requestBody) ? requestBody : undefined;
  const types = body && isJsonMap(body.content) ? Object.keys(body.content) : [];
  const sent = body
    ? [{ name: 'body', in: 'body', ...(body.required === true && { required: true }), schema: schemaIn(body) ?? {} }]
    : [];
  const all = oldParameters([...sent, ...listAt(parameters)], shared);
  const replies = Object.entries(isJsonMap(responses) ? responses : {}).map(([code, reply]) => {
    const { content: _, ...said } = isJsonMap(reply) ? reply : {};
    const schema = schemaIn(reply);
    return [code, { ...said, ...(schema && { schema }) }];
  });
  return {
    ...rest,
    consumes: types.length > 0 ? types : answers,
    produces: answers,
    schemes: ['https'],
    ...(all.length > 0 && { parameters: all }),
    responses: Object.fromEntries(replies),
  };
}

function schemaIn(value: JsonValue | undefined): JsonMap | undefined {
  const content = isJsonMap(value) && isJsonMap(value.content) ? Object.values(value.content)[0] : undefined;
  return isJsonMap(content) && isJsonMap(content.schema) ? content.schema : undefined;
}

/** Parameters that documents share are named. */
function oldParameters(parameters: readonly JsonValue[], shared: OpenApiTexts['shared']): JsonMap[] {
  const refs = Object.entries(shared);
  return parameters.filter(isJsonMap).map((one) => {
    const { schema, ...rest } = one;
    const old = one.in === 'body' ? one : { ...rest, ...(isJsonMap(schema) ? schema : {}) };
    const [name] = refs.find(([, other]) => sameJson(other, old)) ?? [];
    return name === undefined ? old : { $ref: `#/parameters/${name}` };
  });
}
