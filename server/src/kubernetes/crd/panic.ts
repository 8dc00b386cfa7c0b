import type { Path } from '../../base/value.ts';
import { type FieldPath, pathOf } from '../field.ts';

/** Which fault of the API server's own code an object runs into. */
export type PanicCause = 'selectable-fields' | 'rule-below-misplaced' | 'rule-expression';

/** The API server crashes on an object: it gives no verdict, only this. */
export interface Panic {
  readonly cause: PanicCause;
  /** Go's text. */
  readonly message: string;
  readonly path: Path;
}

/** Thrown where the API server crashes; `create` and `update` turn it into their verdict. */
export class ServerPanic extends Error {
  readonly panic: Panic;
  constructor(panic: Panic) {
    super(panic.message);
    this.panic = panic;
  }
}

const nilPointer = 'runtime error: invalid memory address or nil pointer dereference';

export function serverPanic(cause: PanicCause, spot: FieldPath, message = nilPointer): never {
  throw new ServerPanic({ cause, message, path: pathOf(spot) });
}
