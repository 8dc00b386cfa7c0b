import { shortened } from '../base/text.ts';
import { isList, isMap, isString, type Path, type Value, type ValueMap } from '../base/value.ts';
import { versionsNamed } from '../kubernetes/releases/range.ts';
import { defaultLimits } from '../workspace/limits.ts';
import type { Mistake } from '../workspace/mistake.ts';
import type { YamlDocument } from '../yaml/parse.ts';
import { rangeOf } from '../yaml/place.ts';
import { valueOf } from '../yaml/value.ts';

// `*.crdtest.yaml`: what a CRD promises, as cases. docs/testing.md teaches it.

/** A file of tests as it was written, checked. */
export interface Suite {
  /** The file, glob or kind that says which CRD is meant. */
  readonly crd: CrdRef;
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
  | { readonly verb: 'rule'; readonly rule: string; readonly self: Value; readonly oldSelf: Value | undefined };

/** How an object is given: whole, as a file, or as a base; each with what is patched in it. */
export interface ObjectSpec {
  readonly of: { readonly whole: Value } | { readonly file: string } | { readonly base: string | undefined };
  readonly patches: readonly ValueMap[];
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
  /** What evaluating a rule may cost at most. */
  readonly cost: bigint | undefined;
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
  const reader = new Reader(mistakes);
  reader.keys(root, [], ['crd', 'kubernetes', 'bases', 'cases']);
  const bases = reader.map(root, [], 'bases') ?? new Map<string, Value>();
  const crd = reader.crd(root);
  const cases = reader.list(root, [], 'cases') ?? [];
  if (!root.has('cases')) mistakes.push(wrongAt([], 'expected `cases`'));
  const suite: Suite = {
    crd,
    kubernetes: reader.version(root, document),
    bases,
    cases: cases.flatMap((one, i) => reader.cases(one, ['cases', i], bases)),
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

function wrongAt(path: Path, message: string, known: readonly string[] = [], part: 'key' | 'value' = 'value'): Mistake {
  return { path, message, part, known };
}

const verbs = ['create', 'update', 'status', 'rule'] as const;
const ofObjects = ['each', 'expect', 'errors', 'warnings', 'stored', 'exactly'];
/** What a case can have beside its name and request: anything else would not be checked. */
const keysFor: Readonly<Record<(typeof verbs)[number], readonly string[]>> = {
  create: ofObjects,
  update: ['crd', ...ofObjects],
  status: ['crd', ...ofObjects],
  rule: ['self', 'oldSelf', 'expect', 'message', 'cost'],
};
const objectKeys = ['base', 'file', 'with'];

/** Reads the parts of a suite, and notes what means nothing. */
class Reader {
  readonly #mistakes: Mistake[];
  constructor(mistakes: Mistake[]) {
    this.#mistakes = mistakes;
  }

  /** Nobody reads more of them. */
  #wrong(path: Path, message: string, more: Partial<Mistake> = {}): undefined {
    if (this.#mistakes.length < defaultLimits.problems) this.#mistakes.push({ ...wrongAt(path, message), ...more });
    return undefined;
  }

  keys(map: ValueMap, path: Path, known: readonly string[]): void {
    for (const key of map.keys()) {
      if (known.includes(key)) continue;
      const free = known.filter((one) => !map.has(one));
      this.#wrong([...path, key], `\`${key}\` has no meaning here`, { known: free, part: 'key' });
    }
  }

  map(map: ValueMap, path: Path, key: string): ValueMap | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || isMap(value) ? value : this.#wrong([...path, key], `expected \`${key}\` to be a map`);
  }

  list(map: ValueMap, path: Path, key: string): readonly Value[] | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || isList(value)
      ? value
      : this.#wrong([...path, key], `expected \`${key}\` to be a list`);
  }

  text(map: ValueMap, path: Path, key: string): string | undefined {
    const value = map.get(key) ?? undefined;
    return value === undefined || typeof value === 'string'
      ? value
      : this.#wrong([...path, key], `expected \`${key}\` to be a string`);
  }

