import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hover } from '../../server/src/features/at/hover.ts';
import { signatureHelp } from '../../server/src/features/at/signature.ts';
import { complete } from '../../server/src/features/complete/complete.ts';
import { onEnter } from '../../server/src/features/complete/onEnter.ts';
import { colors } from '../../server/src/features/lenses/colors.ts';
import { inlayHints } from '../../server/src/features/lenses/inlayHints.ts';
import { assistsAt } from '../../server/src/features/mend/assists/assists.ts';
import { outlineAt } from '../../server/src/features/navigate/builtinOutline.ts';
import { definitionAt } from '../../server/src/features/navigate/definition.ts';
import { folds } from '../../server/src/features/navigate/folding.ts';
import { links } from '../../server/src/features/navigate/links.ts';
import {
  declarationOf,
  highlights,
  mayUse,
  usesIn,
  usesInItsCrd,
  wantedAt,
} from '../../server/src/features/navigate/references.ts';
import { isRefusal } from '../../server/src/features/navigate/rename/places.ts';
import { type Renaming, renameAt } from '../../server/src/features/navigate/rename/rename.ts';
import { selectionAt } from '../../server/src/features/navigate/selection.ts';
import { type OutlineSymbol, outline, workspaceSymbols } from '../../server/src/features/navigate/symbols.ts';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { changesAgainstBaseline } from '../../server/src/features/views/crdChanges.ts';
import { storedText } from '../../server/src/features/views/preview.ts';
import { writings } from '../../server/src/features/views/writing.ts';
import { type Notation, readSuite, type SuiteCase } from '../support/suite.ts';
import { expectFence } from '../support/update.ts';
import { applyEdits, sharedFile, snapshotOf, snapshotOfCase } from '../support/workspace.ts';

const fences =
  'completion inserted entered hover definition outline signature inlay references highlights stored committed changes colors links folds selection symbols assists assisted renamed refused';

const notation: Notation = {
  fences: fences.split(' '),
  settings: ['rename', 'choose', 'query', 'kubernetes', 'assist', 'costHints', 'writing'],
  isCode: () => false,
};

for (const file of readdirSync('test/features').filter((name) => name.endsWith('.md') && name !== 'README.md')) {
  for (const one of readSuite(readFileSync(`test/features/${file}`, 'utf8'), sharedFile, notation)) {
    test(`${file} › ${one.name}`, () => {
      const checks = [
        completionHolds,
        hoverHolds,
        insertionHolds,
        enterHolds,
        definitionHolds,
        outlineHolds,
        signatureHolds,
        inlayHolds,
        referencesHold,
        highlightsHold,
        storedHolds,
        changesHold,
        colorsHold,
        linksHold,
        foldsHold,
        selectionHolds,
        symbolsHold,
        assistsHold,
        assistGives,
        renameGives,
        renameIsRefused,
      ].map((holds) => holds(one, `test/features/${file}`));
      assert.ok(checks.some(Boolean), 'the case expects nothing');
    });
  }
}

function asText(rows: readonly string[]): string {
  return rows.map((row) => `${row}\n`).join('');
}

function cursorOf(one: SuiteCase): { uri: string; offset: number; text: string } {
  const file = one.files.find(({ cursor }) => cursor !== undefined);
  assert.ok(file, 'no $0 says where the cursor is');
  return { uri: file.uri, offset: file.cursor!, text: file.text };
}

/** `completion`: the labels in their order, each with what is expected of its detail; `!label` must not be offered. */
function completionHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('completion');
  if (wanted === undefined) return false;
  const { uri, offset } = cursorOf(one);
  const items = [...complete(snapshotOfCase(one), uri, offset)].sort((a, b) => (a.order < b.order ? -1 : 1));
  const rows = items.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label));
  const lines = wanted.trimEnd().split('\n');
  if (lines.at(-1) === '…') assert.deepEqual(rows.slice(0, lines.length - 1), lines.slice(0, -1));
  else
    assert.deepEqual(
      rows,
      lines.filter((line) => line !== ''),
    );
  return true;
}

