// Bundles a TypeScript program of the repository and runs it: node scripts/run.mjs FILE.ts ARGS
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, setup } from './setup.mjs';

setup();
const { build } = await import('esbuild');
const [entry, ...args] = process.argv.slice(2);
const outfile = path.join(root, 'dist/tools', entry.replace(/\.ts$/, '.mjs'));
await build({
  absWorkingDir: root,
  entryPoints: [entry],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
process.argv.splice(1, Number.POSITIVE_INFINITY, outfile, ...args);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(outfile).href);
