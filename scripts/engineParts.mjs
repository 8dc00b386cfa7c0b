// The engine of the playground in parts: what the first verdict of a manifest needs, and what is loaded by the first call of
// it. A worker can load a script in the middle of a call, so that nothing of the program knows of the parts: an import of
// what is in another part becomes a function that loads that part and calls the real one.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

/** The folders and files of each part, by the name of its file. */
const folders = {
  // What an editor asks beside verdicts.
  editor: [
    'features/at',
    'features/complete',
    'features/lenses',
    'features/mend',
    'features/navigate',
    'features/tests',
    'features/trying',
    'features/views',
    'crdtest',
    'kubernetes/apply',
  ],
  // What is said of admission policies and webhooks.
  policies: ['kubernetes/policy'],
  // Files that manifests are made of, and the kinds that Kubernetes has built in.
  sources: [
    'controllergen',
    'features/charts',
    'features/delivery',
    'features/golang',
    'features/kustomizations',
    'flux',
    'helm',
    'kubernetes/builtin',
    'kustomize',
    'template',
    'workspace/charts',
    'workspace/delivery',
    'workspace/kustomizations',
    'workspace/projections',
    // Archives and folders of CRDs that a lock or a setting names.
    'workspace/sources/archive.ts',
    'workspace/sources/archiveContents.ts',
    'workspace/sources/catalogue.ts',
    'workspace/sources/folder.ts',
    'workspace/sources/openApi.ts',
    'workspace/sources/schemaFile.ts',
    'workspace/sources/tar.ts',
    'workspace/sources/turnBack.ts',
  ],
};

/** What every verdict asks first, most often to hear that it has nothing to do, or what runs as soon as its importer is read. */
const always = [
  'features/charts/givenTexts.ts',
  'features/golang/stale.ts',
  'features/golang/written.ts',
  'features/kustomizations/diagnoseBuild.ts',
  'features/kustomizations/inlinePatch.ts',
  'kubernetes/policy/expressions.ts',
  'kubernetes/policy/hosts.ts',
  'kubernetes/policy/inWorlds.ts',
  'kubernetes/policy/worlds.ts',
  'workspace/delivery/chartsHere.ts',
  'workspace/delivery/filled.ts',
  'workspace/delivery/index.ts',
  'workspace/delivery/objects.ts',
  'workspace/delivery/uses.ts',
  'workspace/kustomizations/asBuilt.ts',
  'workspace/kustomizations/builds.ts',
  'workspace/kustomizations/fluxBuilds.ts',
];

const source = path.join(root, 'server/src');
const nameOf = (file) => path.relative(source, file).split(path.sep).join('/');

const isIn = (one, name) => name === one || name.startsWith(`${one}/`);

