// What the runners of real editors count and print.
import { appendFileSync } from 'node:fs';

export const counts = { passed: 0, failed: 0, skipped: 0 };

export async function attempt(name, run) {
  const started = Date.now();
  try {
    await run();
    counts.passed++;
    console.log(`✓ ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  } catch (error) {
    counts.failed++;
    console.log(`✗ ${name}\n${error.stack}`);
  }
}

/** Prints the counts of a level of tests, and tells whoever runs all of them. */
export function report(level) {
  console.log(`${level.padEnd(14)} ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (process.env.COUNTS_FILE) appendFileSync(process.env.COUNTS_FILE, `${JSON.stringify({ level, ...counts })}\n`);
}
