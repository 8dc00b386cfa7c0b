/** What has to be assumed so that a condition of a template comes out the other way. */

import { type Called, Computed, type Leaf, ValuePlace } from '../template/from.ts';
import { type CommandNode, type Operand, type PipeNode, printNode } from '../template/nodes.ts';
import { compareVersions, parseVersion, versionsAround } from '../template/semver.ts';
import { type Cell, cell, GoList, GoMap, type GoValue, Int, isTrue, openText } from '../template/value.ts';
import { versionSetType } from './capabilities.ts';
import { type Assumption, gone, known, manyOf, partly, samples } from './made.ts';
import type { KeyPath } from './placesInValues.ts';

/** What a part of a condition is, at the moment at which it is decided. */
export type Look = (operand: Operand | PipeNode) => Cell | undefined;

/** Where a value of a file is in the values that templates see, which may be several places. */
export type PathsOf = (place: ValuePlace) => readonly KeyPath[];

/** Ways to the wish, in the order in which they are tried: each is all that has to be assumed. */
export type Ways = readonly (readonly Assumption[])[];

/** A part of a condition is looked at with what comes to it from the pipeline before. */
interface Term {
  readonly name: string | undefined;
  readonly args: readonly Operand[];
  readonly before: Term | undefined;
  readonly node: CommandNode;
}

const mostWays = 5;

/** Items, or characters, that are made up where a template counts them. */
const mostCounted = 100;

/** Characters of a pattern for which a text is made. */
const longestPattern = 200;

/** What is known of the values and of the cluster, and of what templates do with them. */
export interface Surroundings {
  /** Other constants that a value is compared with. */
  comparedWith(place: ValuePlace, constant: GoValue): readonly GoValue[];
  pathsOf(place: ValuePlace): ReturnType<PathsOf>;
  /** Where other items of the same list have a value that one of them is to get. */
  besides(path: KeyPath, value: GoValue): readonly KeyPath[];
  /** The version of Kubernetes. */
  readonly kubernetes: string;
}

export function waysTo(pipe: PipeNode, wish: boolean, look: Look, around: Surroundings): Ways {
  return new Flip(look, around).pipe(pipe, wish).slice(0, mostWays);
}

class Flip {
  private readonly look: Look;
  private readonly around: Surroundings;

  constructor(look: Look, around: Surroundings) {
    this.look = look;
    this.around = around;
  }

  pipe(pipe: PipeNode, wish: boolean): Ways {
    const last = pipe.commands.reduce<Term | undefined>((before, node) => termOf(node, before), undefined);
    return last ? this.term(last, wish) : [];
  }

  private term(term: Term, wish: boolean): Ways {
    const { name, args, before, node } = term;
    const parts: readonly (Operand | Term)[] = before ? [...args, before] : args;
    switch (name) {
      case undefined: {
        const served = servedBy(node);
        if (served !== undefined) return [[{ kind: 'served', apiVersion: served, isServed: wish }]];
        return this.part(node.args[0]!, wish);
      }
      case 'not':
      case 'empty':
        return this.part(parts[0], !wish);
      case 'and':
        return wish ? this.all(parts, true) : this.some(parts, false);
      case 'or':
      case 'coalesce':
        return wish ? this.some(parts, true) : this.all(parts, false);
      case 'default':
        return this.part(parts.at(-1), wish);
      case 'eq':
        return this.equal(parts, wish);
      case 'ne':
        return this.equal(parts, !wish);
      case 'hasKey':
        return this.key(parts, wish);
      case 'gt':
      case 'ge':
      case 'lt':
      case 'le':
        return this.ordered(name, parts, wish);
      case 'regexMatch':
      case 'mustRegexMatch':
        return this.matching(parts, wish);
      case 'semverCompare':
        return this.inRange(parts, wish);
      case 'has':
        return this.listed(parts, wish);
      case 'kindIs':
      case 'typeIs':
      case 'typeIsLike':
        return this.typed(parts, wish);
      case 'contains':
      case 'hasPrefix':
      case 'hasSuffix':
        return (wish && this.containing(name, parts)) || this.equal(parts, wish);
      case 'index':
      case 'get':
        return this.lookedUp(term, parts, wish);
      case 'dig':
        return this.lookedUp(term, [...parts.slice(-1), ...parts.slice(0, -2)], wish);
      default:
        return this.some(parts, wish);
    }
  }

