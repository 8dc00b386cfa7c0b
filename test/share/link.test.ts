import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import {
  fragmentOf,
  LinkError,
  mostLinkBytes,
  mostLinkCharacters,
  mostLinkFiles,
  type Play,
  playOf,
} from '../../server/src/share/link.ts';
import { seeded } from '../support/random.ts';

const crd = readFileSync('examples/crds/databases.yaml', 'utf8');
const play: Play = {
  kubernetes: '1.37',
  files: [
    { name: 'database.yaml', text: readFileSync('examples/database.yaml', 'utf8'), before: 'a: "ü – 🙂"\n' },
    { name: 'crds/databases.yaml', text: crd },
  ],
};

/** A fragment of any bytes, as somebody makes one who does not use ours. */
const packed = (bytes: Uint8Array | string) => `1.${gzipSync(bytes, { level: 9 }).toString('base64url')}`;
const sent = (value: unknown) => packed(JSON.stringify(value));

test('a link holds everything', async () => {
  assert.deepEqual(await playOf(await fragmentOf(play)), play);
  assert.deepEqual(await playOf(await fragmentOf({ files: [] })), { files: [] });
  assert.match(await fragmentOf(play), /^1\.[\w-]+$/);
});

test('what a link could not be followed with is not put into one', async () => {
  const large = { files: [{ name: 'a.yaml', text: 'a'.repeat(mostLinkBytes) }] };
  await assert.rejects(fragmentOf(large), /too large for a link/);
  await assert.rejects(fragmentOf({ files: [{ name: '../a.yaml', text: '' }] }), LinkError);
  const random = seeded(1);
  const noise = Array.from({ length: 600_000 }, () => random.pick([...'abcdefghijklmnopqrstuvwxyz0123456789'])).join(
    '',
  );
  await assert.rejects(fragmentOf({ files: [{ name: 'a.yaml', text: noise }] }), /too large for a link/);
});

const hostile: Readonly<Record<string, string>> = {
  empty: '1.',
  'another form': `2.${'a'.repeat(20)}`,
  'no form': 'x',
  'letters that no link has': '1.<script>alert(1)</script>',
  'a length that no bytes have': '1.aaaaa',
  'bytes that are not packed': '1.aGVsbG8',
  'packed otherwise': `1.${deflateSync('{"files":[]}').toString('base64url')}`,
  'cut off': sent(play).slice(0, 60),
  'with more behind its end': `1.${Buffer.concat([gzipSync('{"files":[]}'), Buffer.from('more')]).toString('base64url')}`,
  'that unfolds to a hundred megabytes': packed(new Uint8Array(100_000_000)),
  'of a million files in one text': packed(`{"files":[${'{},'.repeat(300_000)}{}]}`),
  'as long as no link': `1.${'a'.repeat(mostLinkCharacters)}`,
  'not UTF-8': packed(new Uint8Array([0xff, 0xfe, 0x22])),
  'not JSON': packed('{"files":['),
  'nested deeply': packed('['.repeat(400_000)),
  'a text': sent('files'),
  nothing: sent(null),
  'a list': sent([]),
  'files that are no list': sent({ files: { length: 1 } }),
  'more files than there may be': sent({
    files: Array.from({ length: mostLinkFiles + 1 }, (_, i) => ({ name: `a${i}`, text: '' })),
  }),
  'a file that is nothing': sent({ files: [null] }),
  'a text that is a number': sent({ files: [{ name: 'a', text: 1 }] }),
  'an older text that is a list': sent({ files: [{ name: 'a', text: '', before: [] }] }),
  'a name twice': sent({
    files: [
      { name: 'a', text: '' },
      { name: 'a', text: '' },
    ],
  }),
  'a version that is markup': sent({ kubernetes: '<b>', files: [] }),
  ...Object.fromEntries(
    [
      '',
      '.',
      '..',
      '../a',
      'a/../b',
      '/etc/passwd',
      'a//b',
      'a\\b',
      'a:b',
      'a?b',
      'a#b',
      '%2e%2e/a',
      'a\nb',
      'a'.repeat(300),
    ].map((name) => [`the name ${JSON.stringify(name).slice(0, 20)}`, sent({ files: [{ name, text: '' }] })]),
  ),
};

for (const [what, fragment] of Object.entries(hostile)) {
  test(`a hostile link is refused in a sentence: ${what}`, async () => {
    await assert.rejects(
      playOf(fragment),
      (error) => error instanceof LinkError && /^This link .*\.$/.test(error.message),
    );
  });
}

test('a link that unfolds to much is read no further than its bound', async () => {
  const bomb = packed(new Uint8Array(200_000_000));
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }, 1);
  await assert.rejects(playOf(bomb), /holds too much/);
  clearInterval(watch);
  assert.ok(most < 50_000_000, `${most} bytes were held`);
});

test('nothing but what is known comes out of a link', async () => {
  const more = sent({ files: [{ name: 'a', text: '', html: '<b>', __proto__: { before: 'x' } }], theme: 'x' });
  assert.deepEqual(await playOf(more), { files: [{ name: 'a', text: '' }] });
});

test('links with random mistakes are followed or refused, and never fail otherwise', async () => {
  const random = seeded(3);
  const whole = await fragmentOf(play);
  const letters = [...'abcXYZ019-_.=%/ '];
  let refused = 0;
  for (let i = 0; i < 2000; i++) {
    const at = random.below(whole.length);
    const cut = random.below(8);
    const fragment = whole.slice(0, at) + random.pick(letters).repeat(random.below(4)) + whole.slice(at + cut);
    const came = await playOf(fragment).catch((error: unknown) => error);
    if (came instanceof Error) {
      assert.ok(came instanceof LinkError, `${came.stack} for ${fragment}`);
      refused++;
    } else assert.deepEqual(came, play);
  }
  assert.ok(refused > 1500, `${refused} were refused`);
});
