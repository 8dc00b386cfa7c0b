// Builds what the npm package exports: one ES module an entry point, for Node and browsers, with its declarations.
// --package also builds the command line, as npm does before it packs; --sizes prints what each takes.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from './build.mjs';
import { serverFolders } from './engineParts.mjs';
import { root, setup } from './setup.mjs';

const entries = ['index', 'cel', 'yaml'];
const folder = path.join(root, 'dist/library');

/** The library knows one text and its CRDs, and no folder of which ApplicationSets could apply a part. */
const withoutSets = {
  name: 'without-sets',
  setup: (build) =>
    build.onLoad({ filter: /delivery[\\/]applicationSets\.ts$/ }, () => ({
      contents: 'export const applicationsOf = () => [];\nexport const openApplicationsOf = () => [];',
      loader: 'ts',
    })),
};

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
    plugins: [withoutSets],
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

function printSizes() {
  const files = [
    ...entries.map((name) => `dist/library/${name}.js`),
    'dist/server/engine.cjs',
    ...Object.keys(serverFolders).map((part) => `dist/server/${part}.cjs`),
    ...['commands', 'program', 'main'].map((name) => `dist/server/${name}.cjs`),
  ];
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
  if (sizes) printSizes();
}