  /** What is found by names in a map: `index .Values "shop-web" "enabled"`. What is not there yet has a place all the same. */
  private lookedUp(term: Term, where: readonly (Operand | Term)[], wish: boolean): Ways {
    const found = this.look(pipeOf(term));
    const ways = found ? this.value(found, wish) : [];
    if (ways.length > 0 || !wish) return ways;
    const [map, ...names] = where.map((part) => this.cellOf(part)?.value);
    const place = map instanceof GoMap ? map.place : undefined;
    if (!place || names.length === 0 || !names.every((name) => typeof name === 'string')) return [];
    const at = names.reduce((around: ValuePlace, name) => around.child(name as string, true), place);
    return truths(null).map(([make, shown]) => this.assign(at, make, shown));
  }

  private part(part: Operand | Term | undefined, wish: boolean): Ways {
    if (!part) return [];
    if (!('kind' in part)) return this.term(part, wish);
    const cell = this.look(part);
    // What is so already takes nothing, however it came about.
    if (cell && isTrue(cell.value) === wish) return [[]];
    if (part.kind === 'pipe') return this.pipe(part, wish);
    return cell ? this.value(cell, wish) : [];
  }

  /** Ways in which a value is, or is not, taken for true. */
  private value({ value, from }: Cell, wish: boolean): Ways {
    if (isTrue(value) === wish) return [[]];
    const leaf = from.runs(1)[0]?.leaf;
    const called = typeof value === 'boolean' ? calledFor(leaf) : undefined;
    const ways = called && this.ofCall(called, wish);
    if (ways && ways.length > 0) return ways;
    const place = placeOf(leaf);
    // What was put together of several is there once one of them is.
    if (!place && wish) return placesOf(leaf).map((one) => this.assign(one, ...truths(value)[0]!));
    if (!place) return [];
    const isTaken = !wish && value !== true;
    return (wish ? truths(value) : [falsehood(value)]).map(([make, shown]) => this.assign(place, make, shown, isTaken));
  }

  /** What turns the call that a value was worked out by, wherever that was. */
  private ofCall({ name, args }: Called, wish: boolean): Ways {
    const cells = args as readonly Cell[];
    switch (name) {
      case 'eq':
        return this.equalCells(cells, wish);
      case 'ne':
        return this.equalCells(cells, !wish);
      default:
        return cells[0] ? this.value(cells[0], !wish) : [];
    }
  }

  private assign(
    place: ValuePlace,
    make: ReturnType<typeof known>,
    shown: string,
    isTaken = false,
  ): readonly Assumption[] {
    return this.around
      .pathsOf(place)
      .map((path) => ({ kind: 'value' as const, path, make, shown, isGuess: guesses.has(make), isTaken }));
  }

  /** No two ports have one name: another item that has the value gets what the one had. */
  private setTo(place: ValuePlace, value: GoValue, before: GoValue): readonly Assumption[] {
    const own = this.assign(place, known(plainly(value)), shownOf(value));
    const others = own.flatMap((one) => (one.kind === 'value' ? this.around.besides(one.path, value) : []));
    const make = known(plainly(before));
    const shown = shownOf(before);
    return [...own, ...others.map((path) => ({ ...own[0]!, path, make, shown }))];
  }

  private all(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    const each = parts.map((part) => this.part(part, wish)[0]);
    return each.every((way) => way !== undefined) ? [each.flat()] : [];
  }

  private some(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    return parts.flatMap((part) => this.part(part, wish));
  }

