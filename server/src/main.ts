#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads';
import { compiledFolder } from './cli/cacheFolder.ts';
import { Program } from './cli/compiled.ts';
import { firstAnswer } from './cli/firstAnswer.ts';

const [, , command = '', ...args] = process.argv;

async function main(): Promise<void> {
  // No thread of ours is given a command.
  const client = command === 'server' ? await firstAnswer(args) : undefined;
  const program = new Program(__dirname, compiledFolder(), command);
  const { run } = program.load('program.cjs') as typeof import('./program.ts');
  await (command !== '' || isMainThread ? program.keepingCode(() => run(client)) : run());
}

void main();
