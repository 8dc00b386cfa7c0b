import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { onBug } from '../../server/src/base/bug.ts';
import { isBuilt } from '../../server/src/controllergen/constraints.ts';
import { fileNameOf } from '../../server/src/controllergen/crd/fileName.ts';
import { generate } from '../../server/src/controllergen/crd/generate.ts';
import { markersIn, packageMarkers } from '../../server/src/controllergen/packages.ts';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { viewsByGroup } from '../../server/src/features/golang/byGroup.ts';
import { diagnoseGoSafely } from '../../server/src/features/golang/diagnoseGo.ts';
import { GoPackages } from '../../server/src/workspace/goPackages.ts';
import { defaultLimits } from '../../server/src/workspace/limits.ts';
import type { GoView } from '../../server/src/workspace/projections/goTypes.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { confined } from '../../server/src/workspace/sources/confined.ts';
import { nodeFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { isFileName } from '../fuzz/attack/go.ts';
import { goPackage, goShapes } from '../fuzz/attack/goShapes.ts';
import { filesOf, viewOfText } from '../support/goFiles.ts';
import { packagedText } from '../support/packaged.ts';

// What a Go file can do to its reader. `npm run fuzz -- --attack --only go` takes the same shapes further.

/** A syntax tree in which every look at a part is counted. */
function counted<T extends object>(tree: T, count: () => void): T {
  const known = new WeakMap<object, object>();
  const wrapped = <O extends object>(part: O): O => {
    if (!known.has(part)) {
      const get = (target: object, key: PropertyKey, receiver: unknown): unknown => {
        count();
        const found: unknown = Reflect.get(target, key, receiver);
        return typeof found === 'object' && found !== null ? wrapped(found) : found;
      };
      known.set(part, new Proxy(part, { get }));
    }
    return known.get(part) as O;
  };
  return wrapped(tree);
}

/** How often parts of a file are looked at to make its CRDs. */
function looksAt(text: string): number {
  let looks = 0;
  const go = counted(parseGo(text), () => looks++);
  const root = { path: 'example.com/x/api/v1', files: [{ uri: 'file:///api/v1/types.go', go }] };
  generate([root], new Map([[root.path, root]]));
  packageMarkers(root);
  markersIn(go);
  return looks;
}

// Each part of the other files is a package of its own.
const ofSeveralFiles = new Set([
  'imports and requirements',
  'requirements of one module',
  'packages in a chain',
  'other files',
]);

for (const [name, shape] of Object.entries(goShapes).filter(([name]) => !ofSeveralFiles.has(name))) {
  test(`${name}: twice as much takes twice as many looks at it`, () => {
    const looks = (size: number) => looksAt(shape(size).text);
    const [half, whole] = [looks(2000), looks(4000)];
    assert.ok(whole <= 2.5 * half + 1000, `${half} looks at 2000, ${whole} at 4000`);
  });
}

/** Kinds that are not made, and why. */
const tooMuch: Readonly<Record<string, RegExp>> = {
  'embeds twice': /^embedded structs that take too many steps to put together$/,
  'fields twice': /^more than 50,000 lines$/,
  'maps of maps': /^more than 50,000 lines$/,
  'a chain of structs': /^more than 300 levels$/,
  'disputed embedding': /^embedded structs that take too many steps to put together$/,
  'a ring of structs': /^more than 4,000,000 characters$/,
  'kinds with the same parts': /^more lines than are made of all kinds together$/,
};

for (const [name, why] of Object.entries(tooMuch)) {
  test(`${name}: what is too much is not made, and said`, async () => {
    const view = await viewOfText(goShapes[name]!(8000).text);
    const cut = view.crds.filter((crd) => crd.tooMuch !== undefined);
    assert.ok(cut.length > 0);
    for (const crd of cut) assert.match(crd.tooMuch!, why);
    assert.ok(view.source.text.length < 8_000_000);
    const said = diagnoseGoSafely(emptySnapshot, view).filter(({ code }) => code === 'go/too-much');
    const others = Number(/and (\d+) more/.exec(said[0]!.message)?.[1] ?? 0);
    assert.deepEqual([said.length, others + 1], [1, cut.length]);
  });
}

test('build tags are read however deep they are, and mean what they mean to Go', () => {
  const holds = (tags: string) => isBuilt(`//go:build ${tags}\n\npackage v1\n`);
  assert.equal(holds(`${'!'.repeat(100_001)}linux`), false);
  assert.equal(holds(`${'('.repeat(100_000)}linux${')'.repeat(100_000)}`), true);
  assert.equal(holds(`${'!('.repeat(100_000)}linux`), true);
  const cases: Readonly<Record<string, boolean>> = {
    'linux || windows && windows': true,
    '(linux || windows) && windows': false,
    '!windows && !darwin': true,
    '!(linux || windows)': false,
    'windows || !(darwin && linux)': true,
    '!!linux': true,
    'linux &&': true,
    '': true,
    ')': true,
  };
  for (const [tags, expected] of Object.entries(cases)) assert.equal(holds(tags), expected, tags);
});

test('a CRD is written to a file of the folder, whatever its group and its names are', () => {
  assert.equal(fileNameOf('example.com', 'boxes'), 'example.com_boxes.yaml');
  assert.equal(fileNameOf('../../../escaped', 'boxes'), '..%2f..%2f..%2fescaped_boxes.yaml');
  assert.equal(fileNameOf('con.example.com', 'boxes'), '%63on.example.com_boxes.yaml');
  const hostile = [
    '',
    '.',
    '..',
    '/',
    '\\',
    'a/../b',
    'C:',
    'a:b',
    '\0',
    '\n',
    '\u001b[31m',
    '\u202e',
    '😀',
    '\ud800',
    '~',
    'nul',
    'x'.repeat(5000),
  ];
  const names = hostile.flatMap((group) => hostile.map((plural) => fileNameOf(group, plural)));
  for (const name of names) assert.ok(isFileName(name), name);
  assert.equal(new Set(names).size, names.length);
});

test('in a workspace that is not trusted nothing outside of it is read, wherever go.mod and links lead', async (t) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-outside-'));
  t.after(() => rmSync(home, { recursive: true }));
  const put = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
    writeFileSync(path.join(home, file), text);
  };
  put('outside/go.mod', 'module example.com/outside\n');
  for (const name of ['a', 'b'])
    put(`outside/${name}/a.go`, `package ${name}\n\ntype T struct {\n\tSecret string \`json:"secret"\`\n}\n`);
  put('outside/linked.go', 'package v1\n\ntype Linked struct {\n\tSecret string `json:"secret"`\n}\n');
  put(
    'work/go.mod',
    'module example.com/work\n\nrequire example.com/outside v1.0.0\nreplace example.com/outside => ../outside\n',
  );
  const types = goPackage('type Spec struct {\n\tA a.T `json:"a"`\n\tB b.T `json:"b"`\n\tL Linked `json:"l"`\n}\n', {
    imports: 'import "example.com/outside/a"\nimport "example.com/work/b"\n',
  });
  put('work/api/v1/types.go', types);
  symlinkSync(path.join(home, 'outside/linked.go'), path.join(home, 'work/api/v1/linked.go'));
  symlinkSync(path.join(home, 'outside/b'), path.join(home, 'work/b'));
  const uri = (file: string) => pathToFileURL(path.join(home, file)).href;
  const made = async (folders: readonly string[] | undefined) => {
    const packages = new GoPackages(
      confined(nodeFiles, () => folders),
      undefined,
      packagedText,
    );
    const { crds } = await packages.generate([uri('work/api/v1')]);
    return {
      missing: crds[0]!.missing,
      text: JSON.stringify([...crds], (_, value) => (value instanceof Map ? [...value] : value)),
    };
  };
  const open = await made(undefined);
  assert.deepEqual(open.missing, []);
  assert.equal(open.text.match(/"secret"/g)?.length, 6);
  const closed = await made([uri('work')]);
  assert.deepEqual(closed.missing, ['example.com/outside/a', 'example.com/work/b']);
  assert.ok(!closed.text.includes('secret'));
});

