// The engine in parts: what the first verdict of a manifest needs, and what is loaded by the first call of it. Nothing of the
// program knows of the parts: an import of what is in another part becomes a function that loads that part and calls the
// real one. In the playground a part is a script, which a worker can load in the middle of a call; in the server it is a
// function, which makes what is in the part when it is called.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isTable, onlyWords, withoutWords } from './ruleWords.mjs';
import { root } from './setup.mjs';

/** The folders and files of each part of the engine, by the name of the part. */
export const engineFolders = {
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

/** Those of the server's engine: a command needs nothing of what speaks with editors. */
export const serverFolders = {
  server: ['lsp', 'browser.ts'],
  ...engineFolders,
  editor: engineFolders.editor.filter((one) => !one.startsWith('lsp/')),
};

/** Packages of which each module is in one part, which gives it to the others. */
const sharedPackages = /[\\/]node_modules[\\/]vscode-/;

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
  'workspace/delivery/installations.ts',
  'workspace/delivery/objects.ts',
  'workspace/delivery/uses.ts',
  'workspace/kustomizations/asBuilt.ts',
  'workspace/kustomizations/builds.ts',
  'workspace/kustomizations/appliedBuilds.ts',
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

/** All imports of values that entries lead to, not through some files: from which file, as which part has it, and what. */
function importsFrom(entries, without = []) {
  const imports = [];
  const seen = new Set(without);
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
  entries.forEach(visit);
  for (const file of without) seen.delete(file);
  return { files: [...seen], imports: imports.filter(({ to }) => seen.has(to)) };
}

/** Which part each file is in: the one that lists it, otherwise the first. */
function listed(files, folders) {
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

/** Those are there before others are read. */
const isFirst = (part) => part === 'engine' || part === 'program';

/** The part that has what no other part can have: what is not reached from the first entry needs Node. */
const baseOf = (ofProgram, file) => (ofProgram.has(file) ? 'program' : 'engine');

/** What is neither a function nor a literal cannot be loaded by a call: where another part needs it, its file is in the first. */
function settle(partOf, imports, ofProgram) {
  const canBeCalled = (file) => new Set([...functionsOf(file), ...literalsOf(file).keys()]);
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const one of imports) {
      if (partOf.get(one.to) === baseOf(ofProgram, one.to) || !isAcross(partOf, one)) continue;
      if (one.names.every((name) => canBeCalled(one.to).has(name))) continue;
      partOf.set(one.to, baseOf(ofProgram, one.to));
      isDone = false;
    }
  }
}

/** Moves what nothing needs at once to a part that does. */
function move(partOf, imports, needed, order) {
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
  for (const [file, parts] of users) {
    const first = order.find((part) => parts.has(part));
    if (first) partOf.set(file, first);
  }
}

/**
 * Builds a file for `engine` and one for each other part with esbuild; gives what esbuild says of each. The first entry has
 * `start`, which is called when the first part is there. A second one needs Node: what only it leads to is in a part of its
 * own, `program`, which exports what the entry does; of that, what only files in `seldom` lead to is in `commands`.
 */
