// VS Code without a machine behind it, as on github.dev: @vscode/test-web serves it with the extension and a workspace that
// only an extension can read. It would download VS Code; here it gets the one of code-server, turned back into one that
// has no server.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { codeServer, freePort, quiet, tools, vscode } from '../../scripts/editor.mjs';
import { root } from '../../scripts/setup.mjs';

/** Serves the workbench over a folder; gives its address and how to stop it. */
export async function startWeb({ folder, settings = {} }) {
  codeServer();
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-web-'));
  const commit = 'local';
  assemble(path.join(home, `vscode-web-stable-${commit}`), { ...quiet, ...settings });
  const { open } = createRequire(path.join(tools, 'package.json'))('@vscode/test-web');
  const port = await freePort();
  const served = await open({
    browserType: 'none',
    quality: 'stable',
    commit,
    testRunnerDataDir: home,
    extensionDevelopmentPath: root,
    folderPath: folder,
    host: 'localhost',
    port,
    esm: true,
  });
  const stop = async () => {
    served.dispose();
    rmSync(home, { recursive: true, force: true });
  };
  return { address: `http://localhost:${port}`, stop };
}

/** The folder that test-web takes for a VS Code that it has downloaded. */
function assemble(to, settings) {
  linkAll(vscode, to, 'out');
  linkAll(`${vscode}/out`, `${to}/out`, 'vs');
  linkAll(`${vscode}/out/vs`, `${to}/out/vs`, 'workbench', 'code');
  linkAll(`${vscode}/out/vs/workbench`, `${to}/out/vs/workbench`);
  linkAll(`${vscode}/out/vs/code/browser/workbench`, `${to}/out/vs/code/browser/workbench`, 'workbench.js');
  const workbench = readFileSync(`${vscode}/out/vs/code/browser/workbench/workbench.js`, 'utf8');
  writeFileSync(`${to}/out/vs/code/browser/workbench/workbench.js`, withoutServer(workbench));
  writeFileSync(
    `${to}/out/vs/workbench/workbench.web.main.internal.css`,
    "@import '../code/browser/workbench/workbench.css';\n",
  );
  writeFileSync(`${to}/out/vs/workbench/workbench.web.main.internal.js`, entry(settings));
  writeFileSync(`${to}/version`, '');
}

function linkAll(from, to, ...except) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from))
    if (!except.includes(name)) symlinkSync(path.join(from, name), path.join(to, name));
}

/** code-server's workbench always speaks to its server, and keeps the user's data there. */
function withoutServer(workbench) {
  const changes = [
    [',remoteAuthority:location.host}', '}'],
    [
      /(\w+)\.file\(this\.userDataPath\)\.with\(\{scheme:(\w+)\.vscodeRemote\}\)/,
      '$1.file(this.userDataPath).with({scheme:$2.vscodeUserData})',
    ],
  ];
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`code-server is no longer as it was: it has no ${from}`);
    return changed;
  }, workbench);
}

/** What test-web loads as VS Code: that begins by itself, with what stands in the page. */
function entry(settings) {
  const options = {
    userDataPath: '/User',
    isEnabledFileDownloads: true,
    isEnabledFileUploads: true,
    isEnabledCoderGettingStarted: false,
    configurationDefaults: settings,
  };
  return `
const page = document.getElementById('vscode-workbench-web-configuration');
const options = { ...JSON.parse(page.dataset.settings), ...${JSON.stringify(options)} };
page.dataset.settings = JSON.stringify(options);
export const URI = { revive: (uri) => uri };
export const LogLevel = {};
export class Emitter { event = () => ({ dispose() {} }); }
export const create = () => { import('../code/browser/workbench/workbench.js'); };
`;
}