/** The relative imports of a file that are of values: which file, and which names. */
function importsOf(file) {
  const statements = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s+(type\s)?([^;'"]*?)\s*from\s+'(\.[^']+)';/gms,
  );
  return [...statements].flatMap(([, type, list, from]) => {
    if (type) return [];
    const named = (/\{([\s\S]*)\}/.exec(list)?.[1] ?? '').split(',').map((one) => one.trim());
    const names = named.filter((one) => one !== '' && !one.startsWith('type ')).map((one) => one.split(/\s+as\s+/)[0]);
    if (list.startsWith('*')) names.push('*');
    return names.length > 0 ? [{ to: path.resolve(path.dirname(file), from), names }] : [];
  });
}

/** Names of functions that a file declares and exports, those that remember what they gave among them. */
function functionsOf(file) {
  const declared =
    /^export (?:(?:async )?function\*? ?(\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:memo\w*(?:<[^(]*>)?\(|\())/gm;
  return new Set([...readFileSync(file, 'utf8').matchAll(declared)].map(([, name, kept]) => name ?? kept));
}

/** Which part each file is in that an entry leads to, and what the files import. */
function placed(entry) {
  const imports = new Map();
  const visit = (file) => {
    if (imports.has(file) || !existsSync(file)) return;
    imports.set(file, importsOf(file));
    for (const { to } of imports.get(file)) visit(to);
  };
  visit(entry);
  const wanted = (file) =>
    always.includes(nameOf(file))
      ? 'engine'
      : (Object.keys(folders).find((part) => folders[part].some((one) => isIn(one, nameOf(file)))) ?? 'engine');
  const partOf = new Map([...imports.keys()].map((file) => [file, wanted(file)]));
  // What is no function cannot be loaded by a call: where another part needs such a thing, its file is in the first.
  const needsFirst = (file, { to, names }) =>
    partOf.get(to) !== 'engine' &&
    partOf.get(to) !== partOf.get(file) &&
    names.some((one) => !functionsOf(to).has(one));
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const [file, all] of imports)
      for (const one of all.filter((one) => partOf.has(one.to) && needsFirst(file, one))) {
        partOf.set(one.to, 'engine');
        isDone = false;
      }
  }
  return { partOf, imports };
}

/** Builds `engine.js` and a file for each other part with esbuild; gives what esbuild says of each. */
export async function buildParts(esbuild, options, { entry, outdir }) {
  const start = path.join(root, entry);
  const { partOf, imports } = placed(start);
  /** By file: the names that other parts import. */
  const taken = new Map();
  for (const [file, all] of imports)
    for (const { to, names } of all)
      if (partOf.has(to) && partOf.get(to) !== partOf.get(file))
        taken.set(to, new Set([...(taken.get(to) ?? []), ...names]));

  /** What stands for a file of another part. */
  const standIn = (file) => {
    const [part, name] = [partOf.get(file), JSON.stringify(nameOf(file))];
    const names = [...taken.get(file)];
    if (part === 'engine') return `export const {${names.join(', ')}} = globalThis.kubeCrdParts.engine[${name}];`;
    return names
      .map((one) => `export const ${one} = (...given) => globalThis.kubeCrdPart('${part}')[${name}].${one}(...given);`)
      .join('\n');
  };
  const between = (part) => ({
    name: 'between parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path: to, importer }) => {
        const file = path.resolve(path.dirname(importer), to);
        const isElsewhere = partOf.has(file) && partOf.get(file) !== part && partOf.get(importer) === part;
        return isElsewhere ? { path: file, namespace: 'part', sideEffects: false } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path: file }) => ({ contents: standIn(file), loader: 'js' }));
    },
  });
  /** Gives the other parts what they take of this one. */
  const giving = (part) => {
    const files = [...taken].filter(([file]) => partOf.get(file) === part);
    const lists = files.map(([file, names], i) => {
      const list = [...names].map((one) => `${one} as of${i}_${one}`).join(', ');
      return `import {${list}} from ${JSON.stringify(file)};`;
    });
    const rows = files.map(([file, names], i) => {
      return `${JSON.stringify(nameOf(file))}: {${[...names].map((one) => `${one}: of${i}_${one}`).join(', ')}}`;
    });
    return `${lists.join('\n')}\n(globalThis.kubeCrdParts ??= {}).${part} = {${rows.join(',\n')}};`;
  };
  const loading = `
    globalThis.kubeCrdPart = (part) => {
      if (!globalThis.kubeCrdParts[part]) importScripts(globalThis.kubeCrdHome + part + '.js');
      return globalThis.kubeCrdParts[part];
    };
    import ${JSON.stringify(start)};`;
  const make = (part) =>
    esbuild.build({
      ...options,
      stdin: { contents: giving(part) + (part === 'engine' ? loading : ''), resolveDir: root, loader: 'js' },
      outfile: path.join(outdir, `${part}.js`),
      plugins: [between(part)],
    });
  const made = [];
  for (const part of ['engine', ...Object.keys(folders)]) made.push(await make(part));
  return made;
}