export async function buildParts(
  esbuild,
  options,
  { entries, seldom = [], folders, packages, load, outdir, ending = 'js' },
) {
  const starts = entries.map((entry) => path.join(root, entry));
  const { files, imports } = importsFrom(starts);
  const [reached, program] = [new Set(importsFrom(starts.slice(0, 1)).files), starts[1]];
  const commands = seldom.map((file) => path.join(root, file));
  const ofProgram = new Set(files.filter((file) => !reached.has(file)));
  const partOf = listed(files, folders);
  const wholly = new Set(importsFrom(starts.slice(1), commands).files);
  for (const file of ofProgram) partOf.set(file, wholly.has(file) ? 'program' : 'commands');
  settle(partOf, imports, ofProgram);

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
    if (isFirst(part)) return `export const {${names.join(', ')}} = globalThis.kubeCrdParts.${part}[${name}];`;
    const literals = literalsOf(file);
    const call = (one) => `(...given) => globalThis.kubeCrdPart('${part}')[${name}].${one}(...given)`;
    return names.map((one) => `export const ${one} = ${literals.get(one) ?? call(one)};`).join('\n');
  };
  /** Modules of packages that other parts take of the one that has them. */
  const takenModules = new Set();
  let modules = new Set();
  const between = (part) => ({
    name: 'between parts',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path: to, importer }) => {
        const file = path.resolve(path.dirname(importer), to);
        const isElsewhere = taken.has(file) && partOf.get(file) !== part && !(part === 'rules' && isDoubled(file));
        return isElsewhere ? { path: file, namespace: 'part', sideEffects: false } : undefined;
      });
      onResolve({ filter: /^(?:vscode-|[.])/ }, async ({ path: to, pluginData, ...from }) => {
        if (part === packages || pluginData === 'resolved' || to.endsWith('.ts')) return undefined;
        const { path: file } = await resolve(to, { ...from, pluginData: 'resolved' });
        if (!modules.has(file)) return undefined;
        takenModules.add(file);
        return { path: moduleName(file), namespace: 'module' };
      });
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path: file }) => ({ contents: standIn(file), loader: 'js' }));
      onLoad({ filter: /.*/, namespace: 'module' }, ({ path: name }) => ({
        contents: `module.exports = globalThis.kubeCrdPart('${packages}')[${JSON.stringify(name)}];`,
      }));
      onLoad({ filter: /[\\/]rules[\\/].*\.ts$/ }, ({ path: file }) =>
        isDoubled(file) ? { contents: textIn(part, file), loader: 'ts' } : undefined,
      );
    },
  });
  /** Gives the other parts what they take of this one. */
  const giving = (part, isWanted = () => true) => {
    const given = [...taken].flatMap(([file, names]) => {
      if (partOf.get(file) !== part || !isWanted(file)) return [];
      const literals = isFirst(part) ? new Map() : literalsOf(file);
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
    if (part === packages)
      for (const file of takenModules)
        rows.push(`${JSON.stringify(moduleName(file))}: require(${JSON.stringify(file)})`);
    return `${lists.join('\n')}\n(globalThis.kubeCrdParts ??= {}).${part} = {${rows.join(',\n')}};`;
  };
  const loading = `
    globalThis.kubeCrdPart = (part) => {
      if (!globalThis.kubeCrdParts[part]) ${load};
      return globalThis.kubeCrdParts[part];
    };`;
  // What is imported runs before what is beside the imports: the parts are there when it starts.
  const first = `${loading}\nimport { start } from ${JSON.stringify(starts[0])};\nstart();`;
  const behind = { engine: first, program: `\nexport * from ${JSON.stringify(program)};` };
  const make = (part, given = giving(part)) =>
    esbuild.build({
      ...options,
      // An import that a half of a table no longer uses leads nowhere.
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: false } },
      ...(['program', 'commands'].includes(part) ? { platform: 'node', format: 'cjs' } : {}),
      stdin: { contents: given + (behind[part] ?? ''), resolveDir: root, loader: 'js' },
      outfile: path.join(outdir, `${part}.${ending}`),
      plugins: [between(part)],
    });

  take();
  // What is called before anything else: the entries, and what speaks with editors.
  const roots = [...new Set([packages, ...(program ? ['program'] : [])])].filter((part) => part !== 'engine');
  const alone = await Promise.all(roots.map((part) => make(part)));
  const seeds = new Set(alone.flatMap(used).flatMap((name) => /^part:(.*)/.exec(name)?.[1] ?? []));
  const engine = await make(
    'engine',
    giving('engine', (file) => seeds.has(file)),
  );
  const having = packages === 'engine' ? engine : alone[roots.indexOf(packages)];
  modules = new Set(
    used(having)
      .filter((name) => sharedPackages.test(`/${name}`))
      .map((name) => path.join(root, name)),
  );
  move(partOf, imports, new Set(used(engine).map((name) => path.join(root, name))), Object.keys(folders));
  settle(partOf, imports, ofProgram);
  take();
  const parts = ['engine', ...Object.keys(folders), ...(program ? ['commands', 'program'] : [])];
  const made = [];
  // The last one knows which modules the others take.
  for (const part of [...parts.filter((one) => one !== packages), packages]) made.push(await make(part));
  return made;
}

/** The names of what a build has something of. */
function used({ metafile }) {
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [name] : [])),
  );
}

const moduleName = (file) => path.relative(path.join(root, 'node_modules'), file).split(path.sep).join('/');
