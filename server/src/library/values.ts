// Values as programs give and get them.

/**
 * What an expression can be given. Whole numbers are ints unless the variable is a double, dates are timestamps, plain
 * objects and maps are maps and values of types with fields.
 */
export type Input =
  | null
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | Date
  | readonly Input[]
  | ReadonlyMap<string | number | bigint | boolean, Input>
  | { readonly [name: string]: Input };

/**
 * What comes out: ints and uints as bigint, doubles as number, durations, timestamps and types as text, maps as Map, an
 * optional as its value or undefined.
 */
export type Output =
  | null
  | undefined
  | boolean
  | string
  | number
  | bigint
  | Uint8Array
  | readonly Output[]
  | ReadonlyMap<Output, Output>;
