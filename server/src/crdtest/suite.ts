import { shortened } from '../base/text.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap } from '../base/value.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Mistake } from '../workspace/mistake.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { valueOf } from '../yaml/value.ts';
import { type Asked, type EvaluateRequest, readEvaluate } from './evaluateSuite.ts';
import {
  type AdmitRequest,
  admissionOutcome,
  admitKeys,
  type ExpectedAdmission,
  type PolicyPart,
  policyKeys,
  readAdmit,
  readExpectedAdmission,
  readPolicyPart,
  rowAdmission,
} from './policySuite.ts';
import { type Bases, inShort, type KeysFor, type ObjectSpec, Reader, wrongAt } from './reader.ts';

// `*.crdtest.yaml`: what a CRD promises, as cases. docs/testing.md teaches it.

/** A file of tests as it was written, checked. */
export interface Suite {
  /** The file, glob or kind that says which CRD is meant; tests of policies need none. */
  readonly crd: CrdRef | undefined;
  /** Which policies are meant; undefined in tests of a CRD. */
  readonly policy: PolicyPart | undefined;
  /** The files whose expressions are meant, which belong to neither. */
  readonly expressions: readonly string[] | undefined;
  /** As `kubeCrd.kubernetesVersion`; undefined where the settings decide. */
  readonly kubernetes: string | undefined;
  readonly bases: ReadonlyMap<string, Value>;
  readonly cases: readonly TestCase[];
}

export type CrdRef = { readonly path: string } | { readonly kind: string; readonly group: string | undefined };

export interface TestCase {
  readonly name: string;
  /** Where it is in the document. */
  readonly path: Path;
  readonly request: TestRequest;
  readonly expected: Expected;
}

export type TestRequest =
  | { readonly verb: 'create'; readonly object: ObjectSpec }
  | {
      readonly verb: 'update' | 'status';
      readonly from: ObjectSpec;
      readonly object: ObjectSpec;
      /** What becomes of the CRD before the update. */
      readonly crd: ValueMap | undefined;
    }
  | { readonly verb: 'rule'; readonly rule: string; readonly self: Value; readonly oldSelf: Value | undefined }
  | AdmitRequest
  | EvaluateRequest;

/** A request that is about objects. */
export type ObjectRequest = Exclude<TestRequest, { readonly verb: 'rule' | 'evaluate' }>;

export function isOfObjects(request: TestRequest): request is ObjectRequest {
  return request.verb !== 'rule' && request.verb !== 'evaluate';
}

/** The objects of a request, as they are given. */
export function specsOf(request: TestRequest): readonly ObjectSpec[] {
  if (!isOfObjects(request)) return [];
  const specs = request.verb === 'create' ? [request.object] : [request.object, request.from];
  return specs.filter((spec) => spec !== undefined);
}

/** What becomes of the CRD before a request. */
export function crdPatchOf(request: TestRequest): ValueMap | undefined {
  return request.verb === 'update' || request.verb === 'status' ? request.crd : undefined;
}

/** What is expected of a request; a rule alone is true, false or an error. */
export interface Expected {
  readonly outcome: 'valid' | 'errors' | 'true' | 'false' | 'error';
  readonly errors: readonly ExpectedError[];
  /** Whether there may be other errors. */
  readonly more: boolean;
  readonly warnings: readonly ExpectedError[] | undefined;
  readonly stored: Value | undefined;
  /** Whether `stored` is all that is stored. */
  readonly exactly: boolean;
  readonly message: string | undefined;
  /** What evaluating a rule, or all policies together, may cost at most. */
  readonly cost: bigint | undefined;
  /** What policies are to say. */
  readonly admission?: ExpectedAdmission;
  /** What an expression comes to, where that is said; maps as far as they name something. */
  readonly value?: Value;
}

/** What the cases of a suite are about, and the key that names it. */
export function subjectOf(suite: Suite): { readonly key: string; readonly what: string } {
  if (suite.expressions) return { key: 'expressions', what: 'expressions' };
  return suite.policy ? { key: 'policy', what: 'policies' } : { key: 'crd', what: 'CRD' };
}

/** The versions in which the cases of a suite run: its own, or else the usual ones. */
export function versionsOf({ kubernetes }: Suite, usual: readonly KubernetesVersion[]): readonly KubernetesVersion[] {
  return kubernetes === undefined ? usual : (versionsNamed(kubernetes) ?? []);
}

