import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnoseGo } from '../../server/src/features/golang/diagnoseGo.ts';
import { GoPackages } from '../../server/src/workspace/goPackages.ts';
import { crdsOf, type GoCrds, viewOf } from '../../server/src/workspace/projections/goTypes.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { callsOf } from '../support/calls.ts';
import { filesOf } from '../support/goFiles.ts';
import { goTypes } from '../support/goTypes.ts';
import { packagedText } from '../support/packaged.ts';

// What a key in a rule of a large Go file costs, counted and not timed.

const folder = 'file:///api/v1';
const uri = `${folder}/types.go`;
const text = goTypes(4_000);
const packages = new GoPackages(filesOf(new Map([[uri, text]])), undefined, packagedText);

function judged(now: string, before?: GoCrds): GoCrds {
  const result = packages.generateNow([folder], new Map([[uri, now]]))!;
  const crds = crdsOf(result, folder, before?.source);
  diagnoseGo(emptySnapshot, viewOf(crds, uri)!);
  return crds;
}

/** What makes the schema of a struct, puts schemas together, writes a value, and compiles a rule. */
const parts = ['ofFields', 'wholeOf', 'renderPair', 'compileRule', 'judgeNode'];

await packages.generate([folder]);
const opening = await callsOf(() => judged(`${text}// anew\n`));
const opened = judged(text);

test('what is counted is what opening a large Go file takes', () => {
  for (const part of parts) assert.ok(opening(part) > 20, `${part}: ${opening(part)}`);
});

test('a key in a rule of a large Go file costs what changed', async () => {
  const at = text.indexOf('self.most"', text.length / 2);
  const calls = await callsOf(() => judged(`${text.slice(0, at)}x${text.slice(at)}`, opened));
  for (const part of parts) assert.ok(calls(part) < opening(part) / 4, `${part}: ${calls(part)} of ${opening(part)}`);
});
