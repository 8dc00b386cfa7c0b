#!/usr/bin/env node
import { runCli } from './cli/main.ts';

void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
