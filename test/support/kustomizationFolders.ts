import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { goText } from '../../server/src/gostd/bytes.ts';
import type { Files, FileText } from '../../server/src/kustomize/build.ts';
import { kustomizationNames } from '../../server/src/kustomize/loader.ts';

/** The folders with a kustomization, in a folder. */
export function kustomizationsIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const own = entries.some(({ name }) => (kustomizationNames as readonly string[]).includes(name));
  const below = entries.filter(
    (entry) => entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules',
  );
  const inside = below.flatMap(({ name }) => kustomizationsIn(path.join(folder, name)));
  return own ? [folder, ...inside] : inside;
}

/** Files of the disk; each is read once. */
export function diskFiles(): Files {
  const known = new Map<string, FileText | undefined>();
  const real = (file: string) => {
    try {
      return realpathSync(file);
    } catch (error) {
      // A link in a repository may lead nowhere, in a circle or through a file.
      if (['ENOENT', 'ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };
  return {
    file: (file) => {
      if (!known.has(file)) known.set(file, read(file));
      return known.get(file);
    },
    isFolder: (file) => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false,
    realPath: real,
  };
}

function read(file: string): FileText | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return { text: goText(readFileSync(file)) };
}
