import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isList, isMap, type Value } from '../../server/src/base/value.ts';
import type { ArgumentType, MarkerDefinition } from '../../server/src/controllergen/markers/model.ts';
import { placedMarkers } from '../../server/src/controllergen/markers/place.ts';
import { readMarker } from '../../server/src/controllergen/markers/read.ts';
import { allMarkers } from '../../server/src/controllergen/markers/table.ts';
import { parseGo } from '../../server/src/controllergen/syntax/parse.ts';
import { formatFloat } from '../../server/src/gostd/float.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { type Question, questions } from './questions.ts';

// What controller-gen itself makes of every marker is recorded beside this file; --update asks it again, which takes Go.

interface Answer {
  readonly name?: string;
  readonly value?: unknown;
  readonly errors?: readonly string[];
  readonly all?: readonly string[];
}

const recordedIn = path.join(process.cwd(), 'test/golang/answers.jsonl');
const oracle = path.join(process.cwd(), 'test/conformance/oracle/markers');

/** One line a question, with its answer; the first asks for all markers there are. */
function recorded(): { readonly question: Partial<Question>; readonly answer: Answer }[] {
  if (process.env.UPDATE === '1') record();
  return readFileSync(recordedIn, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function record(): void {
  const asked = [{}, ...questions()];
  const answers = ask(asked).map((answer, i) => `{"question":${JSON.stringify(asked[i])},"answer":${answer}}\n`);
  writeFileSync(recordedIn, answers.join(''));
}

/** The answers of controller-gen's own code. */
function ask(questions: readonly object[]): string[] {
  const input = questions.map((question) => JSON.stringify(question)).join('\n');
  const run = spawnSync('go', ['run', '.'], { cwd: oracle, input, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trimEnd().split('\n');
}

const [known, ...answers] = recorded();

test('the table has the markers of controller-gen with their arguments', () => {
  assert.deepEqual(allMarkers.flatMap(lines).sort(), [...known!.answer.all!].sort());
});

test('markers are read as controller-gen reads them', () => {
  assert.ok(answers.length > 1000);
  const different = answers.flatMap(({ question, answer }) => {
    const ours = answerOf(question as Question);
    const [a, b] = [ours, theirs(answer)].map((one) => JSON.stringify(one));
    return a === b ? [] : [`${question.target} ${question.text}\n  ours   ${a}\n  theirs ${b}`];
  });
  assert.equal(different.length, 0, different.slice(0, 20).join('\n'));
});

const suite = readFileSync(path.join(process.cwd(), 'test/golang/collect.md'), 'utf8');
const files = Array.from(
  suite.matchAll(/^## ([^\n]*)\n\n```go\n(.*?)```$/gms),
  ([, name, text]) => [name!, text!] as const,
);
const collectedIn = path.join(process.cwd(), 'test/golang/collected.json');

if (process.env.UPDATE === '1') {
  const answers = ask(files.map(([, file]) => ({ file }))).map((line) => JSON.parse(line).markers);
  const byName = Object.fromEntries(files.map(([name], i) => [name, answers[i]]));
  writeFileSync(collectedIn, `${JSON.stringify(byName, undefined, 2)}\n`);
}

const collected: Record<string, Record<string, string[]>> = JSON.parse(readFileSync(collectedIn, 'utf8'));

test('every file of the suite is collected', () => {
  assert.deepEqual(
    Object.keys(collected),
    files.map(([name]) => name),
  );
  assert.ok(files.length >= 5);
});

for (const [name, text] of files) {
  test(`collected: ${name}`, () => {
    const ours: Record<string, string[]> = {};
    for (const { marker, type, field, lost } of placedMarkers(parseGo(text))) {
      if (lost || !marker.definition) continue;
      const place = field ? `${type!.name}.${field.names[0]?.name ?? 'embedded'}` : (type?.name ?? 'package');
      ours[place] = [...(ours[place] ?? []), marker.definition.name].sort();
    }
    assert.deepEqual(ours, collected[name]);
  });
}

function lines({ name, targets, arguments: known, reads }: MarkerDefinition): string[] {
  return targets.flatMap((target) => [
    `${target} ${name}`,
    ...known.map(
      (row) =>
        `${target} ${name} ${reads === 'json' ? 'value' : row.name}${row.optional ? '?' : ''} ${typeText(row.type)}`,
    ),
  ]);
}

const typeTexts: Readonly<Record<string, string>> = { number: 'float64', any: '<any>', raw: '<raw>' };

function typeText(type: ArgumentType): string {
  if (type.kind === 'list') return `[]${typeText(type.of)}`;
  return typeTexts[type.kind] ?? type.kind;
}

function answerOf({ text, target }: Question): unknown {
  const marker = readMarker({ text, start: 0 }, target);
  if (!marker.definition) return {};
  const name = marker.definition.name;
  if (marker.mistakes.length > 0) return { name, errors: marker.mistakes.map(({ message }) => message).sort() };
  return valued(name, marker.definition.reads === 'json' ? printJson(marker.value) : plain(marker.value));
}

function valued(name: string, value: unknown): unknown {
  const shown = sorted(value);
  return isEmpty(shown) ? { name } : { name, value: shown };
}

function theirs({ name, value, errors }: Answer): unknown {
  if (name === undefined) return {};
  return errors ? { name, errors: [...errors].sort() } : valued(name, value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
}

function plain(value: Value): unknown {
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number') return { float: formatFloat(value) };
  if (isList(value)) return value.map(plain);
  return isMap(value) ? Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)])) : value;
}

/** Keys in order, and what is zero left out, which Go cannot tell from what is not given. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const zero = (item: unknown): boolean =>
    item === false ||
    item === '' ||
    (isList(item as Value) && (item as Value[]).length === 0) ||
    (item as { int?: string })?.int === '0';
  const entries = Object.entries(value).map(([key, item]) => [key.replace(/^\./, ''), sorted(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !zero(item)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
