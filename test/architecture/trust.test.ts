import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const folder = path.resolve('client/src');
const files = readdirSync(folder).map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

test('what the server sends runs no command, and a text of the client only those that are written in it', () => {
  const trusted = files.flatMap(({ file, text }) =>
    [...text.matchAll(/isTrusted(?:: | = )(.+)/g)].map(([, what]) => ({ file, text, what: what! })),
  );
  assert.ok(trusted.some(({ file, what }) => file === 'client.ts' && what.startsWith('false')));
  for (const { file, text, what } of trusted.filter((one) => !one.what.startsWith('false'))) {
    const names = /^\{ enabledCommands: \[([^\]]*)\]/.exec(what)?.[1];
    assert.ok(names !== undefined, `${file} trusts every command: ${what}`);
    for (const [, name] of names.matchAll(/'([^']+)'/g)) assert.ok(text.includes(`(command:${name})`), name);
  }
});

test('no HTML is shown', () => {
  for (const { file, text } of files) assert.doesNotMatch(text, /supportHtml/, file);
});
