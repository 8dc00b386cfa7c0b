/** Whether values are as a JSON Schema wants them. */
import { isList, isMap, isString, type Value, type ValueMap } from '../../base/value.ts';
import { runeCount } from '../../gostd/bytes.ts';
import { compileGoRegexp } from '../../gostd/regexp.ts';
import { GoList, GoMap, type GoValue, TooMuchWork } from '../../template/value.ts';
import type { Draft } from './drafts.ts';
import {
  allQuoted,
  constWords,
  decimal,
  enumWords,
  type Instance,
  isMultiple,
  isOfType,
  type Keys,
  numberOf,
  quoted,
  type SchemaError,
  together,
  typeWords,
} from './errors.ts';
import { whyNotOfFormat } from './formats.ts';
import { refPath, refTarget } from './shape.ts';

/** Values that are looked at with schemas, and characters of texts with patterns. */
const mostSchemaWork = 300_000;

/** References and schemas in each other that are followed. */
const deepestLevels = 300;

/** How values are compared with a schema. */
export interface Comparing {
  readonly draft: Draft;
  /** Whether texts have to be of their formats, of which later drafts only remark. */
  readonly asksFormats?: boolean;
  /** What several comparisons may take together. */
  readonly budget?: Budget;
}

export interface Budget {
  left: number;
}

/** What is wrong with values by a schema that is one that is judged. Throws `TooMuchWork`. */
export function validate(schema: Value, values: GoValue, comparing: Comparing): readonly SchemaError[] {
  const validation = new Validation(schema, comparing);
  return ungrouped(validation.of(schema, { value: values, at: [] }, [], 0));
}

/** Several at one place below, which need no group of their own where there is one around them. */
function ungrouped(errors: readonly SchemaError[]): readonly SchemaError[] {
  const [first] = errors;
  return errors.length === 1 && first?.group === 'one' ? first.causes : errors;
}

class Validation {
  readonly draft: Draft;
  private readonly asksFormats: boolean;
  private readonly root: Value;
  private readonly budget: Budget;
  /** References that are being followed for a value, to which none of them may come back. */
  private readonly open = new Set<string>();

  constructor(root: Value, { draft, asksFormats = draft < 2019, budget = { left: mostSchemaWork } }: Comparing) {
    this.root = root;
    this.budget = budget;
    this.draft = draft;
    this.asksFormats = asksFormats;
  }

  spend(work: number): void {
    this.budget.left -= work;
    if (this.budget.left < 0) throw new TooMuchWork('the schema of the values takes too much work');
  }

  of(schema: Value, one: Instance, path: Keys, depth: number): readonly SchemaError[] {
    this.spend(1);
    if (depth > deepestLevels) throw new TooMuchWork('the schema of the values is nested too deeply');
    if (schema === false) return [{ at: one.at, message: 'false schema', keyword: path, causes: [] }];
    if (!isMap(schema)) return [];
    const ref = schema.get('$ref');
    const isOnlyRef = isString(ref) && this.draft < 2019;
    const wrong = isOnlyRef ? undefined : this.plainly(schema, one, path);
    if (wrong) return [wrong];
    const referred = isString(ref) ? this.referred(ref, one, path, depth) : [];
    return isOnlyRef ? referred : [...referred, ...new Keywords(this, schema, one, path, depth).errors];
  }

  /** What is wrong before anything else is looked at. */
  private plainly(schema: ValueMap, { value, at }: Instance, path: Keys): SchemaError | undefined {
    const error = (keyword: string, message: string) => ({ at, message, keyword: [...path, keyword], causes: [] });
    const type = schema.get('type');
    const types = type === undefined ? [] : isList(type) ? type : [type];
    if (types.length > 0 && !types.some((name) => isOfType(value, name))) return error('type', typeWords(value, types));
    const constant = this.draft > 4 ? schema.get('const') : undefined;
    if (constant !== undefined && !this.isEqual(value, constant)) return error('const', constWords(constant));
    const listed = schema.get('enum');
    const isListed = !isList(listed) || listed.some((item) => this.isEqual(value, item));
    if (!isListed) return error('enum', enumWords(listed));
    const format = schema.get('format');
    if (!this.asksFormats || !isString(format) || typeof value !== 'string') return undefined;
    this.spend(value.length);
    const why = whyNotOfFormat(format, value);
    return why === undefined ? undefined : error('format', `${quoted(value)} is not valid ${format}: ${why}`);
  }

