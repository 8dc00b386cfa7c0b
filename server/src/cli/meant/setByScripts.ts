import type { Files } from '../../workspace/files.ts';
import { baseName } from '../../workspace/uri.ts';
import { commandsIn } from './commands.ts';
import { isNamedIn } from './replaced.ts';
import { scriptsAround } from './scripts.ts';

// `kubectl create -f job.yaml --dry-run=client -o json | jq '.spec.template.spec.containers[0].image = "…"' | kubectl create -f -`:
// what is in the file is not whole, and a script says which fields it adds.

/** Whether a command has programs that set fields of objects that they are given. */
function changesObjects(command: string): boolean {
  return /\b[jy]q\b/.test(command) || (command.includes('kubectl set ') && command.includes(' --local'));
}

/** The fields that a command sets, as jq and yq write it, and by what `kubectl set` is told. */
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
    for (const command of commandsGiven(baseName(uri), text))
      for (const one of settings) for (const [, field] of command.matchAll(one)) fields.add(field!);
  }
  return fields;
}

/** The commands that change objects and name a file, also by a variable. */
function commandsGiven(name: string, text: string): readonly string[] {
  const commands = commandsIn(text);
  const naming = commands.filter((one) => isNamedIn(one, name) || one.includes(`=${name}`));
  const variables = new Set(naming.flatMap((one) => assignments.exec(one)?.slice(1).find(Boolean) ?? []));
  const usesOne = (one: string) =>
    Array.from(one.matchAll(/\$\{?(\w{1,80})/g)).some(([, used]) => variables.has(used!));
  return commands.filter((one) => changesObjects(one) && (naming.includes(one) || usesOne(one)));
}

/** `file=job.yaml`, and `for file in job.yaml other.yaml; do` */
const assignments =
  /^\s*(?:(?:export|local|readonly)[ \t]{1,20})?(?:(\w{1,80})=|for[ \t]{1,20}(\w{1,80})[ \t]{1,20}in\b)/;
