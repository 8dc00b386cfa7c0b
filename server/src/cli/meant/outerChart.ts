import type { Wordless } from '../../rules/model/diagnostic.ts';
import { isChartTemplate } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { decode, foldersWithin } from '../../workspace/uri.ts';
import { textBeside, textsIn } from './beside.ts';

// A chart that another one takes from a folder in it is rendered with the templates of that one, and may need them.

const mostTemplates = 60;

/** The template for want of which another one is not rendered. */
export function missingTemplate({ says }: Wordless): string | undefined {
  return says.failed?.template;
}

/** Whether a chart around a chart takes that as a dependency, and has the template. */
export async function isOfOuterChart(
  files: Files,
  uri: string,
  folders: readonly string[],
  name: string,
): Promise<boolean> {
  let inner: string | undefined;
  for (const at of foldersWithin(uri, folders)) {
    const chart = await textBeside(files, `${at}/Chart.yaml`);
    if (chart === undefined) continue;
    const isTaken = inner !== undefined && (await takes(files, at, chart, decode(inner.slice(at.length + 1))));
    if (isTaken && (await defines(files, `${at}/templates`, name))) return true;
    inner ??= at;
  }
  return false;
}

/** Whether a chart names a folder below it, also as charts for Helm 2 do, or has it where charts are without being named. */
async function takes(files: Files, at: string, chart: string, way: string): Promise<boolean> {
  if (/^charts\/[^/]+$/.test(way)) return true;
  const texts = [chart, (await textBeside(files, `${at}/requirements.yaml`)) ?? ''];
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !/^ *#/.test(line));
  return lines.some((line) => line.includes('file://') && steps(line.split('file://')[1]!) === way);
}

function steps(way: string): string {
  return way
    .replace(/["'\s,}].*/, '')
    .split('/')
    .filter((step) => step !== '' && step !== '.')
    .join('/');
}

async function defines(files: Files, folder: string, name: string): Promise<boolean> {
  for await (const text of textsIn(files, folder, (one) => isChartTemplate(`/templates/${one}`), mostTemplates))
    if (text.includes(`define "${name}"`)) return true;
  return false;
}
