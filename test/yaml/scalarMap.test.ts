import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlacedNode } from '../../server/src/yaml/node.ts';
import { parseDocument } from '../../server/src/yaml/parse.ts';
import { mapOfScalar, scalarMap } from '../../server/src/yaml/scalarMap.ts';
import { seeded } from '../support/random.ts';
import { randomYaml } from '../support/yamlTexts.ts';

function scalarsOf(text: string): { document: ReturnType<typeof parseDocument>; placed: PlacedNode[] } {
  const document = parseDocument(text);
  const all: PlacedNode[] = document.root ? [{ node: document.root, start: document.rootStart }] : [];
  for (let i = 0; i < all.length; i++) {
    const { node, start } = all[i]!;
    if (node.kind === 'list')
      for (const item of node.items) all.push({ node: item.node, start: start + item.at + item.nodeAt });
    if (node.kind === 'map') {
      for (const pair of node.pairs) {
        all.push(
          { node: pair.key, start: start + pair.at + pair.keyAt },
          { node: pair.value, start: start + pair.at + pair.valueAt },
        );
      }
    }
  }
  return { document, placed: all };
}

/** Every offset of a scalar's value and text, both ways. */
function check(text: string): number {
  const { document, placed } = scalarsOf(text);
  let units = 0;
  for (const { node, start } of placed) {
    if (node.kind !== 'scalar') continue;
    // Of refused text, what a control character or a broken escape stands for is nobody's.
    if (document.readerError) continue;
    const map = mapOfScalar(document.text, node, start);
    const say = JSON.stringify({ text, value: node.value, got: map.value });
    assert.equal(map.value, node.value, say);
    let before = start;
    for (let i = 0; i < map.value.length; i++) {
      const from = map.toText(i);
      const to = map.toTextEnd(i);
      assert.ok(from >= before && to >= from && to <= start + node.length, say);
      before = from;
      const own = document.text.slice(from, to);
      const character = map.value[i]!;
      if (own.length === 1 && own !== '\r' && own !== '\u0085') {
        assert.ok(own === character || (character === ' ' && /[\n\u2028\u2029]/.test(own)), say);
      } else if (own.startsWith('\\') && own.length > 1 && !own.startsWith('\\\n')) {
        const decoded = parseDocument(`"${own}"`).root;
        assert.ok(decoded?.kind === 'scalar' && decoded.value.includes(character), say);
      } else assert.ok(/^[\s\u0085\u2028\u2029]*$/.test(own) || own === "''", say);
      const back = map.toValue(from);
      if (from < to) assert.ok(back !== undefined && map.toText(back) === from, say);
      units++;
    }
  }
  return units;
}

test('every character of a decoded scalar maps into its text, which decodes to it', () => {
  const random = seeded(7);
  let units = 0;
  for (let i = 0; i < 12000; i++) units += check(randomYaml(random));
  assert.ok(units > 100_000, `${units} characters`);
});

test('block scalars with every indentation and chomping indicator', () => {
  const bodies = [
    '',
    'x\n',
    'x\n\n',
    '\n x\n',
    'x\ny\n',
    'x\n\ny\n',
    'x\n\n\n  y\n z\n\n\n',
    ' x\ny\n',
    'x\n \n  \ny',
    'a\n\tb\n',
    'x',
  ];
  let checked = 0;
  for (const style of ['|', '>']) {
    for (const chomp of ['', '-', '+']) {
      for (const indicator of ['', '1', '2', '3']) {
        for (const header of [`${indicator}${chomp}`, `${chomp}${indicator}`]) {
          for (const body of bodies) {
            for (const eol of ['\n', '\r\n', '\r']) {
              const text = `k: ${style}${header} # c\n${body.replaceAll(/^/gm, '   ')}`.replaceAll('\n', eol);
              check(text);
              check(`- ${text}\n  z: 1\n`.replaceAll(eol === '\n' ? '\0' : '\n', eol));
              checked++;
            }
          }
        }
      }
    }
  }
  assert.ok(checked > 1500);
});

test('offsets both ways through a folded rule', () => {
  const text = 'rule: >-\n  self.a\n  > 1\n';
  const map = scalarMap(parseDocument(text), ['rule'])!;
  assert.equal(map.value, 'self.a > 1');
  assert.equal(map.toText(0), 11);
  assert.equal(map.toText(7), text.indexOf('> 1'));
  assert.equal(map.toValue(text.indexOf('> 1')), 7);
  assert.equal(map.toValue(text.indexOf('> 1') - 1), 7);
  assert.equal(map.toValue(3), undefined);
  assert.equal(map.toText(10), text.indexOf('> 1') + 3);
});
