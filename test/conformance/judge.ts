import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerLine } from './answer.ts';
import { answerOf, type Recorded, readAnswers } from './answers.ts';
import { type Case, type CaseFile, loadCases, otherOracle, overHttp } from './cases.ts';
import { findGap, type Gap, readGaps } from './gaps.ts';
import { differences, normal, type Plain } from './normal.ts';
import { kubernetesVersions } from './protocol.ts';

interface Tally {
  agreed: number;
  asked: number;
}

/** The quick gate before a commit asks the newest version only; everything else asks all. */
const asked = process.env.QUICK === '1' ? kubernetesVersions.slice(0, 1) : kubernetesVersions;

const gaps = readGaps().filter(({ versions }) => versions?.some((version) => asked.includes(version)) ?? true);
const usedGaps = new Set<Gap>();
const tallies = new Map<string, Tally>();

/** Compares our answers with the recorded ones, for the case files that belong to a part of the whole. */
export function judgeCases(belongs: (file: string) => boolean): void {
  for (const file of loadCases(belongs)) judgeFile(file);
  test('every known gap is still one', () => {
    assert.deepEqual(
      gaps.filter((gap) => belongs(gap.file) && !usedGaps.has(gap)),
      [],
    );
  });
  after(() => report(gaps.filter((gap) => belongs(gap.file)).length));
}

function judgeFile(file: CaseFile): void {
  const answers = readAnswers(file.name);
  for (const one of file.cases) {
    test(`${file.name} › ${one.name}`, () => compareCase(file, one, answers.get(one.name)));
  }
  test(`${file.name}: no answer is left over from a case that is gone`, () => {
    const names = new Set(file.cases.map((one) => one.name));
    assert.deepEqual(
      [...answers.keys()].filter((name) => !names.has(name)),
      [],
    );
  });
}

function compareCase(file: CaseFile, one: Case, recorded: Recorded | undefined): void {
  assert.ok(recorded, `no recorded answer: npm run record -- ${file.name}`);
  const wrong: string[] = [];
  const differencesOf = comparing();
  for (const kubernetes of overHttp(file) || otherOracle(file) ? asked.slice(0, 1) : asked) {
    const rows = differencesOf(answerLine(one.request, kubernetes), answerOf(recorded, kubernetes));
    const gap = rows.length > 0 ? findGap(gaps, file.name, one.name, kubernetes) : undefined;
    if (gap) usedGaps.add(gap);
    count(one.op, kubernetes, rows.length === 0);
    if (!gap) wrong.push(...rows.map((row) => `${kubernetes}${row}`));
  }
  if (wrong.length > 0) assert.fail(`cases/${file.name}.md:${one.line}\n${one.request}\n${wrong.join('\n')}`);
}

/** Compares answers of one release after the other: most are what the one before said, and so is what was recorded. */
function comparing(): (ours: string, theirs: Plain) => readonly string[] {
  let last: { readonly ours: string; readonly theirs: Plain; readonly rows: readonly string[] } | undefined;
  return (ours, theirs) => {
    if (last?.ours !== ours || last.theirs !== theirs) last = { ours, theirs, rows: differences(normal(ours), theirs) };
    return last.rows;
  };
}

function count(op: string, kubernetes: string, agreed: boolean): void {
  for (const key of [`${op} ${kubernetes}`, `${op} all`]) {
    const tally = tallies.get(key) ?? { agreed: 0, asked: 0 };
    tallies.set(key, { agreed: tally.agreed + Number(agreed), asked: tally.asked + 1 });
  }
}

function report(knownGaps: number): void {
  const ops = [...new Set([...tallies.keys()].map((key) => key.split(' ')[0]!))].sort();
  for (const op of ops) {
    const row = [...asked, 'all'].flatMap((version) => {
      const tally = tallies.get(`${op} ${version}`);
      if (!tally) return [];
      return `${version} ${tally.agreed}/${tally.asked}`;
    });
    console.log(`agreement ${op.padEnd(10)} ${row.join('  ')}`);
  }
  console.log(`known gaps: ${knownGaps}`);
}
