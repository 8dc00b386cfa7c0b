#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { compiledFolder } from './cli/cacheFolder.ts';
import { Program } from './cli/compiled.ts';

// A heap may grow to 1.6 times of what is in use before it is collected, instead of to four times: half the memory over
// many CRDs, in the same time. Not of what the first answers need, where the heap is small and each collection keeps nearly
// all. Of Electron nobody promises that its flags can be set by now.
if (!process.versions.electron) setTimeout(() => setFlagsFromString('--heap-growing-percent=60'), 2000).unref();

const [, , command = ''] = process.argv;
const program = new Program(__dirname, compiledFolder(), command);
const { run } = program.load('program.cjs') as typeof import('./program.ts');
void (isMainThread ? program.keepingCode(run) : run());
