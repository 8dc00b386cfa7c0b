import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'the values of a HelmRelease are judged and completed by the chart that it installs';

const release = 'release.yaml';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const onDisk = () => readFileSync(path.join(workspace, release), 'utf8').split('\n');
  const lineOf = (text) => onDisk().findIndex((line) => line.includes(text)) + 1;

  // What the chart makes of a value is wrong, and that is at the value.
  await workbench.open(release);
  const wrong = (await workbench.problems('Unsupported value: "oracle"')).join('\n');
  assert.match(wrong, /With the values of HelmRelease shop\/orders/);
  await workbench.screenshot('33-release');

  // Another one: the mistake is gone.
  await workbench.goTo(lineOf('engine: oracle'), 19);
  for (let i = 0; i < 'oracle'.length; i++) await page.keyboard.press('Backspace');
  await page.keyboard.type('mysql', { delay: 20 });
  await page.keyboard.press('Escape');
  await workbench.save();

  // What else the chart's templates read is offered.
  await workbench.goTo(lineOf('replicas: 3'), 16);
  await page.keyboard.press('Enter');
  await page.keyboard.type('rep', { delay: 50 });
  const offered = await workbench.completions();
  assert.ok(
    offered.some((one) => one.startsWith('reports')),
    offered.join('\n'),
  );
  await workbench.screenshot('33-completion');
}
