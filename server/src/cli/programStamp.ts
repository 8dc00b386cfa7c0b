import path from 'node:path';
import { stampOf } from '../files/answers.ts';

/** What is another after each change of this program: its version, its scripts, and what runs them. */
export function programStamp(): string {
  const scripts = ['main', 'program', 'commands', 'engine', ...PARTS.split(' ')].map((name) =>
    stampOf(path.join(__dirname, `${name}.cjs`)),
  );
  return JSON.stringify([VERSION, process.version, stampOf(process.execPath), scripts]);
}
