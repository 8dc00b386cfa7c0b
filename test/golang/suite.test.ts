import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { completeMarker } from '../../server/src/features/golang/completeMarker.ts';
import { hoverMarker } from '../../server/src/features/golang/hoverMarker.ts';
import { markerMistakes } from '../../server/src/features/golang/markerMistakes.ts';
import { parseGo } from '../../server/src/golang/syntax/parse.ts';
import { withFence } from '../support/update.ts';
import { applyEdits } from '../support/workspace.ts';

const suite = path.join(process.cwd(), 'test/golang/markers.md');
const sections = readFileSync(suite, 'utf8').split(/^## /m).slice(1);

type Answer = (text: string, cursor: number) => string;

/** What each kind of fence shows. */
const answers: Readonly<Record<string, Answer>> = {
  problems: (text) =>
    lines(
      markerMistakes(parseGo(text)).map(
        ({ code, range, message }) => `${code} «${text.slice(range.start, range.end)}» ${message}`,
      ),
    ),
  fixed: (text) => {
    const edits = markerMistakes(parseGo(text)).flatMap(({ fixes }) => fixes[0]?.edits ?? []);
    return applyEdits(text, edits);
  },
  completion: (text, cursor) => {
    const offered = completeMarker(parseGo(text), cursor);
    const ordered = [...offered].sort((a, b) => (a.order < b.order ? -1 : 1));
    return lines(
      ordered.map(({ label, text: made, range }) => {
        const replaced = text.slice(range.start, range.end);
        return made === label ? `${label} «${replaced}»` : `${label} «${replaced}» ${made}`;
      }),
    );
  },
  hover: (text, cursor) => {
    const found = hoverMarker(parseGo(text), cursor);
    return found ? `«${text.slice(found.range.start, found.range.end)}»\n${found.markdown}\n` : '';
  },
};

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

test('every heading asks for something', () => {
  assert.ok(sections.length > 20);
});

for (const section of sections) {
  const name = section.slice(0, section.indexOf('\n'));
  const fences = Array.from(section.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, kind, body]) => [kind!, body!] as const);
  const [[, written] = ['', ''], ...asked] = fences;
  test(name, () => {
    assert.ok(asked.length > 0);
    const cursor = written.indexOf('$0');
    const text = written.replace('$0', '');
    for (const [kind, wanted] of asked) {
      const actual = answers[kind]!(text, cursor);
      if (process.env.UPDATE === '1') writeFileSync(suite, withFence(readFileSync(suite, 'utf8'), name, kind, actual));
      else assert.equal(actual, wanted, kind);
    }
  });
}
