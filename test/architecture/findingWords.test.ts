import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

// What a finding says is in its facts (`server/src/rules/model/says.ts`): its message is for people, and may be worded anew.

const cli = path.resolve('server/src/cli');

const read = (file: string) => withoutComments(readFileSync(path.join(cli, file), 'utf8'));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

const filesBelow = (folder: string) =>
  readdirSync(path.join(cli, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file).split(path.sep).join('/'));

/** Findings as they are printed, as they are kept to be left out, and as they are compared to be printed once. */
const printing: ReadonlySet<string> = new Set(['cause.ts', 'check.ts', 'oldFindings.ts', 'report.ts']);

/** A file that has findings with their words, and looks at these; errors of programs have messages of their own. */
const looks = /(?<!\b[Ee]rror\.)\bmessage\b/;
const hasFindings =
  /import (?:type )?\{[^}]*\b(?:Diagnostic|Report|Found)\b[^}]*\} from '[./\w-]*\/(?:diagnostic|report)\.ts'/;

/** A question to the words of a message, whatever the answer is for. */
const asks =
  /\.(?:exec|test)\((?:\w+\.)*(?:message|words)\b|\b(?:message|words)\??\.(?:match(?:All)?|includes|startsWith|endsWith|search|indexOf|split)\(/;

test('why a finding is meant is not asked of its words', () => {
  const found = filesBelow('meant').filter(
    (file) => /\bDiagnostic\b(?!\.ts)/.test(read(file)) || looks.test(read(file)),
  );
  assert.deepEqual(found, []);
});

test('nothing but what prints findings looks at their words', () => {
  const found = filesBelow('.').filter((file) => hasFindings.test(read(file)) && looks.test(read(file)));
  assert.deepEqual(
    found.filter((file) => !printing.has(file) && !file.startsWith('formats/')),
    [],
  );
});

test('what prints findings compares words and asks nothing of them', () => {
  const found = [...printing, ...filesBelow('formats')].filter((file) => asks.test(read(file)));
  assert.deepEqual(found, []);
});

test('questions to words are seen, however they are written', () => {
  for (const line of [
    "if (message.startsWith('no such key')) return;",
    '/^Invalid value/.exec(report.message)?.[1]',
    "diagnostic.message.split(' (With ')[0]",
    "words?.includes('placeholder')",
  ])
    assert.match(line, asks);
  for (const line of ["message.replaceAll('\\n', ' ')", '[code, message].join()', 'says.required?.includes(name)'])
    assert.doesNotMatch(line, asks);
});
