#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads';
import { compiledFolder } from './cli/cacheFolder.ts';
import { Program } from './cli/compiled.ts';

const [, , command = ''] = process.argv;
const program = new Program(__dirname, compiledFolder(), command);
const { run } = program.load('program.cjs') as typeof import('./program.ts');
void (isMainThread ? program.keepingCode(run) : run());
