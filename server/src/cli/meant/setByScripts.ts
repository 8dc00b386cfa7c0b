import type { Files } from '../../workspace/files.ts';
import { baseName } from '../../workspace/uri.ts';
import { isNamedIn } from './replaced.ts';
import { scriptsAround } from './scripts.ts';

// `kubectl create -f job.yaml --dry-run=client -o json | jq '.spec.template.spec.containers[0].image = "…"' | kubectl create -f -`:
// what is in the file is not whole, and a script says which fields it adds.

/** Whether a script has programs that set fields of objects that they are given. */
function changesObjects(text: string): boolean {
  return /\b[jy]q\b/.test(text) || (text.includes('kubectl set ') && text.includes(' --local'));
}

/** The fields that a script sets, as jq and yq write it, and by what `kubectl set` is told. */
const settings = [
  /\.["']?([A-Za-z][\w-]{0,99})["']?\]?\s{0,4}(?:\/\/|[|+*])?=(?!=)/g,
  /\bkubectl set (image|env|resources|serviceaccount)\b/g,
];

/** The names of fields that scripts around a file set in its objects before they apply them. */
export async function fieldsSetByScripts(
  files: Files,
  uri: string,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const fields = new Set<string>();
  for await (const text of scriptsAround(files, uri, folders)) {
    if (!changesObjects(text) || !isNamedIn(text, baseName(uri))) continue;
    for (const one of settings) for (const [, field] of text.matchAll(one)) fields.add(field!);
  }
  return fields;
}
