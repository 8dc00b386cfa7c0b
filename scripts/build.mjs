// Bundles what the extension ships: client and server, each for Node and for the browser. --watch rebuilds on
// change. With --executable, what single executables are made of instead.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
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
  // What starts the server and the command line, with compiled code of an earlier run.
  { from: 'server/src/main.ts', to: 'dist/server/main.cjs', platform: 'node', format: 'cjs', external: [] },
  // Pages in webviews, one script each.
  ...['tryPage', 'costPage'].map((page) => ({
    from: `client/src/webviews/${page}.ts`,
    to: `dist/client/${page}.js`,
    platform: 'browser',
    format: 'iife',
    external: [],
  })),
];

/** How the engine is built, for whatever runs it. */
export const engineOptions = {
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['node', 'browser'],
  alias: { yaml: path.join(root, 'node_modules/yaml/browser/index.js') },
};

/** What nothing but Node gives. */
const ofNode = [...builtinModules, 'node:*'];

export async function build({ minify = false, watch = false } = {}) {
  setup();
  const esbuild = await import('esbuild');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  for (const folder of ['dist/client', 'dist/server', parts])
    rmSync(path.resolve(root, folder), { recursive: true, force: true });
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify,
    define: { VERSION: JSON.stringify(version) },
    sourcemap: minify ? false : 'linked',
    // The licences of what is bundled are in dist/NOTICES.txt.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const inputs = new Set();
  /** Builds, and does so again on change where that is asked for. */
  const make = async (options, then = async () => {}) => {
    const made = { name: 'made', setup: ({ onEnd }) => onEnd(then) };
    if (watch) await (await esbuild.context({ ...options, plugins: [made] })).watch();
    else
      for (const input of Object.keys((await esbuild.build({ ...options, plugins: [made] })).metafile.inputs))
        inputs.add(input);
  };
  for (const { from, to, platform, format, external } of bundles) {
    await make({
      ...common,
      ...{ entryPoints: [from], outfile: to, platform, format, external },
      target: platform === 'node' ? 'node20' : 'es2022',
      mainFields: platform === 'node' ? ['module', 'main'] : ['browser', 'module', 'main'],
    });
  }
  await make(
    {
      ...common,
      entryPoints: ['server/src/program.ts', 'server/src/browser.ts'],
      outdir: parts,
      splitting: true,
      // The one part that both share has this name; a second would be refused.
      chunkNames: 'shared',
      ...engineOptions,
      format: 'esm',
      target: 'es2022',
      external: ofNode,
    },
    () => joinServer(esbuild, common),
  );
  if (!watch) rmSync(parts, { recursive: true });
  for (const file of readdirSync(path.join(root, 'server/data')))
    copyFileSync(path.join(root, 'server/data', file), path.join(root, 'dist/server', file));
  if (!watch) writeFileSync(path.join(root, 'dist/NOTICES.txt'), noticesOf(inputs));
}

/** The whole program as one script, with the data that lies beside it otherwise: of this, executables are made. */
export async function buildExecutable() {
  setup();
  const esbuild = await import('esbuild');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['server/src/executable.ts'],
    outfile: 'dist/executable/kube-crd.cjs',
    bundle: true,
    minify: true,
    format: 'cjs',
    target: 'node20',
    ...engineOptions,
    platform: 'node',
    loader: { '.gz': 'binary' },
    define: { VERSION: JSON.stringify(version) },
    legalComments: 'none',
    logLevel: 'warning',
  });
}

const parts = path.join(root, 'dist/parts');

/**
 * The server is two files: dist/server/engine.cjs, which has what both hosts run and is a browser's worker by itself, and
 * dist/server/program.cjs, which has what needs Node and requires the other. So what is shipped holds the engine once.
 * dist/server/main.cjs loads both.
 */
async function joinServer(esbuild, common) {
  await esbuild.build({
    ...common,
    stdin: {
      contents: `
        export * from './shared.js';
        import { startWorker } from './browser.js';
        if (typeof importScripts === 'function') startWorker();`,
      resolveDir: parts,
    },
    outfile: 'dist/server/engine.cjs',
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    // A worker has no `module`; there nothing asks what is exported.
    banner: { js: 'var module = typeof module === "object" ? module : {};' },
  });
  const engine = {
    name: 'engine',
    setup: ({ onResolve }) => onResolve({ filter: /\/shared\.js$/ }, () => ({ path: './engine.cjs', external: true })),
  };
  await esbuild.build({
    ...common,
    entryPoints: [path.join(parts, 'program.js')],
    outfile: 'dist/server/program.cjs',
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    plugins: [engine],
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--executable')) await buildExecutable();
  else await build({ minify: process.argv.includes('--minify'), watch: process.argv.includes('--watch') });
}
