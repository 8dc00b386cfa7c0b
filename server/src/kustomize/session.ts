/** What builds that share bases share. */

import type { Accumulated } from './accumulator.ts';
import type { Dependencies, Noted } from './context.ts';
import type { Course } from './course.ts';
import type { Resource } from './resource.ts';
import type { KeptRoot } from './rootAgain.ts';
import type { KnownPieces } from './tree/read.ts';
import type { FileText, LeftOut, Session } from './types.ts';

export interface KeptBase {
  /** Nobody changes it: whoever takes it takes a copy. */
  readonly made: Accumulated;
  readonly rests: Dependencies;
  readonly leftOut: readonly LeftOut[];
  readonly notes: readonly Noted[];
  readonly course: Course | undefined;
}

interface ReadFile {
  readonly resources: readonly Resource[];
  readonly pieces: KnownPieces;
}

export class Kept {
  /** By folder; a base is built in few ways. */
  readonly bases = new Map<string, KeptBase>();
  private readonly roots = new Map<string, KeptRoot>();
  /** By path: what was read of a file last, whatever its text was. */
  readonly read = new Map<string, ReadFile>();
  // Not a memo: what is kept of a file depends on how it is read.
  readonly parsed = new WeakMap<FileText, Map<string, unknown>>();

  root(key: string): KeptRoot | undefined {
    return this.roots.get(key);
  }

  /** Those that were built last are kept, as long as they are not too much. */
  keepRoot(key: string, root: KeptRoot): void {
    this.roots.delete(key);
    this.roots.set(key, root);
    let left = mostObjects;
    for (const [at, { resources }] of [...this.roots].reverse()) {
      left -= Math.max(1, resources.length);
      if (left < 0 && at !== key) this.roots.delete(at);
    }
  }
}

/** Objects of all folders whose builds are kept. */
export const mostObjects = 3_000;

export function newSession(): Session {
  return { kept: new Kept() };
}

export function keptOf(session: Session | undefined): Kept {
  return session?.kept instanceof Kept ? session.kept : new Kept();
}
