import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { decode } from '../../../scripts/png.mjs';
import { contrastIn, contrastOf } from '../contrast.mjs';
import { writeGears } from '../gears.mjs';
import { frameWith } from '../workbench.mjs';

export const name =
  'in light, dark and high-contrast themes all that is shown can be read, and nothing is said by color alone';

export const prepare = writeGears;

export const settings = { 'kubeCrd.costHintThreshold': 0, 'editor.minimap.enabled': false };

/**
 * Each theme, the file that the workbench has it from, and the least contrast of text in it: what the accessibility guidelines
 * ask, and more where much is wished for. Hints and lines above others are in the theme's own colors, which are paler in
 * light themes; what they say is in the cards of the rules as well. So is text on the colors of a diff, where words alone count.
 */
const themes = [
  { theme: 'Light Modern', file: 'light_modern', ours: 4.5, theirs: 2.5 },
  { theme: 'Dark Modern', file: 'dark_modern', ours: 4.5, theirs: 4.5 },
  { theme: 'Default High Contrast', file: 'hc_black', ours: 7, theirs: 4.5 },
  { theme: 'Default High Contrast Light', file: 'hc_light', ours: 7, theirs: 4.5 },
];

export async function run(workbench, { workspace }) {
  const { page } = workbench;
  const lines = readFileSync(path.join(workspace, 'crds/databases.yaml'), 'utf8').split('\n');
  const rule = lines.findIndex((line) => line.includes('rule: self.replicas')) + 1;
  await workbench.open('databases.yaml');
  await workbench.goTo(rule, 1);
  await page.waitForSelector('.codelens-decoration >> text=/true for/', { timeout: 30_000 });

  /** What is ours in the editor, by what it is. */
  const row = page.locator('.view-line', { hasText: 'rule: self.replicas' }).first();
  const parts = {
    'a name inside CEL': row.locator('span', { hasText: /^self$/ }).first(),
    'a property inside CEL': row.locator('span', { hasText: /replicas/ }).last(),
    'an operator inside CEL': row.locator('span', { hasText: /<=/ }).last(),
    'the item in the status bar': page.locator('.statusbar-item[id*="kubeCrd.status"]'),
  };
  const pale = {
    'the cost of a rule': row.locator('span', { hasText: /of.budget/ }).last(),
    'the line above a rule': page.locator('.codelens-decoration', { hasText: 'true for' }).first(),
  };
  await workbench.command('Show what the rules of this CRD cost');
  const costs = await frameWith(page, 'The same as a table');
  await workbench.settle(1_000);
  const edges = {
    'the edge of a box': costs.locator('.map .box').first(),
    'the edge of a field': costs.locator('.map .field').first(),
    'the edge of the cost bar': costs.locator('.bar').first(),
  };
  const bar = await costs
    .locator('.bar')
    .first()
    .evaluate((one) => one.firstChild.offsetWidth / one.offsetWidth);
  assert.ok(bar < 0.02, `the rules of the example cost nearly nothing, but the bar is drawn to ${bar}`);
  const seen = await inEachTheme(workbench, workspace, { round: 'costs', shown: () => ({ parts, pale, edges }) });

  // A rule that is tried: what comes of it, the edges of objects and buttons.
  await workbench.command('View: Close All Editors');
  await workbench.open('databases.yaml');
  await workbench.goTo(rule, lines[rule - 1].indexOf('<=') + 1);
  await workbench.command('Try this rule');
  const tried = await frameWith(page, 'shop/orders');
  const judged = tried.locator('details', { hasText: 'shop/orders' }).first();
  await judged.locator('summary').click();
  await workbench.settle(1_000);
  seen.push(
    ...(await inEachTheme(workbench, workspace, {
      round: 'try',
      shown: () => ({
        parts: {
          'the rule that is tried': tried.locator('.expression'),
          'what is known of the rule': tried.locator('.facts'),
          'the sign of an outcome': judged.locator('.sign'),
          'the word of an outcome': judged.locator('.outcome'),
          'the name of an object': judged.locator('.name'),
          'the values of its parts': judged.locator('.parts').first(),
          'the text of a button': judged.locator('button').first(),
        },
        edges: { 'the edge of an object': judged, 'the edge of a button': judged.locator('button').first() },
      }),
    })),
  );

  await workbench.command('View: Focus First Editor Group');
  await workbench.goTo(rule, lines[rule - 1].indexOf('<=') + 3);
  for (const key of ['Backspace', 'Backspace', '>']) await page.keyboard.press(key);
  const failing = (await frameWith(page, 'self.replicas > self.maxReplicas')).locator('details.false').first();
  await failing.waitFor({ timeout: 30_000 });
  seen.push(
    ...(await inEachTheme(workbench, workspace, {
      round: 'try-false',
      shown: () => ({
        parts: {
          'the sign of an outcome that is false': failing.locator('.sign').first(),
          'the word of an outcome that is false': failing.locator('.outcome').first(),
        },
      }),
    })),
  );
  await workbench.command('File: Revert File');

  // The tree of a schema, and a page that is shown rendered.
  await workbench.command('View: Close All Editors');
  await workbench.open('database.yaml');
  await workbench.command('Show the schema of a kind as a tree');
  const field = page.locator('.pane-body .monaco-list-row[aria-label*="field"]').first();
  await field.waitFor({ timeout: 30_000 });
  await workbench.open('database.yaml');
  await workbench.command('Show documentation of this kind');
  await frameWith(page, 'maxReplicas');
  await workbench.settle(1_000);
  // In another theme the page is loaded anew.
  const onPage = async () => {
    const documentation = await frameWith(page, 'maxReplicas');
    return {
      'the heading of a page': documentation.locator('h1').first(),
      'a name on a page': documentation.locator('code').first(),
      'what a page says': documentation.locator('td, p, li').first(),
    };
  };
  seen.push(
    ...(await inEachTheme(workbench, workspace, {
      round: 'pages',
      shown: async () => ({
        parts: { 'a field in the tree': field.locator('.label-name').first(), ...(await onPage()) },
        pale: { 'what the tree says of a field': field.locator('.label-description').first() },
      }),
    })),
  );

  // What another version of an object has lost, said in words beside it.
  await workbench.command('View: Close All Editors');
  await workbench.open('gear.yaml');
  await workbench.command('Show this resource as another version');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'v1beta1' }).click({ timeout: 20_000 });
  const lost = page.locator('.monaco-diff-editor .modified .view-line', { hasText: /since.v1beta1.has/ }).first();
  await lost.waitFor({ timeout: 30_000 });
  await workbench.settle(1_000);
  seen.push(
    ...(await inEachTheme(workbench, workspace, {
      round: 'as-version',
      shown: () => ({ diff: { 'why a field is lost': lost.locator('span span').first() } }),
    })),
  );
  const poor = seen.filter(({ contrast, least }) => contrast < least);
  assert.deepEqual(poor, []);
  await workbench.command('View: Close All Editors');

  // A problem is underlined, and listed with an icon that has a shape of its own and words.
  await workbench.open('database-mistakes.yaml');
  await workbench.squiggle();
  const problems = await workbench.problems('unknown field');
  assert.ok(problems.some((text) => text.includes('unknown field "spec.replica"')));
  const severity = page.locator('.markers-panel .codicon-error:visible').first();
  assert.ok((await contrastOf(page, severity)) >= 3);
}

