import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Packages } from '../../server/src/controllergen/packages.ts';
import { comesWithGo, type StandardLibrary, standardPackage } from '../../server/src/controllergen/standard.ts';
import type { DataFile } from '../../server/src/workspace/packaged.ts';

/** The text of a file of server/data. */
export async function packagedText(name: DataFile): Promise<string> {
  return gunzipSync(readFileSync(`server/data/${name}`)).toString();
}

let library: StandardLibrary | undefined;

/** Packages, and those of Go that are among the wanted ones; others are nowhere. */
export function withGo(packages: Packages, wanted: ReadonlySet<string>): Packages {
  library ??= JSON.parse(gunzipSync(readFileSync('server/data/goLibrary.json.gz')).toString()) as StandardLibrary;
  const all = new Map(packages);
  for (const path of wanted) all.set(path, (comesWithGo(path) && standardPackage(library, path)) || null);
  return all;
}
