import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FormatName, formats } from '../../server/src/cli/formats/formats.ts';
import { sarifFormat } from '../../server/src/cli/formats/sarif.ts';
import { textFormat } from '../../server/src/cli/formats/text.ts';
import type { Report } from '../../server/src/cli/report.ts';
import { harmless, json, linesText } from '../../server/src/cli/terminal.ts';
import { type TestFormatName, testFormats } from '../../server/src/cli/testFormats.ts';
import { seeded } from '../support/random.ts';

// Whatever is in names and messages, what is printed neither moves the cursor nor begins a line that is not ours.

/** What a terminal may obey, beside the line feed and the tab. */
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

const all = Array.from({ length: 0xa0 }, (_, i) => i).filter((code) => code < 0x20 || code >= 0x7f);
const controls = String.fromCharCode(...all, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069);

/** Names as tests, fields, servers and programs may have them. */
const hostile = [
  controls,
  'a\u001b[2K\u001b[1Aok',
  'a\r5 passed, 0 failed, 0 skipped',
  'a\n5 passed, 0 failed, 0 skipped\n',
  'a\nok 2 - b\n1..2',
  'a # SKIP',
  'a \\# TODO',
  'a\n::error::b',
  'a%0A::error::b',
  'a]]></failure><x a="',
  '\ud800 \udc00 \ufffe \uffff',
  '\u202egnp.exe',
];

const reported = (text: string): Report => ({
  file: text,
  ...{ line: 2, column: 2, endLine: 2, endColumn: 4 },
  severity: 'error',
  code: 'cr/rule',
  message: text,
  source: text,
  says: {},
  fingerprint: text,
  kubernetes: ['1.37'],
  fixes: [{ title: text, safe: true, edits: [] }],
});

function checked(name: FormatName, text: string): string {
  const own = { text: () => textFormat(false), sarif: () => sarifFormat('1.0.0') };
  const format = { ...formats, ...own }[name]({ maxWarnings: 0 });
  const totals = { files: 1, errors: 1, warnings: 0, notes: 0 };
  return [
    format.begin?.(),
    format.file(text, [reported(text)]),
    format.end?.(totals, { exitCode: 2, faults: [text], notJudged: new Map() }),
  ].join('');
}

function tested(name: TestFormatName, text: string): string {
  const format = testFormats[name]();
  const report = { file: text, line: 1, name: text, failures: [text, text], milliseconds: 1 };
  const counts = { passed: 0, failed: 1, skipped: 0 };
  return [format.begin?.(), format.file(text, [report]), format.end?.(counts)].join('');
}

/** As XML 1.0 has it, with entities put back. */
function xmlTexts(xml: string): string[] {
  assert.doesNotMatch(xml, /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  assert.doesNotMatch(xml, /&(?!(?:amp|lt|gt|quot|#\d+);)/);
  const attributes = [...xml.matchAll(/"([^"<]*)"/g)].map(([, value]) => value!);
  return attributes.map((value) =>
    value.replace(/&(?:#(\d+)|(\w+));/g, (_, code?: string, name?: string) =>
      code === undefined ? { amp: '&', lt: '<', gt: '>', quot: '"' }[name!]! : String.fromCharCode(Number(code)),
    ),
  );
}

test('no format prints what a terminal obeys, and each keeps its lines', () => {
  for (const name of Object.keys(formats) as FormatName[]) {
    const lines = checked(name, 'plain').split('\n').length;
    for (const text of hostile) {
      const printed = checked(name, text);
      assert.doesNotMatch(printed, obeyed, name);
      assert.equal(printed.split('\n').length, lines, `${name}: ${JSON.stringify(text)}`);
    }
  }
  for (const name of Object.keys(testFormats) as TestFormatName[]) {
    const lines = tested(name, 'plain').split('\n').length;
    for (const text of hostile) {
      const printed = tested(name, text);
      assert.doesNotMatch(printed, obeyed, name);
      assert.equal(printed.split('\n').length, lines, `${name}: ${JSON.stringify(text)}`);
    }
  }
});

test('programs read the very values', () => {
  for (const text of hostile) {
    const { findings } = JSON.parse(checked('json', text));
    assert.deepEqual([findings[0].file, findings[0].message, findings[0].source], [text, text, text]);
    const { cases } = JSON.parse(tested('json', text));
    assert.deepEqual([cases[0].name, cases[0].failures], [text, [text, text]]);
    assert.equal(JSON.parse(checked('sarif', text)).runs[0].results[0].message.text, text);
    assert.equal(JSON.parse(json({ a: text })).a, text);
    // What XML cannot hold at all is replaced.
    const held = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu, '\ufffd');
    assert.ok(xmlTexts(checked('junit', text)).includes(held), JSON.stringify(text));
    assert.ok(xmlTexts(tested('junit', text)).includes(held), JSON.stringify(text));
  }
});

test('a name is no directive of the Test Anything Protocol', () => {
  for (const text of hostile) {
    const [line = ''] = tested('tap', text).split('\n').slice(1);
    // A backslash takes the meaning of what is behind it.
    assert.doesNotMatch(line.replace(/\\[\\#]/g, ''), /#/);
    assert.match(line, /^not ok 1 - /);
  }
});

test('of GitHub’s commands there is one a line, with the names that we gave', () => {
  for (const text of hostile) {
    const printed = checked('github', text).trimEnd();
    assert.match(printed, /^::error file=[^,:]*,line=2,endLine=2,col=2,endColumn=4,title=cr\/rule::/, text);
  }
});

test('colors are ours alone', () => {
  const text = 'a\u001b[31mb\u001b[0m';
  assert.equal(linesText([[{ color: '31', text }, text]], true).split('\u001b').length, 3);
  assert.equal(
    harmless(`\u001b[31ma\u001b[0m\u001b[2J\u001b]0;title\u0007\n`),
    '\u001b[31ma\u001b[0m\\u001b[2J\\u001b]0;title\\u0007\n',
  );
});

test('random texts are lines as well', () => {
  const random = seeded(1);
  const letters = [...controls, 'a', ' ', '#', '\\', '<', '&', '"', '%', ':', '\u{1f600}'];
  for (let i = 0; i < 2_000; i++) {
    const text = Array.from({ length: random.below(12) }, () => random.pick(letters)).join('');
    for (const name of Object.keys(formats) as FormatName[]) assert.doesNotMatch(checked(name, text), obeyed);
    for (const name of Object.keys(testFormats) as TestFormatName[]) assert.doesNotMatch(tested(name, text), obeyed);
    assert.equal(linesText([text]).split('\n').length, 2);
    assert.doesNotMatch(harmless(text), obeyed);
  }
});