  private equal(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    const counted = parts.find((part) => calledIn(part) === 'len');
    if (counted) {
      const count = numberIn(this.cellOf(parts.find((part) => part !== counted))?.value) ?? 0;
      const ways = this.counting(counted, wish === count > 0, count);
      // What has others in it already is not made to have so many.
      return ways.filter((way) => way.length > 0);
    }
    return this.equalCells(
      parts.map((part) => this.cellOf(part)),
      wish,
    );
  }

  private equalCells(cells: readonly (Cell | undefined)[], wish: boolean): Ways {
    return cells.flatMap((cell, at): Ways => {
      const place = placeOf(cell?.from.runs(1)[0]?.leaf);
      const other = cells[at === 0 ? 1 : 0]?.value;
      if (!cell || isContainer(other)) return [];
      const called = isPrintedBool(cell.value) ? calledFor(cell.from.runs(1)[0]?.leaf) : undefined;
      const ways = called && isPrintedBool(other) ? this.ofCall(called, (other === 'true') === wish) : [];
      if (ways.length > 0) return ways;
      // What was worked out of a value may be its type.
      if (!place) return [];
      const type = cell.from === place ? undefined : typesNamed.get(other as string);
      if (type) return this.ofType(place, type, wish, other!);
      const others = this.around.comparedWith(place, other ?? null);
      if (wish) return [this.setTo(place, other ?? null, cell.value)];
      const number = numberIn(other);
      // A text that is read as a number is 0: `ne (int .Values.port) 0`.
      const next = number === undefined ? [] : [this.assign(place, known(number + 1), String(number + 1))];
      return [
        ...others.map((one) => this.assign(place, known(plainly(one)), shownOf(one))),
        ...next,
        this.assign(place, samples.text, 'something else'),
      ];
    });
  }

  private cellOf(part: Operand | Term | undefined): Cell | undefined {
    if (!part) return undefined;
    if ('kind' in part) return this.look(part);
    const [inner] = part.args;
    if (part.name !== undefined && conversions.has(part.name)) return this.cellOf(part.before ?? inner);
    return part.name === undefined && inner ? this.look(inner) : this.look(pipeOf(part));
  }

  /** A value of a type, or of any other one. */
  private ofType(place: ValuePlace, type: keyof typeof samples, wish: boolean, named: GoValue): Ways {
    const wanted = wish ? [type] : (['text', 'entries', 'list', 'yes'] as const).filter((one) => one !== type);
    const ways = wanted.map((one) => this.assign(place, samples[one], shownSamples[one]));
    return wish ? [...ways, this.assign(place, known(plainly(named)), shownOf(named))] : ways;
  }

  private typed([name, of]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [type, cell] = [this.cellOf(name)?.value, this.cellOf(of)];
    const place = placeOf(cell?.from.runs(1)[0]?.leaf);
    if (place && type === 'invalid' && !wish)
      return truths(null).map(([make, shown]) => this.assign(place, make, shown));
    const sample = typesNamed.get(type as string);
    return place && sample ? this.ofType(place, sample, wish, type!).slice(0, wish ? 1 : undefined) : [];
  }

  /** A text with a part that a template asks for, and more that nobody knows. */
  private containing(name: keyof typeof surrounded, [part, text]: readonly (Operand | Term)[]): Ways | undefined {
    const [asked, cell] = [this.cellOf(part)?.value, this.cellOf(text)];
    const place = placeOf(cell?.from.runs(1)[0]?.leaf);
    return typeof asked === 'string' && place ? [this.assign(place, ...surrounded[name](asked))] : undefined;
  }