/**
 * The contrast of what is shown, in each theme: of texts of ours, of those in colors that the theme itself has for what is
 * less important, and of edges.
 */
async function inEachTheme(workbench, workspace, { round, shown }) {
  const seen = [];
  for (const { theme, file, ours, theirs } of themes) {
    await choose(workbench, workspace, theme, file);
    const { parts = {}, pale = {}, diff = {}, edges = {} } = await shown();
    const picture = decode(await workbench.screenshot(`23-${round}-${theme.toLowerCase().replaceAll(' ', '-')}`));
    const measure = async (what, least, part) =>
      seen.push({ theme, what, least, contrast: await contrastIn(picture, part) });
    for (const [what, part] of Object.entries(parts)) await measure(what, ours, part);
    for (const [what, part] of Object.entries(pale)) await measure(what, theirs, part);
    for (const [what, part] of Object.entries(diff)) await measure(what, 2, part);
    for (const [what, part] of Object.entries(edges)) await measure(what, 3, leftEdgeOf(part));
  }
  return seen;
}

/** The left edge of a part of the page, with what is on both sides of it. */
function leftEdgeOf(part) {
  return {
    async boundingBox() {
      const { x, y, height } = await part.boundingBox();
      return { x: x - 3, y: y + height / 2 - 2, width: 7, height: 4 };
    },
  };
}

/** The settings of the workspace choose the theme, as soon as the editor has seen them. */
async function choose({ page, settle }, workspace, theme, file) {
  mkdirSync(path.join(workspace, '.vscode'), { recursive: true });
  writeFileSync(path.join(workspace, '.vscode/settings.json'), JSON.stringify({ 'workbench.colorTheme': theme }));
  await page.waitForSelector(`.monaco-workbench[class*="${file}"]`, { timeout: 30_000 });
  await settle(1_000);
}
