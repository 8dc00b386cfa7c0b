// Neovim and Emacs, started with the files of editors/ as a user has them, and asked over their sockets.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/setup.mjs';
import { emacs, neovim } from './install.mjs';

const run = promisify(execFile);

/** Each editor: what it is called, what it needs, how it is started in a folder, and how one of its functions is called. */
export const hosts = [
  {
    name: 'Neovim',
    // Eglot asks one server about a buffer, and for Go that is gopls.
    opensGo: true,
    find: neovim,
    start: (socket) => [
      ...['--clean', '--headless', '--listen', socket],
      ...['--cmd', `set runtimepath^=${path.join(root, 'editors/neovim')}`],
      ...['-c', `luafile ${path.join(root, 'test/editors/neovim.lua')}`],
      ...['-c', "lua vim.lsp.config('kube_crd', { settings = { kubeCrd = { costHintThreshold = 0 } } })"],
      ...['-c', "lua vim.lsp.enable('kube_crd')"],
    ],
    async ask({ command }, env, socket, name, args) {
      const call = `vim.json.encode(Asked.${name}(${args.map((one) => JSON.stringify(one)).join(', ')}) or vim.NIL)`;
      const { stdout } = await run(
        command,
        ['--server', socket, '--remote-expr', `luaeval('${call.replaceAll("'", "''")}')`],
        { env },
      );
      return JSON.parse(stdout);
    },
  },
  {
    name: 'Emacs',
    find: emacs,
    start: (socket) => [
      ...['-Q', `--fg-daemon=${socket}`],
      ...['-l', path.join(root, 'editors/emacs/kube-crd.el')],
      ...['-l', path.join(root, 'test/editors/emacs.el')],
    ],
    async ask({ client }, env, socket, name, args) {
      const call = `(asked ${[JSON.stringify(name), `'(${args.map((one) => JSON.stringify(one)).join(' ')})`].join(' ')})`;
      const { stdout } = await run(client, ['--socket-name', socket, '--eval', call], { env });
      // It prints the text as Lisp writes it.
      return JSON.parse(JSON.parse(stdout));
    },
  },
];

/** Starts an editor in a folder; gives its functions by name, and how to end it. */
export async function startHost(host, found, { folder, home, bin }) {
  const socket = path.join(home, 'socket');
  const env = { ...process.env, ...found.env, HOME: home, XDG_RUNTIME_DIR: home, PATH: `${bin}:${process.env.PATH}` };
  const child = spawn(found.command, [...(found.args ?? []), ...host.start(socket)], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const ask = (name, ...args) => host.ask(found, env, socket, name, args);
  const end = async () => {
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    await until(`${host.name} is there`, () =>
      ask('text').then(
        () => true,
        () => false,
      ),
    );
  } catch (error) {
    await end();
    throw new Error(`${error.message}\n${errors}`);
  }
  return { ask, end };
}

/** Asks again and again until the answer holds; gives it. */
export async function until(what, answer) {
  let last;
  for (let tries = 0; tries < 100; tries++) {
    last = await answer();
    if (last) return last;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`it never came to this: ${what}`);
}
