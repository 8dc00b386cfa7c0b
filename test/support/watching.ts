import { spawn } from 'node:child_process';
import { program } from './program.ts';

/** Runs the built program with --watch: gives what it has said so far, and waits for so many of its rounds. */
export function watching(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { cwd });
  const said = { stdout: '', stderr: '' };
  let wake = () => {};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      wake();
    });
  }
  const rounds = async (count: number) => {
    while ((said.stderr.match(/waiting for changes/g)?.length ?? 0) < count)
      await new Promise<void>((resolve) => (wake = resolve));
  };
  return { child, said, rounds };
}
