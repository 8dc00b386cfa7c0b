import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { goYaml } from '../../server/src/yaml/goYaml.ts';
import { startOracle } from '../conformance/oracle.ts';
import { encode } from '../conformance/protocol.ts';
import { writtenValues } from './writtenValues.ts';

// What controller-gen itself writes for values is recorded beside this file, with its version in the first line;
// --update asks it again: npm run oracle -- golang.

const recordedIn = path.join(process.cwd(), 'test/golang/written.jsonl');

if (process.env.UPDATE === '1') await record();

async function record(): Promise<void> {
  const oracle = startOracle('golang');
  const [line] = await oracle.ask([`{"op":"go.write","values":[${writtenValues().map(encode).join(',')}]}`]);
  oracle.close();
  const { by, written, panic } = JSON.parse(line!);
  assert.equal(panic, undefined);
  const lines = [{ by }, ...written].map((one) => `${JSON.stringify(one)}\n`);
  writeFileSync(recordedIn, lines.join(''));
}

const [version, ...written] = readFileSync(recordedIn, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

test('values are written as controller-gen writes them, to the byte', () => {
  const values = writtenValues();
  assert.equal(version.by, 'v0.23.0');
  assert.equal(written.length, values.length);
  const different = values.flatMap((value, i) => {
    const { text } = written[i];
    const ours = `---\n${goYaml(value)}`;
    return ours === text ? [] : [`${encode(value)}\n${JSON.stringify(text)}\n${JSON.stringify(ours)}`];
  });
  assert.equal(different.length, 0, `${different.length}:\n${different.slice(0, 10).join('\n')}`);
});
