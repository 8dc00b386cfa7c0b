import { isList, isMap, isString, type Path, type Value, type ValueMap } from '../base/value.ts';
import type { Operation } from '../kubernetes/policy/matching.ts';
import type { Bases, KeysFor, ObjectSpec, Reader } from './reader.ts';

// Tests of admission policies: what `*.crdtest.yaml` says beside `policy`. docs/testing.md teaches it.

/** Which policies are tested, and what is around them. */
export interface PolicyPart {
  /** Files and globs with policies, and with what belongs to them: bindings, parameters, namespaces. */
  readonly files: readonly string[];
  /** More such objects, written in the tests. */
  readonly objects: readonly Value[];
  /** Who asks where a case does not say it. */
  readonly user: TestUser | undefined;
  readonly access: readonly AccessRow[] | undefined;
}

export interface TestUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** A row of what users may do: the first that fits answers. What it does not name, it does not ask about. */
export interface AccessRow {
  readonly lists: ReadonlyMap<AccessList, readonly string[]>;
  readonly decision: 'allow' | 'deny' | 'no opinion';
  readonly reason: string;
  readonly error: string | undefined;
}

const accessLists = [
  ...(['users', 'groups', 'verbs', 'apiGroups', 'resources'] as const),
  ...(['resourceNames', 'namespaces', 'nonResourceURLs'] as const),
];
export type AccessList = (typeof accessLists)[number];

/** A request that comes to be admitted. */
export interface AdmitRequest {
  readonly verb: 'admit';
  readonly operation: Operation;
  /** Undefined where it is deleted. */
  readonly object: ObjectSpec | undefined;
  /** Undefined where it is new. */
  readonly from: ObjectSpec | undefined;
  readonly subresource: string;
  readonly user: TestUser | undefined;
  readonly access: readonly AccessRow[] | undefined;
  readonly options: ValueMap;
}

export interface ExpectedAdmission {
  readonly denied: readonly ExpectedDenial[];
  /** Whether there may be other denials. */
  readonly more: boolean;
  /** Whether no policy is to look at the request. */
  readonly unmatched: boolean;
  readonly audit: ValueMap | undefined;
  /** The webhooks that are called, by name. */
  readonly called: readonly string[] | undefined;
}

const denialKeys = ['policy', 'binding', 'message', 'contains', 'reason'] as const;

/** A denial is the expected one if it has all that is named. */
export type ExpectedDenial = Readonly<Partial<Record<(typeof denialKeys)[number], string>>>;

export const policyKeys = ['policy', 'objects', 'user', 'access'];

const ofRequest = [
  ...['user', 'access', 'options', 'subresource', 'expect', 'denied', 'errors', 'warnings', 'audit', 'called', 'cost'],
];
const ofNew = ['stored', 'exactly', 'each'];

export const admitKeys: KeysFor = {
  create: [...ofRequest, ...ofNew],
  update: [...ofRequest, ...ofNew],
  status: [...ofRequest, ...ofNew],
  delete: ofRequest,
  connect: ofRequest,
};

const operations: ReadonlyMap<string, Operation> = new Map([
  ['create', 'CREATE'],
  ['update', 'UPDATE'],
  ['status', 'UPDATE'],
  ['delete', 'DELETE'],
  ['connect', 'CONNECT'],
]);

export function readPolicyPart(reader: Reader, root: ValueMap): PolicyPart {
  const files = reader.files(root, 'policy');
  const objects = reader.list(root, [], 'objects') ?? [];
  for (const [i, one] of objects.entries())
    if (!isMap(one)) reader.wrong(['objects', i], 'expected an object, such as a namespace or parameters');
  return { files, objects, user: readUser(reader, root, []), access: readAccess(reader, root, []) };
}

/** Every user who was authenticated is in it. */
const ofEverybody = ['system:authenticated'];

function readUser(reader: Reader, map: ValueMap, path: Path): TestUser | undefined {
  const user = map.get('user');
  if (isString(user)) return { name: user, uid: '', groups: ofEverybody, extra: new Map() };
  const found = reader.map(map, path, 'user');
  if (!found) return undefined;
  const at = [...path, 'user'];
  reader.keys(found, at, ['name', 'uid', 'groups', 'extra']);
  const name = reader.text(found, at, 'name');
  if (name === undefined) reader.wrong(at, 'expected a `name`');
  const extra = [...(reader.map(found, at, 'extra') ?? [])].map(
    ([key, values]) => [key, isList(values) ? values.filter(isString) : [String(values)]] as const,
  );
  return {
    name: name ?? '',
    uid: reader.text(found, at, 'uid') ?? '',
    groups: [...new Set([...(texts(reader, found, at, 'groups') ?? []), ...ofEverybody])],
    extra: new Map(extra),
  };
}

