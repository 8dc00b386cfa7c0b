/** What an expression or type is, as far as what may follow depends on it. */
export type Shape = { readonly start: number } & (
  | { readonly kind: 'name' | 'other' | 'index' | 'list' | 'struct' | 'map' | 'wrong' }
  /** `end` where the name is missing. */
  | { readonly kind: 'selected'; readonly end?: number }
  | { readonly kind: 'function' | 'interface' | 'type switch' }
  | { readonly kind: 'dots' }
  | { readonly kind: 'call'; readonly of: Shape; readonly argument: Shape | undefined }
  /** `end` is that of what is in them. */
  | { readonly kind: 'parentheses'; readonly of: Shape; readonly end?: number }
  | { readonly kind: 'function literal'; readonly end: number }
  | { readonly kind: 'operation'; readonly operator: string; readonly left: Shape; readonly right: Shape }
  | { readonly kind: 'sign'; readonly operator: string; readonly of: Shape }
  | Channel
);

export interface Channel {
  readonly kind: 'channel';
  readonly start: number;
  readonly arrow: number;
  readonly direction: 'both' | 'send' | 'receive';
  readonly of: Shape;
}

export function isChannel(shape: Shape): shape is Channel {
  return shape.kind === 'channel';
}

export function withoutParentheses(shape: Shape): Shape {
  let inner = shape;
  while (inner.kind === 'parentheses') inner = inner.of;
  return inner;
}

/** Where Go says that something ends, where that is not where its last token does. */
export function endInside(shape: Shape): number | undefined {
  let end: number | undefined;
  let inner = shape;
  for (; inner.kind === 'parentheses'; inner = inner.of) end = inner.end;
  return inner.kind === 'function literal' || inner.kind === 'selected' ? (inner.end ?? end) : end;
}

const types: ReadonlySet<Shape['kind']> = new Set(['list', 'struct', 'function', 'interface', 'map', 'channel']);

/** Whether something can only be a type, or a part of one. */
function isTypeElement(shape: Shape): boolean {
  if (types.has(shape.kind)) return true;
  if (shape.kind === 'operation') return isTypeElement(shape.left) || isTypeElement(shape.right);
  if (shape.kind === 'sign') return shape.operator === '~';
  return shape.kind === 'parentheses' && isTypeElement(shape.of);
}

/** The name of a type parameter, and the beginning of its type if that was read with it. */
export interface Parameter {
  readonly name: Shape;
  readonly type: Shape | undefined;
}

/** What was read as the length of an array, taken for a type parameter: `P *T` reads like a product, `P (T)` like a call. */
export function parameterIn(shape: Shape, isCertain: boolean): Parameter | undefined {
  if (shape.kind === 'name') return { name: shape, type: undefined };
  if (shape.kind === 'call') {
    const { of, argument } = shape;
    if (of.kind !== 'name' || !argument || !(isCertain || isTypeElement(argument))) return undefined;
    return { name: of, type: { kind: 'parentheses', of: argument, start: argument.start } };
  }
  if (shape.kind !== 'operation') return undefined;
  const { operator, left, right } = shape;
  const isType = isCertain || isTypeElement(right);
  if (operator === '*' && left.kind === 'name' && isType) {
    return { name: left, type: { kind: 'sign', operator: '*', of: right, start: right.start } };
  }
  if (operator !== '|') return undefined;
  const inner = parameterIn(left, isType);
  return inner?.type && { name: inner.name, type: { ...shape, left: inner.type, start: inner.type.start } };
}
