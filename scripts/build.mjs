// Bundles what the extension ships: client and server, each for Node and for the browser. --watch rebuilds on change.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { noticesOf } from './notices.mjs';
import { root, setup } from './setup.mjs';

/** One bundle an entry: what it is built from, where it goes, and for which host. */
const bundles = [
  { from: 'client/src/node.ts', to: 'dist/client/node.cjs', platform: 'node', format: 'cjs', external: ['vscode'] },
  {
    from: 'client/src/browser.ts',
    to: 'dist/client/browser.cjs',
    platform: 'browser',
    format: 'cjs',
    external: ['vscode'],
  },
  // Pages in webviews, one script each.
  ...['tryPage', 'costPage'].map((page) => ({
    from: `client/src/webviews/${page}.ts`,
    to: `dist/client/${page}.js`,
    platform: 'browser',
    format: 'iife',
    external: [],
  })),
  { from: 'server/src/main.ts', to: 'dist/server/main.cjs', platform: 'node', format: 'cjs', external: [] },
  { from: 'server/src/browser.ts', to: 'dist/server/browser.js', platform: 'browser', format: 'iife', external: [] },
];

export async function build({ minify = false, watch = false } = {}) {
  setup();
  const esbuild = await import('esbuild');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const folder of ['dist/client', 'dist/server'])
    rmSync(path.join(root, folder), { recursive: true, force: true });
  const inputs = new Set();
  for (const { from, to, platform, format, external } of bundles) {
    const options = {
      absWorkingDir: root,
      entryPoints: [from],
      outfile: to,
      bundle: true,
      platform,
      format,
      external,
      target: platform === 'node' ? 'node20' : 'es2022',
      mainFields: platform === 'node' ? ['module', 'main'] : ['browser', 'module', 'main'],
      minify,
      define: { VERSION: JSON.stringify(version) },
      sourcemap: minify ? false : 'linked',
      // The licences of what is bundled are in dist/NOTICES.txt.
      legalComments: 'none',
      metafile: true,
      logLevel: 'warning',
    };
    if (watch) await (await esbuild.context(options)).watch();
    else for (const input of Object.keys((await esbuild.build(options)).metafile.inputs)) inputs.add(input);
  }
  for (const file of readdirSync(path.join(root, 'server/data')))
    copyFileSync(path.join(root, 'server/data', file), path.join(root, 'dist/server', file));
  if (!watch) writeFileSync(path.join(root, 'dist/NOTICES.txt'), noticesOf(inputs));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await build({ minify: process.argv.includes('--minify'), watch: process.argv.includes('--watch') });
}
