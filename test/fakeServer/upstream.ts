import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseStream } from '../../server/src/yaml/parse.ts';
import { toJson } from '../../server/src/yaml/value.ts';
import type { Send } from '../support/fakeServer.ts';

// The cases of the API server's own integration tests, read from Go's module cache: objects of the Gateway API, valid
// and invalid, and the CRDs that judge them.

const inModule = 'test/integration/ratcheting_test_cases';

/** Where they are; undefined where Go has not downloaded them. */
export function upstreamCases(): string | undefined {
  const asked = spawnSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' });
  const cache = asked.status === 0 ? asked.stdout.trim() : path.join(os.homedir(), 'go/pkg/mod');
  const parent = path.join(cache, 'k8s.io');
  if (!existsSync(parent)) return undefined;
  const modules = readdirSync(parent).filter((name) => name.startsWith('apiextensions-apiserver@v'));
  const minor = (name: string) => Number(/@v0\.(\d+)/.exec(name)?.[1] ?? 0);
  const found = modules.sort((a, b) => minor(b) - minor(a)).map((name) => path.join(parent, name, inModule));
  return found.find((folder) => existsSync(folder));
}

interface UpstreamObject {
  /** Its file and its place in it. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly json: string;
}

/** The objects of all files of a folder. */
function objectsIn(folder: string): UpstreamObject[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return files.flatMap((file) =>
    parseStream(readFileSync(file, 'utf8')).documents.flatMap(({ document }, i) => {
      const json = toJson(document) ?? 'null';
      const { apiVersion, kind } = JSON.parse(json) ?? {};
      return kind === undefined ? [] : [{ name: `${path.relative(folder, file)} ${i}`, apiVersion, kind, json }];
    }),
  );
}

export interface UpstreamVerdict {
  readonly what: string;
  /** What it takes the place of; nothing where it is new. */
  readonly old: string | undefined;
  readonly valid: boolean;
  readonly code: number;
  readonly causes: readonly string[];
}

type Answer = Awaited<ReturnType<Send>>;

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Creates every object, and puts every object of a kind in the place of every valid one, without keeping any. */
export async function upstreamVerdicts(folder: string, send: Send): Promise<UpstreamVerdict[]> {
  const kinds = new Map<string, string>();
  for (const { json } of objectsIn(path.join(folder, 'crds'))) {
    const { spec } = JSON.parse(json);
    const { code, body } = await send('POST', crds, json);
    if (code !== 201) throw new Error(body);
    for (const { name, served } of spec.versions) {
      if (!served) continue;
      const scope = spec.scope === 'Namespaced' ? '/namespaces/default' : '';
      const place = `/apis/${spec.group}/${name}${scope}/${spec.names.plural}`;
      kinds.set(`${spec.group}/${name} ${spec.names.kind}`, place);
      while ((await send('GET', place)).code !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const of = (valid: boolean) =>
    objectsIn(path.join(folder, valid ? 'valid' : 'invalid')).map((one) => ({ ...one, valid }));
  const all = [...of(true), ...of(false)].flatMap((one) => {
    const place = kinds.get(`${one.apiVersion} ${one.kind}`);
    return place === undefined ? [] : [{ ...one, place }];
  });
  const verdicts: UpstreamVerdict[] = [];
  const note = ({ name, valid }: { name: string; valid: boolean }, old: string | undefined, { code, body }: Answer) => {
    const causes = (JSON.parse(body).details?.causes ?? []).map((cause: unknown) => JSON.stringify(cause)).sort();
    verdicts.push({ what: name, old, valid, code, causes });
  };
  for (const one of all) {
    const json = JSON.stringify(placed(one.json, one.place));
    note(one, undefined, await send('POST', `${one.place}?dryRun=All`, json));
  }
  for (const old of all.filter(({ valid }) => valid)) {
    const made = await send('POST', old.place, JSON.stringify(placed(old.json, old.place)));
    if (made.code !== 201) continue;
    const { name, resourceVersion } = JSON.parse(made.body).metadata;
    const at = `${old.place}/${name}`;
    for (const one of all.filter(({ place }) => place === old.place)) {
      const object = placed(one.json, one.place);
      const json = JSON.stringify({ ...object, metadata: { ...object.metadata, name, resourceVersion } });
      note(one, old.name, await send('PUT', `${at}?dryRun=All`, json));
    }
    await send('DELETE', at);
  }
  return verdicts;
}

/** In the namespace of the path. */
function placed(json: string, place: string): { readonly metadata: object } {
  const object = JSON.parse(json);
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata: place.includes('/namespaces/') ? { ...metadata, namespace: 'default' } : metadata };
}
