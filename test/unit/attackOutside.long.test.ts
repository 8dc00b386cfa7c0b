import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackWithSmall } from '../fuzz/attack/archives.ts';
import { attackBeside } from '../fuzz/attack/beside.ts';
import { attackFetch } from '../fuzz/attack/fetch.ts';
import { attackMarkdown, moreThanText, saying, shownOf } from '../fuzz/attack/markdown.ts';
import { attackMissing } from '../fuzz/attack/missing.ts';
import { seeded } from '../support/random.ts';

// A part of `npm run fuzz -- --attack --only archives,beside,fetch,markdown,missing` that is the same in every run.

const attacked = (cases: number, failures: string[]) => ({
  cases,
  random: seeded(7),
  failed: (what: string) => failures.push(what),
});

test('archives of all kinds are read once, and a good one beside them too', async () => {
  const failures: string[] = [];
  await attackWithSmall(attacked(150, failures));
  assert.deepEqual(failures, []);
});

test('files beside a manifest are asked no more than docs/limits.md says, and say no more than they do', async () => {
  const failures: string[] = [];
  const { entries } = await attackBeside(attacked(60, failures));
  assert.deepEqual(failures, []);
  assert.ok(entries! > 500, String(entries));
});

test('of servers that cut off, lie or lead astray the whole is taken, or nothing', async () => {
  const failures: string[] = [];
  const { taken } = await attackFetch(attacked(40, failures));
  assert.deepEqual(failures, []);
  assert.ok(taken! > 0);
});

test('of catalogues that answer with anything, what is whole is brought, and the rest is left', async () => {
  const failures: string[] = [];
  const { brought } = await attackMissing(attacked(25, failures));
  assert.deepEqual(failures, []);
  assert.ok(brought! > 10, String(brought));
});

test('no text of a document is more than text in Markdown', async () => {
  const failures: string[] = [];
  const { cards } = await attackMarkdown(attacked(300, failures));
  assert.deepEqual(failures, []);
  assert.ok(cards! > 100);
});

test('the cards and pages that are looked at say the text', () => {
  const shown = [...shownOf(saying('needle'))].filter(({ source }) => source.includes('needle'));
  assert.ok(shown.length >= 8, String(shown.length));
  // And the readers see what is in them.
  const [first] = shown;
  assert.deepEqual(moreThanText(first!), []);
});
