import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Features } from '../../server/src/features/languages/features.ts';
import { featuresOf } from '../../server/src/features/languages/languages.ts';
import { isRefusal } from '../../server/src/features/navigate/rename/places.ts';
import type { OutlineSymbol } from '../../server/src/features/navigate/symbols.ts';
import type { Location } from '../../server/src/features/place/location.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { type Notation, readSuite, type SuiteCase } from './suite.ts';
import { applyEdits, sharedFile } from './workspace.ts';

// Several files as YAML fences with their paths as names; `$0` is where the cursor is. What the language of the file answers is
// compared with the other fences.

const notation: Notation = {
  fences:
    'completion inserted entered hover definition references highlights renamed refused outline lenses folds fixes fixed fixedThere found rendered colors'.split(
      ' ',
    ),
  settings: ['choose', 'rename', 'fix', 'set'],
  isCode: () => true,
};

export const suiteRoot = 'file:///suite';

interface Case {
  readonly one: SuiteCase;
  readonly snapshot: Snapshot;
  readonly features: Features;
  readonly uri: string;
  readonly offset: number;
  readonly text: string;
  readonly textOf: (uri: string) => string;
}

/** The files of a case as a snapshot, and the text of each file in it. */
export interface World {
  readonly snapshot: Snapshot;
  readonly textOf: (uri: string) => string;
}

/** Every case of the suites in a folder as a test. */
export function featureSuites(name: string, worldOf: (one: SuiteCase) => World): void {
  const folder = `test/features/${name}`;
  for (const file of readdirSync(folder)) {
    for (const one of readSuite(readFileSync(`${folder}/${file}`, 'utf8'), sharedFile, notation)) {
      test(`${name}/${file} › ${one.name}`, () => {
        const known = caseOf(one, worldOf(one));
        for (const [word, wanted] of one.fences) checks[word]!(known, wanted);
        assert.ok(findingsHold(known) || one.fences.size > 0, 'the case expects nothing');
      });
    }
  }
}

function caseOf(one: SuiteCase, { snapshot, textOf }: World): Case {
  const file = one.files.find(({ cursor }) => cursor !== undefined) ?? one.files.at(-1)!;
  const features = featuresOf(snapshot, file.uri);
  return { one, snapshot, features, uri: file.uri, offset: file.cursor ?? 0, text: file.text, textOf };
}

/** Of a file with markers all that is found in it. */
function findingsHold({ one, snapshot }: Case): boolean {
  const marked = one.files.filter(({ expected }) => expected.length > 0);
  for (const { uri, expected } of marked) {
    const found = featuresOf(snapshot, uri).diagnose(snapshot, uri);
    const rows = found.map(({ code, range, message }) => {
      const like = expected.find((other) => other.code === code && other.start === range.start);
      const told = like && message.includes(like.message) ? like.message : message;
      return { code, start: range.start, end: range.end, message: told };
    });
    const wanted = expected.map(({ code, start, end, message }) => ({ code, start, end, message }));
    assert.deepEqual(rows, wanted);
  }
  return marked.length > 0;
}

