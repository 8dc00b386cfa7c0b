import type { Accumulated } from './accumulator.ts';
import type { ConfigFile } from './configFile.ts';
import type { Context } from './context.ts';
import type { Kustomization } from './kustomization.ts';
import type { Loader } from './loader.ts';
import type { Place } from './origin.ts';
import type { LeftOutReason } from './types.ts';

/** A kustomization that is being built, as its steps see it. */
export interface Building {
  readonly loader: Loader;
  readonly context: Context;
  readonly file: ConfigFile;
  readonly fields: Kustomization;
  /** What needs something from elsewhere is left out. */
  known<T>(made: Accumulated, act: () => T): T | undefined;
  leaveOut(made: Accumulated, reason: LeftOutReason, what: string, place: Place): void;
}
