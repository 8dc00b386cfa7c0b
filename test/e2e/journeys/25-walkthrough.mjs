import assert from 'node:assert/strict';
import path from 'node:path';
import { installedProgram } from '../../../scripts/editor.mjs';

export const name = 'the first steps are five, each with its picture, and the last one runs in a terminal';

export const settings = {
  // The program is beside the workspace, as npm would put it into PATH.
  'terminal.integrated.env.linux': { PATH: `\${workspaceFolder}/../bin:${process.env.PATH}`, PS1: '$ ' },
  // Otherwise the terminal is started anew, and what was typed is gone, once another extension has something for it.
  'terminal.integrated.environmentChangesRelaunch': false,
  'terminal.integrated.gpuAcceleration': 'off',
  // To be read in the picture of the step, which is small.
  'terminal.integrated.fontSize': 17,
  'terminal.integrated.shellIntegration.enabled': false,
  'terminal.integrated.profiles.linux': { sh: { path: '/bin/sh' } },
  'terminal.integrated.defaultProfile.linux': 'sh',
};

export function prepare(workspace) {
  installedProgram(path.join(workspace, '../bin'));
}

const steps = ['Open a CRD', 'Break a rule', 'Fix it', 'Try it', 'Check it in CI'];

export async function run(workbench) {
  const { page } = workbench;

  // What the last step says.
  await workbench.command('Terminal: Create New Terminal');
  const terminal = page.locator('.terminal-wrapper.active .xterm-rows');
  await terminal.filter({ hasText: '$' }).waitFor({ timeout: 30_000 });
  await workbench.command('View: Toggle Maximized Panel');
  await workbench.settle(1500);
  await page.locator('.terminal-wrapper.active .xterm-helper-textarea').focus();
  // Where the list of commands lost its focus to the terminal, the Escape that closes it is in the line.
  for (let left = 3; left > 0; left--) await page.keyboard.press('Backspace');
  await page.keyboard.type('kube-crd check .');
  await terminal.filter({ hasText: 'check .' }).waitFor();
  await page.keyboard.press('Enter');
  await terminal.filter({ hasText: /11 errors.*\$ / }).waitFor({ timeout: 30_000 });
  await workbench.settle();
  await workbench.screenshot('25-check');
  await workbench.command('View: Toggle Panel Visibility');

  await page.keyboard.press('Control+B');
  await workbench.command('Kubernetes CRD: Show status');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'First steps' }).click();
  const pictures = new Set();
  for (const step of steps) {
    const row = page.locator('.getting-started-step', { hasText: step }).first();
    await row.waitFor({ timeout: 30_000 });
    await row.click();
    await page.waitForFunction(pictureOtherThan, [...pictures], { timeout: 30_000 });
    const { source, said } = await page.evaluate(pictureOtherThan, [...pictures]);
    pictures.add(source);
    assert.ok(said.length > 20, `${step}: the picture is said in words`);
    if (step === steps[0]) await workbench.screenshot('25-walkthrough');
  }
  assert.equal(await page.locator('.getting-started-step').count(), steps.length);

  // To look at a step is not to have done it.
  const ticked = (step) =>
    page.locator('.getting-started-step', { hasText: step }).locator('.codicon-getting-started-step-checked');
  for (const step of steps) assert.equal(await ticked(step).count(), 0, step);

  // Its buttons work while no file is open, and what they open ticks it.
  const button = async (step, label) => {
    await page.locator('.getting-started-step', { hasText: step }).first().click();
    await page.locator('.getting-started-step.expanded', { hasText: step }).first().waitFor();
    // A step that has just opened is drawn once more, and takes no click meanwhile.
    await workbench.settle(1_000);
    await page
      .locator('.getting-started-step.expanded a, .getting-started-step.expanded button', { hasText: label })
      .first()
      .click();
  };
  await button('Open a CRD', 'Open an example');
  await page.locator('.editor-instance .view-line', { hasText: 'gears.example.com' }).first().waitFor();
  await workbench.squiggle();
  for (const step of ['Open a CRD', 'Break a rule']) await ticked(step).waitFor({ timeout: 30_000 });
  assert.equal(await ticked('Fix it').count(), 0);
  await workbench.screenshot('25-example');
  await page.locator('.getting-started-step', { hasText: 'Try it' }).first().click();
  await button('Try it', 'Show what the API server stores');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'as a new object' }).waitFor();
  await page.keyboard.press('Escape');
  await ticked('Try it').waitFor();
}

/** Runs in the page: the picture that is shown, once it is loaded and none of those. */
function pictureOtherThan(others) {
  const image = document.querySelector('.getting-started-media img');
  const isNew = image?.complete && image.naturalWidth > 0 && !others.includes(image.currentSrc);
  return isNew && { source: image.currentSrc, said: image.alt };
}
