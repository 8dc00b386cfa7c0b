import path from 'node:path';
import { gunzippedText } from '../files/gunzip.ts';
import { readRegular } from '../files/read.ts';
import { mostDataBytes } from '../workspace/packaged.ts';
import { fileInside, type OwnFile } from './oneFile.ts';

/** The text of a packed file of server/data, beside the program or inside of it. */
export async function packagedText(name: OwnFile): Promise<string> {
  const read = fileInside(name) ?? (await readRegular(path.join(__dirname, name), mostDataBytes));
  if (read instanceof Uint8Array) return gunzippedText(read);
  throw new Error(`the file ${name} beside the program cannot be read`);
}
