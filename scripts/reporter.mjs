// A reporter for node's test runner: only failures in full, then one line a folder of test/ and a total.
import { appendFileSync } from 'node:fs';
import path from 'node:path';

const notAsked = 'test name does not match pattern';

// biome-ignore lint/style/noDefaultExport: node loads a reporter by its default export
export default async function* report(events) {
  const counts = new Map();
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    // A suite, or the file itself, is no test of its own; a file that could not be loaded is a failure.
    const container = data.details?.type === 'suite' || (data.nesting === 0 && data.name === data.file);
    if (container && (type === 'test:pass' || data.details?.error?.failureType === 'subtestsFailed')) continue;
    const level = levelOf(data.file);
    const count = counts.get(level) ?? { passed: 0, failed: 0, skipped: 0 };
    counts.set(level, count);
    if (data.skip !== undefined || data.todo !== undefined) {
      count.skipped++;
      // Whoever asks for some tests knows that the others are not run.
      if (data.skip !== notAsked) yield `SKIPPED: ${data.name}: ${data.skip ?? data.todo}\n`;
    } else if (type === 'test:pass') count.passed++;
    else {
      if (data.details?.error?.failureType === 'subtestsFailed') continue;
      count.failed++;
      const cause = data.details?.error?.cause ?? data.details?.error;
      yield `\n✗ ${data.name}\n  ${data.file}:${data.line}\n${cause?.stack ?? cause}\n`;
    }
  }
  if (![...counts.values()].some(({ passed, failed }) => passed + failed > 0)) {
    yield 'no test was run: no name matches what was asked for\n';
    process.exitCode = 2;
  }
  for (const [level, c] of [...counts].sort()) {
    yield `${level.padEnd(14)} ${c.passed} passed, ${c.failed} failed, ${c.skipped} skipped\n`;
    if (process.env.COUNTS_FILE) appendFileSync(process.env.COUNTS_FILE, `${JSON.stringify({ level, ...c })}\n`);
  }
}

function levelOf(file) {
  const parts = file.split(path.sep);
  // Without source maps the built file is named, under dist/test/<process>/.
  return parts.slice(parts.lastIndexOf('test') + 1).find((part) => !/^\d+$/.test(part)) ?? file;
}
