/** What has to be assumed so that a condition of a template comes out the other way. */
import { type Leaf, ValuePlace } from '../template/from.ts';
import type { CommandNode, Operand, PipeNode } from '../template/nodes.ts';
import { type Cell, GoList, GoMap, type GoValue, Int, isTrue } from '../template/value.ts';
import { type Assumption, known, samples } from './made.ts';

/** What a part of a condition is, at the moment at which it is decided. */
export type Look = (operand: Operand | PipeNode) => Cell | undefined;

/** Where a value of a file is in the values that templates see, which may be several places. */
export type PathsOf = (place: ValuePlace) => readonly (readonly (string | number)[])[];

/** Ways to the wish, in the order in which they are tried: each is all that has to be assumed. */
export type Ways = readonly (readonly Assumption[])[];

/** A part of a condition is looked at with what comes to it from the pipeline before. */
interface Term {
  readonly name: string | undefined;
  readonly args: readonly Operand[];
  readonly before: Term | undefined;
  readonly node: CommandNode;
}

const mostWays = 4;

/** What is known of the values and of the cluster. */
export interface Surroundings {
  pathsOf(place: ValuePlace): ReturnType<PathsOf>;
  /** Whether an API may be served that is not among those that are. */
  mayBeServed(apiVersion: string): boolean;
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
        if (served !== undefined)
          return wish && this.around.mayBeServed(served) ? [[{ kind: 'served', apiVersion: served }]] : [];
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
      default:
        return this.some(parts, wish);
    }
  }

  private part(part: Operand | Term | undefined, wish: boolean): Ways {
    if (!part) return [];
    if (!('kind' in part)) return this.term(part, wish);
    if (part.kind === 'pipe') return this.pipe(part, wish);
    const cell = this.look(part);
    return cell ? this.value(cell, wish) : [];
  }

  /** Ways in which a value is, or is not, taken for true. */
  private value({ value, from }: Cell, wish: boolean): Ways {
    if (isTrue(value) === wish) return [[]];
    const place = placeOf(from.runs(1)[0]?.leaf);
    if (!place) return [];
    const isTaken = !wish && value !== true;
    return (wish ? truths(value) : [falsehood(value)]).map(([make, shown]) => this.assign(place, make, shown, isTaken));
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

  private all(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    const each = parts.map((part) => this.part(part, wish)[0]);
    return each.every((way) => way !== undefined) ? [each.flat()] : [];
  }

  private some(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    return parts.flatMap((part) => this.part(part, wish));
  }

  private equal(parts: readonly (Operand | Term)[], wish: boolean): Ways {
    const cells = parts.map((part) => ('kind' in part ? this.look(part) : undefined));
    return cells.flatMap((cell, at): Ways => {
      const place = placeOf(cell?.from.runs(1)[0]?.leaf);
      const other = cells[at === 0 ? 1 : 0]?.value;
      if (!place || isContainer(other)) return [];
      if (!wish) return [this.assign(place, samples.text, 'something else')];
      return [this.assign(place, known(plainly(other)), shownOf(other))];
    });
  }

  private key([map, key]: readonly (Operand | Term)[], wish: boolean): Ways {
    const [inMap, name] = [map, key].map((part) => (part && 'kind' in part ? this.look(part)?.value : undefined));
    const place = inMap instanceof GoMap && typeof name === 'string' ? inMap.place?.child(name, true) : undefined;
    return place && wish ? [this.assign(place, samples.text, 'something')] : [];
  }
}

function termOf(node: CommandNode, before: Term | undefined): Term {
  const [first] = node.args;
  if (first?.kind === 'identifier') return { name: first.name, args: node.args.slice(1), before, node };
  return { name: undefined, args: node.args, before, node };
}

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

/** What may be of the wrong type. */
const guesses: ReadonlySet<unknown> = new Set([samples.text, samples.map, samples.list]);

type Choice = readonly [make: ReturnType<typeof known>, shown: string];

function truths(value: GoValue): readonly Choice[] {
  if (value === false) return [[samples.yes, 'true']];
  if (value instanceof GoMap) return [[samples.map, '{…}']];
  if (value instanceof GoList) return [[samples.list, '[…]']];
  if (typeof value === 'number' || value instanceof Int) return [[samples.one, '1']];
  if (value === '') return [[samples.text, 'something']];
  return [
    [samples.map, 'something'],
    [samples.text, 'something'],
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