  /** A number that is more, or less, than the other. */
  private ordered(name: 'gt' | 'ge' | 'lt' | 'le', parts: readonly (Operand | Term)[], wish: boolean): Ways {
    const [a, b] = parts.map((part) => this.cellOf(part));
    const counted = parts.find((part) => calledIn(part) === 'len');
    if (counted) {
      const limit = numberIn(counted === parts[0] ? b?.value : a?.value) ?? 0;
      const isMore = (name === 'gt' || name === 'ge') === (counted === parts[0]);
      const isEqual = name === 'ge' || name === 'le';
      return this.counting(counted, isMore === wish, isEqual === isMore ? limit : limit + 1);
    }
    for (const [cell, other, isFirst] of [
      [a, b, true],
      [b, a, false],
    ] as const) {
      const place = placeOf(cell?.from.runs(1)[0]?.leaf);
      const limit = numberIn(other?.value);
      const isMinor = isMinorVersion(isFirst ? parts[0] : parts[1]);
      if (!(place || isMinor) || limit === undefined) continue;
      const isMore = ((name === 'gt' || name === 'ge') === isFirst) === wish;
      const isEqual = (name === 'ge' || name === 'le') === wish;
      const wanted = isEqual ? limit : isMore ? limit + 1 : limit - 1;
      if (place) return [this.assign(place, known(wanted), String(wanted))];
      return [[{ kind: 'kubernetes', version: `v1.${wanted}.0` }]];
    }
    return [];
  }

  /** At least so many of what is counted; otherwise none. */
  private counting(counted: Operand | Term, isMany: boolean, count: number): Ways {
    const ways = this.some(argsIn(counted), isMany);
    if (!isMany || count < 2 || count > mostCounted) return ways;
    return ways.map((way) => way.map((one) => (one.kind === 'value' ? asMany(one, count) : one)));
  }

  /** A text that a pattern matches. */
  private matching([pattern, text]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [asked, cell] = [this.cellOf(pattern)?.value, this.cellOf(text)];
    const place = placeOf(cell?.from.runs(1)[0]?.leaf);
    if (typeof asked !== 'string' || !place) return [];
    if (!wish) return [this.assign(place, samples.text, 'something else')];
    const fitting = fittingText(asked);
    return fitting === undefined ? [] : [this.assign(place, known(fitting), shownOf(fitting))];
  }

  /** A version that a template compares, of Kubernetes or of something among the values. */
  private inRange([range, version]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [asked, cell] = [this.cellOf(range)?.value, this.cellOf(version)];
    if (typeof asked !== 'string') return [];
    const place = placeOf(cell?.from.runs(1)[0]?.leaf);
    return versionsAround(asked, wish).flatMap((one): Ways => {
      const given = place ? [this.assign(place, known(one), shownOf(one))] : [];
      return isSameVersion(cell?.value, this.around.kubernetes)
        ? [[{ kind: 'kubernetes', version: `v${one}` }], ...given]
        : given;
    });
  }

  /** Whether something is in a list of values; or one of those that a template lists itself. */
  private listed([one, list]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [needle, all] = [this.cellOf(one), this.cellOf(list)];
    const inList = placeOf(all?.from.runs(1)[0]?.leaf);
    if (needle && inList && !isContainer(needle.value)) {
      const made = new GoList(wish ? [cell(needle.value, needle.from)] : []);
      return [this.assign(inList, known(made), wish ? `[${shownOf(needle.value)}]` : '[]')];
    }
    if (!(all?.value instanceof GoList)) return [];
    if (all.value.type === versionSetType && typeof needle?.value === 'string')
      return [[{ kind: 'served', apiVersion: needle.value, isServed: wish }]];
    const place = placeOf(needle?.from.runs(1)[0]?.leaf);
    if (!place) return [];
    const [first] = all.value.items;
    if (!wish) return [this.assign(place, samples.text, 'something else')];
    return first ? [this.assign(place, known(plainly(first.value)), shownOf(first.value))] : [];
  }

  private key([map, key]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [inMap, name] = [map, key].map((part) => (part && 'kind' in part ? this.look(part)?.value : undefined));
    if (!(inMap instanceof GoMap) || typeof name !== 'string') return [];
    const place = inMap.place?.child(name, true);
    if (place) return [wish ? this.assign(place, samples.text, 'something') : this.assign(place, gone, 'null', true)];
    // In a map that the template makes, it is the key that may be another one.
    const named = key && 'kind' in key ? placeOf(this.look(key)?.from.runs(1)[0]?.leaf) : undefined;
    const [first] = inMap.keys();
    return named && wish && first !== undefined ? [this.assign(named, known(first), shownOf(first))] : [];
  }
}

