import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import type { SuiteCase } from './suite.ts';

/** Whether expectations are to be rewritten: `npm test -- --update`, then read the diff. */
const updating = process.env.UPDATE === '1';

/** Compares what a fence of a case says with what is; in update mode the file is made to say what is. */
export function expectFence(file: string, one: SuiteCase, fence: string, actual: string): void {
  const wanted = one.fences.get(fence)!;
  if (updating && wanted !== actual)
    writeFileSync(file, withFence(readFileSync(file, 'utf8'), one.name, fence, actual));
  else assert.equal(actual, wanted);
}

/** A suite's text with one fence of one case replaced. */
export function withFence(text: string, name: string, fence: string, body: string): string {
  const section = text.indexOf(`\n## ${name}\n`);
  const start = text.indexOf(`\n\`\`\`${fence}\n`, section) + `\n\`\`\`${fence}\n`.length;
  const end = text.indexOf('```', start);
  return text.slice(0, start) + body + text.slice(end);
}
