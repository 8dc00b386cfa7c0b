#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { compiledFolder } from './cli/cacheFolder.ts';
import { Program } from './cli/compiled.ts';

const [, , command = ''] = process.argv;

// A heap may grow to 1.6 times of what is in use before it is collected, instead of to four times: half the memory over
// many CRDs, in the same time. A check keeps nearly all that it has read until it ends, and has less work with 2.5 times.
// Now or never: code that is kept is taken up under the same flags alone. Of Electron nobody promises that its flags can be
// set by now.
if (!process.versions.electron) setFlagsFromString(`--heap-growing-percent=${command === 'check' ? 150 : 60}`);

const program = new Program(__dirname, compiledFolder(), command);
const { run } = program.load('program.cjs') as typeof import('./program.ts');
void (isMainThread ? program.keepingCode(run) : run());
