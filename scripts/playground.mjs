// npm run playground: makes dist/playground, a page that any server of files can serve and that opens from a disk as well.
// --sizes prints what a visit loads, compressed as servers do; --json the same for programs.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { engineOptions } from './build.mjs';
import { buildParts, engineFolders } from './engineParts.mjs';
import { noticesOf } from './notices.mjs';
import { root, setup } from './setup.mjs';

const to = path.join(root, 'dist/playground');

export async function buildPlayground() {
  setup();
  const esbuild = await import('esbuild');
  rmSync(to, { recursive: true, force: true });
  mkdirSync(path.join(to, 'data'), { recursive: true });
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    define: { VERSION: JSON.stringify(version), KUBERNETES_VERSIONS: JSON.stringify(kubernetesVersions()) },
  };
  const page = await esbuild.build({
    ...common,
    entryPoints: ['playground/src/page.ts', 'playground/src/markdown.ts'],
    outdir: 'dist/playground',
    platform: 'browser',
    loader: { '.yaml': 'text', '.tpl': 'text' },
  });
  const engine = await buildParts(
    esbuild,
    { ...common, ...engineOptions },
    {
      entries: ['playground/src/engine.ts'],
      folders: engineFolders,
      packages: 'engine',
      load: "importScripts(globalThis.kubeCrdHome + part + '.js')",
      outdir: 'dist/playground',
    },
  );
  for (const file of ['index.html', 'style.css'])
    copyFileSync(path.join(root, 'playground', file), path.join(to, file));
  // A page on a disk may not read files, but run them.
  for (const name of readdirSync(path.join(root, 'server/data')).filter(
    (name) => name.endsWith('.gz') && name !== 'openApi.json.gz',
  )) {
    const base64 = readFileSync(path.join(root, 'server/data', name)).toString('base64');
    writeFileSync(path.join(to, 'data', `${name}.js`), `kubeCrdData(${JSON.stringify(name)},"${base64}");\n`);
  }
  const inputs = [page, ...engine].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(path.join(to, 'NOTICES.txt'), noticesOf(new Set(inputs)));
}

/** Newest first, as the files of the releases name them. */
function kubernetesVersions() {
  const names = readdirSync(path.join(root, 'server/src/kubernetes/releases'));
  const minors = names.flatMap((name) => /^1\.(\d+)\.ts$/.exec(name)?.[1] ?? []);
  return minors.sort((a, b) => b - a).map((minor) => `1.${minor}`);
}

/** What is loaded before the first verdict, and what more where it is needed, in bytes as gzip sends them. */
export function playgroundSizes() {
  const size = (file) => gzipSync(readFileSync(path.join(to, file)), { level: 9 }).length;
  const first = ['index.html', 'style.css', 'page.js', 'engine.js'];
  const more = readdirSync(to, { recursive: true }).filter((file) => file.endsWith('.js') && !first.includes(file));
  const sizes = (files) => Object.fromEntries(files.map((file) => [file.replaceAll('\\', '/'), size(file)]));
  return { first: sizes(first), more: sizes(more) };
}

function printSizes() {
  const { first, more } = playgroundSizes();
  const row = (name, bytes) => console.log(`${name.padEnd(34)} ${String(Math.round(bytes / 1000)).padStart(5)} kB`);
  for (const [file, bytes] of Object.entries(first)) row(file, bytes);
  row(
    'before the first verdict',
    Object.values(first).reduce((sum, bytes) => sum + bytes, 0),
  );
  for (const [file, bytes] of Object.entries(more)) row(`${file}, where it is needed`, bytes);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await buildPlayground();
  if (process.argv.includes('--sizes')) printSizes();
  if (process.argv.includes('--json')) console.log(JSON.stringify(playgroundSizes()));
}
