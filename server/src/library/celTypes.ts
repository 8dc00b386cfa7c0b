import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  structType,
  timestampType,
  typeType,
  uintType,
} from '../cel/types.ts';

const simple: ReadonlyMap<string, CelType> = new Map([
  ['bool', boolType],
  ['bytes', bytesType],
  ['double', doubleType],
  ['duration', durationType],
  ['dyn', dynType],
  ['int', intType],
  ['null', nullType],
  ['null_type', nullType],
  ['string', stringType],
  ['timestamp', timestampType],
  ['type', typeType],
  ['uint', uintType],
]);

const deepest = 50;

/** The type that a text such as `map(string, list(int))` names. */
export function typeNamed(text: string, isDeclared: (name: string) => boolean): CelType {
  const words = text.match(/[A-Za-z_][\w.]*|\S/g) ?? [];
  let at = 0;
  const wrong = () => new Error(`${JSON.stringify(text)} is not a type such as int, list(string) or map(string, dyn)`);
  const expect = (word: string) => {
    if (words[at++] !== word) throw wrong();
  };
  const params = (count: number, depth: number): CelType[] => {
    expect('(');
    const found = Array.from({ length: count }, (_, i) => {
      if (i > 0) expect(',');
      return read(depth + 1);
    });
    expect(')');
    return found;
  };
  const read = (depth: number): CelType => {
    if (depth > deepest) throw wrong();
    const name = words[at++] ?? '';
    const known = simple.get(name);
    if (known) return known;
    if (name === 'list') return listOf(params(1, depth)[0]!);
    if (name === 'optional') return optionalOf(params(1, depth)[0]!);
    if (name === 'map') {
      const [key, value] = params(2, depth);
      return mapOf(key!, value!);
    }
    if (isDeclared(name)) return structType(name);
    throw wrong();
  };
  const type = read(0);
  if (at !== words.length) throw wrong();
  return type;
}
