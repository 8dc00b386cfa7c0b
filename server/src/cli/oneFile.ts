import path from 'node:path';
import type { DataFile } from '../workspace/packaged.ts';

// The program is a script with files beside it, or an executable that has all of that inside: docs/decisions/0026.

/** A packed file of server/data. */
export type OwnFile = DataFile | 'openApi.json.gz';

let inside: Readonly<Record<OwnFile, Uint8Array>> | undefined;

/** Says that this is an executable, and gives the files that it has inside. */
export function isOneFile(files: Readonly<Record<OwnFile, Uint8Array>>): void {
  inside = files;
}

export function fileInside(name: OwnFile): Uint8Array | undefined {
  return inside?.[name];
}

/** The command that starts this program. */
export function ownCommand(): readonly [string, ...(readonly string[])] {
  return inside ? [process.execPath] : [process.execPath, path.join(__dirname, 'main.cjs')];
}

/** The file as which this program was called. */
export function calledAs(): string {
  // What runs an executable has a script's name of its own for it.
  return (inside ? process.argv0 : process.argv[1]) ?? '';
}
