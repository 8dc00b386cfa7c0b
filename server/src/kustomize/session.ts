/** What builds that share bases share. */

import type { Accumulated } from './accumulator.ts';
import type { Dependencies } from './context.ts';
import type { FileText, LeftOut, Note, Session } from './types.ts';

export interface KeptBase {
  readonly made: Accumulated;
  readonly rests: Dependencies;
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly Note[];
}

export class Kept {
  /** By folder; a base is built in few ways. */
  readonly bases = new Map<string, KeptBase>();
  // Not a memo: what is kept of a file depends on how it is read.
  readonly parsed = new WeakMap<FileText, Map<string, unknown>>();
}

export function newSession(): Session {
  return { kept: new Kept() };
}

export function keptOf(session: Session | undefined): Kept {
  return session?.kept instanceof Kept ? session.kept : new Kept();
}
