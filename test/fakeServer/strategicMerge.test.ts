import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isMap, type Value } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { printJson } from '../../server/src/gostd/jsonPrint.ts';
import { builtinKindsOf } from '../../server/src/kubernetes/builtin/kinds.ts';
import { BadPatch, strategicMerged } from '../../server/src/kubernetes/builtin/strategicMerge.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { builtinFile } from '../support/workspace.ts';

// What the API server's own code makes of patches (test/conformance/oracle/builtin/strategic; 1.37.2).

const kinds = builtinKindsOf(builtinFile(), newestVersion);
const lines = readFileSync(process.env.STRATEGIC ?? 'test/fakeServer/strategicMerge.jsonl', 'utf8')
  .trim()
  .split('\n');

function valueIn(text: string): ReadonlyMap<string, Value> {
  const read = readJson(text);
  assert.ok(!('error' in read));
  const value = plainValue(read.json);
  assert.ok(isMap(value));
  return value;
}

function ours(line: ReadonlyMap<string, Value>): string | undefined {
  const [object, patch, kind] = ['object', 'patch', 'kind'].map((name) => line.get(name));
  assert.ok(isMap(object!) && isMap(patch!));
  try {
    return printJson(strategicMerged(object, patch, kinds.kinds.get(String(kind))!.root, kinds));
  } catch (error) {
    assert.ok(error instanceof BadPatch, String(error));
    return undefined;
  }
}

test('a strategic merge patch makes of an object what the server makes of it', () => {
  let refused = 0;
  for (const [i, text] of lines.entries()) {
    const line = valueIn(text);
    const wanted = line.get('result');
    if (wanted === undefined) refused++;
    assert.equal(ours(line), wanted && printJson(wanted), `line ${i + 1}: ${printJson(line.get('patch')!)}`);
  }
  assert.ok(refused > 0 && lines.length > 100, `${refused} of ${lines.length}`);
});
