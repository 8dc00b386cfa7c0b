import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalValues, isMap, type Path, valueAt } from '../../server/src/base/value.ts';
import type { Node, PlacedNode } from '../../server/src/yaml/node.ts';
import { parseDocument, parseStream, separatorProblem, type YamlDocument } from '../../server/src/yaml/parse.ts';
import { nodeAt, nodeAtPath, pathAt, rangeOf } from '../../server/src/yaml/place.ts';
import { documentVerdict, keyName, scalarHints, valueOf } from '../../server/src/yaml/value.ts';
import { seeded } from '../support/random.ts';
import { randomDocument, randomYaml } from '../support/yamlTexts.ts';

interface Child extends PlacedNode {
  readonly parent: PlacedNode | undefined;
}

function childrenOf({ node, start }: PlacedNode): PlacedNode[] {
  if (node.kind === 'list')
    return node.items.map((item) => ({ node: item.node, start: start + item.at + item.nodeAt }));
  if (node.kind !== 'map') return [];
  return node.pairs.flatMap((pair) => [
    { node: pair.key, start: start + pair.at + pair.keyAt },
    { node: pair.value, start: start + pair.at + pair.valueAt },
  ]);
}

function everyNode({ root, rootStart }: YamlDocument): Child[] {
  const all: Child[] = root ? [{ node: root, start: rootStart, parent: undefined }] : [];
  for (let i = 0; i < all.length; i++) {
    const parent = all[i]!;
    for (const child of childrenOf(parent)) all.push({ ...child, parent });
  }
  return all;
}

function entriesOf(node: Node): readonly { at: number; length: number }[] {
  return node.kind === 'map' ? node.pairs : node.kind === 'list' ? node.items : [];
}

test('any text gives a tree whose ranges lie in their parents and in the text, in order', () => {
  const random = seeded(1);
  for (let i = 0; i < 8000; i++) {
    const text = randomYaml(random);
    for (const { document, start } of parseStream(text).documents) {
      assert.equal(text.slice(start, start + document.text.length), document.text);
      for (const { node, start: from, parent } of everyNode(document)) {
        assert.ok(node.length >= 0 && from >= 0 && from + node.length <= document.text.length, JSON.stringify(text));
        if (parent) {
          assert.ok(from >= parent.start, JSON.stringify(text));
          assert.ok(from + node.length <= parent.start + parent.node.length, JSON.stringify(text));
        }
        let at = 0;
        for (const entry of entriesOf(node)) {
          assert.ok(entry.at >= at && entry.length >= 0, JSON.stringify(text));
          at = entry.at + entry.length;
        }
        assert.ok(at <= node.length, JSON.stringify(text));
      }
      for (const { range } of document.problems) {
        assert.ok(
          range.start >= 0 && range.end >= range.start && range.end <= document.text.length,
          JSON.stringify(text),
        );
      }
    }
  }
});

test('a text is refused exactly where there is a problem of severity error', () => {
  const random = seeded(2);
  for (let i = 0; i < 4000; i++) {
    const { documents } = parseStream(randomYaml(random));
    for (const { document } of documents) {
      const broken = document.problems.some(({ code }) => code === 'yaml/syntax');
      assert.equal(document.readerError !== undefined, broken);
      if (broken) assert.equal(valueOf(document), undefined);
    }
  }
});

test('reading the text of a node again gives its value', () => {
  const random = seeded(3);
  let compared = 0;
  for (let i = 0; i < 3000; i++) {
    const document = parseDocument(randomDocument(random));
    const value = valueOf(document);
    if (value === undefined || document.hasAlias) continue;
    const stack: Path[] = [[]];
    for (let path = stack.pop(); path; path = stack.pop()) {
      const found = nodeAtPath(document, path)!;
      const { node, start } = found;
      if (found.through) continue;
      if (node.kind === 'map')
        for (const key of isMap(valueAt(value, path)) ? (valueAt(value, path) as Map<string, unknown>).keys() : [])
          stack.push([...path, key]);
      if (node.kind === 'list') stack.push(...node.items.map((_, index) => [...path!, index]));
      const lineStart =
        Math.max(document.text.lastIndexOf('\n', start - 1), document.text.lastIndexOf('\r', start - 1)) + 1;
      const block = node.kind !== 'scalar' || node.style === 'literal' || node.style === 'folded';
      // Block text keeps its column; explicit indentation counts from the parent, which is not there any more.
      const own = (block ? ' '.repeat(start - lineStart) : '') + document.text.slice(start, start + node.length);
      if (/[|>][-+]?[1-9]/.test(own) || (node.kind === 'scalar' && block)) continue;
      const again = parseDocument(own);
      if (again.readerError) continue;
      assert.ok(equalValues(valueOf(again), valueAt(value, path)), JSON.stringify({ text: document.text, path, own }));
      compared++;
    }
  }
  assert.ok(compared > 10000, `${compared} nodes compared`);
});

