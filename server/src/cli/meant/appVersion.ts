import { isYaml } from '../../workspace/fileNames.ts';
import type { Files } from '../../workspace/files.ts';
import { textsIn, upToRepository } from './beside.ts';
import { scriptsAround } from './scripts.ts';

const workflows = '.github';
const mostWorkflows = 100;

/** Whether a script around a chart, or a workflow of its repository, gives the version of the app (`helm package --app-version`). */
export async function isGivenAppVersion(files: Files, root: string): Promise<boolean> {
  for await (const { folder, names } of upToRepository(files, `${root}/Chart.yaml`, [workflows])) {
    for await (const text of scriptsAround(files, `${folder}/Chart.yaml`, [folder])) if (givesIt(text)) return true;
    if (!names.includes(workflows)) continue;
    for await (const text of textsIn(files, `${folder}/${workflows}/workflows`, isYaml, mostWorkflows))
      if (givesIt(text)) return true;
  }
  return false;
}

/** In one command, which may go on behind the end of a line. */
function givesIt(text: string): boolean {
  const lines = text.replace(/\\\r?\n/g, ' ').split('\n');
  return lines.some((line) => line.includes('helm package ') && line.includes('--app-version'));
}
