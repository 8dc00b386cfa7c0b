import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { withOpen } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { withCrds } from '../fuzz/attack/documents.ts';
import { goFailuresOf } from '../fuzz/attack/go.ts';
import { goRequests, openedGo } from '../fuzz/attack/goRequests.ts';
import { failuresOf } from '../fuzz/attack/requests.ts';

const folder = 'test/fuzz/corpus';
const files = readdirSync(folder).filter((name) => name !== 'README.md');

/** The start, the end and what is between them. */
const places = (text: string) => [0, 1, 2, 3, 4].map((nth) => Math.floor((text.length * nth) / 4));

async function failuresIn(name: string): Promise<string[]> {
  const text = readFileSync(`${folder}/${name}`, 'utf8');
  if (name.endsWith('.go')) {
    const open = await openedGo({ text });
    return places(text).flatMap((offset) => goFailuresOf(open, offset, goRequests));
  }
  const uri = `file:///corpus/${name}`;
  const snapshot = withOpen(withCrds, sourceFile(uri, text));
  const notJudged = diagnose(snapshot, uri).filter(({ code }) => code === 'file/not-judged');
  return [...notJudged.map(({ message }) => message), ...places(text).flatMap((at) => failuresOf(snapshot, uri, at))];
}

for (const name of files)
  test(`${name} does no harm`, async () => {
    assert.deepEqual(await failuresIn(name), []);
  });