  private referred(ref: string, one: Instance, path: Keys, depth: number): readonly SchemaError[] {
    const key = JSON.stringify([ref, one.at]);
    const keyword = [...path, '$ref'];
    if (this.open.has(key)) return [{ at: one.at, message: 'reference cycle', keyword, causes: [] }];
    this.open.add(key);
    const errors = ungrouped(this.of(refTarget(this.root, ref) ?? true, one, refPath(ref), depth + 1));
    this.open.delete(key);
    return together(errors, one, keyword, 'ref');
  }

  private isEqual(value: GoValue, wanted: Value): boolean {
    this.spend(1);
    if (value instanceof GoList) {
      const isAsLong = isList(wanted) && value.items.length === wanted.length;
      return isAsLong && value.items.every((item, i) => this.isEqual(item.value, wanted[i]!));
    }
    if (value instanceof GoMap) {
      const isAsLarge = isMap(wanted) && value.size === wanted.size;
      return (
        isAsLarge &&
        [...value.all()].every(([key, item]) => wanted.has(key) && this.isEqual(item.value, wanted.get(key)!))
      );
    }
    const isNumber = typeof wanted === 'number' || typeof wanted === 'bigint';
    return isNumber ? numberOf(value) === Number(wanted) : (value ?? null) === wanted;
  }

  /** The same text for equal values. */
  keyOf(value: GoValue): string {
    this.spend(1);
    if (value instanceof GoList) return `[${value.items.map((item) => this.keyOf(item.value)).join()}]`;
    if (!(value instanceof GoMap)) return JSON.stringify(numberOf(value) ?? value ?? null);
    return `{${value.sorted().map(([key, item]) => `${JSON.stringify(key)}:${this.keyOf(item.value)}`)}}`;
  }

  fits(pattern: string, text: string): boolean {
    this.spend(text.length + pattern.length);
    const compiled = compileGoRegexp(pattern);
    return compiled.ok && compiled.matches(text);
  }
}

/** Whether a number is not as a keyword wants it. */
const numberChecks: readonly (readonly [string, (got: number, want: number) => boolean])[] = [
  ['minimum', (got, want) => got < want],
  ['maximum', (got, want) => got > want],
  ['exclusiveMinimum', (got, want) => got <= want],
  ['exclusiveMaximum', (got, want) => got >= want],
  ['multipleOf', (got, want) => want !== 0 && !isMultiple(got, want)],
];

/** What one schema says of one value. */
class Keywords {
  readonly errors: SchemaError[] = [];
  private readonly within: Validation;
  private readonly schema: ValueMap;
  private readonly one: Instance;
  private readonly path: Keys;
  private readonly depth: number;

  constructor(within: Validation, schema: ValueMap, one: Instance, path: Keys, depth: number) {
    this.within = within;
    this.schema = schema;
    this.one = one;
    this.path = path;
    this.depth = depth;
    this.ofType(one.value);
    this.conditions();
  }

  private ofType(value: GoValue): void {
    const number = numberOf(value);
    if (value instanceof GoMap) this.ofMap(value);
    else if (value instanceof GoList) this.ofList(value.items.map((item) => item.value));
    else if (typeof value === 'string') this.ofText(value);
    else if (number !== undefined) this.ofNumber(number);
  }

  private add(
    keyword: Keys,
    message: string,
    more: Pick<Partial<SchemaError>, 'causes' | 'names' | 'group'> = {},
  ): void {
    this.errors.push({ at: this.one.at, message, keyword: [...this.path, ...keyword], causes: [], ...more });
  }

  /** What another schema says of the same value. */
  private self(schema: Value, ...keyword: Keys): readonly SchemaError[] {
    const path = [...this.path, ...keyword];
    return together(this.within.of(schema, this.one, path, this.depth + 1), this.one, path);
  }

  /** What a schema says of a value in this one. */
  private inner(schema: Value | undefined, value: GoValue, key: string, ...keyword: Keys): readonly SchemaError[] {
    if (schema === undefined) return [];
    const one = { value, at: [...this.one.at, key] };
    const path = [...this.path, ...keyword];
    return together(this.within.of(schema, one, path, this.depth + 1), one, path);
  }

