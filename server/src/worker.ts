import { startWorker } from './browser.ts';

// In Node the same script gives the program what both have, and nothing starts.
if (typeof (globalThis as { importScripts?: unknown }).importScripts === 'function') startWorker();
