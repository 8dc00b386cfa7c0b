import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { kettle, kettleCrd } from '../kettle.mjs';

export const name = 'a kind is unknown, its CRD is found in a chart archive and read there, another kind is silenced';

const crd = kettleCrd('litres: {type: integer, description: How much it holds.}');
const litres = kettle('liters: 1');

export function prepare(workspace) {
  writeFileSync(path.join(workspace, 'kettle.yaml'), litres);
  writeFileSync(path.join(workspace, 'pan.yaml'), litres.replaceAll('Kettle', 'Pan').replace('kitchen.', 'other.'));
}

export async function run(workbench, { workspace }) {
  const { page } = workbench;

  // Nothing defines the kind yet, and that is said.
  await workbench.open('kettle.yaml');
  const unknown = await workbench.problems('No CRD for Kettle');
  assert.ok(
    unknown.some((row) => row.includes('so it is not judged')),
    unknown.join('\n'),
  );
  await workbench.screenshot('11-unknown');

  // A chart that comes to be there brings its CRD, at once.
  const charts = path.join(workspace, 'charts');
  mkdirSync(charts);
  // The editor has to watch the folder before it is told of files in it.
  await page.waitForSelector('.explorer-folders-view .monaco-list-row >> text=charts', { timeout: 15_000 });
  await workbench.settle(500);
  mkdirSync(path.join(charts, 'kitchen/crds'), { recursive: true });
  writeFileSync(path.join(charts, 'kitchen/crds/kettles.yaml'), crd);
  execFileSync('tar', ['-C', charts, '-czf', path.join(charts, 'kitchen-1.2.3.tgz'), 'kitchen']);
  rmSync(path.join(charts, 'kitchen'), { recursive: true });
  // From the panel itself its key would close it.
  await workbench.open('kettle.yaml');
  const judged = await workbench.problems('unknown field "spec.liters"');
  assert.ok(
    judged.some((row) => row.includes('did you mean `litres`')),
    judged.join('\n'),
  );

  // Hover names the chart, and the kind leads into the archive.
  await workbench.open('kettle.yaml');
  await workbench.goTo(2, 8);
  const card = await workbench.hoverAtCursor();
  assert.match(card, /CRD: kitchen 1\.2\.3, from charts\/kitchen-1\.2\.3\.tgz\s+Defined in kettles\.yaml:8\b/);
  await workbench.screenshot('11-hover');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F12');
  await page.waitForSelector('.tab.active[data-resource-name="kettles.yaml"]', { timeout: 15_000 });
  await page.waitForSelector('.view-line >> text=kettles.kitchen.example.org');
  await workbench.screenshot('11-archive');

  // What is known is listed.
  await workbench.command('Show known kinds');
  await page.waitForSelector('.quick-input-list .monaco-list-row >> text=kitchen 1.2.3', { timeout: 15_000 });
  await workbench.screenshot('11-kinds');
  await page.keyboard.press('Escape');

  // Another kind need not be known.
  await workbench.open('pan.yaml');
  await workbench.squiggle('info');
  await workbench.goTo(2, 8);
  const fixes = await workbench.quickFixes();
  assert.ok(fixes.includes('Name a file or folder with its CRD…'), fixes.join('\n'));
  await workbench.chooseFix('Do not report `Pan`');
  await workbench.noSquiggle('info');
  const settings = readFileSync(path.join(workspace, '.vscode/settings.json'), 'utf8');
  assert.match(settings, /"other\.example\.org\/Pan"/);
}
