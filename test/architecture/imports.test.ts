import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** What each folder of the server may import, and each room of features: the table of ARCHITECTURE.md. */
const mayImport: ReadonlyMap<string, readonly string[]> = new Map(
  [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| ([\w/]+) \| ([\w/, ]*) ?\| .*\|$/gm)].map(
    ([, name, list]) => [name!, list!.split(',').flatMap((one) => one.trim() || [])],
  ),
);

/** Packages, and the folders that may name them. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  re2js: ['gostd'],
  'vscode-languageserver': ['lsp'],
  'vscode-languageserver/node': ['cli'],
};

const source = path.resolve('server/src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports: readonly Import[] = files.flatMap((file) => {
  const text = readFileSync(path.join(source, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\b[^;]*?from '([^']+)';/gms)].map((found) => ({
    from: file,
    to: found[1]!,
  }));
});

function folder(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
}

function target({ from, to }: Import): string {
  return path.relative(source, path.resolve(source, path.dirname(from), to));
}

/** The room of features that a file is in. */
function room(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function notAllowed(inner: readonly Import[], place: (file: string) => string): string[] {
  return inner
    .filter((one) => place(target(one)) !== place(one.from))
    .filter((one) => {
      const allowed = mayImport.get(place(one.from));
      return !allowed?.includes('all') && !allowed?.includes(place(target(one)));
    })
    .map((one) => `${one.from} imports ${target(one)}`);
}

test('every folder and every room imports only what its row in ARCHITECTURE.md names', () => {
  const inner = imports.filter(({ from, to }) => to.startsWith('.') && folder(from) !== '');
  assert.deepEqual(notAllowed(inner, folder), []);
  const ofFeatures = inner.filter((one) => folder(one.from) === 'features' && folder(target(one)) === 'features');
  assert.deepEqual(notAllowed(ofFeatures, room), []);
});

test('every folder and every room has its row, and every row its folder', () => {
  const rooms = files.filter((file) => folder(file) === 'features').map(room);
  const there = new Set([...files.map(folder).filter((name) => name !== ''), ...rooms]);
  assert.deepEqual([...mayImport.keys()].filter((name) => name !== 'folder').sort(), [...there].sort());
});

test('packages are named only in their own folder', () => {
  const wrong = imports
    .filter(({ from, to }) => !to.startsWith('.') && folder(from) !== '')
    .filter(({ from, to }) => !(packageHomes[to] ?? []).includes(folder(from)))
    .filter(({ from, to }) => !(to.startsWith('node:') && isNodeOnly(from)))
    .map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(wrong, []);
});

test('one file takes what is used of the language server library at run time', () => {
  const values = /^(?:import|export) (?!type\b)[^;]*? from 'vscode-languageserver';/ms;
  const taking = files.filter((file) => values.test(readFileSync(path.join(source, file), 'utf8')));
  assert.deepEqual(taking, ['lsp/library.ts']);
});

/** What leads out of the program, and the one room that may use it. `programs` only names a type. */
const outside: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['files'],
  'node:fs/promises': ['files'],
  'node:zlib': ['files'],
  'node:child_process': ['git', 'fetch'],
  'node:http': ['fetch', 'serve'],
  'node:https': ['fetch', 'serve'],
  'node:tls': ['fetch'],
  'node:net': [],
  'node:dgram': [],
  'node:dns': [],
};

test('nothing reads or writes files, runs programs or speaks to servers but one room each', () => {
  const wrong = files.flatMap((file) => {
    const text = readFileSync(path.join(source, file), 'utf8');
    const values = [...text.matchAll(/^import (?!type\b)[^;]*? from '(node:[^']+)';/gms)].map(([, name]) => name!);
    return values
      .filter((name) => outside[name] && !outside[name].includes(folder(file)))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(wrong, []);
});

test('no file imports itself over others, not even types', () => {
  const edges = new Map<string, string[]>();
  for (const one of imports.filter(({ to }) => to.startsWith('.'))) {
    edges.set(one.from, [...(edges.get(one.from) ?? []), target(one)]);
  }
  assert.deepEqual(files.flatMap((file) => cycleFrom(file, edges)).slice(0, 1), []);
});

test('only the edges of the program touch files, the console, clocks and timers', () => {
  const forbidden =
    /\b(?:process|console)\.|\bDate\.now\b|\bnew Date\(\)|\bset(?:Timeout|Interval|Immediate)\(|\brequire\(/;
  const inner = files.filter(
    (file) => folder(file) !== '' && !['lsp', 'cli', 'fetch'].includes(folder(file)) && !isNodeOnly(file),
  );
  const wrong = inner.filter((file) => forbidden.test(withoutComments(readFileSync(path.join(source, file), 'utf8'))));
  assert.deepEqual(wrong, []);
});

test('the client knows nothing of the server but the types of its protocol', () => {
  assert.deepEqual(ofServer('client/src'), ['server/src/lsp/protocol.ts']);
});

test('the page of the playground knows links and the protocol, and its worker what starts the server', () => {
  const ofPage = (file: string) => !['engine.ts', 'olderTexts.ts'].includes(file);
  assert.deepEqual(ofServer('playground/src', ofPage), ['server/src/lsp/protocol.ts', 'server/src/share/link.ts']);
});

/** Which files of the server those of a folder import. */
function ofServer(folder: string, counts = (_: string) => true): string[] {
  const root = path.resolve(folder);
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const named = all.filter(counts).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const found = [...text.matchAll(/from '([^']*server\/src[^']*)'/g)].map(([, name]) => name!);
    return found.map((name) => path.relative('.', path.resolve(root, path.dirname(file), name)));
  });
  return [...new Set(named)].sort();
}

test('what is exported is used by another file, and files that comments name exist', () => {
  const others = ['server/src', 'test', 'scripts', 'client/src', 'playground/src'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.resolve(folder, file)),
  );
  const texts = new Map(others.map((file) => [file, readFileSync(file, 'utf8')]));
  const users = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    for (const [word] of text.matchAll(/\b[A-Za-z_]\w*\b/g)) users.set(word, (users.get(word) ?? new Set()).add(file));
  }
  const needless: string[] = [];
  const missing: string[] = [];
  const known = new Set([...others, ...files].map((file) => path.basename(file)));
  for (const [file, text] of texts) {
    for (const [comment] of text.matchAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm))
      for (const [named] of comment.matchAll(/[\w-]+\.(?:test\.)?ts\b/g))
        if (!known.has(named) && !file.endsWith('.mjs')) missing.push(`${path.relative('.', file)}: ${named}`);
    if (!file.startsWith(source)) continue;
    for (const [, name] of text.matchAll(/^export (?:async )?(?:const|function\*?) (\w+)/gm))
      if (users.get(name!)!.size === 1) needless.push(`${path.relative('.', file)}: ${name}`);
  }
  assert.deepEqual({ needless, missing }, { needless: [], missing: [] });
});

function isNodeOnly(file: string): boolean {
  return (
    /^(?:cli|cluster|fetch|files|git|programs)\//.test(file) ||
    file === 'workspace/sources/nodeFiles.ts' ||
    /^serve\/(?:calls|certificate|http)\.ts$/.test(file)
  );
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** A way from a file back to itself, if there is one. */
function cycleFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): string[] {
  const seen = new Set<string>();
  const walk = (at: string, trail: readonly string[]): string | undefined => {
    for (const next of edges.get(at) ?? []) {
      if (next === start) return [...trail, next].join(' → ');
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...trail, next]);
      if (found) return found;
    }
    return undefined;
  };
  const found = walk(start, [start]);
  return found ? [found] : [];
}
