// node scripts/runTests.mjs OPTIONS: runs built test files with node's test runner, in the order in which they are given,
// which `node --test` does not keep.
import { Readable } from 'node:stream';
import { run } from 'node:test';
import report from './reporter.mjs';

const { files, names, concurrency } = JSON.parse(process.argv[2]);
// A test that waits for what never comes fails by itself, instead of keeping the run.
const timeout = 600_000;
const events = run({ files, concurrency, timeout, testNamePatterns: names.length > 0 ? names : undefined });
events.on('test:fail', () => {
  process.exitCode = 1;
});
Readable.from(report(events)).pipe(process.stdout);
