// The engine of the playground in parts: what the first verdict of a manifest needs, and what is loaded by the first call of
// it. A worker can load a script in the middle of a call, so that nothing of the program knows of the parts: an import of
// what is in another part becomes a function that loads that part and calls the real one.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTable, onlyWords, withoutWords } from './ruleWords.mjs';
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
    'lsp/clusters.ts',
    'lsp/codeActions.ts',
    'lsp/costs.ts',
    'lsp/fetching.ts',
    'lsp/inlayHints.ts',
    'lsp/pages.ts',
    'lsp/playgroundLink.ts',
    'lsp/rename.ts',
    'lsp/schema.ts',
    'lsp/tests.ts',
    'lsp/trying.ts',
    // The exact words about an expression that cannot be read.
    'cel/grammar',
  ],
  // What is said of admission policies and webhooks.
  policies: ['kubernetes/policy'],
  // What rules say of themselves, and their fixes.
  rules: ['rules/model/page.ts'],
  // Files that manifests are made of, and the kinds that Kubernetes has built in.
  sources: [
    'controllergen',
    'crossplane',
    'features/charts',
    'features/delivery',
    'features/golang',
    'features/kustomizations',
    'flux',
    'helm',
    'kubernetes/builtin',
    'kro',
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

/** Files that are in two parts: tables of rules, in `rules` with what is said of a rule and its fixes, in `engine` with the rest. */
const registry = path.join(source, 'rules/model/registry.ts');
const isDoubled = (file) => file === registry || (isIn('rules', nameOf(file)) && isTable(readFileSync(file, 'utf8')));

/** The text of a file as a part has it. */
function textIn(part, file) {
  const text = readFileSync(file, 'utf8');
  if (file === registry || !isDoubled(file)) return text;
  return part === 'engine' ? withoutWords(text) : onlyWords(text);
}

/** The relative imports of a text that are of values and that it uses: which file, and which names. */
function importsOf(text, file) {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;'"]*?)\s*from\s+'(\.[^']+)';/gms);
  return [...statements].flatMap(([statement, type, list, from]) => {
    if (type) return [];
    const rest = statement.startsWith('export') ? undefined : text.replace(statement, '');
    const isUsed = (one) => rest === undefined || new RegExp(`\\b${one.split(/\s+as\s+/).at(-1)}\\b`).test(rest);
    const named = (/\{([\s\S]*)\}/.exec(list)?.[1] ?? '').split(',').map((one) => one.trim());
    const values = named.filter((one) => one !== '' && !one.startsWith('type ') && isUsed(one));
    const names = values.map((one) => one.split(/\s+as\s+/)[0]);
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

/** Constants that a file exports whose text is a value by itself, with that text: another part has them as well. */
function literalsOf(file) {
  const declared = /^export const (\w+)(?:: [^=]+)? = ('[^'\n]*'|[\d_]+|\/.+\/[imsu]*);$/gm;
  return new Map([...readFileSync(file, 'utf8').matchAll(declared)].map(([, name, text]) => [name, text]));
}

/** All imports of values that an entry leads to: from which file, as which part has it, and what. */
function importsFrom(entry) {
  const imports = [];
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file) || !existsSync(file)) return;
    seen.add(file);
    const doubled = isDoubled(file);
    const found = importsOf(textIn('engine', file), file).map((one) => ({ from: file, inRules: false, ...one }));
    if (doubled)
      found.push(...importsOf(textIn('rules', file), file).map((one) => ({ from: file, inRules: true, ...one })));
    imports.push(...found);
    for (const { to } of found) visit(to);
  };
  visit(entry);
  return { files: [...seen], imports: imports.filter(({ to }) => seen.has(to)) };
}

/** Which part each file is in that an entry leads to: the one that lists it, otherwise the first. */
function listed(files) {
  const wanted = (file) =>
    always.includes(nameOf(file))
      ? 'engine'
      : (Object.keys(folders).find((part) => folders[part].some((one) => isIn(one, nameOf(file)))) ?? 'engine');
  return new Map(files.map((file) => [file, wanted(file)]));
}

const partWith = (partOf, { from, inRules }) => (inRules ? 'rules' : partOf.get(from));

/** Whether an import is of what is in another part. */
function isAcross(partOf, one) {
  const part = partWith(partOf, one);
  return partOf.get(one.to) !== part && !(part === 'rules' && isDoubled(one.to));
}

/** What is neither a function nor a literal cannot be loaded by a call: where another part needs it, its file is in the first. */
function settle(partOf, imports) {
  const canBeCalled = (file) => new Set([...functionsOf(file), ...literalsOf(file).keys()]);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const one of imports) {
      if (partOf.get(one.to) === 'engine' || !isAcross(partOf, one)) continue;
      if (one.names.every((name) => canBeCalled(one.to).has(name))) continue;
      partOf.set(one.to, 'engine');
      isDone = false;
    }
  }
}