function termOf(node: CommandNode, before: Term | undefined): Term {
  const [first] = node.args;
  if (first?.kind === 'identifier') return { name: first.name, args: node.args.slice(1), before, node };
  return { name: undefined, args: node.args, before, node };
}

/** The pipeline up to a term. */
function pipeOf(term: Term): PipeNode {
  const commands: CommandNode[] = [];
  for (let one: Term | undefined = term; one; one = one.before) commands.unshift(one.node);
  const { pos } = commands[0]!;
  return { kind: 'pipe', pos, end: term.node.end, declared: [], isAssign: false, commands, isBroken: false };
}

/** The function that a part of a condition ends with. */
function calledIn(part: Operand | Term): string | undefined {
  if (!('kind' in part)) return part.name;
  const [first] = part.kind === 'pipe' ? (part.commands.at(-1)?.args ?? []) : [];
  return first?.kind === 'identifier' ? first.name : undefined;
}

function argsIn(part: Operand | Term): readonly (Operand | Term)[] {
  if (!('kind' in part)) return part.before ? [...part.args, part.before] : part.args;
  const last = part.kind === 'pipe' ? part.commands.at(-1) : undefined;
  if (!last) return [];
  const before = part.kind === 'pipe' ? part.commands.at(-2) : undefined;
  return before ? [...last.args.slice(1), termOf(before, undefined)] : last.args.slice(1);
}

/** Whether it is the minor version of Kubernetes that is compared, which is nowhere among the values. */
function isMinorVersion(part: Operand | Term | undefined): boolean {
  if (!part) return false;
  if ('kind' in part) return /\.KubeVersion\.Minor\b/.test(printNode(part));
  return isMinorVersion(part.before) || /\.KubeVersion\.Minor\b/.test(printNode(part.node));
}

/** Whether it is the version of Kubernetes; where it is not known what is compared, it may be. */
function isSameVersion(value: GoValue | undefined, kubernetes: string): boolean {
  if (typeof value !== 'string') return value === undefined;
  const [one, other] = [parseVersion(value), parseVersion(kubernetes)];
  return 'version' in one && 'version' in other && compareVersions(one.version, other.version) === 0;
}

function numberIn(value: GoValue | undefined): number | undefined {
  if (value instanceof Int) return Number(value.value);
  return typeof value === 'number' ? value : undefined;
}

/** What changes the type of a value and no more. */
const conversions: ReadonlySet<string> = new Set(['int', 'int64', 'float64', 'toString', 'lower', 'trim', 'quote']);

/** What `typeOf` and `kindOf` call the types of values. */
const typesNamed: ReadonlyMap<string, keyof typeof samples> = new Map([
  ['string', 'text'],
  ['map', 'entries'],
  ['map[string]interface {}', 'entries'],
  ['slice', 'list'],
  ['[]interface {}', 'list'],
  ['bool', 'yes'],
  ['float64', 'one'],
  ['int', 'one'],
  ['int64', 'one'],
]);

const shownSamples: Readonly<Record<keyof typeof samples, string>> = {
  ...{ yes: 'true', one: '1', text: 'something', map: '{…}', entries: '{…}', list: '[…]', texts: '[…]' },
};

/** The name in `.Capabilities.APIVersions.Has "…"`. */
function servedBy({ args: [first, name] }: CommandNode): string | undefined {
  const isAsked = first?.kind === 'field' || first?.kind === 'variable';
  if (!isAsked || first.names.at(-1) !== 'Has' || name?.kind !== 'string') return undefined;
  return name.text;
}

