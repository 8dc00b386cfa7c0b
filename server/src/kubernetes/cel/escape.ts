/** The words of CEL that cannot be a name, and are written `__word__` as a field. */
export const reservedWords: ReadonlySet<string> = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void
   while`.split(/\s+/),
);

const parts = /__|[-./]|[^a-zA-Z0-9_]/g;
const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name of a property inside CEL; undefined where it cannot be named. */
export function escapeName(name: string): string | undefined {
  if (name === '' || /^[0-9]/.test(name)) return undefined;
  if (reservedWords.has(name)) return `__${name}__`;
  let possible = true;
  const escaped = name.replace(parts, (part) => {
    const known = escapes[part];
    if (known === undefined) possible = false;
    return known ?? '';
  });
  return possible ? escaped : undefined;
}

const unescapes: ReadonlyMap<string, string> = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

/** The property that a name inside CEL stands for; undefined where no property has it. */
export function unescapeName(escaped: string): string | undefined {
  let possible = true;
  const name = escaped.replace(/__([^_]+)__/g, (whole, inner: string) => {
    const plain = unescapes.get(inner);
    if (plain !== undefined) return plain;
    if (!reservedWords.has(inner) || whole.length !== escaped.length) possible = false;
    return inner;
  });
  return possible ? name : undefined;
}
