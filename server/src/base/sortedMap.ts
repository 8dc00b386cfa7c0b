import { memo } from './memo.ts';

interface Tree<Value> {
  readonly key: string;
  readonly value: Value;
  readonly left: Tree<Value> | undefined;
  readonly right: Tree<Value> | undefined;
  readonly height: number;
  readonly size: number;
}

/**
 * A map whose next version shares what did not change, so that one more entry costs the same however many there are. Its
 * order is that of its keys: it says nothing of how it came to be.
 */
export class SortedMap<Value> implements ReadonlyMap<string, Value> {
  readonly #root: Tree<Value> | undefined;

  private constructor(root: Tree<Value> | undefined) {
    this.#root = root;
  }

  static of<Value>(entries: ReadonlyMap<string, Value>): SortedMap<Value> {
    if (entries instanceof SortedMap) return entries;
    return new SortedMap(treeOf([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))));
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  get(key: string): Value | undefined {
    return this.#find(key)?.value;
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  #find(key: string): Tree<Value> | undefined {
    let at = this.#root;
    while (at && at.key !== key) at = key < at.key ? at.left : at.right;
    return at;
  }

  /** The map with an entry. */
  with(key: string, value: Value): SortedMap<Value> {
    return new SortedMap(inserted(this.#root, key, value));
  }

  /** The map without a key. */
  without(key: string): SortedMap<Value> {
    return this.has(key) ? new SortedMap(removed(this.#root, key)) : this;
  }

  /** What a function finds in the values, in their order: it is asked once for each part that versions of the map share. */
  collect<Found>(find: (value: Value) => readonly Found[]): readonly Found[] {
    return this.#root
      ? (collected(this.#root, find as (value: unknown) => readonly unknown[]) as readonly Found[])
      : [];
  }

  *entries(): MapIterator<[string, Value]> {
    const open: Tree<Value>[] = [];
    for (let at = this.#root; at || open.length > 0; ) {
      for (; at; at = at.left) open.push(at);
      const next: Tree<Value> = open.pop()!;
      yield [next.key, next.value];
      at = next.right;
    }
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(run: (value: Value, key: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) run(value, key, this);
  }
}

const collected = memo((at: Tree<unknown>, find: (value: unknown) => readonly unknown[]): readonly unknown[] => {
  const [left, right] = [at.left, at.right].map((side) => (side ? collected(side, find) : none));
  const own = find(at.value);
  // Mostly nothing is found, and nothing is to be copied.
  if (own.length === 0 && (left!.length === 0 || right!.length === 0)) return left!.length === 0 ? right! : left!;
  return [...left!, ...own, ...right!];
});

const none: readonly unknown[] = [];

function tree<Value>(
  { key, value }: Pick<Tree<Value>, 'key' | 'value'>,
  left: Tree<Value> | undefined,
  right: Tree<Value> | undefined,
): Tree<Value> {
  const height = 1 + Math.max(heightOf(left), heightOf(right));
  return { key, value, left, right, height, size: 1 + (left?.size ?? 0) + (right?.size ?? 0) };
}

/** A tree of entries that are in order: half of them on each side. */
function treeOf<Value>(
  entries: readonly (readonly [string, Value])[],
  from = 0,
  to = entries.length,
): Tree<Value> | undefined {
  if (from === to) return undefined;
  const middle = (from + to) >> 1;
  const [key, value] = entries[middle]!;
  return tree({ key, value }, treeOf(entries, from, middle), treeOf(entries, middle + 1, to));
}

const heightOf = (at: Tree<unknown> | undefined) => at?.height ?? 0;

/** The same, turned where one side is more than one level higher than the other. */
function balanced<Value>(
  top: Pick<Tree<Value>, 'key' | 'value'>,
  left: Tree<Value> | undefined,
  right: Tree<Value> | undefined,
): Tree<Value> {
  if (left && left.height > heightOf(right) + 1) {
    const { right: inner } = left;
    if (!inner || heightOf(left.left) >= inner.height) return tree(left, left.left, tree(top, inner, right));
    return tree(inner, tree(left, left.left, inner.left), tree(top, inner.right, right));
  }
  if (right && right.height > heightOf(left) + 1) {
    const { left: inner } = right;
    if (!inner || heightOf(right.right) >= inner.height) return tree(right, tree(top, left, inner), right.right);
    return tree(inner, tree(top, left, inner.left), tree(right, inner.right, right.right));
  }
  return tree(top, left, right);
}

function inserted<Value>(at: Tree<Value> | undefined, key: string, value: Value): Tree<Value> {
  if (!at) return tree({ key, value }, undefined, undefined);
  if (at.key === key) return tree({ key, value }, at.left, at.right);
  return key < at.key
    ? balanced(at, inserted(at.left, key, value), at.right)
    : balanced(at, at.left, inserted(at.right, key, value));
}

function removed<Value>(at: Tree<Value> | undefined, key: string): Tree<Value> | undefined {
  if (!at) return undefined;
  if (key < at.key) return balanced(at, removed(at.left, key), at.right);
  if (key > at.key) return balanced(at, at.left, removed(at.right, key));
  if (!at.left || !at.right) return at.left ?? at.right;
  let next = at.right;
  while (next.left) next = next.left;
  return balanced(next, at.left, removed(at.right, next.key));
}
