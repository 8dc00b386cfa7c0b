// Builds what the npm package exports: one ES module an entry point, for Node and browsers, with its declarations.
// --stage puts all that npm publishes into dist/npm, --package builds the command line for it before; --sizes prints what each takes.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from './build.mjs';
import { root, setup } from './setup.mjs';

const entries = ['index', 'cel', 'yaml'];
const folder = path.join(root, 'dist/library');

export async function buildLibrary() {
  setup();
  const esbuild = await import('esbuild');
  rmSync(folder, { recursive: true, force: true });
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries.map((name) => `server/src/library/${name}.ts`),
    outdir: 'dist/library',
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    target: 'es2022',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  declarations();
}

/** Declarations name nothing outside of the library's own folder: the rest of the program stays its own. */
function declarations() {
  const made = path.join(root, 'dist/declarations');
  rmSync(made, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', 'server/src/library'], { cwd: root, encoding: 'utf8' });
  // Files that are not declared for anybody may well hold types that nobody can name.
  const wrong = stdout.split('\n').filter((line) => line.startsWith('server/src/library/'));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  mkdirSync(folder, { recursive: true });
  for (const name of [...entries, 'values']) {
    const text = readFileSync(path.join(made, 'library', `${name}.d.ts`), 'utf8');
    const outside = /from '(?!\.\/values\.ts')[^']*'/.exec(text);
    if (outside) throw new Error(`${name}.d.ts imports ${outside[0]}`);
    writeFileSync(path.join(folder, `${name}.d.ts`), text.replaceAll("'./values.ts'", "'./values.js'"));
  }
  rmSync(made, { recursive: true, force: true });
}

const npmFolder = path.join(root, 'dist/npm');

/** What package.json says to editors alone, and to those who work on the program. */
const notForNpm = [
  ...['displayName', 'publisher', 'categories', 'icon', 'galleryBanner', 'main', 'browser', 'l10n'],
  ...['activationEvents', 'capabilities', 'contributes', 'scripts', 'devDependencies'],
];

/** The package of npm, whose package.json names only what is in it. */
export function stageNpm() {
  rmSync(npmFolder, { recursive: true, force: true });
  const options = {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  };
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options));
  for (const { path: file } of files) {
    const to = path.join(npmFolder, file);
    mkdirSync(path.dirname(to), { recursive: true });
    copyFileSync(path.join(root, file), to);
  }
  const { engines, ...all } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const kept = Object.entries(all).filter(([key]) => !notForNpm.includes(key));
  const own = { ...Object.fromEntries(kept), engines: { node: engines.node }, sideEffects: false };
  writeFileSync(path.join(npmFolder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
}

function printSizes() {
  const files = [...entries.map((name) => `dist/library/${name}.js`), 'dist/server/main.cjs'];
  for (const file of files) {
    const bytes = readFileSync(path.join(root, file));
    const kilobytes = (count) => `${Math.round(count / 1000)} kB`;
    console.log(
      `${file.padEnd(24)} ${kilobytes(bytes.length).padStart(8)} ${kilobytes(gzipSync(bytes).length).padStart(8)} compressed`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sizes = process.argv.includes('--sizes');
  if (sizes || process.argv.includes('--package')) await build({ minify: true });
  await buildLibrary();
  if (process.argv.includes('--package') || process.argv.includes('--stage')) stageNpm();
  if (sizes) printSizes();
}
