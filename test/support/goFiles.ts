import type { Files } from '../../server/src/workspace/files.ts';
import { emptyListing } from '../../server/src/workspace/files.ts';
import { GoPackages } from '../../server/src/workspace/goPackages.ts';
import { crdsOf, type GoView, viewOf } from '../../server/src/workspace/projections/goTypes.ts';
import { isInside } from '../../server/src/workspace/uri.ts';
import { packagedText } from './packaged.ts';

/** Files that are nowhere but in memory, by their address. */
export function filesOf(texts: ReadonlyMap<string, string>): Files {
  return {
    list: async () => emptyListing,
    expand: async () => emptyListing,
    read: async (uri) => {
      const text = texts.get(uri);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    isInside: async () => true,
    startOf: (pattern) => pattern,
    entries: async (folder) => {
      const inside = [...texts.keys()].filter((uri) => isInside(uri, folder));
      const names = new Set(inside.map((uri) => uri.slice(folder.length + 1).split('/')[0]!));
      return [...names].map((name) => ({ name, isFolder: !texts.has(`${folder}/${name}`) }));
    },
  };
}

/** A package of one file. */
export async function viewOfText(text: string): Promise<GoView> {
  const packages = new GoPackages(filesOf(new Map([[uri, text]])), undefined, packagedText);
  return viewOf(crdsOf(await packages.generate([folder]), folder), uri)!;
}

const folder = 'file:///api/v1';
const uri = `${folder}/types.go`;
