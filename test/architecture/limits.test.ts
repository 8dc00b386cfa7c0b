import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Which constant each row of docs/limits.md is about: the row's beginning, its file and its name. */
const bounds: readonly (readonly [row: string, file: string, name: string])[] = [
  ['files of one workspace folder', 'workspace/limits.ts', 'files'],
  ['bytes of one file', 'workspace/limits.ts', 'fileBytes'],
  ['documents of one file', 'workspace/limits.ts', 'documents'],
  ['problems of one file', 'workspace/limits.ts', 'problems'],
  ['rules of one document', 'workspace/limits.ts', 'rules'],
  ['characters of a pattern in a schema', 'workspace/limits.ts', 'pattern'],
  ['errors of one document as YAML', 'yaml/scanState.ts', 'maxErrors'],
  ['the same, before it is not taken', 'yaml/scanState.ts', 'mostRefusals'],
  ['levels of nesting', 'workspace/limits.ts', 'levels'],
  ['characters of a message', 'features/diagnose.ts', 'mostCharacters'],
  ['cost of one expression', 'kubernetes/cel/evaluate.ts', 'callLimit'],
  ['cost of one expression', 'kubernetes/cel/evaluate.ts', 'objectBudget'],
  ['items that evaluating', 'cel/eval/work.ts', 'mostWork'],
  ['the same for all objects', 'cel/eval/work.ts', 'mostFileWork'],
  ['values of one object', 'kubernetes/cr/later.ts', 'mostUndecoded'],
  ['values of one object', 'kubernetes/cr/later.ts', 'mostDecoded'],
  ['schema errors of one object', 'kubernetes/finding.ts', 'mostAlike'],
  ['characters of a pattern that a rule makes', 'cel/eval/work.ts', 'mostPatternCharacters'],
  ['searches for patterns', 'kubernetes/schema/matching.ts', 'mostMatching'],
  ['parts of expressions that', 'rules/lints/absence.ts', 'mostSteps'],
  ['characters of a pattern that `lint', 'rules/lints/patterns.ts', 'longestPattern'],
  ['fixes of one problem', 'features/tryFixes.ts', 'mostTried'],
  ['characters that such trials', 'rules/fixing/tries.ts', 'mostRead'],
  ['characters that such trials', 'features/tryFixes.ts', 'charactersOfProblem'],
  ['runs of cases of one document', 'crdtest/documentRun.ts', 'mostRuns'],
  ['objects judged to find one', 'crdtest/breakRule.ts', 'mostTries'],
  ['objects judged to complete', 'features/crdtests/saidOf.ts', 'mostTries'],
  ['rules that the page', 'crdtest/debug.ts', 'mostRules'],
  ['problems at one place', 'lsp/codeActions.ts', 'mostDiagnostics'],
];

const rows = readFileSync('docs/limits.md', 'utf8').split('\n');

for (const [row, file, name] of bounds) {
  test(`docs/limits.md has the ${name} of ${file}`, () => {
    const whole = readFileSync(`server/src/${file}`, 'utf8');
    // The bounds of archives have names alike.
    const source = whole.slice(Math.max(0, whole.indexOf('defaultLimits: Limits')));
    // In an object of limits it is a property.
    const found = new RegExp(`(?:const ${name} =|^ {2}${name}:) ([\\d_]+)[;,]`, 'm').exec(source);
    assert.ok(found, `${name} is not in ${file}`);
    const count = Number(found[1]!.replaceAll('_', '')).toLocaleString('en');
    const line = rows.find((one) => one.startsWith(`| ${row}`));
    assert.ok(
      line?.split(/[^\d,]+/).some((number) => number.replace(/,$/, '') === count),
      `${count}: ${line}`,
    );
  });
}

test('docs/limits.md has twice as many findings of a kind as problems', () => {
  assert.match(readFileSync('server/src/rules/judging/few.ts', 'utf8'), /mostShown = 2 \* defaultLimits\.problems/);
  assert.ok(rows.some((row) => row.startsWith('| findings of one object') && row.includes('| 1,000 of a kind |')));
});
