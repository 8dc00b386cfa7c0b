import path from 'node:path';
import { readRegular } from '../files/read.ts';
import { type DataFile, mostDataBytes, unpackData } from '../workspace/packaged.ts';

/** The text of a packed file of server/data. */
export async function packagedText(name: DataFile): Promise<string> {
  return await unpackData(await readData(name));
}

/** A packed file of server/data, beside the program. */
export async function readData(name: DataFile | 'openApi.json.gz'): Promise<Uint8Array> {
  const read = await readRegular(path.join(__dirname, name), mostDataBytes);
  if (read instanceof Uint8Array) return read;
  throw new Error(`the file ${name} beside the program cannot be read`);
}
