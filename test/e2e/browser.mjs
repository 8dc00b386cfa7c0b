// A headless Chromium: the one of this machine, else one that comes from npm with the libraries and fonts it needs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { codeServer, tools } from '../../scripts/editor.mjs';

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

/** Where the browser is and what its environment needs; undefined where none can be had. */
export function findBrowser() {
  const own = places.find((place) => place && existsSync(place));
  if (own) return { executablePath: own, env: process.env };
  return process.platform === 'linux' && process.arch === 'x64' ? unpacked() : undefined;
}

/** The package holds everything compressed, and unpacks to where temporary files belong. */
function unpacked() {
  // It is installed with the editor.
  codeServer();
  const folder = path.join(tools, 'browser');
  const executablePath = path.join(folder, 'chromium');
  if (!existsSync(executablePath)) {
    const partly = path.join(tools, 'browser-partly');
    rmSync(partly, { recursive: true, force: true });
    mkdirSync(partly, { recursive: true });
    const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
    // It unpacks libraries as well where it takes itself to be in the cloud that it is made for.
    const env = { ...process.env, TMPDIR: partly, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { cwd: tools, env });
    if (status !== 0) throw new Error(`the browser could not be unpacked: ${stderr}`);
    renameSync(partly, folder);
  }
  const env = {
    ...process.env,
    LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
    ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: path.join(folder, 'fonts') }),
  };
  return { executablePath, env };
}

/** A browser whose pages know nothing of each other, of a fixed size, so that screenshots can be compared by eye. */
export async function openBrowser() {
  const browser = await chromium.launch({
    ...findBrowser(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const newPage = () => browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  return { newPage, close: () => browser.close() };
}
