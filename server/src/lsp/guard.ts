import type { CancellationToken } from 'vscode-languageserver';
import { LSPErrorCodes, ResponseError } from './library.ts';

export type Log = (message: string) => void;

/**
 * A request's handler that cannot take the server down: what it throws is logged with a digest of what it was asked,
 * and the editor gets an empty answer.
 */
export function guarded<P, R>(
  name: string,
  empty: R,
  log: Log,
  handler: (params: P, token?: CancellationToken) => R | Promise<R>,
): (params: P, token?: CancellationToken) => Promise<R> {
  return async (params, token?: CancellationToken) => {
    // A request without parameters comes without the second argument.
    if (token?.isCancellationRequested) throw cancelled();
    try {
      return await handler(params, token);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      log(failure(name, params, error));
      return empty;
    }
  };
}

/** What a handler throws that was told to stop. */
export function cancelled(): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestCancelled, 'cancelled');
}

/** The same for notifications, which have no answer. */
export function guardedNotification<P>(name: string, log: Log, handler: (params: P) => void | Promise<void>) {
  return async (params: P): Promise<void> => {
    try {
      await handler(params);
    } catch (error) {
      log(failure(name, params, error));
    }
  };
}

function failure(name: string, params: unknown, error: unknown): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${name} failed on input ${digest(JSON.stringify(params) ?? '')}: ${what}`;
}

/** A short name for an input (FNV-1a), so that two reports of the same failure can be recognised without its text. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
