import type { Files } from '../../workspace/files.ts';
import { foldersWith } from '../../workspace/kustomizations/graph.ts';
import type { Snapshot } from '../../workspace/snapshot.ts';
import { decode } from '../../workspace/uri.ts';
import { joinedLines } from './commands.ts';
import { scriptsAround, stepsOf } from './scripts.ts';

// `kustomize build config/manifests | operator-sdk generate bundle`: what is built is read by that program, which writes an object of
// its own for the cluster.

/** Whether all that a script around a file builds with it goes into a bundle. */
export async function isOnlyBundled(
  files: Files,
  { kustomizations }: Pick<Snapshot, 'kustomizations'>,
  uri: string,
  folders: readonly string[],
): Promise<boolean> {
  const builds = foldersWith(kustomizations, uri);
  if (builds.length === 0) return false;
  const bundled: string[] = [];
  const others: string[] = [];
  for await (const text of scriptsAround(files, uri, folders)) {
    for (const { way, isBundled } of buildsIn(text)) (isBundled ? bundled : others).push(way);
  }
  const isOneOf = (ways: readonly string[], folder: string) => ways.some((way) => decode(folder).endsWith(`/${way}`));
  return (
    builds.every(({ folder, isRoot }) => !isRoot || isOneOf(bundled, folder)) &&
    !builds.some(({ folder }) => isOneOf(others, folder))
  );
}

interface BuildInScript {
  /** The folder, below wherever the script is by then. */
  readonly way: string;
  readonly isBundled: boolean;
}

function buildsIn(text: string): BuildInScript[] {
  return joinedLines(text).flatMap((line) => {
    const [made, ...behind] = line.split('|');
    const isBundled = behind.some((one) => /\bgenerate[ \t]{1,20}bundle\b/.test(one));
    const ways = made!.matchAll(/(?:\bbuild|[ \t]-k)[ \t]{1,20}["']?([\w./-]{1,200})/g);
    return Array.from(ways, ([, way]) => ({ way: stepsOf(way!), isBundled })).filter(({ way }) => way !== '');
  });
}