/** A name that no case has yet: this one, or the first number behind it that makes it another. */
export function freeName(name: string, cases: readonly TestCase[]): string {
  return freeAmong(name, new Set(cases.map((one) => one.name)));
}

export function freeAmong(name: string, taken: ReadonlySet<string>): string {
  let now = name;
  for (let i = 2; taken.has(now); i++) now = `${name} (${i})`;
  return now;
}

/** An error is the expected one if it has all that is named. */
export interface ExpectedError {
  readonly field?: string;
  readonly message?: string;
  readonly contains?: string;
  readonly code?: string;
}

/** Whether a document is one of tests: another may lie in the same file. */
export function readSuite(document: YamlDocument): {
  readonly suite: Suite | undefined;
  readonly mistakes: Mistake[];
} {
  const mistakes: Mistake[] = [];
  const root = valueOf(document);
  if (!isMap(root))
    return {
      suite: undefined,
      mistakes: root === undefined || root === null ? [] : [wrongAt([], 'expected `crd` and `cases`')],
    };
  const reader = new SuiteReader(mistakes);
  if (root.has('expressions')) return { suite: reader.expressionSuite(root, document), mistakes };
  const policy = root.has('policy') ? reader.policy(root) : undefined;
  reader.keys(root, [], ['crd', 'kubernetes', 'bases', 'cases', ...(policy ? policyKeys : ['policy', 'expressions'])]);
  const bases = reader.map(root, [], 'bases') ?? new Map<string, Value>();
  const crd = policy && !root.has('crd') ? undefined : reader.crd(root);
  const cases = reader.list(root, [], 'cases') ?? [];
  if (!root.has('cases')) mistakes.push(wrongAt([], 'expected `cases`'));
  const suite: Suite = {
    crd,
    policy,
    expressions: undefined,
    kubernetes: reader.version(root, document),
    bases,
    cases: cases.flatMap((one, i) => reader.cases(one, ['cases', i], bases, policy)),
  };
  return { suite, mistakes };
}

/** The CRD that a document of tests names, as far as it can be read. */
export function crdRefIn(root: ValueMap): CrdRef | undefined {
  const crd = root.get('crd');
  if (isString(crd)) return { path: crd };
  const [kind, group] = isMap(crd) ? [crd.get('kind'), crd.get('group')] : [];
  return isString(kind) ? { kind, group: isString(group) ? group : undefined } : undefined;
}

const ofObjects = ['each', 'expect', 'errors', 'warnings', 'stored', 'exactly'];
const keysFor: KeysFor = {
  create: ofObjects,
  update: ['crd', ...ofObjects],
  status: ['crd', ...ofObjects],
  rule: ['self', 'oldSelf', 'expect', 'message', 'cost'],
};
/** What of a row of a table is no path. */
export const saidInRows: ReadonlySet<string> = new Set(['error', 'errors', 'denied']);

/** Reads the parts of a suite. */
class SuiteReader extends Reader {
  crd(root: ValueMap): CrdRef {
    const crd = root.get('crd');
    if (isMap(crd)) {
      this.keys(crd, ['crd'], ['kind', 'group']);
      for (const key of ['kind', 'group']) this.text(crd, ['crd'], key);
    }
    const ref = crdRefIn(root);
    if (ref) return ref;
    this.wrong(crd === undefined ? [] : ['crd'], 'expected `crd`: a file, or the `kind` of one in the workspace');
    return { path: '' };
  }

  /** Versions look like numbers to YAML, and 1.30 is not 1.3: what was written counts. */
  version(root: ValueMap, document: YamlDocument): string | undefined {
    const value = root.get('kubernetes') ?? undefined;
    if (value === undefined) return undefined;
    const written = rangeOf(document, ['kubernetes'], 'value');
    const text =
      typeof value === 'string' || !written ? String(value) : document.text.slice(written.start, written.end);
    return versionsNamed(text)
      ? text
      : this.wrong(['kubernetes'], 'expected known Kubernetes versions, such as 1.34 or 1.33..1.37');
  }

  policy(root: ValueMap): PolicyPart {
    return readPolicyPart(this, root);
  }