  crd(root: ValueMap): CrdRef {
    const crd = root.get('crd');
    if (isMap(crd)) {
      this.keys(crd, ['crd'], ['kind', 'group']);
      for (const key of ['kind', 'group']) this.text(crd, ['crd'], key);
    }
    const ref = crdRefIn(root);
    if (ref) return ref;
    this.#wrong(crd === undefined ? [] : ['crd'], 'expected `crd`: a file, or the `kind` of one in the workspace');
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
      : this.#wrong(['kubernetes'], 'expected known Kubernetes versions, such as 1.34 or 1.33..1.37');
  }

  /** A case, or several, where it has a table. */
  cases(value: Value, path: Path, bases: ReadonlyMap<string, Value>): TestCase[] {
    if (!isMap(value)) return this.#wrong(path, 'expected a case: a map with a `name`') ?? [];
    const named = verbs.filter((verb) => value.has(verb));
    const asked = named.length === 0 ? verbs : named;
    this.keys(value, path, ['name', ...asked, ...asked.flatMap((verb) => keysFor[verb])]);
    const name = this.text(value, path, 'name');
    if (name === undefined) this.#wrong(path, 'expected a `name`');
    const request = this.#request(value, path, bases);
    if (!request) return [];
    const one: TestCase = { name: name ?? '', path, request, expected: this.#expected(value, path, request) };
    const table = this.list(value, path, 'each');
    if (table?.length === 0) this.#wrong([...path, 'each'], 'expected `each` to have rows');
    return table ? table.flatMap((row, i) => this.#row(one, row, [...path, 'each', i])) : [one];
  }

  #row(one: TestCase, row: Value, path: Path): TestCase[] {
    if (!isMap(row)) return this.#wrong(path, 'expected paths with their values, such as `{spec.size: 0}`') ?? [];
    const { request } = one;
    if (request.verb === 'rule')
      return this.#wrong(path, 'a rule alone has no table; write one case for each value') ?? [];
    const values = new Map([...row].filter(([key]) => key !== 'error' && key !== 'errors'));
    const named = [...values].map(([key, value]) => `${key}: ${shortText(value)}`).join(', ');
    const said = this.#rowErrors(row, path);
    // What the table says is stored is for the rows that are accepted.
    const stored = said && said.errors.length > 0 ? undefined : one.expected.stored;
    const expected: Expected = said ? { ...one.expected, outcome: 'errors', ...said, stored } : one.expected;
    const object = { ...request.object, patches: [...request.object.patches, values] };
    return [{ name: `${inShort(one.name)} [${named}]`, path, request: { ...request, object }, expected }];
  }

  #rowErrors(row: ValueMap, path: Path) {
    const list = this.list(row, path, 'errors');
    if (list) return this.#errors(list, [...path, 'errors']);
    return row.has('error') ? { errors: this.#error(row.get('error')!, [...path, 'error']), more: false } : undefined;
  }

  #request(value: ValueMap, path: Path, bases: ReadonlyMap<string, Value>): TestRequest | undefined {
    const [verb, ...more] = verbs.filter((one) => value.has(one));
    if (!verb || more.length > 0) {
      const expected = `expected one of ${verbs.map((one) => `\`${one}\``).join(', ')}`;
      const lacks = verb || bases.size !== 1 ? {} : { lacks: { key: 'create', values: [new Map()] } };
      return more.length > 0
        ? this.#wrong([...path, more[0]!], expected, { part: 'key' })
        : this.#wrong(path, expected, lacks);
    }
    const at = [...path, verb];
    if (verb === 'rule') {
      const rule = this.text(value, path, 'rule') ?? '';
      if (!value.has('self'))
        this.#wrong(path, 'expected `self`, the value that the rule is evaluated on', {
          lacks: { key: 'self', values: [new Map()] },
        });
      return { verb, rule, self: value.get('self') ?? null, oldSelf: value.get('oldSelf') };
    }
    if (verb === 'create') return { verb, object: this.#object(value.get(verb)!, at, bases) };
    const both = value.get(verb)!;
    if (!isMap(both) || !both.has('from') || !both.has('to'))
      return this.#wrong(at, `expected \`${verb}\` to have \`from\` and \`to\``);
    this.keys(both, at, ['from', 'to']);
    const from = this.#object(both.get('from')!, [...at, 'from'], bases);
    return {
      verb,
      from,
      object: this.#object(both.get('to')!, [...at, 'to'], bases),
      crd: this.map(value, path, 'crd'),
    };
  }

  #object(value: Value, path: Path, bases: ReadonlyMap<string, Value>): ObjectSpec {
    if (typeof value === 'string') return { of: { file: value }, patches: [] };
    if (!isMap(value)) {
      this.#wrong(path, 'expected an object, a file, or a `base` with what is different');
      return { of: { whole: value }, patches: [] };
    }
    if (value.has('apiVersion') && value.has('kind')) return { of: { whole: value }, patches: [] };
    this.keys(value, path, objectKeys);
    const put = this.map(value, path, 'with');
    const patches = put ? [put] : [];
    const file = this.text(value, path, 'file');
    if (file !== undefined) return { of: { file }, patches };
    const base = this.text(value, path, 'base') ?? (bases.size === 1 ? [...bases.keys()][0] : undefined);
    if ((base === undefined || !bases.has(base)) && this.#mistakes.length < defaultLimits.problems) {
      const names = [...bases.keys()];
      const known = inShort(names.join(', ')) || 'none';
      const isNamed = value.has('base');
      this.#wrong(
        isNamed ? [...path, 'base'] : path,
        `expected the name of one of \`bases\`: ${known}`,
        isNamed ? { known: names } : { lacks: { key: 'base', values: names } },
      );
    }
    return { of: { base }, patches };
  }

  #expected(value: ValueMap, path: Path, request: TestRequest): Expected {
    const outcome = this.#outcome(value, path, request.verb === 'rule');
    const { errors, more } = this.#errors(this.list(value, path, 'errors') ?? [], [...path, 'errors']);
    const warnings = this.list(value, path, 'warnings');
    const cost = value.get('cost') ?? undefined;
    if (cost !== undefined && typeof cost !== 'bigint')
      this.#wrong([...path, 'cost'], 'expected `cost` to be a whole number');
    return {
      outcome,
      errors,
      more,
      warnings: warnings && this.#errors(warnings, [...path, 'warnings']).errors,
      stored: this.#stored(value, path),
      exactly: value.has('exactly'),
      message: this.text(value, path, 'message'),
      cost: typeof cost === 'bigint' ? cost : undefined,
    };
  }

  #stored(value: ValueMap, path: Path): Value | undefined {
    if (value.has('stored') && value.has('exactly'))
      this.#wrong([...path, 'stored'], '`exactly` is all of it; expected one of the two');
    const key = value.has('exactly') ? 'exactly' : 'stored';
    const stored = value.get(key);
    // Nothing would be compared with it.
    return stored === undefined || isMap(stored)
      ? stored
      : this.#wrong([...path, key], `expected \`${key}\` to be a map`);
  }

  #outcome(value: ValueMap, path: Path, isRule: boolean): Expected['outcome'] {
    const said = value.get('expect');
    const words: readonly Expected['outcome'][] = isRule ? ['true', 'false', 'error'] : ['valid'];
    const word = words.find((one) => one === String(said));
    if (said !== undefined && !word)
      this.#wrong([...path, 'expect'], `expected ${words.map((one) => `\`${one}\``).join(' or ')}`, { known: words });
    if (word && value.has('errors')) this.#wrong([...path, 'errors'], 'an object with errors is not valid');
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
      this.#wrong(path, 'expected a part of the message, or a map with `field`, `message`, `contains` or `code`');
      return [];
    }
    this.keys(value, path, errorKeys);
    const texts = errorKeys.map((key) => [key, this.text(value, path, key)] as const);
    return [Object.fromEntries(texts.filter(([, text]) => text !== undefined))];
  }
}

const andMore = 'and more';

/** What is said again and again is not said at length. */
const inShort = (text: string) => shortened(text, 500);
const errorKeys = ['field', 'message', 'contains', 'code'] as const;

function shortText(value: Value): string {
  const text = isMap(value)
    ? '{…}'
    : isList(value)
      ? `[…${value.length}]`
      : JSON.stringify(typeof value === 'bigint' ? Number(value) : value);
  return shortened(text, 39);
}
