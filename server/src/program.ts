import { runJob } from './cli/jobs.ts';
import { runCli } from './cli/main.ts';

/** Does what the arguments of the process ask for, or what the thread that this is was started for. */
export async function run(): Promise<void> {
  // Whoever reads no further, as `head` does, has seen enough, and not all: the shell's code for a closed pipe.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(141);
  });
  if (!(await runJob())) process.exitCode = await runCli(process.argv.slice(2));
}
