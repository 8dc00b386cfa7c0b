import { readJson } from '../gostd/json.ts';
import {
  BadSelector,
  type LabelSelector,
  matchesLabels,
  parseSelector,
  type SelectorWords,
} from '../gostd/labelSelector.ts';
import { quote } from '../gostd/quote.ts';
import type { Resource } from './discovery.ts';
import { type JsonMap, listAt, mapAt, textAt } from './json.ts';
import { type Reply, status } from './replies.ts';

// What a request says of the objects that it wants to have, or to be told of.

export interface Choice {
  /** Whether a label or field selector leaves some out. */
  readonly isPart: boolean;
  chooses(object: JsonMap): boolean;
}

export interface Listing extends Choice {
  readonly watches: boolean;
  readonly limit: number;
  /** Where a list goes on, and of which version. */
  readonly after: { readonly key: string; readonly version: number } | undefined;
  /** 0 where none is named. */
  readonly version: number;
  readonly isExact: boolean;
  /** A watch begins with what is there, and says when that was all. */
  readonly initial: boolean | undefined;
  readonly bookmarks: boolean;
}

/** As Go reads flags in a query: all but two words mean yes. */
const flag = (query: URLSearchParams, name: string) => query.has(name) && !['false', '0'].includes(query.get(name)!);

const badRequest = (message: string) => status(400, 'BadRequest', message);

/** What a request asks for, or why it cannot. */
export function listingOf(query: URLSearchParams, resource: Resource): Listing | Reply {
  const numbers = ['limit', 'timeoutSeconds'].map((name) => query.get(name) ?? '');
  const wrong = numbers.find((text) => text !== '' && !/^[-+]?\d+$/.test(text));
  if (wrong !== undefined) return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(wrong)}: invalid syntax`);
  const labels = labelsIn(query.get('labelSelector') ?? '');
  if ('code' in labels) return labels;
  const fields = fieldsIn(query.get('fieldSelector') ?? '', resource);
  if ('code' in fields) return fields;
  const watches = flag(query, 'watch');
  const invalid = problems(query, watches);
  if (invalid.length > 0) return invalidOptions(invalid);
  const given = query.get('resourceVersion') ?? '';
  if (!/^\d*$/.test(given)) return badVersion(given, watches);
  const token = query.get('continue') ?? '';
  const after = token === '' ? undefined : continued(token);
  if (after && 'code' in after) return after;
  return {
    ...{ watches, limit: Math.max(0, Number(numbers[0])), after, version: Number(given) },
    isExact: query.get('resourceVersionMatch') === 'Exact',
    initial: query.has('sendInitialEvents') ? flag(query, 'sendInitialEvents') : undefined,
    bookmarks: flag(query, 'allowWatchBookmarks'),
    isPart: labels.selector.length > 0 || fields.terms.length > 0,
    chooses: (object) => hasLabels(labels.selector, object) && fields.terms.every((term) => hasField(term, object)),
  };
}

function badVersion(given: string, watches: boolean): Reply {
  const why = `resourceVersion: Invalid value: ${quote(given)}: strconv.ParseUint: parsing ${quote(given)}: invalid syntax`;
  return watches ? status(500, '', why) : badRequest(`invalid resource version: ${why}`);
}

type Problem = readonly [type: string, field: string, message: string];

const match = 'resourceVersionMatch';

/** What the server validates of the options of a list or a watch. */
function problems(query: URLSearchParams, watches: boolean): Problem[] {
  const [version, matching] = [query.get('resourceVersion') ?? '', query.get(match) ?? ''];
  const forbidden = (field: string, why: string): Problem => ['FieldValueForbidden', field, `Forbidden: ${why}`];
  const unsupported = (names: string): Problem => {
    return ['FieldValueNotSupported', match, `Unsupported value: ${quote(matching)}: supported values: ${names}`];
  };
  const sends = query.has('sendInitialEvents');
  if (watches) {
    const found: Problem[] = [];
    if (query.get('continue')) found.push(forbidden(match, `${match} is forbidden when continue is provided`));
    if (!sends) {
      if (matching !== '')
        found.push(forbidden(match, `${match} is forbidden for watch unless sendInitialEvents is provided`));
      return found;
    }
    if (matching !== 'NotOlderThan') {
      found.push(forbidden(match, `sendInitialEvents requires setting ${match} to NotOlderThan`));
      if (matching !== '') found.push(unsupported('"NotOlderThan"'));
    }
    return found;
  }
  if (sends) return [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (matching === '') return [];
  const found: Problem[] = [];
  if (query.get('continue')) found.push(forbidden(match, `${match} is forbidden when continue is provided`));
  if (version === '') found.push(forbidden(match, `${match} is forbidden unless resourceVersion is provided`));
  if (matching !== 'Exact' && matching !== 'NotOlderThan') found.push(unsupported('"Exact", "NotOlderThan", ""'));
  if (matching === 'Exact' && version === '0') {
    found.push(forbidden(match, `${match} "exact" is forbidden for resourceVersion "0"`));
  }
  return found;
}

function invalidOptions(found: readonly Problem[]): Reply {
  const texts = found.map(([, field, message]) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = found.map(([reason, field, message]) => ({ reason, message, field }));
  const details = { group: 'meta.k8s.io', kind: 'ListOptions', causes };
  return status(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${said}`, details);
}

// Continuing

