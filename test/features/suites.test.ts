import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { complete } from '../../server/src/features/complete.ts';
import { hover } from '../../server/src/features/hover.ts';
import { readSuite, type SuiteCase } from '../support/suite.ts';
import { sharedFile, snapshotOfCase } from '../support/workspace.ts';

for (const file of readdirSync('test/features').filter((name) => name.endsWith('.md'))) {
  for (const one of readSuite(readFileSync(`test/features/${file}`, 'utf8'), sharedFile)) {
    test(`${file} › ${one.name}`, () => {
      const checks = [completionHolds(one), hoverHolds(one), insertionHolds(one)];
      assert.ok(checks.some(Boolean), 'the case expects nothing');
    });
  }
}

function cursorOf(one: SuiteCase): { uri: string; offset: number; text: string } {
  const file = one.files.find(({ cursor }) => cursor !== undefined);
  assert.ok(file, 'no $0 says where the cursor is');
  return { uri: file.uri, offset: file.cursor!, text: file.text };
}

/** `completion`: the labels in their order, each with what is expected of its detail; `!label` must not be offered. */
function completionHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('completion');
  if (wanted === undefined) return false;
  const { uri, offset } = cursorOf(one);
  const items = [...complete(snapshotOfCase(one), uri, offset)].sort((a, b) => (a.order < b.order ? -1 : 1));
  const rows = items.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label));
  const lines = wanted.trimEnd().split('\n');
  if (lines.at(-1) === '…') assert.deepEqual(rows.slice(0, lines.length - 1), lines.slice(0, -1));
  else
    assert.deepEqual(
      rows,
      lines.filter((line) => line !== ''),
    );
  return true;
}

/** `inserted`: the file after the completion named by `<!-- choose: LABEL -->` was taken. */
function insertionHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('inserted');
  if (wanted === undefined) return false;
  const { uri, offset, text } = cursorOf(one);
  const item = complete(snapshotOfCase(one), uri, offset).find(({ label }) => label === one.settings.choose);
  assert.ok(item, `no completion ${one.settings.choose}`);
  const line = text.slice(text.lastIndexOf('\n', item.range.start - 1) + 1, item.range.start);
  const indent = /^ */.exec(line)![0];
  const put = item.text.replaceAll('\n', `\n${indent}`);
  assert.equal(text.slice(0, item.range.start) + put + text.slice(item.range.end), wanted);
  return true;
}

/** `hover`: each line must stand in the card, in this order. */
function hoverHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('hover');
  if (wanted === undefined) return false;
  const { uri, offset } = cursorOf(one);
  const card = hover(snapshotOfCase(one), uri, offset)?.markdown ?? '';
  let at = 0;
  for (const line of wanted.trimEnd().split('\n')) {
    const found = card.indexOf(line, at);
    assert.ok(found !== -1, `"${line}" is not in\n${card}`);
    at = found + line.length;
  }
  return true;
}
