import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bundle, clientStrings } from '../../scripts/generate/clientStrings.ts';
import { localized } from '../../scripts/generate/localized.ts';

const files = readdirSync('client/src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, code: readFileSync(`client/src/${file}`, 'utf8') }));

test('no words for people in the client bypass translation', () => {
  const found = files.flatMap(({ file, code }) =>
    clientStrings(code)
      .filter(({ bypasses }) => bypasses)
      .map(({ line, text }) => `client/src/${file}:${line}: ${text}`),
  );
  const advice = [
    'These texts are shown to people, so they go through vscode.l10n.t: instead of',
    "  showInformationMessage(`Copied ${name}`)  write  showInformationMessage(vscode.l10n.t('Copied {0}', name))",
    'and run npm run gen, which writes them into l10n/bundle.l10n.json:',
  ];
  assert.ok(found.length === 0, [...advice, ...found].join('\n'));
});

test('the places for values in a text are numbered from 0', () => {
  for (const text of Object.keys(bundle(files.map(({ code }) => code)))) {
    const numbers = [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();
    assert.deepEqual(
      numbers,
      numbers.map((_, i) => String(i)),
      text,
    );
  }
});

/** Code of a client, and the texts in it that bypass translation. */
const examples: readonly (readonly [string, readonly string[]])[] = [
  ["show('There is no CRD.');", ['There is no CRD.']],
  ["show(vscode.l10n.t('There is no CRD.'));", []],
  ["show(\n  vscode.l10n.t(\n    'There is no CRD.',\n  ),\n);", []],
  ['show(`Copied ${name}`);', ['Copied ${name}']],
  ['show(vscode.l10n.t(`Copied ${name}`));', ['Copied ${name}']],
  ["const label = { label: 'Create' };", ['Create']],
  ['const html = `<h1>Budget</h1>`;', ['<h1>Budget</h1>']],
  ["// There is no CRD, it's gone.\nlog.warn('the server did not stop');", []],
  ["run('kubeCrd.showLog', 'text/javascript', 'ready', /There's no way/.test(name));", []],
  ["const name = 'Kubernetes CRD & CEL';", []],
];

test('what bypasses translation is found', () => {
  for (const [code, found] of examples) {
    const texts = clientStrings(code)
      .filter(({ bypasses }) => bypasses)
      .map(({ text }) => text);
    assert.deepEqual(texts, found, code);
  }
});

test('texts of package.json move to package.nls.json, and those that nothing names go from there', () => {
  const command = (title: string) => ({ contributes: { commands: [{ command: 'a.b', title }] } });
  const first = localized(JSON.stringify(command('Show it')), '');
  assert.deepEqual(JSON.parse(first.manifest), command('%commands.a.b.title%'));
  assert.deepEqual(JSON.parse(first.nls), { 'commands.a.b.title': 'Show it' });
  const again = localized(first.manifest, JSON.stringify({ ...JSON.parse(first.nls), old: 'Gone' }));
  assert.deepEqual(again, first);
  assert.throws(() => localized(first.manifest, ''), /does not have/);
});