/** Moves what nothing of the first part needs to another part that does. */
function move(partOf, imports, needed) {
  const isIdle = (file) => partOf.get(file) === 'engine' && !needed.has(file) && !isDoubled(file);
  const users = new Map();
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const one of imports.filter(({ to }) => isIdle(to))) {
      const [known, more] = [users.get(one.to) ?? new Set(), partWith(partOf, one)];
      const before = known.size;
      if (one.inRules || !isIdle(one.from)) known.add(more);
      else for (const user of users.get(one.from) ?? []) known.add(user);
      // What the first part no more than names is not needed by it.
      known.delete('engine');
      users.set(one.to, known);
      if (known.size > before) isDone = false;
    }
  }
  const order = Object.keys(folders);
  for (const [file, parts] of users) {
    const first = order.find((part) => parts.has(part));
    if (first) partOf.set(file, first);
  }
}

/** Builds `engine.js` and a file for each other part with esbuild; gives what esbuild says of each. */
export async function buildParts(esbuild, options, { entry, outdir }) {
  const start = path.join(root, entry);
  const { files, imports } = importsFrom(start);
  const partOf = listed(files);
  settle(partOf, imports);

  /** By file: the names that other parts import. */
  const taken = new Map();
  const take = () => {
    taken.clear();
    for (const one of imports.filter((one) => isAcross(partOf, one)))
      taken.set(one.to, new Set([...(taken.get(one.to) ?? []), ...one.names]));
  };

  /** What stands for a file of another part. */
  const standIn = (file) => {
    const [part, name] = [partOf.get(file), JSON.stringify(nameOf(file))];
    const names = [...taken.get(file)];
    if (part === 'engine') return `export const {${names.join(', ')}} = globalThis.kubeCrdParts.engine[${name}];`;
    const literals = literalsOf(file);
    const call = (one) => `(...given) => globalThis.kubeCrdPart('${part}')[${name}].${one}(...given)`;
    return names.map((one) => `export const ${one} = ${literals.get(one) ?? call(one)};`).join('\n');
  };
  const between = (part) => ({
    name: 'between parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path: to, importer }) => {
        const file = path.resolve(path.dirname(importer), to);
        const isElsewhere = taken.has(file) && partOf.get(file) !== part && !(part === 'rules' && isDoubled(file));
        return isElsewhere ? { path: file, namespace: 'part', sideEffects: false } : undefined;
      });
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path: file }) => ({ contents: standIn(file), loader: 'js' }));
      onLoad({ filter: /[\\/]rules[\\/].*\.ts$/ }, ({ path: file }) =>
        isDoubled(file) ? { contents: textIn(part, file), loader: 'ts' } : undefined,
      );
    },
  });
  /** Gives the other parts what they take of this one. */
  const giving = (part) => {
    const given = [...taken].flatMap(([file, names]) => {
      if (partOf.get(file) !== part) return [];
      const literals = part === 'engine' ? new Map() : literalsOf(file);
      return [[file, [...names].filter((name) => !literals.has(name))]];
    });
    if (part === 'rules') given.push([registry, ['ruleOf']]);
    const lists = given.map(([file, names], i) => {
      const list = names.map((one) => `${one} as of${i}_${one}`).join(', ');
      return `import {${list}} from ${JSON.stringify(file)};`;
    });
    const rows = given.map(([file, names], i) => {
      return `${JSON.stringify(nameOf(file))}: {${names.map((one) => `${one}: of${i}_${one}`).join(', ')}}`;
    });
    return `${lists.join('\n')}\n(globalThis.kubeCrdParts ??= {}).${part} = {${rows.join(',\n')}};`;
  };
  const loading = `
    globalThis.kubeCrdPart = (part) => {
      if (!globalThis.kubeCrdParts[part]) importScripts(globalThis.kubeCrdHome + part + '.js');
      return globalThis.kubeCrdParts[part];
    };
    import ${JSON.stringify(start)};`;
  const make = (part, contents) =>
    esbuild.build({
      ...options,
      stdin: { contents, resolveDir: root, loader: 'js' },
      outfile: path.join(outdir, `${part}.js`),
      plugins: [between(part)],
    });

  take();
  const alone = await make('engine', loading);
  const needed = Object.values(alone.metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const isNeeded = ([, { bytesInOutput }]) => bytesInOutput > 0;
  move(partOf, imports, new Set(needed.filter(isNeeded).map(([name]) => path.join(root, name))));
  settle(partOf, imports);
  take();
  const made = [];
  for (const part of ['engine', ...Object.keys(folders)])
    made.push(await make(part, giving(part) + (part === 'engine' ? loading : '')));
  return made;
}