test('a failure of our own is told at the top of the file and reported', async (t) => {
  const reported: string[] = [];
  onBug(({ message }) => reported.push(message));
  t.after(() =>
    onBug((error) => {
      throw error;
    }),
  );
  const view = await viewOfText(goPackage('type Spec struct{}'));
  const get = (target: GoView, key: PropertyKey): unknown => {
    if (key === 'mistakes') throw new RangeError('out of stack');
    return Reflect.get(target, key);
  };
  const [found, ...more] = diagnoseGoSafely(emptySnapshot, new Proxy(view, { get }));
  assert.deepEqual([found?.code, found?.severity, found?.range], ['file/not-judged', 'error', { start: 0, end: 25 }]);
  assert.match(found?.message ?? '', /out of stack/);
  assert.deepEqual(more, []);
  assert.equal(reported.length, 1);
});

test('a package with more problems than are said hides none of another', async () => {
  const wrong = (i: number) => `\t// +listType=map\n\tA${i} []string \`json:"a${i}"\``;
  const many = goPackage(
    `type Spec struct {\n${Array.from({ length: defaultLimits.problems }, (_, i) => wrong(i)).join('\n')}\n}`,
  );
  const texts = {
    'file:///a/v1/types.go': many,
    'file:///b/v1/types.go': goPackage(`type Spec struct {\n${wrong(0)}\n}`).replace(
      'example.com',
      'other.example.com',
    ),
  };
  const packages = new GoPackages(filesOf(new Map(Object.entries(texts))), undefined, packagedText);
  const viewOf = viewsByGroup(emptySnapshot, await packages.generate(['file:///a/v1', 'file:///b/v1']));
  const [first, second] = Object.keys(texts).map((uri) => {
    const { view, others } = viewOf(uri)!;
    return diagnoseGoSafely(emptySnapshot, view, others).map(({ code }) => code);
  });
  assert.ok(first!.length >= defaultLimits.problems && first!.includes('file/left-out'));
  assert.deepEqual(second, ['crd/map-keys-empty', 'crd/list-map-items']);
});
