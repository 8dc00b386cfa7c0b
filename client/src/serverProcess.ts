import { type ChildProcess, fork } from 'node:child_process';
import type * as vscode from 'vscode';
import { IPCMessageReader, IPCMessageWriter, type MessageTransports } from 'vscode-languageclient/node';

/**
 * The server's process, begun and ended here. The client's library would leave a hung one behind for a while, and take
 * its late end for that of the one that was started after it.
 */
export interface ServerProcess {
  start(): Promise<MessageTransports>;
  /** Waits until it has ended, by force if it does not do so by itself. */
  end(): Promise<void>;
}

/** How long a server that was told to end may take. */
const patienceMs = 1_000;

export function serverProcess(module: string, log: vscode.LogOutputChannel): ServerProcess {
  let running: { readonly child: ChildProcess; readonly closed: Promise<void> } | undefined;
  return {
    start: async () => {
      const child = forked(module, log);
      running = { child, closed: new Promise((resolve) => child.once('close', () => resolve())) };
      return { reader: new IPCMessageReader(child), writer: new IPCMessageWriter(child) };
    },
    end: async () => {
      if (!running) return;
      const { child, closed } = running;
      running = undefined;
      const hung = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await closed;
      clearTimeout(hung);
    },
  };
}

function forked(module: string, log: vscode.LogOutputChannel): ChildProcess {
  // The editor's own program runs it, as Node.
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ASAR: '1' };
  const args = ['server', '--node-ipc', `--clientProcessId=${process.pid}`];
  const child = fork(module, args, { silent: true, env, execArgv: isDebugged() ? debugging : [] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => log.append(String(data)));
  return child;
}

/** Where the extension is debugged, the server listens as well: see .vscode/launch.json. */
const debugging = ['--nolazy', '--inspect=6009'];

function isDebugged(): boolean {
  return process.execArgv.some((arg) => arg.startsWith('--inspect') || arg.startsWith('--debug'));
}