/** `inserted`: the file after the completion named by `<!-- choose: LABEL -->` was taken. */
function insertionHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('inserted');
  if (wanted === undefined) return false;
  const { uri, offset, text } = cursorOf(one);
  const item = complete(snapshotOfCase(one), uri, offset).find(({ label }) => label === one.settings.choose);
  assert.ok(item, `no completion ${one.settings.choose}`);
  const line = text.slice(text.lastIndexOf('\n', item.range.start - 1) + 1, item.range.start);
  const indent = /^ */.exec(line)![0];
  const put = item.text.replaceAll('\n', `\n${indent}`);
  assert.equal(text.slice(0, item.range.start) + put + text.slice(item.range.end), wanted);
  return true;
}

/** `entered`: the file after Enter at the cursor, with the blanks that editors keep from the line above. */
function enterHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('entered');
  if (wanted === undefined) return false;
  const { uri, offset, text } = cursorOf(one);
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))![0];
  const after = `${text.slice(0, offset)}\n${indent}${text.slice(offset)}`;
  const files = one.files.map((file) => (file.uri === uri ? { uri, text: after } : file));
  const edits = onEnter(snapshotOf(files, one.settings), uri, offset + 1 + indent.length);
  assert.equal(
    applyEdits(after, edits).replace(/ +$/gm, (blanks) => '·'.repeat(blanks.length)),
    wanted,
  );
  return true;
}

/** `hover`: each line must be in the hover text, in this order. */
function hoverHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('hover');
  if (wanted === undefined) return false;
  const { uri, offset } = cursorOf(one);
  const card = hover(snapshotOfCase(one), uri, offset)?.markdown.source ?? '';
  let at = 0;
  for (const line of wanted.trimEnd().split('\n')) {
    const found = card.indexOf(line, at);
    assert.ok(found !== -1, `"${line}" is not in\n${card}`);
    at = found + line.length;
  }
  return true;
}

/** `definition`: for each place its file, a colon, and the line it is in. */
function definitionHolds(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('definition')) return false;
  const { uri, offset } = cursorOf(one);
  const rows = definitionAt(snapshotOfCase(one), uri, offset).map((at) => row(one, at));
  expectFence(file, one, 'definition', asText(rows));
  return true;
}

/** `outline`: one symbol a line, indented below its parent, with its detail. */
function outlineHolds(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('outline')) return false;
  const rows = (symbols: readonly OutlineSymbol[], depth: number): string[] =>
    symbols.flatMap(({ name, detail, kind, children }) => [
      `${'  '.repeat(depth)}${kind} ${name}${detail === '' ? '' : ` (${detail})`}`,
      ...rows(children, depth + 1),
    ]);
  expectFence(file, one, 'outline', asText(rows(outline(snapshotOfCase(one), one.files.at(-1)!.uri), 0)));
  return true;
}

/** `signature`: the active signature and the number of its parameter. */
function signatureHolds(one: SuiteCase): boolean {
  const wanted = one.fences.get('signature');
  if (wanted === undefined) return false;
  const { uri, offset } = cursorOf(one);
  const help = signatureHelp(snapshotOfCase(one), uri, offset);
  assert.equal(help && `${help.signatures[help.active]!.label} #${help.parameter}`, wanted.trimEnd());
  return true;
}

/** `inlay`: the hints of the last file, in order. */
function inlayHolds(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('inlay')) return false;
  const { uri, text } = one.files.at(-1)!;
  const hints = inlayHints(snapshotOfCase(one), uri, { start: 0, end: text.length });
  expectFence(file, one, 'inlay', asText(hints.map(({ label, tooltip }) => `${label} | ${tooltip.source}`)));
  return true;
}

function row(one: SuiteCase, at: { uri: string; range: { start: number; end: number } }): string {
  const text = one.files.find((file) => file.uri === at.uri)?.text ?? outlineAt(snapshotOfCase(one), at.uri)!;
  const line = text.slice(text.lastIndexOf('\n', at.range.start - 1) + 1).split('\n')[0]!;
  return `${at.uri.slice(at.uri.lastIndexOf('/') + 1).replace(/\?.*/, '')}: ${line.trim()} [${text.slice(at.range.start, at.range.end)}]`;
}

