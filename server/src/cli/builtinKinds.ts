import { promises as fs } from 'node:fs';
import path from 'node:path';

/** The packed file of built-in kinds, beside the program. */
export async function readBuiltinKinds(): Promise<Uint8Array> {
  return await fs.readFile(path.join(__dirname, 'builtinKinds.json.gz'));
}
