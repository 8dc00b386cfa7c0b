// npm run pictures: drives a real editor as the journeys of test/e2e do, all in one theme, and takes the pictures of the README
// and of the first steps from it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode, reduced } from './png.mjs';
import { root, run } from './setup.mjs';

/** Each picture, and the screenshot of a journey that it is. */
const pictures = {
  'baseline.png': '5-refused.png',
  'broken-rule.png': '4-rule.png',
  'cel-completion.png': '2-cel-completion.png',
  'cel-hover.png': '2-cel-hover.png',
  'completion.png': '1-completion.png',
  'check.png': '25-check.png',
  'cost.png': '6-cost.png',
  'go-types.png': '28-go-types.png',
  'helm.png': '30-template.png',
  'problems.png': '1-problems.png',
  'quick-fix.png': '1-quick-fix.png',
  'stored.png': '4-stored.png',
  'tests-coverage.png': '16-coverage.png',
  'tests.png': '14-failed.png',
  'tests-debug.png': '15-debug.png',
};

run(process.execPath, ['test/e2e/run.mjs', '1-', '2-', '4-', '5-', '6-', '14-', '15-', '16-', '25-', '28-', '30-']);
for (const [picture, screenshot] of Object.entries(pictures)) {
  const image = readFileSync(path.join(root, '.artifacts/screenshots', screenshot));
  writeFileSync(path.join(root, 'docs/images', picture), reduced(decode(image)));
}