/** `references`: the declaration first, then the uses in the files of the case. */
function referencesHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('references')) return false;
  const { uri, offset } = cursorOf(one);
  const snapshot = snapshotOfCase(one);
  const what = wantedAt(snapshot, uri, offset);
  assert.ok(what);
  const files = [...snapshot.open.values()].filter(({ text }) => mayUse(text, what));
  const found = [
    ...declarationOf(what),
    ...usesInItsCrd(snapshot, what),
    ...files.flatMap((file) => usesIn(file, what)),
  ];
  expectFence(file, one, 'references', asText(found.map((at) => row(one, at))));
  return true;
}

/** `highlights`: the columns, from 1, of all places in the cursor's line. */
function highlightsHold(one: SuiteCase): boolean {
  const wanted = one.fences.get('highlights');
  if (wanted === undefined) return false;
  const { uri, offset, text } = cursorOf(one);
  const start = text.lastIndexOf('\n', offset - 1);
  const columns = highlights(snapshotOfCase(one), uri, offset).map(({ range }) => range.start - start);
  assert.equal(columns.join(' '), wanted.trimEnd());
  return true;
}

/** `stored`: the last file as the API server would store it, over what a `committed` fence holds with `<!-- writing: apply -->`. */
function storedHolds(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('stored')) return false;
  const writing = writings.find((way) => way === one.settings.writing);
  expectFence(file, one, 'stored', storedText(snapshotOfCase(one), one.files.at(-1)!.uri, writing) ?? '');
  return true;
}

/** `changes`: the page about the last file, whose earlier state is in a `committed` fence. */
function changesHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('changes')) return false;
  const snapshot = snapshotOfCase(one);
  const resources = [...snapshot.open.values()].flatMap((other) =>
    other.manifests.flatMap((manifest) => (manifest.role === 'resource' ? [{ file: other, manifest }] : [])),
  );
  const page = changesAgainstBaseline(snapshot, one.files.at(-1)!.uri, resources, (uri) =>
    uri.slice('file:///'.length),
  );
  expectFence(file, one, 'changes', page?.source ?? '');
  return true;
}

/** `colors`: one part of an expression a line, with what it is; operators between them are left out. */
function colorsHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('colors')) return false;
  const { uri, text } = one.files.at(-1)!;
  const found = colors(snapshotOfCase(one), uri).filter(({ color }) => color !== 'operator');
  const rows = found.map(({ start, end, color }) => {
    const part = text.slice(start, end);
    assert.ok(!part.includes('\n'), `${part} goes over lines`);
    return `${part}  ${color}`;
  });
  expectFence(file, one, 'colors', asText(rows));
  return true;
}

/** `links`: what is linked in the last file, and where to. */
function linksHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('links')) return false;
  const { uri, text } = one.files.at(-1)!;
  const found = links(snapshotOfCase(one), uri);
  const rows = found.map(({ range, target, tooltip }) => {
    return `${text.slice(range.start, range.end)} -> ${row(one, target)} (${tooltip})`;
  });
  expectFence(file, one, 'links', asText(rows));
  return true;
}

/** `folds`: first and last line of each, without their indentation. */
function foldsHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('folds')) return false;
  const { uri, text } = one.files.at(-1)!;
  const rows = (folds(snapshotOfCase(one), uri) ?? []).map(({ start, end, comment }) => {
    const lines = text.slice(start, end).split('\n');
    return `${lines[0]} … ${lines.at(-1)!.trim()}${comment ? ' (comment)' : ''}`;
  });
  expectFence(file, one, 'folds', asText(rows));
  return true;
}

/** `selection`: what a growing selection takes in, line breaks as `⏎`, of long ones the end. */
function selectionHolds(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('selection')) return false;
  const { uri, offset, text } = cursorOf(one);
  const found = selectionAt(snapshotOfCase(one), uri, offset);
  const rows = found
    .map(({ start, end }) => text.slice(start, end).replace(/\s*\n\s*/g, '⏎'))
    .map((whole) => (whole.length > 80 ? `${whole.slice(0, 30)} … ${whole.slice(-40)}` : whole));
  expectFence(file, one, 'selection', asText(rows));
  return true;
}

