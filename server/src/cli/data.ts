import path from 'node:path';
import { gunzippedText } from '../files/gunzip.ts';
import { readRegular } from '../files/read.ts';
import { type DataFile, mostDataBytes } from '../workspace/packaged.ts';
import { fileInside, type OwnFile } from './oneFile.ts';

/** The text of a packed file of server/data. */
export async function packagedText(name: DataFile): Promise<string> {
  return gunzippedText(await readData(name));
}

/** A packed file of server/data, beside the program or inside of it. */
export async function readData(name: OwnFile): Promise<Uint8Array> {
  const read = fileInside(name) ?? (await readRegular(path.join(__dirname, name), mostDataBytes));
  if (read instanceof Uint8Array) return read;
  throw new Error(`the file ${name} beside the program cannot be read`);
}
