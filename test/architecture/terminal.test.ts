import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

// Text leaves for a terminal in one place: `server/src/cli/terminal.ts`.

/** Ways to a terminal. The editor's own console is `connection.console`. */
const ways =
  /\bprocess\s*\??[.[]\s*['"`]?(?:stdout|stderr)\b|(?<![.\w])console\b|\}\s*=\s*process\s*[;,)]|\bwriteSync\(\s*[12]\b|\/dev\/(?:stdout|stderr|tty)/;

/** The place itself, and what speaks the protocol, asks how much of that is unread, or whether somebody still reads. */
const allowed: Readonly<Record<string, number>> = {
  'cli/terminal.ts': 8,
  'cli/closedPipe.ts': 1,
  'cli/commands/server.ts': 2,
  'cli/firstAnswer.ts': 1,
};

test('nothing writes to a terminal but the one place', () => {
  const source = path.resolve('server/src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = files.flatMap((file) => {
    const lines = readFileSync(path.join(source, file), 'utf8').split('\n');
    const count = lines.filter((line) => ways.test(line) && !/^\s*(?:\/\/|\*|\/\*\*)/.test(line)).length;
    return count === 0 ? [] : [[file.split(path.sep).join('/'), count] as const];
  });
  assert.deepEqual(Object.fromEntries(found.sort()), Object.fromEntries(Object.entries(allowed).sort()));
});

test('messages of editors leave in one place', () => {
  const lsp = path.resolve('server/src/lsp');
  const say = /\bshow(?:Information|Warning|Error)Message\b|\bShowMessage(?:Notification|Request)\.|\.report\(/;
  const files = readdirSync(lsp).filter((file) => say.test(readFileSync(path.join(lsp, file), 'utf8')));
  // How many files are checked is all that the other one reports.
  assert.deepEqual(files, ['asking.ts', 'checkWorkspace.ts']);
});

test('the ways are seen, however they are written', () => {
  const seen = [
    'process.stdout.write(text)',
    "process['stderr'].write(text)",
    'process?.stdout.write(text)',
    'const { stdout } = process;',
    'console.log(text)',
    'writeSync(1, text)',
    "writeFileSync('/dev/tty', text)",
    'progressOn(process.stderr)',
  ];
  for (const line of seen) assert.match(line, ways);
  for (const line of ['connection.console.warn(text)', 'const { env } = process.env;', 'context.console.log(text)'])
    assert.doesNotMatch(line, ways);
});
