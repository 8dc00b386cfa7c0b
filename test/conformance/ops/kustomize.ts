import { cleanPath } from '../../../server/src/gostd/path.ts';
import {
  type Build,
  build,
  type Files,
  type FileText,
  type Options,
  print,
} from '../../../server/src/kustomize/build.ts';
import { isKustomization, isYaml } from '../../../server/src/workspace/fileNames.ts';
import type { Answer, Request } from '../protocol.ts';

/** Files by path, and the folder that is built. */
export interface KustomizeQuestion {
  readonly files: Readonly<Record<string, string>>;
  readonly path?: string;
  readonly unsafe?: boolean;
}

export type KustomizeAnswer = { readonly text: string } | { readonly error: string };

/** What kustomize prints for a folder. */
export function kustomize(request: Request): Answer {
  const read = (member: string) => JSON.parse(request.raw(member) ?? 'null') ?? undefined;
  return kustomizeAnswer({ files: read('files') ?? {}, path: read('path'), unsafe: read('unsafe') });
}

export function kustomizeAnswer({ files, path = '', unsafe = false }: KustomizeQuestion): KustomizeAnswer & Answer {
  const options: Options = { anyFile: unsafe, wording: 'memory' };
  return answerOf(build(filesOf(files), `/${path.replace(/^\//, '')}`, options));
}

/** What was left out is told apart from an answer. */
export function answerOf(made: Build): KustomizeAnswer & Answer {
  const [left] = made.leftOut;
  if (left) return { error: `left out: ${left.reason} ${left.what}` };
  return made.error ? { error: made.error.message } : { text: print(made).text };
}

export function filesOf(texts: Readonly<Record<string, string>>): Files {
  const files = new Map<string, FileText>();
  const folders = new Set(['/']);
  for (const [name, text] of Object.entries(texts)) {
    const path = cleanPath(`/${name}`);
    files.set(path, { text });
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  }
  const below = (folder: string) =>
    walked(
      [...files.keys()].filter((path) => isYaml(path) || isKustomization(path)),
      folder,
    );
  return { file: (path) => files.get(path), isFolder: (path) => folders.has(path), below };
}

/** The files below a folder, by their paths in it: what is in a folder is sorted by name. */
function walked(paths: readonly string[], folder: string): readonly string[] {
  const inside = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  const key = (path: string) => path.replaceAll('/', '\0');
  return inside.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
