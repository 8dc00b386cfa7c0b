// npm run release -- [--dry-run] VERSION: makes in dist/release all that a release publishes, and tries it as its users
// install it: the extension in an editor, the package in an empty project. With --dry-run, what is not ready to be released
// is told and does not end it.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { repository } from '../server/src/share/address.ts';
import { files as ownedFiles, placeholder } from './generate/owner.ts';
import { formula, krewManifest, masonEntry, sums } from './release/entries.ts';
import { makeExecutables } from './release/executables.ts';
import { listingProblems } from './release/listings.ts';
import { npmManifest } from './release/npmManifest.ts';

const to = path.resolve('dist/release');
const isDryRun = process.argv.includes('--dry-run');
const [version = ''] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

ready();
rmSync(to, { recursive: true, force: true });
mkdirSync(to, { recursive: true });
const vsix = extension();
const tarball = packed();
tryExtension(vsix);
tryPackage(tarball);
const executables = makeExecutables(version, to);
tryExecutable(executables.own);
const about = {
  version,
  description: manifest.description,
  license: manifest.license,
  repository,
  sha256: sumOf(tarball),
};
mkdirSync(path.join(to, 'homebrew'));
writeFileSync(path.join(to, 'homebrew/kube-crd.rb'), formula(about));
mkdirSync(path.join(to, 'mason/packages/kube-crd'), { recursive: true });
writeFileSync(path.join(to, 'mason/packages/kube-crd/package.yaml'), masonEntry(about));
mkdirSync(path.join(to, 'nvim-lspconfig/lsp'), { recursive: true });
copyFileSync('editors/neovim/lsp/kube_crd.lua', path.join(to, 'nvim-lspconfig/lsp/kube_crd.lua'));
mkdirSync(path.join(to, 'krew/plugins'), { recursive: true });
const archives = executables.all.map(({ platform, arch, bin, archive }) => {
  const uri = `${repository}/releases/download/v${version}/${path.basename(archive)}`;
  return { platform, arch, uri, sha256: sumOf(archive), bin };
});
writeFileSync(path.join(to, 'krew/plugins/crd.yaml'), krewManifest(about, archives));
const files = [vsix, tarball, ...executables.all.map(({ archive }) => archive)];
writeFileSync(path.join(to, 'SHA256SUMS'), sums(files.map((file) => [path.basename(file), sumOf(file)])));
for (const file of readdirSync(to, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()))
  console.log(path.relative('.', path.join(file.parentPath, file.name)));

/** Whether everything says that this is the version to release. */
function ready(): void {
  // Those get the owner's name on the way.
  const owned = ownedFiles.map((file) => `:!${file}`);
  const uncommitted = execFileSync('git', ['status', '--porcelain', '--', '.', ...owned], { encoding: 'utf8' });
  const wrong = [
    ...(version === manifest.version
      ? []
      : [`package.json says ${manifest.version}, and the release ${version || 'has none'}`]),
    ...(readFileSync('CHANGELOG.md', 'utf8').includes(`\n## ${version}\n`)
      ? []
      : [`CHANGELOG.md has no part for ${version}`]),
    ...(repository.includes(placeholder) ? ['the owner of the repository is not named: npm run owner -- NAME'] : []),
    ...(uncommitted === '' ? [] : ['there are changes that are not committed']),
  ];
  const refused = listingProblems(manifest, readFileSync('docs/marketplace.md', 'utf8'));
  for (const one of [...wrong, ...refused]) console.error(`not ready: ${one}`);
  if (refused.length > 0 || version !== manifest.version || (wrong.length > 0 && !isDryRun)) process.exit(1);
}

function extension(): string {
  execFileSync(process.execPath, ['scripts/package.mjs'], { stdio: 'inherit' });
  const file = path.join(to, `kube-crd-${version}.vsix`);
  copyFileSync('dist/kube-crd.vsix', file);
  return file;
}

