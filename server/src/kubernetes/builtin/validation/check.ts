import { isList, isMap, isUnknown, type Value, type ValueMap } from '../../../base/value.ts';
import {
  type BadValue,
  child,
  duplicate,
  type FieldPath,
  fieldOf,
  forbidden,
  index,
  invalid,
  notFound,
  notSupported,
  pathOf,
  required,
  tooMany,
  tooManyBytes,
} from '../../field.ts';
import type { Aside } from '../../finding.ts';
import { mostAlike } from '../../finding.ts';
import type { KubernetesVersion } from '../../releases/release.ts';
import type { ValidationFacts, ValidationFinding } from '../findings.ts';

/** Where an object is validated: what is found of it, and what is asked about it. */
export class Check {
  readonly version: KubernetesVersion;
  readonly found: ValidationFinding[] = [];
  /** How often what is read turned out not to be known. */
  private unknowns = 0;

  constructor(version: KubernetesVersion) {
    this.version = version;
  }

  /**
   * What is found in a part is taken back if the part has read what nobody knows: that may be anything. What is around it
   * has learnt nothing of it.
   */
  part(run: () => void): void {
    const [unknowns, found] = [this.unknowns, this.found.length];
    run();
    if (this.unknowns === unknowns) return;
    this.unknowns = unknowns;
    this.found.length = found;
  }

  /** What is worked out of several fields; undefined if one of them is not known. */
  known<T>(make: () => T): T | undefined {
    const unknowns = this.unknowns;
    const made = make();
    if (this.unknowns === unknowns) return made;
    this.unknowns = unknowns;
    return undefined;
  }

  /** A value as Go has it: null is as good as absent. */
  read(value: Value | undefined): Exclude<Value, null> | undefined {
    if (isUnknown(value)) {
      this.unknowns++;
      return undefined;
    }
    return value ?? undefined;
  }

  add(finding: ValidationFinding): void {
    if (!this.isFull) this.found.push(finding);
  }

  /** Nothing more is kept. */
  get isFull(): boolean {
    return this.found.length >= mostAlike;
  }

  /** What the server warns of at a place, which it names first. */
  warn(spot: FieldPath, detail: string, aside?: Aside): void {
    this.say(spot, `${fieldOf(spot)}: ${detail}`, aside);
  }

  /** A warning that names no place. */
  say(spot: FieldPath, message: string, aside?: Aside): void {
    const [field, path] = [fieldOf(spot), pathOf(spot)];
    const said = { type: 'FieldValueInvalid', field, message, path, anchor: 'value' } as const;
    this.add({ code: 'builtin/warning', ...said, ...(aside && { aside }) });
  }

  required(spot: FieldPath, detail = ''): void {
    this.add(required(spot, detail, { code: 'builtin/required' as const }));
  }

  /** A text has to be chosen: it is missing, or the one that is there will not do. */
  choose(spot: FieldPath, detail: string, choices: readonly string[], isThere: boolean): void {
    const about = { code: 'builtin/choose' as const, facts: { choices, isThere } };
    this.add(isThere ? required(spot, detail, { ...about, anchor: 'value' as const }) : required(spot, detail, about));
  }

  invalid(spot: FieldPath, value: BadValue, detail: string, code: PlainCode = 'builtin/invalid'): void {
    this.add(invalid(spot, value, detail, this.version, { code }) as ValidationFinding);
  }

  emptySelector(spot: FieldPath, value: BadValue, detail: string): void {
    const about = { code: 'builtin/invalid', aside: { isEmptySelector: true } } as const;
    this.add(invalid(spot, value, detail, this.version, about));
  }

  /** A key that is not written as it has to be, whatever it has. */
  invalidKey(spot: FieldPath, key: string, details: readonly string[]): void {
    for (const detail of details)
      this.add(invalid(spot, key, detail, this.version, { code: 'builtin/name', anchor: 'key' }) as ValidationFinding);
  }

  unsupported(spot: FieldPath, value: BadValue, supported: readonly string[]): void {
    const about = { code: 'builtin/unsupported' as const, facts: { supported } };
    this.add(notSupported(spot, value, supported, this.version, about));
  }

  forbidden(spot: FieldPath, detail: string, code: PlainCode = 'builtin/forbidden'): void {
    this.add(forbidden(spot, detail, { code }) as ValidationFinding);
  }

  duplicate(spot: FieldPath, value: BadValue): void {
    this.add(duplicate(spot, value, this.version, { code: 'builtin/duplicate' as const }));
  }

  notFound(spot: FieldPath, value: BadValue, names: readonly string[], detail = ''): void {
    this.add(notFound(spot, value, detail, this.version, { code: 'builtin/no-such-name' as const, facts: { names } }));
  }

  /** What the server says of a whole object is about one field of it. */
  unsupportedAt(spot: FieldPath, steps: FieldPath['steps'], value: BadValue, supported: readonly string[]): void {
    this.unsupported({ ...spot, steps }, value, supported);
  }

