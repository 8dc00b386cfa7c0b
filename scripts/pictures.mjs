// npm run pictures: drives a real editor as the journeys of test/e2e do, all in one theme, and takes the pictures of the README
// and of the first steps from it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cut, decode, reduced } from './png.mjs';
import { root, run } from './setup.mjs';

/** Each picture, and the screenshot of a journey that it is. */
const pictures = {
  'baseline.png': '5-refused.png',
  'cel-completion.png': '2-cel-completion.png',
  'cel-hover.png': '2-cel-hover.png',
  'completion.png': '1-completion.png',
  'cost.png': '6-cost.png',
  'go-types.png': '28-go-types.png',
  'helm.png': '30-template.png',
  'kustomize.png': '33-patch.png',
  'playground.png': 'playground-values.png',
  'quick-fix.png': '1-quick-fix.png',
  'stored.png': '4-stored.png',
  'tests-coverage.png': '16-coverage.png',
  'tests.png': '14-failed.png',
  'tests-debug.png': '15-debug.png',
};

/**
 * Those of the first steps are parts of screenshots, since the editor shows them about half as wide as itself: where they are
 * in it, and how large they are.
 */
const parts = {
  'step-crd.png': { screenshot: '1-problems.png', x: 358, y: 512, width: 720, height: 236 },
  'step-break.png': { screenshot: '4-rule.png', x: 358, y: 92, width: 720, height: 530 },
  'step-fix.png': { screenshot: '1-quick-fix.png', x: 358, y: 92, width: 640, height: 370 },
  'step-try.png': { screenshot: '14-failed.png', x: 358, y: 92, width: 720, height: 410 },
  'step-ci.png': { screenshot: '25-check.png', x: 358, y: 384, width: 916, height: 348 },
};

run(process.execPath, [
  'test/e2e/run.mjs',
  '1-',
  '2-',
  '4-',
  '5-',
  '6-',
  '14-',
  '15-',
  '16-',
  '25-',
  '28-',
  '30-',
  '33-',
  'playground',
]);
const read = (screenshot) => decode(readFileSync(path.join(root, '.artifacts/screenshots', screenshot)));
const write = (picture, image) => writeFileSync(path.join(root, 'docs/images', picture), reduced(image));
for (const [picture, screenshot] of Object.entries(pictures)) write(picture, read(screenshot));
for (const [picture, { screenshot, ...part }] of Object.entries(parts)) write(picture, cut(read(screenshot), part));
