#!/usr/bin/env node
import { runJob } from './cli/jobs.ts';
import { runCli } from './cli/main.ts';

// Whoever reads no further, as `head` does, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void runJob().then(async (isJob) => {
  if (!isJob) process.exitCode = await runCli(process.argv.slice(2));
});
