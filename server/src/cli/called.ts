import path from 'node:path';
import { calledAs } from './oneFile.ts';

// kubectl runs `kubectl-crd` as `kubectl crd`. Whoever called the program so is told what to type in the same words.

const plugin = { file: 'kubectl-crd', typed: 'kubectl crd' };

/** What the program is called as a user types it, which its file's name tells. */
export function programName(file = calledAs()): string {
  return path.parse(file).name === plugin.file ? plugin.typed : 'kube-crd';
}

/** Commands of ours in a text of ours, as they are typed here. */
export function asTyped(text: string, file?: string): string {
  const name = programName(file);
  return name === plugin.typed ? text.replace(/(^|[\s'"(])kube-crd(?= (?:--|[a-z[]))/gm, `$1${name}`) : text;
}
