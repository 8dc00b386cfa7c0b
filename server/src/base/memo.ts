/** Where one argument leads: to the result, or to where the next argument leads. */
type Way<Result> = { result: Result } | Ways<Result>;

/** Objects are told apart by their identity, and what was found for one is kept as long as it lives. */
class Ways<Result> {
  // Most lead only one way or the other, and there are many.
  #byObject: WeakMap<object, Way<Result>> | undefined;
  #byValue: Map<unknown, Way<Result>> | undefined;

  get(arg: unknown): Way<Result> | undefined {
    return isObject(arg) ? this.#byObject?.get(arg) : this.#byValue?.get(arg);
  }

  set(arg: unknown, way: Way<Result>): void {
    if (isObject(arg)) {
      this.#byObject ??= new WeakMap();
      this.#byObject.set(arg, way);
    } else {
      this.#byValue ??= new Map();
      this.#byValue.set(arg, way);
    }
  }
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/**
 * The same function, which remembers its results. Its first argument has to be an object, so that nothing is kept for
 * ever, and all that the result rests on has to be among the arguments. It is always called with as many of them.
 */
export function memo<Args extends readonly [object, ...unknown[]], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const root = new Ways<Result>();
  return (...args) => {
    let at = root;
    for (let i = 0; i < args.length - 1; i++) {
      const arg = args[i];
      const next = at.get(arg);
      if (next instanceof Ways) at = next;
      else {
        const made = new Ways<Result>();
        at.set(arg, made);
        at = made;
      }
    }
    const last = args[args.length - 1];
    const known = at.get(last);
    if (known && !(known instanceof Ways)) return known.result;
    const result = make(...args);
    at.set(last, { result });
    return result;
  };
}
