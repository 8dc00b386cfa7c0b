import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fixesFor } from '../../server/src/features/mend/fixes.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { type Expected, type Notation, readSuite, type SuiteCase, withMarkers } from '../support/suite.ts';
import { applyEdits, sharedFile, snapshotOf, snapshotOfCase } from '../support/workspace.ts';

const notation: Notation = {
  fences: ['fixed', 'related', 'expected', 'committed', 'committed-crd'],
  settings: ['fix', 'lints', 'minimum', 'kubernetes', 'knownKinds'],
  isCode: (word) => ruleOf(word) !== undefined,
};

for (const file of readdirSync('test/rules').filter((name) => name.endsWith('.md') && name !== 'README.md')) {
  const lints = file.startsWith('lint') ? 'on' : 'off';
  for (const read of readSuite(readFileSync(`test/rules/${file}`, 'utf8'), sharedFile, notation)) {
    const one = { ...read, settings: { lints, ...read.settings } };
    test(`${file} › ${one.name}`, () => {
      markersHold(one);
      if (one.fences.has('related')) relatedHolds(one, one.fences.get('related')!);
      if (one.fences.has('fixed')) fixGives(one, one.fences.get('fixed')!);
    });
  }
}

function markersHold(one: SuiteCase): void {
  const snapshot = snapshotOfCase(one);
  for (const { uri, text, expected: marked } of one.files) {
    const expected = [...marked, ...(uri === one.files.at(-1)!.uri ? listed(one) : [])];
    const found = diagnose(snapshot, uri).map(({ range, code, message }) => ({ ...range, code, message }));
    const fits = (wanted: (typeof expected)[number]) =>
      found.some(
        (is) =>
          is.start === wanted.start &&
          is.end === wanted.end &&
          is.code === wanted.code &&
          is.message.includes(wanted.message),
      );
    if (found.length === expected.length && expected.every(fits)) continue;
    assert.fail(`line ${one.line}: expected\n${withMarkers(text, expected)}\nfound\n${withMarkers(text, found)}`);
  }
}

/** The `related` fence: the text that each related place marks, a colon, and its message. */
function relatedHolds(one: SuiteCase, wanted: string): void {
  const rows = diagnose(snapshotOfCase(one), one.files.at(-1)!.uri).flatMap(({ related }) =>
    related.map(({ uri, range, message }) => {
      const { text } = one.files.find((file) => file.uri === uri)!;
      return `${text.slice(range.start, range.end)}: ${message}`;
    }),
  );
  assert.deepEqual(rows, wanted.trimEnd().split('\n'));
}

/**
 * The `expected` fence, for places where no marker can stand: `line:column-line:column code "message"`, from 1, in
 * the fence's own text.
 */
function listed(one: SuiteCase): Expected[] {
  const { text, frame } = one.files.at(-1)!;
  const lines = text.split('\n');
  const offset = (line: number, column: number) => {
    const above = lines.slice(0, line - 1 + frame.lines);
    return above.join('\n').length + Math.sign(above.length) + column - 1 + frame.columns;
  };
  return (one.fences.get('expected') ?? '')
    .split('\n')
    .filter(Boolean)
    .map((row) => {
      const [, a, b, c, d, code, message] = /^(\d+):(\d+)-(\d+):(\d+) (\S+)(?: "(.*)")?$/.exec(row)!;
      return {
        start: offset(Number(a), Number(b)),
        end: offset(Number(c), Number(d)),
        code: code!,
        message: message ?? '',
      };
    });
}

/** The fix that `<!-- fix: TITLE -->` names, or the first safe one, turns the last file into the text. */
function fixGives(one: SuiteCase, wanted: string): void {
  const { uri, text } = one.files.at(-1)!;
  const snapshot = snapshotOfCase(one);
  const fixes = diagnose(snapshot, uri).flatMap((one) => fixesFor(snapshot, uri, one));
  const fix = fixes.find(({ title, safe }) => (one.settings.fix ? title === one.settings.fix : safe));
  assert.ok(fix, `no such fix among: ${fixes.map(({ title }) => title).join(' | ')}`);
  const fixed = applyEdits(text, fix.edits);
  assert.equal(fixed, wanted);
  const others = one.files.slice(0, -1);
  const left = diagnose(snapshotOf([...others, { uri, text: fixed }], one.settings), uri);
  const before = diagnose(snapshot, uri);
  assert.ok(left.length < before.length, `the fix adds: ${left.map(({ message }) => message).join(' | ')}`);
}
