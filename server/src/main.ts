#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { runJob } from './cli/jobs.ts';
import { runCli } from './cli/main.ts';

// A heap may grow to 1.6 times of what is in use before it is collected, instead of to four times: half the memory over
// many CRDs, in the same time. Of Electron nobody promises that its flags can be set by now.
if (!process.versions.electron) setFlagsFromString('--heap-growing-percent=60');

// Whoever reads no further, as `head` does, has seen enough, and not all: the shell's code for a closed pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(141);
});

void runJob().then(async (isJob) => {
  if (!isJob) process.exitCode = await runCli(process.argv.slice(2));
});
