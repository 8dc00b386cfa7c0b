import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { mostDataBytes } from '../../server/src/workspace/packaged.ts';

const data = readdirSync('server/data');

test('each file of server/data is named in the notices, fits its bound and can be read', () => {
  // What dist/NOTICES.txt is made of.
  const notices = readFileSync('scripts/notices.mjs', 'utf8');
  assert.deepEqual([...data].sort(), [
    'builtinKinds.json.gz',
    'crdSources.json.gz',
    'crossplane.json.gz',
    'goLibrary.json.gz',
    'kro.json.gz',
    'openApi.json.gz',
  ]);
  for (const file of data) {
    const bytes = readFileSync(`server/data/${file}`);
    assert.ok(notices.includes(`'${file}'`), file);
    assert.ok(bytes.length < mostDataBytes);
    JSON.parse(gunzipSync(bytes).toString());
  }
});

// A program carries all of its sources wherever it starts; what is only looked up is read when it is.
test('no source is data: none has a line of more than 4,000 characters', () => {
  const found = readdirSync('server/src', { recursive: true, encoding: 'utf8' })
    .map((file) => `server/src/${file}`)
    .filter((file) => file.endsWith('.ts') && statSync(file).isFile())
    .filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => line.length > 4_000),
    );
  assert.deepEqual(found, []);
});
