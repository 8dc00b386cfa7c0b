import { startWorker } from './browser.ts';

/** In Node the same script gives the program what both have, and nothing starts. */
export function start(): void {
  if (typeof (globalThis as { importScripts?: unknown }).importScripts === 'function') startWorker();
}