const checks: Readonly<Record<string, (known: Case, wanted: string) => void>> = {
  completion: ({ features, snapshot, uri, offset }, wanted) => {
    const items = [...(features.complete?.(snapshot, uri, offset) ?? [])].sort((a, b) => (a.order < b.order ? -1 : 1));
    const rows = items.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label));
    const lines = wanted.trimEnd().split('\n');
    const isOpen = lines.at(-1) === '…';
    const whole = lines.filter((line) => line !== '' && line !== '…');
    assert.deepEqual(isOpen ? rows.slice(0, whole.length) : rows, whole);
  },
  inserted: ({ one, features, snapshot, uri, offset, text }, wanted) => {
    const items = features.complete?.(snapshot, uri, offset) ?? [];
    const item = items.find(({ label }) => label === one.settings.choose);
    assert.ok(item, `no completion ${one.settings.choose} among ${items.map(({ label }) => label).join(', ')}`);
    const line = text.slice(text.lastIndexOf('\n', item.range.start - 1) + 1, item.range.start);
    const put = item.text.replaceAll('\n', `\n${/^ */.exec(line)![0]}`);
    assert.equal(text.slice(0, item.range.start) + put + text.slice(item.range.end), wanted);
  },
  entered: ({ features, snapshot, uri, offset, text }, wanted) => {
    assert.equal(applyEdits(text, features.onEnter?.(snapshot, uri, offset) ?? []), wanted);
  },
  hover: ({ features, snapshot, uri, offset }, wanted) => {
    assert.equal(`${features.hover?.(snapshot, uri, offset)?.markdown.source ?? ''}\n`, wanted);
  },
  definition: (known, wanted) => {
    const { features, snapshot, uri, offset } = known;
    assert.equal(placesOf(known, features.definition?.(snapshot, uri, offset) ?? []), wanted);
  },
  references: (known, wanted) => {
    const { features, snapshot, uri, offset } = known;
    const found = features.search?.(snapshot, uri, offset);
    assert.equal(placesOf(known, [...(found?.declarations ?? []), ...(found?.uses ?? [])]), wanted);
  },
  lenses: ({ features, snapshot, uri }, wanted) => {
    const titles = (features.lenses?.(snapshot, uri) ?? []).map(({ title }) => `${title}\n`);
    assert.equal(titles.join(''), wanted);
  },
  highlights: (known, wanted) => {
    const { features, snapshot, uri, offset } = known;
    assert.equal(placesOf(known, features.highlights?.(snapshot, uri, offset) ?? []), wanted);
  },
  renamed: ({ one, features, snapshot, uri, offset }, wanted) => {
    const target = features.rename?.(snapshot, uri, offset);
    assert.ok(target && !isRefusal(target), JSON.stringify(target));
    const renaming = target.to(one.settings.rename!);
    assert.ok(!isRefusal(renaming), JSON.stringify(renaming));
    const changed = renaming.edits.map(({ file, edits }) => {
      const name = file.uri.slice(suiteRoot.length + 1);
      return `# ${name}\n${applyEdits(
        file.text,
        edits.map(({ edit }) => edit),
      )}`;
    });
    assert.equal(changed.join(''), wanted);
  },
  refused: ({ one, features, snapshot, uri, offset }, wanted) => {
    const target = features.rename?.(snapshot, uri, offset);
    const found = target && !isRefusal(target) ? target.to(one.settings.rename ?? 'other') : target;
    assert.equal(`${found && isRefusal(found) ? found.refused : ''}\n`, wanted);
  },
  outline: ({ features, snapshot, uri }, wanted) => {
    const rows = (all: readonly OutlineSymbol[], indent: string): string[] =>
      all.flatMap(({ name, detail, children }) => [
        `${indent}${name}${detail === '' ? '' : `  ${detail}`}\n`,
        ...rows(children, `${indent}  `),
      ]);
    assert.equal(rows(features.outline?.(snapshot, uri) ?? [], '').join(''), wanted);
  },
  folds: ({ features, snapshot, uri, text }, wanted) => {
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const found = features.folds?.(snapshot, uri) ?? [];
    assert.equal(found.map(({ start, end }) => `${lineOf(start)}-${lineOf(end)}\n`).join(''), wanted);
  },
  /** With which values, what is rendered, and the lines that it comes from. */
  rendered: ({ one, features, snapshot, uri, offset }, wanted) => {
    const found = features.rendered?.(snapshot, uri, { offset, values: one.settings.set });
    assert.ok(found, 'nothing is rendered');
    const from = (line: number) => (line === -1 ? ' -' : String(line + 1).padStart(2));
    const rows = found.text.split('\n').map((row, i) => `${from(found.lines[i] ?? -1)} ${row}`.trimEnd());
    assert.equal(
      [...found.choices.map((choice) => `${choice === found.values ? '*' : ' '} ${choice}`), ...rows].join('\n'),
      wanted.trimEnd(),
    );
  },
  /** The colors of actions, one a line, each text once. */
  colors: ({ features, snapshot, uri, text }, wanted) => {
    const rows = (features.colors?.(snapshot, uri) ?? []).map(
      ({ start, end, color }) => `${text.slice(start, end)}  ${color}\n`,
    );
    assert.equal(rows.join(''), wanted);
  },
  /** What is found in the file, one code a line. */
  found: ({ features, snapshot, uri }, wanted) => {
    const rows = features.diagnose(snapshot, uri).map(({ code }) => `${code}\n`);
    assert.equal(rows.join(''), wanted);
  },
  fixes: (known, wanted) => {
    assert.equal(
      fixesOf(known)
        .map(({ title }) => `${title}\n`)
        .join(''),
      wanted,
    );
  },
  fixed: (known, wanted) => {
    const fix = fixesOf(known).find(
      ({ title }) => known.one.settings.fix === undefined || title === known.one.settings.fix,
    );
    assert.ok(fix, 'there is no fix');
    assert.equal(applyEdits(known.text, fix.edits), wanted);
  },
  /** The other file after the first fix that is made there. */
  fixedThere: ({ features, snapshot, uri, offset, textOf }, wanted) => {
    const found = features.diagnose(snapshot, uri).find(({ range }) => range.start <= offset && offset <= range.end)!;
    const [first] = features.fixesElsewhere?.(snapshot, uri, { ...found, offset: found.range.start, among: 1 }) ?? [];
    assert.ok(first, 'there is no fix');
    assert.equal(applyEdits(textOf(first.uri)!, first.fix.edits), wanted);
  },
};

function fixesOf({ features, snapshot, uri, offset }: Case) {
  const found = features.diagnose(snapshot, uri).find(({ range }) => range.start <= offset && offset <= range.end);
  assert.ok(found, 'nothing is found at the cursor');
  return features.fixes?.(snapshot, uri, { ...found, offset: found.range.start, among: 1 }) ?? [];
}

/** `values.yaml:3 port`: file, line, and the text of each place. */
function placesOf({ textOf }: Case, found: readonly Location[]): string {
  return found
    .map(({ uri, range }) => {
      const [text, path] = [textOf(uri), uri.slice(suiteRoot.length + 1)];
      return `${path}:${text.slice(0, range.start).split('\n').length} ${text.slice(range.start, range.end)}\n`;
    })
    .join('');
}
