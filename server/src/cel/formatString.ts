import type { Expr } from './ast.ts';
import type { CelProblem } from './source.ts';
import type { CelType, TypeKind } from './types.ts';

/** A failure, and the argument it is about; without one it is about the whole call. */
interface Failure {
  readonly message: string;
  readonly about?: Expr;
}

type Check = (arg: Expr) => Failure | undefined;

const kinds = (...wanted: TypeKind[]) => new Set<TypeKind>(wanted);

function oneOf(wanted: ReadonlySet<TypeKind>, what: string): Check {
  return (arg) => (fits(arg.type, wanted) ? undefined : { message: `${what}, was given ${arg.type.name}`, about: arg });
}

function fits(type: CelType, wanted: ReadonlySet<TypeKind>): boolean {
  return type.kind === 'dyn' || wanted.has(type.kind);
}

const printable = kinds(
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
);

const printableText =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';

/** Anything that has a text; of lists and maps that stand in the expression every part. */
function string(arg: Expr): Failure | undefined {
  if (!fits(arg.type, printable)) return { message: `${printableText}, was given ${arg.type.name}`, about: arg };
  const parts =
    arg.kind === 'list' ? arg.elements : arg.kind === 'map' ? arg.entries.flatMap((e) => [e.key, e.value]) : [];
  for (const part of parts) {
    const failure = string(part);
    if (failure) return failure;
  }
  return undefined;
}

const clauses: Readonly<Record<string, Check>> = {
  s: string,
  d: oneOf(kinds('int', 'uint'), 'decimal clause can only be used on integers'),
  f: oneOf(kinds('double', 'string'), 'fixed-point clause can only be used on doubles'),
  e: oneOf(kinds('double', 'string'), 'scientific clause can only be used on doubles'),
  b: oneOf(kinds('int', 'uint', 'bool'), 'only integers and bools can be formatted as binary'),
  x: oneOf(kinds('int', 'uint', 'string', 'bytes'), 'only integers, byte buffers, and strings can be formatted as hex'),
  X: oneOf(kinds('int', 'uint', 'string', 'bytes'), 'only integers, byte buffers, and strings can be formatted as hex'),
  o: oneOf(kinds('int', 'uint'), 'octal clause can only be used on integers'),
};

const utf8 = new TextEncoder();

/** One clause of a format: where it ends, and what it asks of its argument. */
type Clause = { readonly end: number; readonly check: Check } | { readonly error: string };

/** Reads a clause behind its `%`. The text is read byte by byte, each as one character, as cel-go does. */
export function readClause(bytes: Uint8Array, at: number): Clause {
  let i = at;
  if (bytes[i] === 46) {
    const digits = readDigits(bytes, i + 1);
    if (digits === undefined)
      return { error: 'error while parsing precision: could not find end of precision specifier' };
    const bad = precisionError(digits);
    if (bad !== undefined) {
      return { error: `error while parsing precision: error while converting precision to integer: ${bad}` };
    }
    i += 1 + digits.length;
  }
  const verb = String.fromCharCode(bytes[i]!);
  const check = Object.hasOwn(clauses, verb) ? clauses[verb] : undefined;
  return check ? { end: i + 1, check } : { error: `unrecognized formatting clause "${verb}"` };
}

function readDigits(bytes: Uint8Array, at: number): string | undefined {
  let i = at;
  while (i < bytes.length && bytes[i]! >= 48 && bytes[i]! <= 57) i++;
  return i >= bytes.length ? undefined : asciiText(bytes, at, i);
}

export function asciiText(bytes: Uint8Array, from: number, to: number): string {
  let text = '';
  for (let i = from; i < to; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

function precisionError(digits: string): string | undefined {
  if (digits === '') return 'strconv.Atoi: parsing "": invalid syntax';
  const written = digits.replace(/^0*(?=\d)/, '');
  return written.length < 20 && BigInt(written) < 2n ** 63n
    ? undefined
    : `strconv.Atoi: parsing "${digits}": value out of range`;
}

/** What is wrong with `format.format([args])`, where both are written out. */
export function checkFormat(call: Expr, format: string, args: readonly Expr[]): CelProblem | undefined {
  const bytes = utf8.encode(format);
  let used = 0;
  for (let i = 0; i < bytes.length; ) {
    if (bytes[i] !== 37) {
      i++;
      continue;
    }
    if (bytes[i + 1] === 37) {
      i += 2;
      continue;
    }
    if (i + 1 >= bytes.length) return { at: call.at, message: 'unexpected end of string' };
    if (used >= args.length) return { at: call.at, message: `index ${used} out of range` };
    const clause = readClause(bytes, i + 1);
    if ('error' in clause) return { at: call.at, message: `could not parse formatting clause: ${clause.error}` };
    const failure = clause.check(args[used]!);
    if (failure) return { at: (failure.about ?? call).at, message: `error during formatting: ${failure.message}` };
    used++;
    i = clause.end;
  }
  if (args.length <= used) return undefined;
  const counts = `(expected ${used}, got ${args.length})`;
  return { at: call.at, message: `too many arguments supplied to string.format ${counts}` };
}
