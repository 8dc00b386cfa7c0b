// Drives the workbench as a person does: keys, mouse, and what is on the screen.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/setup.mjs';

export const screenshots = path.join(root, '.artifacts/screenshots');

export async function openWorkbench(page, address, folder) {
  await page.goto(folder === undefined ? `${address}/` : `${address}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
  await page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  return workbench(page);
}

function workbench(page) {
  const settle = (ms = 400) => page.waitForTimeout(ms);
  const editorRows = '.editor-instance .view-lines .view-line';

  /** Presses keys until something shows: on a busy machine the first time can be too early. */
  const shows = async (selector, ...keys) => {
    for (let left = 3; ; left--) {
      for (const key of keys) await page.keyboard.press(key);
      try {
        await page.waitForSelector(selector, { timeout: 8_000 });
        return;
      } catch (error) {
        if (left === 1) throw error;
        await page.keyboard.press('Escape');
      }
    }
  };

  return {
    page,
    settle,

    async open(file) {
      await page.keyboard.press('Control+P');
      await page.waitForSelector('.quick-input-widget input', { state: 'visible' });
      await page.keyboard.type(file);
      await page.waitForSelector(`.quick-input-list .monaco-list-row.focused >> text=${path.basename(file)}`);
      await page.keyboard.press('Enter');
      await page.waitForSelector(`.tab.active[data-resource-name="${path.basename(file)}"]`);
      await page.waitForSelector(editorRows);
    },

    /** Puts the cursor at a line and column, both from 1. */
    async goTo(line, column = 1) {
      await page.keyboard.press('Control+G');
      await page.waitForSelector('.quick-input-widget input', { state: 'visible' });
      await page.keyboard.type(`${line}:${column}`);
      await page.keyboard.press('Enter');
      await this.cursorOn(line);
    },

    /** The cursor is on a line, from 1, as the status bar says. */
    async cursorOn(line) {
      await page.waitForSelector(`.statusbar-item >> text=/Ln ${line},/`, { timeout: 30_000 });
      await settle(200);
    },

    async cursorLine() {
      const text = await page
        .locator('.statusbar-item', { hasText: /Ln \d+,/ })
        .first()
        .innerText();
      return Number(/Ln (\d+),/.exec(text)[1]);
    },

    /** The rows of the problems panel, as soon as one of them has a text. */
    async problems(awaited = '') {
      await page.keyboard.press('Control+Shift+M');
      await page.waitForSelector('.markers-panel', { timeout: 15_000 });
      return await this.problemsShown(awaited);
    },

    /** The same of the panel that is open: the keys that open it close it where it has the focus. */
    async problemsShown(awaited) {
      const end = Date.now() + 45_000;
      for (;;) {
        await settle();
        const texts = await page.locator('.markers-panel .monaco-list-row').allInnerTexts();
        const rows = texts.map((row) => row.replace(/\s+/g, ' ').trim());
        if (rows.some((row) => row.includes(awaited))) return rows;
        if (Date.now() > end) throw new Error(`no problem has "${awaited}":\n${rows.join('\n')}`);
      }
    },

    /** Makes the panel below the editor higher: it shows no more than it has room for. */
    async raisePanel(pixels) {
      // The line between the two is in the gap above it.
      const { x, y } = await page.locator('.part.panel').boundingBox();
      await page.mouse.move(x + 100, y - 3);
      await page.mouse.down();
      await page.mouse.move(x + 100, y - pixels, { steps: 5 });
      await page.mouse.up();
    },

    async squiggle(kind = 'error', timeout = 60_000) {
      await page.waitForSelector(`.squiggly-${kind}`, { timeout });
    },

    async noSquiggle(kind = 'error') {
      await page.waitForFunction((k) => !document.querySelector(`.squiggly-${k}`), kind, { timeout: 15_000 });
    },

    /** The text of the hover card over the cursor. */
    async hoverAtCursor() {
      // The card fades in, and is gone again where lines above rules come in the meantime.
      const card = page.locator('.monaco-hover:not(.hidden)').first();
      for (let left = 3; ; left--) {
        await shows('.monaco-hover:not(.hidden) .hover-contents', 'Control+K', 'Control+I');
        await settle(800);
        if (left === 1 || (await card.isVisible())) return (await card.innerText()).trim();
      }
    },

    async quickFixes() {
      await shows('.action-widget .monaco-list-row', 'Control+.');
      await settle();
      return (await page.locator('.action-widget .monaco-list-row').allInnerTexts()).map((row) => row.trim());
    },

    async chooseFix(title) {
      await page.locator('.action-widget .monaco-list-row', { hasText: title }).first().click();
      await settle();
    },

    async completions() {
      const list = '.suggest-widget.visible .monaco-list-row';
      await settle();
      // Where it has opened by itself, the keys would open the details instead.
      if (!(await page.locator(list).first().isVisible())) await shows(list, 'Control+Space');
      await settle();
      const rows = await page.locator('.suggest-widget .monaco-list-row').allInnerTexts();
      return rows.map((row) => row.replace(/\s+/g, ' ').trim());
    },

    /** The tab may not have become dirty yet, so that it says nothing: whoever reads the file says when it is as it should be. */
    async save(isSaved = () => true) {
      await page.keyboard.press('Control+S');
      await page.waitForSelector('.tab.active:not(.dirty)');
      await settle();
      for (const end = Date.now() + 15_000; !isSaved() && Date.now() < end; ) await settle();
    },

    async command(name) {
      // What has just opened, such as a terminal, may take the focus away.
      const input = page.locator('.quick-input-widget input[type="text"]');
      // In an editor that has just started the extensions' commands come a little later.
      for (let left = 4; ; left--) {
        await page.keyboard.press('F1');
        try {
          await input.waitFor({ timeout: 6_000 });
          // Where the focus was taken away again, the input is there and takes nothing.
          await input.fill(`>${name}`, { timeout: 6_000 });
          await page.waitForSelector(`.quick-input-list .monaco-list-row >> text=${name}`, { timeout: 6_000 });
          break;
        } catch (error) {
          if (left === 1) throw error;
          await page.keyboard.press('Escape');
        }
      }
      await input.press('Enter');
    },

    /** Takes the row of a list that has this text, once it is there; a screenshot shows the list. */
    async choose(row, screenshot) {
      const found = page.locator('.quick-input-list .monaco-list-row', { hasText: row });
      await found.first().waitFor({ timeout: 30_000 });
      await this.screenshot(`${screenshot}-${row.replace(/\W+/g, '-')}`);
      await found.first().click();
    },

    async screenshot(name) {
      mkdirSync(screenshots, { recursive: true });
      return await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
    },
  };
}

/** The first heading in any of the page's frames, as soon as there is one. */
export async function renderedHeading(page) {
  return await rendered(page, 'h1', '');
}

/** The text of a page that is shown rendered, as soon as one has a text in it. */
export async function renderedText(page, awaited) {
  return await rendered(page, 'body', awaited);
}

/** The same for what a click on a line above code opens: one that is drawn anew between press and release takes none. */
export async function renderedByClick(page, line, awaited) {
  for (let tries = 0; tries < 2; tries++) {
    await line.click();
    const found = await renderedIn(page, 'body', awaited, 10_000);
    if (found) return found.text;
    console.log('  a click was lost');
  }
  await line.click();
  return await renderedText(page, awaited);
}

async function rendered(page, selector, awaited) {
  const found = await renderedIn(page, selector, awaited);
  return found?.text ?? `nothing is rendered in ${page.frames().map((frame) => frame.url())}`;
}

/** The frame of a page that has a text, as soon as there is one. */
export async function frameWith(page, awaited) {
  const found = await renderedIn(page, 'body', awaited);
  if (!found) throw new Error(`no page says ${awaited}`);
  return found.frame;
}

async function renderedIn(page, selector, awaited, limit = 30_000) {
  const end = Date.now() + limit;
  while (Date.now() < end) {
    for (const frame of page.frames().slice(1)) {
      const texts = await frame
        .locator(selector)
        .allInnerTexts()
        // A frame may be replaced while it is asked.
        .catch((error) => (/detached|closed|destroyed/i.test(error.message) ? [] : Promise.reject(error)));
      const text = texts.find((one) => one.includes(awaited));
      if (text !== undefined) return { frame, text };
    }
    await page.waitForTimeout(300);
  }
  return undefined;
}