/** The package with the manifest that npm gets. */
function packed(): string {
  execFileSync(process.execPath, ['scripts/library.mjs'], { stdio: 'inherit' });
  return inFolder((folder) => {
    npm(process.cwd(), 'pack', '--ignore-scripts', '--pack-destination', folder);
    execFileSync('tar', ['xzf', `kube-crd-${version}.tgz`], { cwd: folder });
    const inner = path.join(folder, 'package');
    writeFileSync(
      path.join(inner, 'package.json'),
      `${JSON.stringify(npmManifest(manifest, repository), undefined, 2)}\n`,
    );
    npm(inner, 'pack', '--ignore-scripts', '--pack-destination', to);
    return path.join(to, `kube-crd-${version}.tgz`);
  });
}

function tryExtension(file: string): void {
  const asked = "import('./scripts/editor.mjs').then((editor) => console.log(JSON.stringify(editor.codeServer())))";
  const { node, entry } = JSON.parse(execFileSync(process.execPath, ['-e', asked], { encoding: 'utf8' }));
  const listed = inFolder((folder) => {
    const run = (...args: string[]) =>
      execFileSync(node, [entry, '--extensions-dir', folder, '--user-data-dir', folder, ...args], { encoding: 'utf8' });
    run('--install-extension', file);
    return run('--list-extensions', '--show-versions');
  });
  must(listed.includes(`${manifest.publisher}.${manifest.name}@${version}`), `the editor has installed ${listed}`);
}

/** Its commands, and each of its exports, from a program that is no module. */
function tryPackage(file: string): void {
  inFolder((folder) => {
    writeFileSync(path.join(folder, 'package.json'), '{"private": true}\n');
    npm(folder, 'install', '--offline', '--no-audit', '--no-fund', file);
    const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'node_modules/kube-crd/package.json'), 'utf8'));
    must(dependencies === undefined, 'the package has dependencies');
    for (const command of Object.keys(manifest.bin)) {
      const said = execFileSync('npx', ['--offline', command, '--version'], { cwd: folder, encoding: 'utf8' });
      must(said === `${version}\n`, `${command} says that it is ${said}`);
    }
    for (const entry of Object.keys(manifest.exports)) {
      const name = path.posix.join('kube-crd', entry);
      const loaded = name.endsWith('.json')
        ? `require(${JSON.stringify(name)})`
        : `await import(${JSON.stringify(name)})`;
      const program = `(async () => { if (Object.keys(${loaded}).length === 0) throw new Error('nothing is exported'); })()`;
      execFileSync(process.execPath, ['-e', program], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
    }
  });
}

/** What the command line prints, to the letter; and that what lies in the folder in which it runs does nothing. */
function tryExecutable(file: string): void {
  execFileSync(process.execPath, ['scripts/unit.mjs', 'cli/sessions'], {
    stdio: 'inherit',
    env: { ...process.env, KUBE_CRD_PROGRAM: file },
  });
  inFolder((folder) => {
    const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
    put('evil.js', "require('node:fs').writeFileSync('ran', '')");
    put('bunfig.toml', 'preload = ["./evil.js"]\n');
    put('.env', 'BUN_OPTIONS=--preload=./evil.js\nNODE_OPTIONS=--require=./evil.js\nFORCE_COLOR=1\n');
    put('package.json', '{"imports": {"#a": "./evil.js"}, "main": "evil.js"}');
    put('a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndatas: {}\n');
    // With several jobs each has a thread, which starts anew.
    for (let i = 0; i < 40; i++) put(`${i}.yaml`, `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a${i}}\n`);
    const { status, stdout } = spawnSync(file, ['check', '--jobs', '2'], { cwd: folder, encoding: 'utf8' });
    must(status === 1 && stdout.includes('unknown field "datas"'), `the executable says ${stdout}`);
    must(!stdout.includes('\u001b'), 'the executable takes variables from the folder in which it runs');
    must(!readdirSync(folder).includes('ran'), 'the executable runs what lies in the folder in which it runs');
  });
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-release-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sumOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function must(isTrue: boolean, otherwise: string): void {
  if (!isTrue) throw new Error(otherwise);
}
