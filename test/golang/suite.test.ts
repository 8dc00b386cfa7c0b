import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Range } from '../../server/src/base/text.ts';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { completeMarker } from '../../server/src/features/golang/completeMarker.ts';
import { diagnoseGo } from '../../server/src/features/golang/diagnoseGo.ts';
import { fixesGo } from '../../server/src/features/golang/fixesGo.ts';
import { hoverMarker } from '../../server/src/features/golang/hoverMarker.ts';
import { completeGo, definitionGo, hintsGo, hoverGo } from '../../server/src/features/golang/inRules.ts';
import { markerMistakes } from '../../server/src/features/golang/markerMistakes.ts';
import { renameInGo } from '../../server/src/features/golang/renameGo.ts';
import { foldsGo, outlineGo, selectionGo } from '../../server/src/features/golang/structureGo.ts';
import { highlightsGo, searchGo } from '../../server/src/features/golang/usesGo.ts';
import { isRefusal } from '../../server/src/features/navigate/rename/places.ts';
import type { OutlineSymbol } from '../../server/src/features/navigate/symbols.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { viewOfText } from '../support/goFiles.ts';
import { withFence } from '../support/update.ts';
import { applyEdits } from '../support/workspace.ts';

type Answer = (text: string, cursor: number) => string | Promise<string>;

/** What is known of markers alone. */
const ofMarkers: Readonly<Record<string, Answer>> = {
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
    return found ? `«${text.slice(found.range.start, found.range.end)}»\n${found.markdown.source}\n` : '';
  },
};

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}

/** What is known with the CRDs that come of the types. */
const ofTypes: Readonly<Record<string, Answer>> = {
  problems: async (text) =>
    lines(
      diagnoseGo(emptySnapshot, await viewOfText(text)).map(
        ({ code, severity, range, message }) =>
          `${severity} ${code} «${text.slice(range.start, range.end)}» ${message.split('\n')[0]}`,
      ),
    ),
  fixes: async (text) => {
    const view = await viewOfText(text);
    const fixes = diagnoseGo(emptySnapshot, view).flatMap((one) => fixesGo(emptySnapshot, view, one));
    return lines(fixes.map(({ title, edits }) => `${title}\n${changedLines(text, applyEdits(text, edits))}`));
  },
  // The first fix of the first problem that has one.
  fixed: async (text) => {
    const view = await viewOfText(text);
    const fixes = diagnoseGo(emptySnapshot, view).flatMap((one) => fixesGo(emptySnapshot, view, one));
    return applyEdits(text, fixes[0]!.edits);
  },
  completion: async (text, cursor) => {
    const offered = completeGo(emptySnapshot, await viewOfText(text), cursor);
    const ordered = [...offered].sort((a, b) => (a.order < b.order ? -1 : 1)).slice(0, 8);
    return lines(ordered.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label)));
  },
  hover: async (text, cursor) => {
    const found = hoverGo(emptySnapshot, await viewOfText(text), cursor);
    return found
      ? `«${text.slice(found.range.start, found.range.end)}»\n${found.markdown.source.replaceAll(/^```.*\n/gm, '')}\n`
      : '';
  },
  definition: async (text, cursor) => {
    const found = definitionGo(emptySnapshot, await viewOfText(text), cursor);
    return lines(found.map(({ range }) => lineAround(text, range.start)));
  },
  highlights: async (text, cursor) => {
    const found = highlightsGo(emptySnapshot, await viewOfText(text), cursor);
    return lines(found.map(({ range }) => within(text, range)));
  },
  references: async (text, cursor) => {
    const found = searchGo(emptySnapshot, await viewOfText(text), cursor);
    const elsewhere = (found?.elsewhere ?? []).map(({ definition: { kind }, version = '', field = [] }) => {
      return `in files: ${[kind, version, field.join('.')].filter(Boolean).join(' ')}`;
    });
    return lines([...(found?.uses ?? []).map(({ range }) => within(text, range)), ...elsewhere]);
  },
  // With the new name `other`.
  renamed: async (text, cursor) => {
    const target = renameInGo(emptySnapshot, await viewOfText(text), cursor);
    if (!target) return '';
    const found = isRefusal(target) ? target : target.to('other');
    if (isRefusal(found)) return `${found.refused}\n`;
    const edits = found.edits.flatMap((one) => one.edits.map(({ edit }) => edit));
    return `${changedLines(text, applyEdits(text, edits))}\n`;
  },
  outline: async (text) => lines(outlineGo(await viewOfText(text)).flatMap((one) => outlined(one, ''))),
  folds: async (text) => {
    const ends = foldsGo(parseGo(text)).map((fold) => {
      return `${lineAround(text, fold.start)} … ${lineAround(text, fold.end)}${fold.comment ? ' (comment)' : ''}`;
    });
    return lines(ends);
  },
  selection: async (text, cursor) =>
    lines(
      selectionGo(emptySnapshot, await viewOfText(text), cursor).map(({ start, end }) =>
        text.slice(start, end).replace(/\s*\n[\s\S]*\n\s*/, ' … '),
      ),
    ),
  hints: async (text) => {
    const hints = hintsGo(emptySnapshot, await viewOfText(text), { start: 0, end: text.length });
    return lines(hints.map(({ offset, label }) => `${lineAround(text, offset)} ‹${label}›`));
  },
};

/** The line of a range, which is put in brackets. */
function within(text: string, { start, end }: Range): string {
  return lineAround(`${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`, start);
}

function outlined({ name, detail, kind, children }: OutlineSymbol, pad: string): string[] {
  const own = `${pad}${kind} ${name}${detail && `: ${detail}`}`;
  return [own, ...children.flatMap((child) => outlined(child, `${pad}  `))];
}

/** The lines of one text that are not in another. */
function changedLines(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .map((line) => `  ${line.trim()}`)
    .join('\n');
}

function lineAround(text: string, offset: number): string {
  return text
    .slice(text.lastIndexOf('\n', offset - 1) + 1)
    .split('\n')[0]!
    .trim();
}

function runSuite(file: string, answers: Readonly<Record<string, Answer>>): void {
  const suite = path.join(process.cwd(), 'test/golang', file);
  const sections = readFileSync(suite, 'utf8').split(/^## /m).slice(1);
  for (const section of sections) {
    const name = section.slice(0, section.indexOf('\n'));
    const fences = Array.from(
      section.matchAll(/^```(\w+)\n(.*?)^```$/gms),
      ([, kind, body]) => [kind!, body!] as const,
    );
    const [[, written] = ['', ''], ...asked] = fences;
    test(`${file} › ${name}`, async () => {
      assert.ok(asked.length > 0);
      const cursor = written.indexOf('$0');
      const text = written.replace('$0', '');
      for (const [kind, wanted] of asked) {
        const actual = await answers[kind]!(text, cursor);
        if (process.env.UPDATE === '1')
          writeFileSync(suite, withFence(readFileSync(suite, 'utf8'), name, kind, actual));
        else assert.equal(actual, wanted, kind);
      }
    });
  }
}

runSuite('markers.md', ofMarkers);
runSuite('types.md', ofTypes);