/** Where the rest of a list is asked for: behind a key, as things were at a version. */
export function continueToken(key: string, version: number): string {
  const json = JSON.stringify({ v: 'meta.k8s.io/v1', rv: version, start: `${key}\u0000` });
  return Buffer.from(json).toString('base64url');
}

function continued(token: string): { key: string; version: number } | Reply {
  const invalid = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const text = Buffer.from(token, 'base64url').toString('utf8');
  const read = readJson(text);
  if ('error' in read) return invalid(read.error.message);
  const { v, rv, start } = mapAt(JSON.parse(text));
  if (v !== 'meta.k8s.io/v1')
    return invalid(`server does not recognize this encoded version ${quote(String(v ?? ''))}`);
  if (typeof rv !== 'number' || rv <= 0)
    return invalid('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') return invalid('encoded start key empty (version meta.k8s.io/v1)');
  return { key: start.replace(/\0$/, ''), version: rv };
}

// Labels

const words: SelectorWords = {
  operator: (found) => `found '${found}', expected: in, notin, =, ==, !=, gt, lt`,
  key: (key, wrong) => `<nil>: Invalid value: ${quote(key)}: ${wrong}`,
  value: (value, key, nth, wrong) => `values[${nth}][${key}]: Invalid value: ${quote(value)}: ${wrong}`,
  integer: (value) =>
    `values[0]: Invalid value: ${quote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
  qualified: 'a valid label key',
};

function labelsIn(text: string): { readonly selector: LabelSelector } | Reply {
  try {
    return { selector: parseSelector(text, words) };
  } catch (error) {
    if (!(error instanceof BadSelector)) throw error;
    return badRequest(error.message);
  }
}

function hasLabels(selector: LabelSelector, object: JsonMap): boolean {
  if (selector.length === 0) return true;
  const labels = Object.entries(mapAt(object, 'metadata', 'labels')).map(
    ([key, value]) => [key, String(value)] as const,
  );
  return matchesLabels(selector, new Map(labels));
}

// Fields

interface Term {
  readonly path: string;
  readonly isNot: boolean;
  readonly wanted: string;
}

const hasField = ({ path, isNot, wanted }: Term, object: JsonMap) => (fieldAt(object, path) === wanted) !== isNot;

function fieldAt(object: JsonMap, path: string): string {
  const steps = path.split('.');
  const around = mapAt(object, ...steps.slice(0, -1));
  const value = around[steps.at(-1)!];
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

function fieldsIn(text: string, resource: Resource): { readonly terms: readonly Term[] } | Reply {
  const terms: Term[] = [];
  for (const part of termsOf(text)) {
    const term = termIn(part);
    if (!term) return badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
    if ('error' in term) return badRequest(`invalid field selector: ${term.error}`);
    terms.push(term);
  }
  const unknown = terms.find(({ path }) => !selectableFields(resource).includes(path));
  return unknown ? badRequest(unselectable(resource, unknown.path)) : { terms };
}

/** The parts between commas that no backslash stands before. */
function termsOf(text: string): string[] {
  return (text.match(/(?:[^,\\]|\\.?)+/gs) ?? []).filter((part) => part !== '');
}

function termIn(part: string): Term | { readonly error: string } | undefined {
  for (let i = 0; i < part.length; i++) {
    const operator = ['!=', '==', '='].find((one) => part.startsWith(one, i));
    if (!operator) continue;
    const wanted = unescaped(part.slice(i + operator.length));
    if (typeof wanted !== 'string') return wanted;
    return { path: part.slice(0, i), isNot: operator === '!=', wanted };
  }
  return undefined;
}

function unescaped(text: string): string | { readonly error: string } {
  let out = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (char === '\\') {
      const next = text[++i];
      if (next === undefined || !'\\,='.includes(next)) return { error: `invalid escape sequence: \\${next ?? ''}` };
      out += next;
    } else if (char === ',' || char === '=') return { error: `unescaped character in value: ${char.charCodeAt(0)}` };
    else out += char;
  }
  return out;
}

const everywhere = ['metadata.name', 'metadata.namespace'];

/** The fields of built-in kinds that objects can be chosen by, beside their names. */
const ofKinds: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['spec.nodeName', 'spec.restartPolicy', 'spec.schedulerName', 'spec.serviceAccountName', 'status.phase']],
  ['Namespace', ['status.phase']],
  ['Node', ['spec.unschedulable']],
  ['Secret', ['type']],
  ['ReplicaSet', ['status.replicas']],
  ['ReplicationController', ['status.replicas']],
  ['Job', ['status.successful']],
  ['Service', ['spec.clusterIP', 'spec.type']],
  ['CertificateSigningRequest', ['spec.signerName']],
  [
    'Event',
    ['involvedObject.kind', 'involvedObject.namespace', 'involvedObject.name', 'involvedObject.uid', 'reason', 'type'],
  ],
]);

function selectableFields({ crd, version, kind, builtin }: Resource): readonly string[] {
  const of = listAt(crd, 'spec', 'versions').find((one) => textAt(one, 'name') === version);
  const own = listAt(of, 'selectableFields').map((field) => textAt(field, 'jsonPath').slice(1));
  return [...everywhere, ...own, ...((builtin && ofKinds.get(kind)) ?? [])];
}

function unselectable({ builtin, kind }: Resource, path: string): string {
  const isPlain = builtin && !ofKinds.has(kind);
  return isPlain
    ? `${quote(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    : `field label not supported: ${path}`;
}
