import { isList, isMap, isString, type Path, type Value, type ValueMap, valueAt } from '../../base/value.ts';
import { printJson } from '../../gostd/jsonPrint.ts';
import type { Touched } from '../../kubernetes/cr/correlate.ts';
import { createResource, receivedResource } from '../../kubernetes/cr/create.ts';
import type { CrFinding, SchemaFacts } from '../../kubernetes/cr/findings.ts';
import { type ServedCrd, serveCrd } from '../../kubernetes/cr/served.ts';
import { kept } from '../../kubernetes/cr/storage.ts';
import { type ResourceUpdateOptions, updateResource } from '../../kubernetes/cr/update.ts';
import { errorTitles } from '../../kubernetes/field.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Structural } from '../../kubernetes/schema/structural.ts';
import { splitApiVersion } from '../../workspace/manifest.ts';

// What a changed CRD does to an object that a cluster stores: the API server's own answers to the writes that come next.

/**
 * Which writes of an object are refused: every one, one that changes something else, or only one that changes what is
 * wrong. Each holds for those after it as well.
 */
export const refusedWrites = ['every', 'other', 'own'] as const;
export type RefusedWrite = (typeof refusedWrites)[number];

/** What the API server has against writes of an object. */
export interface StoredFault {
  /** What is written: the object, or its status by itself. */
  readonly endpoint: 'object' | 'status';
  readonly write: RefusedWrite;
  /** Where it is, with `[*]` for each item and key, which may be as secret as values. */
  readonly field: string;
  /** What is wrong, without a value of the object. */
  readonly said: string;
  /** In the API server's words, values included. */
  readonly inFull: string;
}

/** A field that the object loses, and who has written it. */
export interface LostField {
  readonly field: string;
  readonly writers: readonly Writer[];
}

export interface Writer {
  readonly manager: string;
  /** When it last wrote; empty where that is not noted. */
  readonly time: string;
}

export interface StoredOutcome {
  readonly faults: readonly StoredFault[];
  /** What the API server had against writes of it before: that stays, whatever the new CRD says. */
  readonly wrongBefore: boolean;
  /** What the schema of its version no longer knows. */
  readonly lost: readonly LostField[];
  /** What the version that it is stored in from now on does not know. */
  readonly lostInStorage: readonly string[];
  /** What it gets by defaults. */
  readonly added: readonly string[];
  /** Why nothing can be said of it; undefined where something is. */
  readonly notJudged?: string;
}

export type StoredJudge = (object: ValueMap) => StoredOutcome;

/** What becomes of the stored objects of a kind; or why that cannot be said of any. */
export function storedJudge(
  old: Value | undefined,
  now: Value,
  kubernetes: KubernetesVersion,
): StoredJudge | { readonly error: string } {
  const after = serveCrd(now, kubernetes);
  if ('error' in after) return after;
  const served = old === undefined ? undefined : serveCrd(old, kubernetes);
  const before = served && 'error' in served ? undefined : served;
  return (object) => outcomeOf(withoutManagers(object), managersOf(object), before, after, kubernetes);
}

/** What is said of an object of which nothing can be said. */
export function notJudged(why: string): StoredOutcome {
  return { faults: [], wrongBefore: false, lost: [], lostInStorage: [], added: [], notJudged: why };
}

const managersOf = (object: ValueMap) => valueAt(object, ['metadata', 'managedFields']);

/** No verdict rests on who manages what, which is half of many objects. */
function withoutManagers(object: ValueMap): ValueMap {
  const metadata = object.get('metadata');
  if (!isMap(metadata) || !metadata.has('managedFields')) return object;
  const rest = new Map(metadata);
  rest.delete('managedFields');
  return new Map(object).set('metadata', rest);
}

function outcomeOf(
  object: ValueMap,
  managed: Value | undefined,
  before: ServedCrd | undefined,
  after: ServedCrd,
  kubernetes: KubernetesVersion,
): StoredOutcome {
  const read = asRead(object, after);
  if ('why' in read) return notJudged(read.why);
  const { value } = read;
  const { decode, strict } = createResource(value, after, { kubernetes });
  if (decode) return notJudged(`its ${decode.path.join('.') || 'text'} cannot be decoded`);
  const found = faultsOf(value, after, kubernetes);
  const known = new Set(found.length > 0 && before ? faultsOf(object, before, kubernetes).map(keyOf) : []);
  const faults = found.filter((one) => !known.has(keyOf(one)));
  const lost = strict.map(({ path }) => path);
  const unknownBefore = new Set(
    lost.length > 0 && before
      ? createResource(object, before, { kubernetes }).strict.map(({ message }) => message)
      : [],
  );
  const isNew = strict.map(({ message }) => !unknownBefore.has(message));
  const storage = kept(value, after);
  const schema = { now: schemaOf(value, after), old: before && schemaOf(object, before) };
  return {
    faults,
    wrongBefore: faults.length < found.length,
    lost: lost.flatMap((path, i) =>
      isNew[i] ? [{ field: fieldText(path, schema), writers: writersOf(path, managed) }] : [],
    ),
    lostInStorage:
      storage && storage.served.version !== versionOf(value)
        ? storage.lost.map(({ path }) => fieldText(path, schema))
        : [],
    added: addedFields(value, receivedResource(value, after, { kubernetes }), schema),
  };
}

