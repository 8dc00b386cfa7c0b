import { type FSWatcher, watch } from 'node:fs';

/**
 * Tells of changes in a file or folder until it is closed. A folder that is not there, or not to be watched, tells
 * nothing: undefined.
 */
export function watched(
  place: string,
  changed: (name: string | null) => void,
  options: { readonly recursive?: boolean; readonly persistent?: boolean; readonly failed?: (why: string) => void },
): FSWatcher | undefined {
  const { recursive = false, persistent = true, failed } = options;
  try {
    const watcher = watch(place, { persistent, recursive }, (_, name) => changed(name));
    watcher.on('error', (error) => {
      watcher.close();
      failed?.(error instanceof Error ? error.message : String(error));
    });
    return watcher;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
