import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { faultsIn } from '../../server/src/controllergen/syntax/fault.ts';
import { goParse } from '../conformance/ops/goParse.ts';
import { startOracle } from '../conformance/oracle.ts';
import { parseRequest } from '../conformance/protocol.ts';
import { seeded } from '../support/random.ts';
import { brokenGo } from './brokenGo.ts';

// What Go's own parser says of texts that are not Go is recorded beside this file; --update asks it again:
// npm run oracle -- golang.

const recordedIn = path.join(process.cwd(), 'test/golang/faults.jsonl');
const howMany = 500;

if (process.env.UPDATE === '1') await record();

async function record(): Promise<void> {
  const random = seeded(1);
  const sources = Array.from({ length: howMany }, () => brokenGo(random));
  const oracle = startOracle('golang');
  const [line] = await oracle.ask([JSON.stringify({ op: 'go.parse', sources })]);
  oracle.close();
  const { answers } = JSON.parse(line!);
  const lines = sources.map((source, i) => `${JSON.stringify({ source, faults: answers[i].faults ?? [] })}\n`);
  writeFileSync(recordedIn, lines.join(''));
}

interface Recorded {
  readonly source: string;
  readonly faults: readonly string[];
}

const recorded = readFileSync(recordedIn, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): Recorded => JSON.parse(line));

test('what is not Go is told as its own parser tells it', () => {
  assert.equal(recorded.length, howMany);
  assert.ok(recorded.filter(({ faults }) => faults.length > 0).length > howMany / 2);
  for (const { source, faults } of recorded) {
    const ours = goParse(parseRequest(JSON.stringify({ op: 'go.parse', source }))).faults ?? [];
    assert.deepEqual(ours, faults, source);
  }
});

test('what is too deep to be read is taken for Go', () => {
  const forms = ['(', '[]', 'struct{A ', 'func() { x := ', '!', 'T{', 'x[', 'func(a '];
  for (const form of forms) {
    assert.deepEqual(faultsIn(`package p\nvar _ = ${form.repeat(100_000)}`), [], form);
  }
});

test('many statements behind each other are not deep', () => {
  const text = `package p\nfunc f() {\nif a {\n}${' else if a {\n}'.repeat(20_000)}\n${'{}\n'.repeat(20_000)}}\n`;
  assert.deepEqual(faultsIn(text), []);
});
