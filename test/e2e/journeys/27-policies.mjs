import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith, renderedText } from '../workbench.mjs';

export const name = 'an admission policy is written from nothing, its mistake seen, and tried on Deployments';

const deployment = (name, replicas) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: ${replicas}
`;

export function prepare(workspace) {
  writeFileSync(path.join(workspace, 'deployments.yaml'), [deployment('few', 3), deployment('many', 30)].join('---\n'));
  writeFileSync(path.join(workspace, 'policy.yaml'), `${deployment('web', 1)}---\n`);
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const onDisk = (file) => readFileSync(path.join(workspace, file), 'utf8');

  // A policy, in an empty document.
  await workbench.open('policy.yaml');
  await workbench.goTo(8, 1);
  await page.keyboard.type('ValidatingAdmissionPol', { delay: 20 });
  const kinds = await workbench.completions();
  assert.ok(kinds[0]?.startsWith('ValidatingAdmissionPolicy ('), kinds.join('\n'));
  await page.keyboard.press('Enter');
  for (const value of ['replicas.example.com', 'apps', 'v1', 'CREATE', 'deployments']) {
    await page.keyboard.type(value, { delay: 20 });
    await workbench.settle();
    // A list of values would take the key for itself.
    if (await page.locator('.suggest-widget.visible').isVisible()) await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Escape');

  // Its expression knows the fields of a Deployment.
  await page.keyboard.type('object.spec.', { delay: 20 });
  const fields = await workbench.completions();
  assert.ok(
    fields.some((row) => row.startsWith('progressDeadlineSeconds')),
    fields.join('\n'),
  );
  await workbench.screenshot('27-complete');
  await page.keyboard.press('Escape');
  await page.keyboard.type('replica <= 5', { delay: 20 });
  await page.keyboard.press('Escape');
  await workbench.save();
  assert.match(onDisk('policy.yaml'), /- expression: object\.spec\.replica <= 5/);

  // What the API server accepts in silence, and the fix.
  const problems = (await workbench.problems('undefined field')).join('\n');
  assert.match(problems, /Deployment: undefined field 'replica', did you mean `replicas`\?/);
  await workbench.screenshot('27-problem');
  await workbench.open('policy.yaml');
  const line = onDisk('policy.yaml')
    .split('\n')
    .findIndex((row) => row.includes('replica <= 5'));
  await workbench.goTo(line + 1, onDisk('policy.yaml').split('\n')[line].indexOf('replica <') + 3);
  await workbench.quickFixes();
  await workbench.chooseFix('Change to `replicas`');
  await workbench.save();
  assert.match(onDisk('policy.yaml'), /- expression: object\.spec\.replicas <= 5/);

  // Which Deployments it would let in.
  await workbench.command('Try this rule or policy');
  const text = await renderedText(page, 'denied');
  assert.match(text, /✓\s*let in\s*Deployment few/);
  assert.match(
    text,
    /✗\s*denied\s*Deployment many[\s\S]*denied request: failed expression: object\.spec\.replicas <= 5/,
  );
  const frame = await frameWith(page, 'Deployment many');
  await frame.locator('details.false summary', { hasText: 'many' }).click();
  assert.match(await renderedText(page, 'object.spec.replicas: 30'), /object\.spec\.replicas <= 5: false/);
  await workbench.screenshot('27-tried');
}
