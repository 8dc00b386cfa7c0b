import path from 'node:path';
import { readRegular } from '../files/read.ts';
import { type DataFile, mostDataBytes } from '../workspace/packaged.ts';

/** A packed file of server/data, beside the program. */
export async function readData(name: DataFile | 'openApi.json.gz'): Promise<Uint8Array> {
  const read = await readRegular(path.join(__dirname, name), mostDataBytes);
  if (read instanceof Uint8Array) return read;
  throw new Error(`the file ${name} beside the program cannot be read`);
}
