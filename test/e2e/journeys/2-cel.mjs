import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const name = 'a rule is written in a block scalar with completion, types and cost';

export async function run(workbench, { workspace }) {
  const onDisk = (file) => readFileSync(path.join(workspace, file), 'utf8');
  const file = 'crds/databases.yaml';
  const lineOf = (text) =>
    onDisk(file)
      .split('\n')
      .findIndex((line) => line.includes(text)) + 1;
  const { page } = workbench;

  await workbench.open('databases.yaml');
  await workbench.goTo(lineOf('message: storage can grow'), 1);

  // The rule's colors are CEL's, not a string's: they come once the server has read the file.
  const colors = () =>
    page
      .locator('.view-line', { hasText: 'oldSelf.storage.size' })
      .first()
      .locator('span span')
      .evaluateAll((spans) => new Set(spans.map((span) => span.className)).size);
  for (let left = 75; left > 0 && (await colors()) < 4; left--) await workbench.settle();
  assert.ok((await colors()) >= 4, `${await colors()} colors`);

  // A new rule, as a folded block scalar.
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type('                - message: users have names', { delay: 5 });
  // Enter goes on below the key of the item, and below `>-` further in, as soon as the server has said so.
  // The line belongs to it: while a line is typed the cursor passes many columns.
  let line = lineOf('message: storage can grow') + 1;
  const enter = async (column) => {
    line++;
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    const there = new RegExp(`Ln ${line}, Col ${column}(?!\\d)`);
    await page.locator('.statusbar-item', { hasText: there }).first().waitFor({ timeout: 30_000 });
  };
  await enter(19);
  await page.keyboard.type('rule: >-', { delay: 5 });
  await enter(21);
  await page.keyboard.type('!has(self.users) ||', { delay: 5 });
  await enter(21);
  await page.keyboard.type('self.users.all(u, u.', { delay: 20 });
  const offered = await workbench.completions();
  assert.ok(
    offered.some((row) => row.startsWith('name')),
    offered.join('\n'),
  );
  await workbench.screenshot('2-cel-completion');
  await page.keyboard.press('Escape');
  await page.keyboard.type("nam == 'a')", { delay: 5 });
  await page.waitForSelector('.squiggly-error', { timeout: 15_000 });
  assert.ok((await workbench.problems('undefined field')).some((row) => row.includes("undefined field 'nam'")));
  await workbench.screenshot('2-cel-error');

  await workbench.open('databases.yaml');
  await workbench.save();
  await workbench.goTo(lineOf('u.nam'), onDisk(file).split('\n')[lineOf('u.nam') - 1].indexOf('self.users') + 7);
  const card = await workbench.hoverAtCursor();
  assert.match(card, /list\(object\)/);
  assert.match(card, /Who may log in/);
  assert.match(card, /Estimated cost: at most \d+/);
  await workbench.screenshot('2-cel-hover');
}