const keyOf = ({ endpoint, field, said }: StoredFault) => `${endpoint}\0${field}\0${said}`;

const schemaOf = (object: ValueMap, crd: ServedCrd) => crd.versions.get(versionOf(object))?.structural;

const versionOf = (object: ValueMap) => {
  const apiVersion = object.get('apiVersion');
  return isString(apiVersion) ? splitApiVersion(apiVersion).version : '';
};

/** The object as clients will read it: in its own version, or in another if that one is no longer served. */
function asRead(object: ValueMap, { lowered }: ServedCrd): { readonly value: ValueMap } | { readonly why: string } {
  const own = versionOf(object);
  const served = lowered.versions.filter((version) => version.served);
  if (served.some(({ name }) => name === own)) return { value: object };
  const next = served.find(({ storage }) => storage) ?? served[0];
  if (!next) return { why: 'no version is served' };
  if (lowered.convertedByWebhook)
    return { why: `${own} is no longer served, and a webhook converts it to ${next.name}` };
  return { value: new Map(object).set('apiVersion', `${lowered.group}/${next.name}`) };
}

/** All that is wrong with an object that is written again; with each, which of the writes it refuses. */
function faultsOf(object: ValueMap, crd: ServedCrd, kubernetes: KubernetesVersion): StoredFault[] {
  const hasStatus = crd.versions.get(versionOf(object))?.hasStatus === true;
  const own = [...object.keys()].filter((key) => !(hasStatus && key === 'status'));
  return [
    ...faultsAt(object, crd, { kubernetes }, { whole: own }, { field: 'spec', whole: [] }),
    ...(hasStatus
      ? faultsAt(
          object,
          crd,
          { kubernetes, subresource: 'status' },
          { whole: ['status'] },
          { field: 'status', whole: [] },
        )
      : []),
  ];
}

/** The same of one endpoint: of writes of all that it takes, of something else, and of nothing. */
function faultsAt(
  object: ValueMap,
  crd: ServedCrd,
  options: ResourceUpdateOptions,
  all: Touched,
  other: Touched,
): StoredFault[] {
  const errors = (touched?: Touched) =>
    updateResource(object, object, crd, { ...options, touched }).errors.filter(({ code }) => code !== notChecked);
  const own = errors(all);
  // What passes where nothing is forgiven passes always, as most objects do.
  if (own.length === 0) return [];
  const byWrite = { every: errors(), other: errors(other), own };
  // Rules are not run where something else is wrong already, so that each may say what the others do not.
  const known = new Set<string>();
  return refusedWrites.flatMap((write) =>
    byWrite[write].flatMap((finding) => {
      const place = placeOf(finding);
      if (known.has(place)) return [];
      known.add(place);
      return [
        {
          endpoint: options.subresource ?? 'object',
          write,
          ...wordsOf(finding, { now: schemaOf(object, crd), old: undefined }),
        },
      ];
    }),
  );
}

/** That rules were not checked is no further fault. */
const notChecked = 'cr/rules-not-checked';

const placeOf = ({ code, field, message }: CrFinding) => `${code}\0${field}\0${message}`;

function wordsOf(finding: CrFinding, schema: Schemas): Pick<StoredFault, 'field' | 'said' | 'inFull'> {
  const { path, missing = [], field, message } = finding;
  const at = [...path, ...(missing.length === 1 ? missing : [])];
  return { field: fieldText(at, schema), said: withoutValues(finding), inFull: `${field}: ${message}` };
}

/** What is wrong, in words that hold nothing of the object. */
function withoutValues(finding: CrFinding): string {
  if (finding.code === 'cr/rule' || finding.code === 'cr/rule-unchanged') {
    const { rule, kind } = finding.facts;
    if (!rule) return 'its rules cannot be evaluated';
    // A messageExpression may tell anything of the object.
    const text = rule.message || rule.rule.replace(/\s+/g, ' ').trim();
    return kind === 'failed' ? `rule: ${text}` : `rule that cannot be evaluated: ${text}`;
  }
  // Of what is said beyond the schema only the sort: the words may show values.
  return finding.facts && 'keyword' in finding.facts ? schemaWords(finding.facts) : errorTitles[finding.type];
}

