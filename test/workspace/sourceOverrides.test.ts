import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isMap, type Value } from '../../server/src/base/value.ts';
import { argoSpecOf } from '../../server/src/kustomize/build.ts';
import { sourcesOf } from '../../server/src/workspace/delivery/applications.ts';
import { deliveryOf } from '../../server/src/workspace/delivery/index.ts';
import { deliveryIn, deliveryOnDisk } from '../../server/src/workspace/delivery/onDisk.ts';
import { withOverrides } from '../../server/src/workspace/delivery/sourceOverrides.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

// What Argo CD's own code makes of a source with files in its folder: its answers are recorded (`test/conformance/oracle/argo`).

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly source: string;
  readonly path: string;
  readonly app: string;
  readonly answer: { readonly error?: string; readonly source?: unknown };
}

const lines = readFileSync('test/conformance/answers/argo/sources.jsonl', 'utf8').trim().split('\n');

for (const one of lines.map((line): Case => JSON.parse(line))) {
  test(one.name, async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'kube-crd-sources-'));
    try {
      mkdirSync(path.join(folder, '.git'));
      for (const [file, text] of Object.entries(one.files)) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      assert.deepEqual(await madeOf(pathToFileURL(folder).href, one), one.answer.error ? undefined : one.answer.source);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

async function madeOf(root: string, one: Case): Promise<unknown> {
  const [namespace, name] = one.app.includes('_') ? one.app.split('_') : ['argocd', one.app];
  const spec = one.source.trimEnd().replaceAll('\n', '\n    ');
  const text = `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec:\n  source:\n    ${spec}\n`;
  const all = { ...one.files, 'app.yaml': text };
  const found = new Map(
    Object.entries(all).map(([file, text]) => [`${root}/${file}`, deliveryIn(`${root}/${file}`, text)]),
  );
  const disk = await deliveryOnDisk(promptFiles, found, { words: new Map(), archives: [] });
  const delivery = deliveryOf({ ...emptySnapshot, delivery: disk });
  const of = delivery.objects.find(({ kind }) => kind === 'Application')!;
  const app = { of, name: of.name, spec: ['spec'] };
  const made = withOverrides(delivery, app, sourcesOf(of, ['spec'])[0]!, `${root}/${one.path}`);
  const kustomize = made?.value.get('kustomize');
  // What is of another type than Argo CD has it is found out when it is used.
  if (!made || (isMap(kustomize) && !argoSpecOf(kustomize))) return undefined;
  return withoutEmpty(made.value);
}

/** Go's structs leave out what is empty. */
function withoutEmpty(value: Value): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isMap(value)) return typeof value === 'bigint' ? Number(value) : value;
  const kept = [...value].filter(([, one]) => one !== '' && one !== false && !(Array.isArray(one) && one.length === 0));
  return Object.fromEntries(kept.map(([key, one]) => [key, withoutEmpty(one)]));
}