  expressionSuite(root: ValueMap, document: YamlDocument): Suite {
    this.keys(root, [], ['expressions', 'kubernetes', 'cases']);
    if (!root.has('cases')) this.wrong([], 'expected `cases`');
    const cases = this.list(root, [], 'cases') ?? [];
    return {
      crd: undefined,
      policy: undefined,
      expressions: this.files(root, 'expressions'),
      kubernetes: this.version(root, document),
      bases: new Map(),
      cases: cases.flatMap((one, i) => this.#evaluations(one, ['cases', i])),
    };
  }

  #evaluations(value: Value, path: Path): TestCase[] {
    if (!isMap(value)) return this.wrong(path, 'expected a case: a map with a `name`') ?? [];
    const name = this.text(value, path, 'name');
    if (name === undefined) this.wrong(path, 'expected a `name`');
    return readEvaluate(this, value, path).map(({ request, said, path: at, row }: Asked): TestCase => {
      const { errors, more } = said.has('error')
        ? { errors: this.#error(said.get('error')!, [...at, 'error']), more: false }
        : { errors: [], more: false };
      if (said.has('error') && said.has('value'))
        this.wrong([...at, 'value'], 'an expression that fails has no value; expected one of the two');
      const expected: Expected = {
        outcome: errors.length > 0 ? 'errors' : 'valid',
        errors,
        more,
        warnings: undefined,
        stored: undefined,
        exactly: false,
        message: undefined,
        cost: this.#cost(said, at),
        ...(said.has('value') && { value: said.get('value')! }),
      };
      const shown = row ? `${inShort(name ?? '')} [${rowText(row)}]` : (name ?? '');
      return { name: shown, path: at, request, expected };
    });
  }

  #cost(value: ValueMap, path: Path): bigint | undefined {
    const cost = value.get('cost') ?? undefined;
    return cost === undefined || typeof cost === 'bigint'
      ? cost
      : this.wrong([...path, 'cost'], 'expected `cost` to be a whole number');
  }

  /** A case, or several, where it has a table. */
  cases(value: Value, path: Path, bases: Bases, policy: PolicyPart | undefined): TestCase[] {
    if (!isMap(value)) return this.wrong(path, 'expected a case: a map with a `name`') ?? [];
    const keys: KeysFor = policy ? admitKeys : keysFor;
    const verbs = Object.keys(keys);
    const named = verbs.filter((verb) => value.has(verb));
    const asked = named.length === 0 ? verbs : named;
    this.keys(value, path, ['name', ...asked, ...asked.flatMap((verb) => keys[verb] ?? [])]);
    const name = this.text(value, path, 'name');
    if (name === undefined) this.wrong(path, 'expected a `name`');
    const [verb, ...more] = named;
    if (!verb || more.length > 0) return this.#noVerb(verbs, more[0], path, bases) ?? [];
    const request = policy
      ? readAdmit(this, value, verb, path, bases, policy)
      : this.#request(value, verb, path, bases);
    if (!request) return [];
    const expected = this.#expected(value, path, request);
    const one: TestCase = { name: name ?? '', path, request, expected };
    const table = this.list(value, path, 'each');
    if (table?.length === 0) this.wrong([...path, 'each'], 'expected `each` to have rows');
    return table ? table.flatMap((row, i) => this.#row(one, row, [...path, 'each', i])) : [one];
  }

  #row(one: TestCase, row: Value, path: Path): TestCase[] {
    if (!isMap(row)) return this.wrong(path, 'expected paths with their values, such as `{spec.size: 0}`') ?? [];
    const { request } = one;
    if (!isOfObjects(request))
      return this.wrong(path, 'a rule alone has no table; write one case for each value') ?? [];
    // Of a deletion a table was said to be none before.
    if (!request.object) return [];
    const values = new Map([...row].filter(([key]) => !saidInRows.has(key)));
    const named = rowText(values);
    const said = this.#rowErrors(row, path);
    // What the table says is stored is for the rows that are accepted.
    const stored = said && said.errors.length > 0 ? undefined : one.expected.stored;
    const admission = rowAdmission(this, row, path, one.expected.admission);
    const expected: Expected = {
      ...one.expected,
      ...(said && { outcome: 'errors', ...said, stored }),
      ...(admission && { admission }),
    };
    const object = { ...request.object, patches: [...request.object.patches, values] };
    return [{ name: `${inShort(one.name)} [${named}]`, path, request: { ...request, object }, expected }];
  }

  #rowErrors(row: ValueMap, path: Path) {
    const list = this.list(row, path, 'errors');
    if (list) return this.#errors(list, [...path, 'errors']);
    return row.has('error') ? { errors: this.#error(row.get('error')!, [...path, 'error']), more: false } : undefined;
  }

