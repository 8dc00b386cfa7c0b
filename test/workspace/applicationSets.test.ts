import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isMap, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { madeOfSet } from '../../server/src/workspace/delivery/applicationSets.ts';
import { deliveryOf } from '../../server/src/workspace/delivery/index.ts';
import { deliveryOnDisk } from '../../server/src/workspace/delivery/onDisk.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { sourceFile } from '../../server/src/workspace/sourceFile.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

// What Argo CD's own generators make of the files of a repository: its answers are recorded (`test/conformance/oracle/argo`).

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly set: string;
  readonly answer: { readonly error?: string; readonly apps?: readonly unknown[] };
}

const lines = readFileSync('test/conformance/answers/argo/sets.jsonl', 'utf8').trim().split('\n');

for (const { name, files, set, answer } of lines.map((line): Case => JSON.parse(line))) {
  test(name, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-sets-'));
    try {
      mkdirSync(path.join(folder, '.git'));
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      const made = await madeBy(`${pathToFileURL(folder).href}/set.yaml`, set);
      if (answer.apps === undefined) assert.deepEqual(made, { apps: [], isKnown: false });
      else assert.deepEqual(made, { apps: inOrder(answer.apps), isKnown: true });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

async function madeBy(uri: string, set: string) {
  const words = new Map([[uri, ['ApplicationSet']]]);
  const found = new Map([[uri, { file: sourceFile(uri, set) }]]);
  const disk = await deliveryOnDisk(promptFiles, found, { words, archives: [] });
  const delivery = deliveryOf({ ...emptySnapshot, delivery: disk });
  const { apps, leftOut } = madeOfSet(delivery, delivery.objects[0]!);
  const shown = apps.map(({ of, name, spec }) => ({
    name,
    source: withoutEmpty(valueAt(of.manifest.value, [...spec, 'source']) as ValueMap),
  }));
  return { apps: inOrder(shown), isKnown: leftOut.length === 0 };
}

function inOrder(apps: readonly unknown[]): readonly unknown[] {
  return [...apps].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Go's structs leave out texts and lists that are empty. */
function withoutEmpty(value: Value): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isMap(value)) return value;
  const kept = [...value].filter(([, one]) => one !== '' && !(Array.isArray(one) && one.length === 0));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutEmpty(one)]));
}
