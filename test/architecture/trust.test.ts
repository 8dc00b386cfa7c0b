import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const folder = path.resolve('client/src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));

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

test('pages in webviews load nothing, run only their own script, and take no text for HTML', () => {
  const policies = files.flatMap(({ text }) =>
    [...text.matchAll(/const policy = `([^`]*)`/g)].map(([, policy]) => policy),
  );
  assert.deepEqual(policies, ["default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'"]);
  assert.ok(files.some(({ file }) => file.startsWith('webviews')));
  for (const { file, text } of files)
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, file);
  const pages = files.filter(({ text }) => /webview\.html = /.test(text)).map(({ file }) => file);
  assert.deepEqual(pages, ['webview.ts']);
});
