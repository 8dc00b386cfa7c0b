import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'a Deployment is begun from nothing, explained, and judged as far as the API server decodes it';

const service = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  clusterIp: None
  ports:
    - port: "80"
`;

export function prepare(workspace) {
  writeFileSync(path.join(workspace, 'service.yaml'), service);
  writeFileSync(path.join(workspace, 'web.yaml'), `${service.split('spec:')[0]}---\n`);
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const onDisk = (file) => readFileSync(path.join(workspace, file), 'utf8');

  // A whole Deployment, in an empty document.
  await workbench.open('web.yaml');
  await workbench.goTo(6, 1);
  await page.keyboard.type('Deplo', { delay: 20 });
  const offered = await workbench.completions();
  assert.ok(offered[0]?.startsWith('Deployment (apps/v1)'), offered.join('\n'));
  await workbench.screenshot('26-complete');
  await page.keyboard.press('Enter');
  // Where the machine is busy what is taken comes later than the next key.
  await page.locator('.view-line', { hasText: /kind:.Deployment/ }).waitFor();
  await page.keyboard.type('web', { delay: 20 });
  await page.keyboard.press('Escape');
  // What is typed shows a moment later where the machine is busy: until then there is nothing to save.
  await page
    .locator('.view-line', { hasText: /name:.web/ })
    .nth(1)
    .waitFor();
  const written = /kind: Deployment\nmetadata:\n {2}name: web\nspec:\n {2}selector:\n/;
  await workbench.save(() => written.test(onDisk('web.yaml')));
  assert.match(onDisk('web.yaml'), written);

  // What a field is, with its type and that it has to be there.
  await workbench.goTo(11, 5);
  const card = await workbench.hoverAtCursor();
  assert.match(card, /Label selector for pods/);
  assert.match(card, /selector · object · required/);
  await workbench.screenshot('26-hover');

  // What the server says to a Service, in its words; the fix takes the quotes away.
  await workbench.open('service.yaml');
  const problems = (await workbench.problems('cannot be handled')).join('\n');
  assert.match(problems, /cannot unmarshal string into Go struct field ServicePort\.spec\.ports\.port of type int32/);
  assert.match(problems, /unknown field "spec\.clusterIp", did you mean `clusterIP`\?/);
  await workbench.screenshot('26-problems');
}
