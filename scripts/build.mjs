// Bundles what the extension ships: client and server, each for Node and for the browser. --watch rebuilds on
// change. With --executable, what single executables are made of instead.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildParts, serverFolders } from './engineParts.mjs';
import { noticesOf } from './notices.mjs';
import { root, setup } from './setup.mjs';

/** Modules of Node that most runs need nothing of; to load all of them takes a tenth of a small run. */
const seldom = [
  'child_process',
  'crypto',
  'http',
  'https',
  'net',
  'readline',
  'timers/promises',
  'tls',
  'worker_threads',
  'zlib',
];

/** Loads such a module when something of it is used. */
const whenUsed = {
  name: 'when used',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:node:)?(?:${seldom.join('|')})$`) }, ({ path: name, namespace }) =>
      namespace === 'when used' ? { path: name, external: true } : { path: name, namespace: 'when used' },
    );
    onLoad({ filter: /.*/, namespace: 'when used' }, ({ path: name }) => {
      const members = Object.keys(createRequire(import.meta.url)(name));
      const getters = members.map((member) => `get ${member}() { return whole().${member}; }`);
      return {
        contents: `let loaded; const whole = () => (loaded ??= require('${name}'));\nmodule.exports = {${getters.join(', ')}};`,
      };
    });
  },
};

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
  {
    from: 'server/src/main.ts',
    to: 'dist/server/main.cjs',
    platform: 'node',
    format: 'cjs',
    external: [],
    plugins: [whenUsed],
  },
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
  mkdirSync(path.join(root, 'dist/server'), { recursive: true });
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify,
    define: { VERSION: JSON.stringify(version), PARTS: JSON.stringify(partNames.join(' ')) },
    sourcemap: minify ? false : 'linked',
    // The licences of what is bundled are in dist/NOTICES.txt.
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  };
  const inputs = new Set();
  /** Builds, and does so again on change where that is asked for. */
  const make = async ({ plugins = [], ...options }, then = async () => {}) => {
    const made = { name: 'made', setup: ({ onEnd }) => onEnd(then) };
    if (watch) await (await esbuild.context({ ...options, plugins: [...plugins, made] })).watch();
    else
      for (const input of Object.keys(
        (await esbuild.build({ ...options, plugins: [...plugins, made] })).metafile.inputs,
      ))
        inputs.add(input);
  };
  for (const { from, to, platform, format, external, plugins = [] } of bundles) {
    await make({
      ...common,
      ...{ entryPoints: [from], outfile: to, platform, format, external, plugins },
      target: platform === 'node' ? 'node20' : 'es2022',
      mainFields: platform === 'node' ? ['module', 'main'] : ['browser', 'module', 'main'],
    });
  }
  const server = async () => {
    for (const { metafile } of await buildServer(esbuild, common))
      for (const input of Object.keys(metafile.inputs)) inputs.add(input);
  };
  if (watch) {
    // Nothing comes of this but that it is told when a file has changed.
    const both = { entryPoints: ['server/src/program.ts', 'server/src/worker.ts'], outdir: parts, write: false };
    await make({ ...common, ...both, ...engineOptions, format: 'esm', external: ofNode }, server);
  } else await server();
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
    define: { VERSION: JSON.stringify(version), PARTS: '""' },
    legalComments: 'none',
    logLevel: 'warning',
  });
}

const parts = path.join(root, 'dist/parts');

/** The parts of the server's engine, each a script of its own beside `engine.cjs`. */
const partNames = Object.keys(serverFolders);

/**
 * The server is dist/server/engine.cjs, which has what both hosts run, its parts beside it, which are read when something of
 * them is called, and dist/server/program.cjs, which has what needs Node and reads the others; dist/server/commands.cjs is a
 * part of it. A browser's worker is the parts and the engine, one after the other. So what is shipped holds the engine once.
 * dist/server/main.cjs reads the program.
 */
async function buildServer(esbuild, common) {
  const options = { ...common, ...engineOptions, format: 'cjs', target: 'es2022', external: ofNode };
  const made = await buildParts(
    esbuild,
    { ...options, minify: false },
    {
      entries: ['server/src/worker.ts', 'server/src/program.ts'],
      // What a server that speaks with an editor does not need.
      seldom: ['server/src/cli/main.ts', 'server/src/cli/jobs.ts'],
      folders: serverFolders,
      packages: 'server',
      load: 'globalThis.kubeCrdMake[part]()',
      outdir: parts,
      ending: 'cjs',
    },
  );
  const join = async (name, contents, more) => {
    const outfile = path.join(root, `dist/server/${name}.cjs`);
    await esbuild.build({ ...options, stdin: { contents, resolveDir: parts }, outfile, ...more });
    writeFileSync(outfile, inAscii(readFileSync(outfile, 'utf8')));
  };
  const id = digestOf([...partNames, 'engine', 'commands', 'program'].map((name) => path.join(parts, `${name}.cjs`)));
  const script = { format: 'iife' };
  for (const part of partNames) await join(part, partScript(part, id), script);
  await join('engine', `require('./engine.cjs');`, script);
  const forNode = { platform: 'node', target: 'node20', plugins: [whenUsed] };
  await join('commands', partScript('commands', id), forNode);
  await join('program', `module.exports = require('./program.cjs');`, {
    ...forNode,
    banner: { js: readingParts([...partNames, 'commands'], id) },
  });
  rmSync(parts, { recursive: true });
  return made;
}

/** A part makes what it has when it is called, and says of which build it is. */
const partScript = (part, id) => `
  (globalThis.kubeCrdMake ??= {}).${part} = () => require('./${part}.cjs');
  globalThis.kubeCrdMake.${part}.id = '${id}';`;

/** What stands before the program: reads a part when it is called. By then another version may have been installed over this one. */
const readingParts = (names, id) => `
globalThis.kubeCrdMake = {};
for (const part of ${JSON.stringify(names)})
  kubeCrdMake[part] = function make() {
    require('./' + part + '.cjs');
    const made = kubeCrdMake[part];
    if (made.id === '${id}') return made();
    // What is asked next reads it again, and is told the same.
    kubeCrdMake[part] = make;
    throw new Error('kube-crd was changed while it ran: it has to be started again');
  };
require('./engine.cjs');`;

const digestOf = (files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
};

/** What is left beyond ASCII in regular expressions and templates: a script without it is read at once, and takes half the memory. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--executable')) await buildExecutable();
  else await build({ minify: process.argv.includes('--minify'), watch: process.argv.includes('--watch') });
}