  /** Labels that a selector does not select. */
  mismatch(spot: FieldPath, value: BadValue, detail: string, facts: ValidationFacts['builtin/selector']): void {
    this.add(invalid(spot, value, detail, this.version, { code: 'builtin/selector' as const, facts }));
  }

  tooLong(spot: FieldPath, most: number): void {
    this.add(tooManyBytes(spot, BigInt(most), this.version, { code: 'builtin/too-long' as const }));
  }

  tooMany(spot: FieldPath, actual: number, most: number): void {
    const about = { code: 'builtin/too-long' as const };
    this.add(tooMany(spot, BigInt(actual), BigInt(most), this.version, about));
  }
}

/** Codes that are told without facts. */
type PlainCode = 'builtin/invalid' | 'builtin/forbidden' | 'builtin/name' | 'builtin/port' | OtherPlainCode;
type OtherPlainCode =
  | 'builtin/follows'
  | 'builtin/one-of'
  | 'builtin/resources'
  | 'builtin/schedule'
  | 'builtin/immutable';

const none: ValueMap = new Map();

/** An object of the API, decoded without an error: its fields are of their types, where they are known. */
export class Fields {
  readonly check: Check;
  readonly map: ValueMap;
  readonly spot: FieldPath;

  constructor(check: Check, map: ValueMap, spot: FieldPath) {
    this.check = check;
    this.map = map;
    this.spot = spot;
  }

  get version(): KubernetesVersion {
    return this.check.version;
  }

  at(key: string): FieldPath {
    return child(this.spot, key);
  }

  value(key: string): Exclude<Value, null> | undefined {
    return this.check.read(this.map.get(key));
  }

  /** Whether there is anything, empty or not. */
  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  text(key: string): string {
    return this.pointed(key) ?? '';
  }

  /** The text behind a pointer. */
  pointed(key: string): string | undefined {
    const value = this.value(key);
    return typeof value === 'string' ? value : undefined;
  }

  integer(key: string): bigint | undefined {
    const value = this.value(key);
    return typeof value === 'bigint' ? value : undefined;
  }

  isTrue(key: string): boolean {
    return this.value(key) === true;
  }

  /** What is in the field; empty where it is absent, as structs are that no pointer leads to. */
  object(key: string, spot: FieldPath = this.at(key)): Fields {
    const value = this.value(key);
    return new Fields(this.check, isMap(value) ? value : none, spot);
  }

  /** What a pointer leads to. */
  pointer(key: string, spot: FieldPath = this.at(key)): Fields | undefined {
    const value = this.value(key);
    return isMap(value) ? new Fields(this.check, value, spot) : undefined;
  }

  /** Validates what a pointer leads to as a part of its own; says whether there is anything. */
  within(key: string, validate: (fields: Fields) => void, spot: FieldPath = this.at(key)): boolean {
    const value = this.value(key);
    if (!isMap(value)) return false;
    this.check.part(() => validate(new Fields(this.check, value, spot)));
    return true;
  }

  list(key: string): readonly Value[] {
    const value = this.value(key);
    return isList(value) ? value : [];
  }

  /** The objects of a list; to work something out of all of them. */
  items(key: string, spot: FieldPath = this.at(key)): Fields[] {
    return this.list(key).map((item, i) => this.itemOf(item, index(spot, i)));
  }

  /** Validates the objects of a list, each as a part of its own. */
  each(key: string, validate: (fields: Fields, i: number) => void, spot: FieldPath = this.at(key)): void {
    for (const [i, item] of this.list(key).entries()) {
      this.check.part(() => validate(this.itemOf(item, index(spot, i)), i));
    }
  }

  private itemOf(item: Value, spot: FieldPath): Fields {
    const value = this.check.read(item);
    return new Fields(this.check, isMap(value) ? value : none, spot);
  }

  /** The texts of a list; none of what is not known. */
  texts(key: string): string[] {
    return this.list(key).map((item) => {
      const value = this.check.read(item);
      return typeof value === 'string' ? value : '';
    });
  }

  integers(key: string): bigint[] {
    return this.list(key).map((item) => {
      const value = this.check.read(item);
      return typeof value === 'bigint' ? value : 0n;
    });
  }

  /** The entries of a map of texts; undefined where there is none. */
  textMap(key: string): ReadonlyMap<string, string> | undefined {
    const value = this.value(key);
    if (!isMap(value)) return undefined;
    const entries = [...value].map(([name, item]): [string, string] => {
      const text = this.check.read(item);
      return [name, typeof text === 'string' ? text : ''];
    });
    return new Map(entries);
  }

  part(run: () => void): void {
    this.check.part(run);
  }

  required(key: string, detail = ''): void {
    this.check.required(this.at(key), detail);
  }

  /** The same of what the types of a release declare, which says no more. */
  declared(key: string, detail: string): void {
    this.required(key, this.version.builtin.declaresRequired ? '' : detail);
  }

  /** What is wrong with a text, as the checks of names say it. */
  wrong(spot: FieldPath, value: BadValue, details: readonly string[], code?: PlainCode): void {
    for (const detail of details) this.check.invalid(spot, value, detail, code);
  }
}