  private number(keyword: string): number | undefined {
    const value = this.schema.get(keyword);
    return typeof value === 'bigint' || typeof value === 'number' ? Number(value) : undefined;
  }

  private list(keyword: string): readonly Value[] {
    const value = this.schema.get(keyword);
    return isList(value) ? value : [];
  }

  /** One by one: a call takes fewer arguments than a list may hold. */
  private take(errors: readonly SchemaError[]): void {
    for (const error of errors) this.errors.push(error);
  }

  private count(keyword: string, got: number): void {
    const want = this.number(keyword);
    const isWrong = want !== undefined && (keyword.startsWith('min') ? got < want : got > want);
    if (isWrong) this.add([keyword], `${keyword}: got ${decimal(got)}, want ${decimal(want)}`);
  }

  private ofMap(map: GoMap): void {
    this.count('minProperties', map.size);
    this.count('maxProperties', map.size);
    const names = lacking(map, this.schema.get('required'));
    const what = names.length === 1 ? 'property' : 'properties';
    if (names.length > 0) this.add(['required'], `missing ${what} ${allQuoted(names)}`, { names });
    this.dependencies(map, 'dependencies');
    this.properties(map);
    if (this.within.draft > 4) this.propertyNames(map);
    if (this.within.draft < 2019) return;
    this.dependencies(map, 'dependentSchemas');
    this.dependencies(map, 'dependentRequired');
  }

  private dependencies(map: GoMap, keyword: string): void {
    for (const [name, wanted] of mapAt(this.schema, keyword)) {
      if (!map.has(name)) continue;
      if (!isList(wanted)) this.take(this.self(wanted, keyword, name));
      const names = lacking(map, wanted);
      if (names.length === 0) continue;
      this.add([keyword, name], `properties ${allQuoted(names)} required, if ${quoted(name)} exists`, { names });
    }
  }

  private properties(map: GoMap): void {
    const additional = this.schema.get('additionalProperties');
    const names: string[] = [];
    for (const [key, { value }] of map.sorted()) {
      if (this.property(key, value)) continue;
      if (additional === false) names.push(key);
      else this.take(this.inner(additional, value, key, 'additionalProperties'));
    }
    if (names.length === 0) return;
    this.add(['additionalProperties'], `additional properties ${allQuoted(names)} not allowed`, { names });
  }

  /** Whether a schema is given for a key. */
  private property(key: string, value: GoValue): boolean {
    const own = mapAt(this.schema, 'properties').get(key);
    this.take(this.inner(own, value, key, 'properties', key));
    const patterns = [...mapAt(this.schema, 'patternProperties')].filter(([pattern]) => this.within.fits(pattern, key));
    for (const [pattern, schema] of patterns) this.take(this.inner(schema, value, key, 'patternProperties', pattern));
    return own !== undefined || patterns.length > 0;
  }

  private propertyNames(map: GoMap): void {
    const schema = this.schema.get('propertyNames');
    if (schema === undefined) return;
    const keyword = [...this.path, 'propertyNames'];
    for (const key of map.keys()) {
      const causes = this.within.of(schema, { value: key, at: [] }, keyword, this.depth + 1);
      if (causes.length === 0) continue;
      this.add(['propertyNames'], `invalid propertyName ${quoted(key)}`, { causes, names: [key] });
    }
  }

  private ofList(items: readonly GoValue[]): void {
    this.count('minItems', items.length);
    this.count('maxItems', items.length);
    if (this.schema.get('uniqueItems') === true) this.unique(items);
    const isOld = this.within.draft < 2020;
    const first = isOld ? 'items' : 'prefixItems';
    const heads = this.list(first);
    const rest = isOld && heads.length > 0 ? 'additionalItems' : 'items';
    const schema = this.schema.get(rest);
    const more = items.length - heads.length;
    for (const [i, head] of heads.slice(0, items.length).entries())
      this.take(this.inner(head, items[i], String(i), first, i));
    if (rest === 'additionalItems' && schema === false && more > 0)
      this.add([rest], `last ${more} additionalItem(s) not allowed`);
    else if (schema !== undefined)
      for (let i = heads.length; i < items.length; i++) this.take(this.inner(schema, items[i], String(i), rest));
    if (this.within.draft > 4) this.contains(items);
  }

