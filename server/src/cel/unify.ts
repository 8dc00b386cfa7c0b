import {
  type CelType,
  dynType,
  isDyn,
  isDynOrError,
  isNullable,
  listOf,
  mapOf,
  opaqueType,
  optionalOf,
  typeOf,
} from './types.ts';

/** What type parameters stand for so far. Changes since a mark can be taken back. */
export interface Substitution {
  readonly bound: (CelType | undefined)[];
  /** Slots and what stood there before, in pairs, latest last. */
  readonly trail: (number | CelType | undefined)[];
}

export function newSubstitution(): Substitution {
  return { bound: [], trail: [] };
}

function bind(s: Substitution, param: CelType, type: CelType): void {
  s.trail.push(param.slot, s.bound[param.slot]);
  s.bound[param.slot] = type;
}

function undo(s: Substitution, mark: number): void {
  while (s.trail.length > mark) {
    const before = s.trail.pop() as CelType | undefined;
    s.bound[s.trail.pop() as number] = before;
  }
}

/** The same type; one that was never given is not even the same as itself. */
function same(a: CelType, b: CelType): boolean {
  return a === b && a.kind !== 'unspecified';
}

/** Whether `from` may stand where `to` is wanted; what that binds stays only where it may. */
export function assignable(s: Substitution, from: CelType, to: CelType): boolean {
  if (same(from, to)) return true;
  const mark = s.trail.length;
  if (assign(s, from, to)) return true;
  undo(s, mark);
  return false;
}

/** A call's arguments against an overload's, `fresh` standing for its parameters. */
export function assignableCall(
  s: Substitution,
  given: readonly CelType[],
  wanted: readonly CelType[],
  params: readonly CelType[],
  fresh: readonly CelType[],
): boolean {
  const mark = s.trail.length;
  for (let i = 0; i < given.length; i++) {
    if (assign(s, given[i]!, instantiate(wanted[i]!, params, fresh))) continue;
    undo(s, mark);
    return false;
  }
  return true;
}

export function assignableList(s: Substitution, from: readonly CelType[], to: readonly CelType[]): boolean {
  const mark = s.trail.length;
  if (assignList(s, from, to)) return true;
  undo(s, mark);
  return false;
}

function assignList(s: Substitution, from: readonly CelType[], to: readonly CelType[]): boolean {
  if (from.length !== to.length) return false;
  for (let i = 0; i < from.length; i++) if (!assign(s, from[i]!, to[i]!)) return false;
  return true;
}

function assign(s: Substitution, a: CelType, b: CelType): boolean {
  if (same(a, b)) return true;
  if (b.kind === 'param') {
    const had = s.bound[b.slot] !== undefined;
    if (substitutes(s, a, b)) return true;
    if (had) return false;
  }
  if (a.kind === 'param') return substitutes(s, b, a);
  if (isDynOrError(a) || isDynOrError(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  return sameShape(s, a, b);
}

function sameShape(s: Substitution, a: CelType, b: CelType): boolean {
  switch (a.kind) {
    case 'unspecified':
      return false;
    case 'type':
      return b.kind === 'type';
    case 'opaque':
    case 'list':
    case 'map':
      return a.kind === b.kind && a.name === b.name && assignList(s, a.params, b.params);
    default:
      return b.kind === 'param' || (a.kind === b.kind && a.name === b.name);
  }
}

/** Whether `type` can be what the parameter stands for; binds it, or widens what it was bound to. */
function substitutes(s: Substitution, type: CelType, param: CelType): boolean {
  if (type === param) return true;
  const known = s.bound[param.slot];
  if (known === undefined) {
    if (!absentFrom(s, param, type)) return false;
    bind(s, param, type);
    return true;
  }
  if (same(type, known)) return true;
  if (!assign(s, type, known)) return false;
  const general = mostGeneral(type, known);
  if (absentFrom(s, param, general)) bind(s, param, general);
  return true;
}

export function mostGeneral(a: CelType, b: CelType): CelType {
  return noMoreSpecific(a, b) ? a : b;
}

function noMoreSpecific(a: CelType, b: CelType): boolean {
  if (isDyn(a) || a.kind === 'param') return true;
  if (isDyn(b) || b.kind === 'param' || a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'opaque':
      if (a.name !== b.name || a.params.length !== b.params.length) return false;
      return a.params.every((p, i) => noMoreSpecific(p, b.params[i]!));
    case 'list':
    case 'map':
      return a.params.every((p, i) => noMoreSpecific(p, b.params[i]!));
    case 'type':
      return true;
    default:
      return a === b || a.name === b.name;
  }
}

/** Whether a parameter does not occur in a type, nor in what its parameters stand for. */
function absentFrom(s: Substitution, param: CelType, within: CelType): boolean {
  if (param === within) return false;
  if (!within.open) return true;
  if (within.kind === 'param') {
    const known = s.bound[within.slot];
    return known === undefined || absentFrom(s, param, known);
  }
  return within.params.every((p) => absentFrom(s, param, p));
}

/** The type with its parameters replaced; parameters that stand for nothing become dyn where that is asked for. */
export function substitute(s: Substitution, type: CelType, unboundToDyn: boolean): CelType {
  if (!type.open) return type;
  if (type.kind === 'param') {
    const known = s.bound[type.slot];
    if (known !== undefined) return substitute(s, known, unboundToDyn);
    return unboundToDyn ? dynType : type;
  }
  if (type.kind === 'list') return listOf(substitute(s, type.params[0]!, unboundToDyn));
  return rebuild(type, (p) => substitute(s, p, unboundToDyn));
}

/** The type with other parameters inside. */
function rebuild(type: CelType, change: (param: CelType) => CelType): CelType {
  const [first, second] = type.params as readonly [CelType, CelType?];
  switch (type.kind) {
    case 'list':
      return listOf(change(first));
    case 'map':
      return mapOf(change(first), change(second!));
    case 'type':
      return typeOf(change(first));
    case 'opaque':
      return type.name === 'optional_type' ? optionalOf(change(first)) : opaqueType(type.name);
    default:
      return type;
  }
}

/** A signature's type with fresh variables for its parameters. */
export function instantiate(type: CelType, params: readonly CelType[], fresh: readonly CelType[]): CelType {
  if (!type.open) return type;
  if (type.kind === 'param') {
    const place = params.indexOf(type);
    return place < 0 ? type : fresh[place]!;
  }
  if (type.kind === 'list') return listOf(instantiate(type.params[0]!, params, fresh));
  return rebuild(type, (p) => instantiate(p, params, fresh));
}
