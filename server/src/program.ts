import { endWithReader } from './cli/closedPipe.ts';
import { serveFirst } from './cli/commands/server.ts';
import type { FirstClient } from './cli/firstAnswer.ts';
import { runJob } from './cli/jobs.ts';
import { runCli } from './cli/main.ts';

/** Does what the arguments of the process ask for, or what the thread that this is was started for. */
export async function run(client?: FirstClient): Promise<void> {
  if (client) return await serveFirst(client);
  endWithReader();
  if (!(await runJob())) process.exitCode = await runCli(process.argv.slice(2));
}
