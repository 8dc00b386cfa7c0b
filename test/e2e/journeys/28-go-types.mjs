import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../workbench.mjs';

export const name = 'Go types are judged as the CRD they become, mended, tried and renamed where they are';

const file = 'queue-operator/api/v1/queue_types.go';

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const onDisk = () => readFileSync(path.join(workspace, file), 'utf8');
  const lineOf = (text) =>
    onDisk()
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;

  // No Go extension is there. What the API server would say stands at the rule.
  await workbench.open('queue_types.go');
  const problems = (await workbench.problems('exceeds budget')).join('\n');
  assert.match(problems, /estimated rule cost exceeds budget/);
  await workbench.screenshot('28-problems');

  // The fix is a marker with a number that was worked out.
  const rule = lineOf('self.all(one');
  await workbench.open('queue_types.go');
  await workbench.goTo(rule, onDisk().split('\n')[rule - 1].indexOf('self.all') + 3);
  const fixes = await workbench.quickFixes();
  const fix = fixes.find((title) => title.includes('Add `maxItems')) ?? assert.fail(fixes.join('\n'));
  await workbench.chooseFix(fix);
  await workbench.save();
  assert.match(onDisk(), /^\t\/\/ \+kubebuilder:validation:MaxItems=\d+$/m);

  // A field of the type is offered inside the Go string.
  const spec = lineOf('self.retries == 0');
  for (const panel of ['Control+J', 'Control+B']) await page.keyboard.press(panel);
  const end = onDisk().split('\n')[spec - 1].indexOf("'AtLeastOnce'\"") + "'AtLeastOnce'".length + 1;
  await workbench.goTo(spec, end);
  await page.keyboard.type(' && self.de', { delay: 20 });
  const offered = await workbench.completions();
  assert.ok(offered[0]?.startsWith('delivery'), offered.join('\n'));
  await workbench.screenshot('28-go-types');
  await page.keyboard.press('Enter');
  await page.keyboard.type(" != 'x'", { delay: 10 });
  await workbench.save();
  assert.match(onDisk(), /&& self\.delivery != 'x'",message=/);

  // The CRD that comes of it, beside the types.
  await workbench.goTo(lineOf('MaxItems='), 10);
  await workbench.command('Show the CRD of this type');
  await page.locator('.tab', { hasText: 'queues.messaging.example.com.yaml' }).waitFor({ timeout: 15_000 });
  await page.locator('.view-line', { hasText: 'maxItems:' }).first().waitFor({ timeout: 15_000 });
  await workbench.screenshot('28-crd');

  // The rule is tried in its marker, while it is typed, on an object that is there only for that.
  await workbench.open('queue_types.go');
  const limit = lineOf('duration(self) <=');
  // Columns are those that one sees: a tab takes four of them.
  await workbench.goTo(limit, onDisk().split('\n')[limit - 1].indexOf('<=') + 6);
  await workbench.command('Try this rule');
  await frameWith(page, "duration(self) <= duration('168h')");
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('>');
  await frameWith(page, "duration(self) > duration('168h')");
  await workbench.screenshot('28-try');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('<=');
  await frameWith(page, "duration(self) <= duration('168h')");
  await workbench.save();

  // F2 in a tag gives the property another name there and in the rules that read it.
  await workbench.open('queue_types.go');
  const tag = lineOf('json:"retries,omitempty"');
  await workbench.goTo(tag, onDisk().split('\n')[tag - 1].indexOf('"retries') + 7);
  await page.keyboard.press('F2');
  const input = page.locator('.rename-box input');
  await input.waitFor({ timeout: 30_000 });
  assert.equal(await input.inputValue(), 'retries');

  // A name that is taken is refused with the reason.
  await input.fill('delivery');
  await page.keyboard.press('Enter');
  await page.waitForSelector('text=/already has a property/', { timeout: 30_000 });
  await page.keyboard.press('Escape');

  await page.keyboard.press('F2');
  await input.waitFor({ timeout: 30_000 });
  await input.fill('attempts');
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: 'json:"attempts,omitempty"' }).waitFor({ timeout: 30_000 });
  await workbench.save();
  assert.match(onDisk(), /Retries int32 `json:"attempts,omitempty"`/);
  assert.match(onDisk(), /rule="self\.attempts == 0 \|\| self\.delivery == 'AtLeastOnce' && /);
  assert.doesNotMatch(onDisk(), /self\.retries/);
  await workbench.screenshot('28-renamed');
}