/** The one value of a file that something comes from. */
export function placeOf(leaf: Leaf | undefined): ValuePlace | undefined {
  if (leaf instanceof ValuePlace) return leaf;
  if (leaf?.kind !== 'computed') return undefined;
  const places = leaf.of.map((from) => placeOf(from.runs(1)[0]?.leaf)).filter((place) => place !== undefined);
  return places.length === 1 ? places[0] : undefined;
}

/** Values of files that something was worked out of. */
function placesOf(leaf: Leaf | undefined): readonly ValuePlace[] {
  if (!(leaf instanceof Computed)) return [];
  return leaf.of.map((from) => placeOf(from.runs(1)[0]?.leaf)).filter((place) => place !== undefined);
}

/** The call that a value was worked out by, through texts that it was printed into and read from. */
function calledFor(leaf: Leaf | undefined): Called | undefined {
  if (leaf?.kind !== 'computed' || !(leaf instanceof Computed)) return undefined;
  if (leaf.called) return leaf.called;
  return leaf.of.length === 1 ? calledFor(leaf.of[0]!.runs(1)[0]?.leaf) : undefined;
}

/** What a boolean is where a helper prints it. */
function isPrintedBool(value: GoValue): boolean {
  return value === 'true' || value === 'false';
}

/** A text that a simple pattern matches: of each part the first and least that it allows. What is too much for that is not tried. */
function fittingText(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return undefined;
  const text = pattern
    .replace(/\[0-9\]|\\d/g, '1')
    .replace(/\([^()]*\)[?*]/g, '')
    .replace(/\([^()]*\)/g, (group) => group.replace(/^\(\?:|^\(|\)$/g, '').split('|')[0]!)
    .replace(/[^\\][*?]/g, '')
    .replace(/^\^|\$$|\+/g, '')
    .replace(/\\([./-])/g, '$1');
  return /^[\w/.:, -]+$/.test(text) ? text : undefined;
}

/** What may be of the wrong type. */
const guesses: ReadonlySet<unknown> = new Set([
  samples.text,
  samples.map,
  samples.entries,
  samples.list,
  samples.texts,
]);

/** What is assumed, with as many items or characters. */
function asMany(one: Assumption & { readonly kind: 'value' }, count: number): Assumption {
  return { ...one, make: manyOf(one.make, count), shown: `${one.shown} × ${count}` };
}

type Choice = readonly [make: ReturnType<typeof known>, shown: string];

/** Nobody gives `sha256:` alone: what is around a part is not known. */
const surrounded = {
  contains: (part: string): Choice => [partly(`${openText}${part}${openText}`), `"…${part}…"`],
  hasPrefix: (part: string): Choice => [partly(part + openText), `"${part}…"`],
  hasSuffix: (part: string): Choice => [partly(openText + part), `"…${part}"`],
};

function truths(value: GoValue): readonly Choice[] {
  if (value === false) return [[samples.yes, 'true']];
  if (value instanceof GoMap) return [[samples.entries, '{…}']];
  if (value instanceof GoList) {
    return [
      [samples.list, '[…]'],
      [samples.texts, '[…]'],
    ];
  }
  if (typeof value === 'number' || value instanceof Int) return [[samples.one, '1']];
  if (value === '') return [[samples.text, 'something']];
  return [
    [samples.map, 'something'],
    [samples.text, 'something'],
    [samples.entries, '{…}'],
    [samples.list, '[…]'],
    [samples.yes, 'true'],
  ];
}

function falsehood(value: GoValue): Choice {
  if (value === true) return [known(false), 'false'];
  if (value instanceof GoMap) return [(place) => known(new GoMap(new Map(), { place }))(place), '{}'];
  if (value instanceof GoList) return [known(new GoList([])), '[]'];
  return typeof value === 'string' ? [known(''), '""'] : [known(null), 'null'];
}

function isContainer(value: GoValue): boolean {
  return value instanceof GoMap || value instanceof GoList;
}

/** A constant of a template as a file of values would have it. */
function plainly(value: GoValue): GoValue {
  return value instanceof Int ? Number(value.value) : value;
}

function shownOf(value: GoValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(plainly(value));
}
