#!/usr/bin/env node
import { runCli } from './cli/main.ts';

// Whoever reads no further, as `head` does, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
