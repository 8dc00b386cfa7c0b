import { cleanPath } from '../../../server/src/gostd/path.ts';
import {
  type Build,
  build,
  type ChartRequest,
  type Files,
  type FileText,
  type Options,
  print,
} from '../../../server/src/kustomize/build.ts';
import { ChartFolder } from '../../../server/src/workspace/charts/chartFolder.ts';
import { isKustomization, isYaml } from '../../../server/src/workspace/fileNames.ts';
import { mostChartWork, renderedChart } from '../../../server/src/workspace/kustomizations/renderedChart.ts';
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
  const options: Options = { anyFile: unsafe, wording: hasCharts(files) ? 'disk' : 'memory' };
  return answerOf(build(filesOf(files), `/${path.replace(/^\//, '')}`, options));
}

/** kustomize has charts rendered on the disk. */
function hasCharts(files: KustomizeQuestion['files']): boolean {
  return Object.values(files).some((text) => text.includes('helmChart'));
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
  const room = { left: mostChartWork };
  const chart = (request: ChartRequest) => renderedChart(chartIn(files, request.folder), request, (path) => path, room);
  return { file: (path) => files.get(path), isFolder: (path) => folders.has(path), below, chart };
}

function chartIn(files: ReadonlyMap<string, FileText>, root: string): ChartFolder {
  const own = [...files].filter(([id]) => id.startsWith(`${root}/`));
  const read = own.map(([id, { text }]) => ({ id, path: id.slice(root.length + 1), text }));
  return new ChartFolder({ root, files: read, archives: [], notes: [], missing: [], standIns: [] });
}

/** The files below a folder, by their paths in it: what is in a folder is sorted by name. */
function walked(paths: readonly string[], folder: string): readonly string[] {
  const inside = paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  const key = (path: string) => path.replaceAll('/', '\0');
  return inside.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