  /** Exactly one request makes a case. */
  #noVerb(verbs: readonly string[], second: string | undefined, path: Path, bases: Bases): undefined {
    const expected = `expected one of ${verbs.map((one) => `\`${one}\``).join(', ')}`;
    if (second !== undefined) return this.wrong([...path, second], expected, { part: 'key' });
    return this.wrong(path, expected, bases.size === 1 ? { lacks: { key: 'create', values: [new Map()] } } : {});
  }

  #request(value: ValueMap, verb: string, path: Path, bases: Bases): TestRequest | undefined {
    const at = [...path, verb];
    if (verb === 'rule') {
      const rule = this.text(value, path, 'rule') ?? '';
      if (!value.has('self'))
        this.wrong(path, 'expected `self`, the value that the rule is evaluated on', {
          lacks: { key: 'self', values: [new Map()] },
        });
      return { verb, rule, self: value.get('self') ?? null, oldSelf: value.get('oldSelf') };
    }
    if (verb === 'create') return { verb, object: this.object(value.get(verb)!, at, bases) };
    const change = this.change(value, verb, path, bases);
    const crd = this.map(value, path, 'crd');
    return change && { verb: verb === 'status' ? 'status' : 'update', ...change, crd };
  }

  #expected(value: ValueMap, path: Path, request: TestRequest): Expected {
    const admission = request.verb === 'admit' ? readExpectedAdmission(this, value, path) : undefined;
    const outcome = admission ? admissionOutcome(value) : this.#outcome(value, path, request.verb === 'rule');
    const { errors, more } = this.#errors(this.list(value, path, 'errors') ?? [], [...path, 'errors']);
    const warnings = this.list(value, path, 'warnings');
    return {
      outcome,
      errors,
      more,
      warnings: warnings && this.#errors(warnings, [...path, 'warnings']).errors,
      stored: this.#stored(value, path),
      exactly: value.has('exactly'),
      message: this.text(value, path, 'message'),
      cost: this.#cost(value, path),
      ...(admission && { admission }),
    };
  }

  #stored(value: ValueMap, path: Path): Value | undefined {
    if (value.has('stored') && value.has('exactly'))
      this.wrong([...path, 'stored'], '`exactly` is all of it; expected one of the two');
    const key = value.has('exactly') ? 'exactly' : 'stored';
    const stored = value.get(key);
    // Nothing would be compared with it.
    return stored === undefined || isMap(stored)
      ? stored
      : this.wrong([...path, key], `expected \`${key}\` to be a map`);
  }

  #outcome(value: ValueMap, path: Path, isRule: boolean): Expected['outcome'] {
    const said = value.get('expect');
    const words: readonly Expected['outcome'][] = isRule ? ['true', 'false', 'error'] : ['valid'];
    const word = words.find((one) => one === String(said));
    if (said !== undefined && !word)
      this.wrong([...path, 'expect'], `expected ${words.map((one) => `\`${one}\``).join(' or ')}`, { known: words });
    if (word && value.has('errors')) this.wrong([...path, 'errors'], 'an object with errors is not valid');
    if (isRule) return word ?? 'true';
    return value.has('errors') ? 'errors' : 'valid';
  }

  /** Exactly these errors, unless one of them is `and more`. */
  #errors(list: readonly Value[], path: Path): { readonly errors: ExpectedError[]; readonly more: boolean } {
    const errors = list.flatMap((one, i) => (one === andMore ? [] : this.#error(one, [...path, i])));
    return { errors, more: list.includes(andMore) };
  }

  #error(value: Value, path: Path): ExpectedError[] {
    if (typeof value === 'string') return [{ contains: value }];
    if (!isMap(value)) {
      this.wrong(path, 'expected a part of the message, or a map with `field`, `message`, `contains` or `code`');
      return [];
    }
    this.keys(value, path, errorKeys);
    const texts = errorKeys.map((key) => [key, this.text(value, path, key)] as const);
    return [Object.fromEntries(texts.filter(([, text]) => text !== undefined))];
  }
}

const andMore = 'and more';

const errorKeys = ['field', 'message', 'contains', 'code'] as const;

function rowText(row: ValueMap): string {
  return [...row].map(([key, value]) => `${key}: ${shortText(value)}`).join(', ');
}

function shortText(value: Value): string {
  const text = isMap(value)
    ? '{…}'
    : isList(value)
      ? `[…${value.length}]`
      : JSON.stringify(typeof value === 'bigint' ? Number(value) : value);
  return shortened(text, 39);
}
