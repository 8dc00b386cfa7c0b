import assert from 'node:assert/strict';
import { filesIn } from '../onDisk.mjs';

export const name =
  'a resource is completed and explained, its CRD is opened, a rule is written there in colors and priced';

// The rules of the examples cost little, and cheap rules show it only if asked.
export const settings = { 'kubeCrd.costHintThreshold': 0 };

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const { onDisk, lineOf } = filesIn(workspace);
  const typeLine = async (text) => {
    // A list of suggestions would take the Enter.
    await page.keyboard.press('Escape');
    await workbench.settle();
    const line = await workbench.cursorLine();
    await page.keyboard.press('Enter');
    await workbench.cursorOn(line + 1);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.type(text, { delay: 5 });
  };

  // Complete a resource.
  await workbench.open('database.yaml');
  await workbench.goTo(lineOf('database.yaml', 'engine:'), 1);
  await page.keyboard.press('End');
  await typeLine('  max');
  const keys = await workbench.completions();
  assert.ok(keys[0]?.startsWith('maxReplicas'), keys.join('\n'));
  await workbench.screenshot('7-complete');
  await page.keyboard.press('Enter');
  await page.keyboard.type('5');
  await page.keyboard.press('Escape');
  // What is typed shows a moment later where the machine is busy: until then there is nothing to save.
  await page.locator('.view-line', { hasText: /maxReplicas:.5/ }).waitFor();
  await workbench.save();
  assert.match(onDisk('database.yaml'), /^ {2}maxReplicas: 5\n/m);

  // Explain it: the card leads to the CRD's line.
  await workbench.goTo(lineOf('database.yaml', 'engine:'), 4);
  assert.match(await workbench.hoverAtCursor(), /Defined in databases\.yaml:\d+/);
  await workbench.screenshot('7-hover');
  await page.keyboard.press('Escape');

  // Go to the CRD.
  await workbench.goTo(lineOf('database.yaml', 'engine:'), 4);
  await page.keyboard.press('F12');
  await page.waitForSelector('.tab.active[data-resource-name="databases.yaml"]', { timeout: 15_000 });
  // The tab is there before the cursor is where the definition is.
  await workbench.cursorOn(lineOf('crds/databases.yaml', 'engine:'));

  // Write a rule in a block scalar, with what fits first.
  await workbench.goTo(lineOf('crds/databases.yaml', 'message: storage can grow'), 1);
  await page.keyboard.press('End');
  await typeLine('                - message: at most three copies of small databases');
  await typeLine('                  rule: |-');
  await typeLine('                    self.storage.size > 10 ||');
  await typeLine('                      self.replicas < self.');
  await workbench.completions();
  // Its type is asked for once the list is there, which may be drawn again meanwhile.
  const first = page.locator('.suggest-widget .monaco-list-row').first();
  await first.filter({ hasText: /int/ }).waitFor({ timeout: 15_000 });
  await workbench.screenshot('7-rule-completion');
  await page.keyboard.press('Escape');
  for (const _ of 'self.') await page.keyboard.press('Backspace');
  await page.keyboard.type('4', { delay: 5 });
  await page.keyboard.press('Escape');
  await page.waitForSelector('.view-lines >> text=/%.of.budget/', { timeout: 30_000 });

  // Variables, numbers and the rest of the rule's second line are told apart.
  await workbench.settle(2_000);
  const colors = await page
    .locator('.view-line', { hasText: 'self.replicas' })
    .last()
    .locator('span span')
    .evaluateAll((spans) => spans.map((span) => [span.textContent, getComputedStyle(span).color]));
  const colorOf = (text) => colors.find(([part]) => part.trim() === text)?.[1];
  assert.ok(colorOf('self') && colorOf('4'), JSON.stringify(colors));
  assert.equal(new Set([colorOf('self'), colorOf('4'), colorOf('.replicas') ?? colorOf('replicas')]).size, 3);
  await workbench.screenshot('7-colors');

  // Its cost.
  await workbench.save();
  const line = lineOf('crds/databases.yaml', 'self.replicas < 4');
  await workbench.goTo(line, onDisk('crds/databases.yaml').split('\n')[line - 1].indexOf('replicas') + 3);
  assert.match(await workbench.hoverAtCursor(), /of the budget of one rule/);
  await workbench.screenshot('7-cost');
}