/** What a schema has against a value, made of the schema alone: the API server's own words may show values and keys. */
function schemaWords({ keyword, schema, limit, allowed = [] }: SchemaFacts): string {
  const most = limit ?? 'the limit';
  const words: Readonly<Record<SchemaFacts['keyword'], () => string>> = {
    type: () => `must be of type ${schema?.type || 'its schema'}`,
    format: () => `must be of format ${schema?.format || 'its schema'}`,
    required: () => 'is required',
    enum: () => `must be one of ${allowed.map((one) => printJson(one)).join(', ')}`,
    maxLength: () => `must be at most ${most} characters long`,
    minLength: () => `must be at least ${most} characters long`,
    pattern: () => `must match ${schema?.pattern ?? 'its pattern'}`,
    maximum: () => `must be ${schema?.exclusiveMaximum ? 'less than' : 'at most'} ${schema?.maximum ?? most}`,
    minimum: () => `must be ${schema?.exclusiveMinimum ? 'more than' : 'at least'} ${schema?.minimum ?? most}`,
    multipleOf: () => `must be a multiple of ${schema?.multipleOf ?? 'the step'}`,
    maxItems: () => `must have at most ${most} items`,
    minItems: () => `must have at least ${most} items`,
    maxProperties: () => `must have at most ${most} fields`,
    minProperties: () => `must have at least ${most} fields`,
    additionalProperties: () => 'has a field that is not allowed',
    junctor: () => 'does not fit allOf, anyOf, oneOf or not',
    range: () => 'is a number out of range',
  };
  return words[keyword]();
}

/** The schemas of an object: of what is lost only the old one tells whether it is a field or the key of a map. */
interface Schemas {
  readonly now: Structural | undefined;
  readonly old: Structural | undefined;
}

/** A path as a field, with `[*]` for each item and for each key of a map, in whichever schema it is one. */
function fieldText(path: Path, { now, old }: Schemas): string {
  let nodes = [now, old];
  let text = '';
  for (const step of path) {
    const isField = nodes.some((node) => node?.properties?.has(`${step}`));
    const isKey = typeof step === 'number' || (!isField && nodes.some(takesAnyKey));
    text += isKey ? '[*]' : text === '' ? step : `.${step}`;
    nodes = nodes.map((node) => below(node, step));
  }
  return text;
}

const takesAnyKey = (node: Structural | undefined) =>
  node?.additionalProperties !== undefined || node?.extensions.preserveUnknownFields === true;

function below(node: Structural | undefined, step: string | number): Structural | undefined {
  if (typeof step === 'number') return node?.items;
  const inner = node?.properties?.get(step) ?? node?.additionalProperties?.schema;
  // What is in a part that takes anything is as little known as that.
  return inner ?? (node?.extensions.preserveUnknownFields === true ? node : undefined);
}

/** The fields that are in one and not in the other; of one that is new with all in it, itself alone. */
function addedFields(before: Value, after: Value | undefined, schema: Schemas): string[] {
  const found = new Set<string>();
  const visit = (old: Value | undefined, now: Value | undefined, path: Path) => {
    if (isList(now) && isList(old)) for (const [i, item] of now.entries()) visit(old[i], item, [...path, i]);
    if (!isMap(now) || !isMap(old)) return;
    for (const [key, item] of now) {
      if (old.has(key)) visit(old.get(key), item, [...path, key]);
      else found.add(fieldText([...path, key], schema));
    }
  };
  const inner = (value: Value | undefined) =>
    isMap(value) ? new Map([...value].filter(([key]) => key !== 'metadata')) : undefined;
  visit(inner(before), inner(after), []);
  return [...found];
}

/** Who has written a field, as `managedFields` tells. */
function writersOf(path: Path, managed: Value | undefined): Writer[] {
  if (!isList(managed)) return [];
  return managed.flatMap((entry) => {
    if (!isMap(entry) || !owns(entry.get('fieldsV1'), path)) return [];
    const [manager, time] = ['manager', 'time'].map((key) => entry.get(key));
    return isString(manager) ? [{ manager, time: isString(time) ? time : '' }] : [];
  });
}

/** Items are told by their keys or values there, so any of them may be the one. */
function owns(fields: Value | undefined, [step, ...rest]: Path): boolean {
  if (!isMap(fields)) return false;
  if (step === undefined) return true;
  if (typeof step === 'string') return owns(fields.get(`f:${step}`), rest);
  return [...fields].some(([key, inner]) => key !== '.' && owns(inner, rest));
}