  private unique(items: readonly GoValue[]): void {
    const seen = new Map<string, number>();
    for (const [i, item] of items.entries()) {
      const key = this.within.keyOf(item);
      const known = seen.get(key);
      if (known !== undefined) {
        this.add(['uniqueItems'], `items at ${known} and ${i} are equal`);
        return;
      }
      seen.set(key, i);
    }
  }

  private contains(items: readonly GoValue[]): void {
    const schema = this.schema.get('contains');
    if (schema === undefined) return;
    const results = items.map((value, i) => this.inner(schema, value, String(i), 'contains'));
    const matched = results.flatMap((errors, i) => (errors.length === 0 ? [i] : []));
    const isCounted = this.within.draft >= 2019;
    const [least, most] = ['minContains', 'maxContains'].map((one) => (isCounted ? this.number(one) : undefined));
    const found = `matched ${matched.length} items at ${matched.join(' ')}`;
    const wanted = (which: string, count: number) => `${which} ${count} items required to match contains schema, but`;
    const causes = results.flat();
    if (least === undefined && matched.length === 0)
      this.add(['contains'], 'no items match contains schema', { causes });
    if (least !== undefined && matched.length < least)
      this.add(['minContains'], `${wanted('min', least)} ${matched.length === 0 ? 'none matched' : found}`, { causes });
    if (most !== undefined && matched.length > most) this.add(['maxContains'], `${wanted('max', most)} ${found}`);
  }

  private ofText(text: string): void {
    this.count('minLength', runeCount(text));
    this.count('maxLength', runeCount(text));
    const pattern = this.schema.get('pattern');
    if (!isString(pattern) || this.within.fits(pattern, text)) return;
    this.add(['pattern'], `${quoted(text)} does not match pattern ${quoted(pattern)}`);
  }

  private ofNumber(got: number): void {
    for (const [keyword, isWrong] of numberChecks) {
      const want = this.limit(keyword);
      if (want === undefined || !isWrong(got, want)) continue;
      this.add([keyword], `${keyword}: got ${decimal(got)}, want ${decimal(want)}`);
    }
  }

  /** In draft 4 `exclusive…` is a remark on the limit beside it. */
  private limit(keyword: string): number | undefined {
    const plain = keyword.replace('exclusiveM', 'm');
    const isExclusive = this.schema.get(plain.replace('m', 'exclusiveM')) === true;
    if (!isExclusive) return this.number(keyword);
    return keyword === plain ? undefined : this.number(plain);
  }

  private conditions(): void {
    const { schema } = this;
    const not = schema.get('not');
    if (not !== undefined && this.self(not, 'not').length === 0) this.add(['not'], "'not' failed");
    const all = this.each('allOf').flat();
    if (all.length > 0) this.add(['allOf'], "'allOf' failed", { causes: all, group: 'all' });
    const any = this.each('anyOf');
    if (any.length > 0 && any.every((errors) => errors.length > 0))
      this.add(['anyOf'], "'anyOf' failed", { causes: any.flat() });
    this.oneOf(this.each('oneOf'));
    const condition = this.within.draft >= 7 ? schema.get('if') : undefined;
    if (condition === undefined) return;
    const branch = this.self(condition, 'if').length === 0 ? 'then' : 'else';
    const chosen = schema.get(branch);
    if (chosen !== undefined) this.take(this.self(chosen, branch));
  }

  private each(keyword: string): (readonly SchemaError[])[] {
    return this.list(keyword).map((schema, i) => this.self(schema, keyword, i));
  }

  private oneOf(one: readonly (readonly SchemaError[])[]): void {
    const [first, second] = one.flatMap((errors, i) => (errors.length === 0 ? [i] : []));
    if (second !== undefined) this.add(['oneOf'], `'oneOf' failed, subschemas ${first}, ${second} matched`);
    else if (one.length > 0 && first === undefined)
      this.add(['oneOf'], "'oneOf' failed, none matched", { causes: one.flat() });
  }
}

function mapAt(schema: ValueMap, keyword: string): ValueMap {
  const value = schema.get(keyword);
  return isMap(value) ? value : new Map();
}

function lacking(map: GoMap, names: Value | undefined): string[] {
  return isList(names) ? names.filter((name): name is string => isString(name) && !map.has(name)) : [];
}