/** `symbols`: what `<!-- query: TEXT -->` finds in the workspace, with what it belongs to. */
function symbolsHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('symbols')) return false;
  const found = workspaceSymbols(snapshotOfCase(one), one.settings.query ?? '');
  const rows = found.map((symbol) => `${symbol.kind} ${symbol.name} (${symbol.container}) -> ${row(one, symbol)}`);
  expectFence(file, one, 'symbols', asText(rows));
  return true;
}

/** `assists`: the titles of what is offered at the cursor. */
function assistsHold(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('assists')) return false;
  const { uri, offset } = cursorOf(one);
  const rows = assistsAt(snapshotOfCase(one), uri, offset).map(({ kind, title }) => `${title} (${kind})`);
  expectFence(file, one, 'assists', asText(rows));
  return true;
}

/** `assisted`: the file after the one that `<!-- assist: TITLE -->` names, which must not make anything wrong. */
function assistGives(one: SuiteCase): boolean {
  const wanted = one.fences.get('assisted');
  if (wanted === undefined) return false;
  const { uri, offset, text } = cursorOf(one);
  const snapshot = snapshotOfCase(one);
  const assist = assistsAt(snapshot, uri, offset).find(({ title }) => title === one.settings.assist);
  assert.ok(assist, `no ${one.settings.assist}`);
  const after = applyEdits(text, assist.edits);
  assert.equal(after, wanted);
  const errors = (files: readonly { uri: string; text: string }[]) =>
    diagnose(snapshotOf(files, one.settings), uri).filter(({ severity }) => severity === 'error').length;
  const others = one.files.filter((file) => file.uri !== uri);
  assert.ok(errors([...others, { uri, text: after }]) <= errors(one.files));
  return true;
}

/** What `<!-- rename: NAME -->` does at the cursor, in all files of the case; the reason where it is refused. */
function renamingIn(one: SuiteCase): Renaming['edits'] | string {
  const { uri, offset } = cursorOf(one);
  const snapshot = snapshotOfCase(one);
  const target = renameAt(snapshot, uri, offset);
  assert.ok(target, 'there is nothing to rename');
  if (isRefusal(target)) return target.refused;
  const found = target.to(one.settings.rename!);
  if (isRefusal(found)) return found.refused;
  const { elsewhere } = found;
  const all = [...found.edits];
  for (const { edits: inFile, leadsTo, editsThere } of elsewhere) {
    const files = [...snapshot.open.values()];
    const further = new Set(files.flatMap((file) => leadsTo(file)));
    for (const edits of [...files.map(inFile), ...[...further].map((there) => editsThere(snapshot.open.get(there)!))]) {
      if (isRefusal(edits)) return edits.refused;
      all.push(edits);
    }
  }
  return all;
}

/** `renamed`: each place with its file, what it belongs to, and its line, in which `[old → new]` is what changes. */
function renameGives(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('renamed')) return false;
  const found = renamingIn(one);
  assert.ok(typeof found !== 'string', String(found));
  const rows = found.flatMap(({ file: { uri, text }, edits }) =>
    [...edits]
      .sort((a, b) => a.edit.range.start - b.edit.range.start)
      .map(({ edit: { range, text: put }, group }) => {
        const start = text.lastIndexOf('\n', range.start - 1) + 1;
        const end = text.indexOf('\n', range.end);
        const line = `${text.slice(start, range.start)}[${text.slice(range.start, range.end)} → ${put}]${text.slice(range.end, end)}`;
        return `${uri.slice(uri.lastIndexOf('/') + 1)} ${group}: ${line.trim()}`;
      }),
  );
  expectFence(file, one, 'renamed', asText(rows));
  return true;
}

/** `refused`: why the name at the cursor is not changed. */
function renameIsRefused(one: SuiteCase, file: string): boolean {
  if (!one.fences.has('refused')) return false;
  const found = renamingIn(one);
  assert.ok(typeof found === 'string', 'it is renamed');
  expectFence(file, one, 'refused', `${found}\n`);
  return true;
}