/** A list of texts; a single one may stand for it. */
function texts(reader: Reader, map: ValueMap, path: Path, key: string): readonly string[] | undefined {
  const value = map.get(key) ?? undefined;
  if (value === undefined) return undefined;
  if (isString(value)) return [value];
  if (isList(value) && value.every(isString)) return value;
  return reader.wrong([...path, key], `expected \`${key}\` to be a list of strings`);
}

const decisions = ['allow', 'deny', 'no opinion'] as const;

function readAccess(reader: Reader, map: ValueMap, path: Path): readonly AccessRow[] | undefined {
  return reader.list(map, path, 'access')?.flatMap((row, i): AccessRow[] => {
    const at = [...path, 'access', i];
    if (!isMap(row)) return reader.wrong(at, 'expected a row such as `{verbs: [get], resources: [secrets]}`') ?? [];
    reader.keys(row, at, [...accessLists, 'decision', 'reason', 'error']);
    const lists = accessLists.flatMap((key) => {
      const found = texts(reader, row, at, key);
      return found ? [[key, found] as const] : [];
    });
    const said = reader.text(row, at, 'decision') ?? 'allow';
    const decision = decisions.find((one) => one === said);
    if (!decision)
      reader.wrong([...at, 'decision'], 'expected `allow`, `deny` or `no opinion`', { known: [...decisions] });
    return [
      {
        lists: new Map(lists),
        decision: decision ?? 'allow',
        reason: reader.text(row, at, 'reason') ?? '',
        error: reader.text(row, at, 'error'),
      },
    ];
  });
}

export function readAdmit(
  reader: Reader,
  value: ValueMap,
  verb: string,
  path: Path,
  bases: Bases,
  policy: PolicyPart,
): AdmitRequest | undefined {
  const objects = objectsOf(reader, value, verb, path, bases);
  if (!objects) return undefined;
  return {
    verb: 'admit',
    operation: operations.get(verb)!,
    ...objects,
    subresource: reader.text(value, path, 'subresource') ?? (verb === 'status' ? 'status' : ''),
    user: readUser(reader, value, path) ?? policy.user,
    access: readAccess(reader, value, path) ?? policy.access,
    options: reader.map(value, path, 'options') ?? new Map(),
  };
}

function objectsOf(reader: Reader, value: ValueMap, verb: string, path: Path, bases: Bases) {
  if (verb === 'update' || verb === 'status') return reader.change(value, verb, path, bases);
  const object = reader.object(value.get(verb)!, [...path, verb], bases);
  return verb === 'delete' ? { object: undefined, from: object } : { object, from: undefined };
}

const outcomes = ['admitted', 'denied', 'not matched'];

export function readExpectedAdmission(reader: Reader, value: ValueMap, path: Path): ExpectedAdmission {
  const said = value.get('expect');
  if (said !== undefined && !(isString(said) && outcomes.includes(said)))
    reader.wrong([...path, 'expect'], 'expected `admitted`, `denied` or `not matched`', { known: outcomes });
  if (said !== undefined && said !== 'denied' && value.has('denied'))
    reader.wrong([...path, 'denied'], `a request that is denied is not ${said}`);
  const list = reader.list(value, path, 'denied');
  const denied = (list ?? []).flatMap((one, i) => readDenial(reader, one, [...path, 'denied', i]));
  return {
    denied: said === 'denied' && !list ? [{}] : denied,
    more: (list ?? []).includes('and more') || (said === 'denied' && !list),
    unmatched: said === 'not matched',
    audit: reader.map(value, path, 'audit'),
    called: texts(reader, value, path, 'called'),
  };
}

export function admissionOutcome(value: ValueMap): 'errors' | 'valid' {
  return value.has('errors') ? 'errors' : 'valid';
}

function readDenial(reader: Reader, value: Value, path: Path): ExpectedDenial[] {
  if (value === 'and more') return [];
  if (isString(value)) return [{ contains: value }];
  if (!isMap(value)) {
    reader.wrong(
      path,
      'expected a part of the message, or a map with `policy`, `binding`, `message`, `contains` or `reason`',
    );
    return [];
  }
  reader.keys(value, path, denialKeys);
  const rows = denialKeys.map((key) => [key, reader.text(value, path, key)] as const);
  return [Object.fromEntries(rows.filter(([, text]) => text !== undefined))];
}

/** What a row of a table says of policies: which denial comes. */
export function rowAdmission(
  reader: Reader,
  row: ValueMap,
  path: Path,
  usual: ExpectedAdmission | undefined,
): ExpectedAdmission | undefined {
  if (!row.has('denied') || !usual) return usual;
  const said = row.get('denied')!;
  const list = isList(said) ? said : [said];
  const denied = list.flatMap((one, i) =>
    readDenial(reader, one, isList(said) ? [...path, 'denied', i] : [...path, 'denied']),
  );
  return { ...usual, denied, more: list.includes('and more') };
}