test('the range of a path leads back to the path', () => {
  const random = seeded(4);
  let compared = 0;
  for (let i = 0; i < 2000; i++) {
    const document = parseDocument(randomDocument(random));
    const stack: Path[] = document.root ? [[]] : [];
    for (let path = stack.pop(); path; path = stack.pop()) {
      const found = nodeAtPath(document, path)!;
      if (found.node.kind === 'list') stack.push(...found.node.items.map((_, index) => [...path!, index]));
      if (found.node.kind !== 'map') continue;
      for (const { key } of found.node.pairs) {
        if (
          key.kind !== 'scalar' ||
          key.style !== 'plain' ||
          !/^[a-z]+$/.test(key.value) ||
          /^(?:on|off|y|n|yes|no|true|false|null)$/.test(key.value)
        )
          continue;
        const inner: Path = [...path, key.value];
        const range = rangeOf(document, inner, 'key')!;
        const at = pathAt(document, range.start);
        assert.deepEqual(
          { path: at.path, where: at.where },
          { path: inner, where: 'key' },
          JSON.stringify(document.text),
        );
        assert.equal(nodeAt(document, range.start)!.start, range.start);
        const pair = rangeOf(document, inner, 'pair')!;
        const value = rangeOf(document, inner, 'value')!;
        assert.ok(pair.start <= range.start && range.end <= value.start && value.end <= pair.end);
        compared++;
        stack.push(inner);
      }
    }
  }
  assert.ok(compared > 3000, `${compared} keys compared`);
});

test('half-typed text keeps what stands around it', () => {
  const value = (text: string) => {
    const { root } = parseDocument(text);
    return root?.kind === 'map' ? root.pairs.map(({ key }) => (key.kind === 'scalar' ? key.value : '?')) : [];
  };
  assert.deepEqual(value('spec:\n  a: 1\n  rep\nstatus: 1\n'), ['spec', 'status']);
  assert.deepEqual(value('a: [b, c\nd: e\n'), ['a', 'd']);
  assert.deepEqual(value('a: "b\nd: e\nf: g\n'), ['a', 'd', 'f']);
  assert.deepEqual(value('a: {b: c\nd: e\n'), ['a', 'd']);
  assert.deepEqual(value('a: b\nfoo\nd: e\n'), ['a', 'foo', 'd']);
  const spec = nodeAtPath(parseDocument('spec:\n  rep\n  template: x\n'), ['spec'])!.node;
  assert.deepEqual(spec.kind === 'map' && spec.pairs.map(({ key }) => key.kind === 'scalar' && key.value), [
    'rep',
    'template',
  ]);
});

test('the place at an offset: keys, values and gaps by indentation', () => {
  const at = (marked: string) => {
    const offset = marked.indexOf('$');
    const { path, where } = pathAt(parseDocument(marked.replace('$', '')), offset);
    return `${where} ${path.join('.')}`;
  };
  assert.equal(at('a:\n  b: 1\n  $\nc: 2\n'), 'gap a');
  assert.equal(at('a:\n  b: 1\n$\nc: 2\n'), 'gap ');
  assert.equal(at('a:\n  b$: 1\n'), 'key a.b');
  assert.equal(at('a:\n  b: 1$\n'), 'value a.b');
  assert.equal(at('a:\n  $\n'), 'gap a');
  assert.equal(at('l:\n- x: 1\n  $\n'), 'gap l.0');
  assert.equal(at('l:\n- x: 1\n- $\n'), 'gap l.1');
});

test('problems and duplicates are worded, with their places', () => {
  const { problems } = parseDocument('a: b: c\n');
  assert.equal(problems[0]!.range.start, 4);
  assert.match(problems[0]!.message, /colon/);
  const duplicate = documentVerdict(parseDocument('a: 1\nb: 2\na: 3\n')).strict;
  assert.deepEqual(
    duplicate.map(({ text, range }) => [text, range]),
    [['line 3: key "a" already set in map', { start: 10, end: 11 }]],
  );
});

test('hints name what reads otherwise than it looks', () => {
  const hints = scalarHints(parseDocument('on: yes\nb: [012, 1_000, 0x1F, true, 5, "no"]\nc: 1e3\n'));
  assert.deepEqual(
    hints.map(({ text, quoted }) => [text, quoted]),
    [
      ['on', "'on'"],
      ['yes', "'yes'"],
      ['012', "'012'"],
      ['1_000', "'1_000'"],
      ['0x1F', "'0x1F'"],
      ['1e3', "'1e3'"],
    ],
  );
});

test('every offset of any text has a place, and its path leads to a node', () => {
  const random = seeded(9);
  for (let i = 0; i < 1500; i++) {
    const document = parseDocument(randomYaml(random));
    for (let offset = 0; offset <= document.text.length; offset++) {
      const { path, where, indent } = pathAt(document, offset);
      assert.ok(indent >= 0 && ['key', 'value', 'gap'].includes(where));
      if (document.root)
        assert.ok(
          nodeAtPath(document, path) !== undefined || hasOddKeys(document),
          JSON.stringify({ text: document.text, offset, path }),
        );
    }
  }
});

/** Merge keys, keys that are not scalars and keys that a later one replaces have no path of their own. */
function hasOddKeys(document: YamlDocument): boolean {
  return everyNode(document).some(({ node }) => {
    if (node.kind !== 'map') return false;
    const names = new Set(node.pairs.map(({ key }) => keyName(key)));
    return names.size < node.pairs.length || node.pairs.some(({ key }) => key.kind !== 'scalar' || key.value === '<<');
  });
}

test('a separator with text after it is a problem of the stream', () => {
  const text = 'a: 1\n---\nb: 2\n--- c\nd: 3\n';
  const stream = parseStream(text);
  assert.equal(stream.badSeparator?.documents, 1);
  assert.equal(stream.documents.length, 3);
  const problem = separatorProblem(stream)!;
  assert.equal(text.slice(problem.range.start, problem.range.end), '--- c\n');
  assert.equal(separatorProblem(parseStream('a: 1\n--- # c\nb: 2\n')), undefined);
});
