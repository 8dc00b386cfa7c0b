// npm run compare:openapi -- [FOLDER …] [--made N] [--seed N] [--show N]: what a real API server publishes of CRDs, beside what
// `kube-crd serve` does: those in the YAML files of folders, and some that are made up.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isMap, type Value, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import type { JsonMap } from '../../server/src/serve/json.ts';
import { crUpdateGenerator } from '../fuzz/generators/cr.ts';
import { type ApiServer, buildServer, startServer } from '../support/apiServer.ts';
import { type RunningFake, startFakeServer } from '../support/fakeServer.ts';
import { filesIn } from '../support/folders.ts';
import { seeded } from '../support/random.ts';
import { differences, type Plain } from './normal.ts';
import { encodeExact } from './protocol.ts';
import { inOwnGroup } from './swapped.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    made: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
  },
});

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The CRDs of folders, as YAML. */
function* written(): Generator<string> {
  for (const file of positionals.flatMap((folder) => filesIn(folder)).filter((name) => /\.ya?ml$/.test(name)))
    for (const text of readFileSync(file, 'utf8').split(/^---$/m))
      if (/^kind: CustomResourceDefinition$/m.test(text) && /^apiVersion: apiextensions.k8s.io\/v1$/m.test(text))
        yield text;
}

function* made(): Generator<string> {
  const random = seeded(Number(values.seed));
  for (let nth = 0; nth < Number(values.made); nth++) {
    const { crd, old } = crUpdateGenerator.generate(random);
    const [definition, object] = [asValue(crd), asValue(old)];
    const own = isMap(definition) && isMap(object) ? inOwnGroup(definition, object, nth) : undefined;
    if (own) yield encodeExact(own[0]);
  }
}

function asValue(json: unknown): Value {
  const read = readJson(encodeExact(json));
  return 'error' in read ? null : plainValue(read.json);
}

const counts = { crds: 0, documents: 0, refused: 0, differed: 0 };

/** The groups and versions that both serve, once a CRD is with both. */
async function put(real: ApiServer, ours: RunningFake, text: string): Promise<string[]> {
  const type = text.startsWith('{') ? 'application/json' : 'application/yaml';
  const request = { method: 'POST', path: crds, body: text, type } as const;
  const [theirs, own] = [await real.send(request), await ours.exchange(request)];
  if (theirs.code !== own.code) throw new Error(`${theirs.code} and ${own.code}: ${theirs.body} ${own.body}\n${text}`);
  if (theirs.code !== 201) {
    counts.refused++;
    return [];
  }
  counts.crds++;
  const value = asValue(JSON.parse(theirs.body));
  const versions = valueAt(value, ['spec', 'versions']) as readonly Value[];
  const group = valueAt(value, ['spec', 'group']);
  return versions.filter((one) => valueAt(one, ['served']) === true).map((one) => `${group}/${valueAt(one, ['name'])}`);
}

const json = async (from: Pick<RunningFake, 'exchange'>, path: string): Promise<Plain> => {
  const { code, body } = await from.exchange({ method: 'GET', path });
  if (code !== 200) throw new Error(`${path}: ${code} ${body}`);
  return JSON.parse(body);
};

/** Differences of one document, or of the parts of one that are about custom resources. */
function compare(what: string, ours: Plain, theirs: Plain): void {
  counts.documents++;
  const found = differences(ours, theirs);
  if (found.length === 0) return;
  counts.differed++;
  if (counts.differed <= Number(values.show))
    console.log(`${what}\n  ${found.slice(0, 8).join('\n  ').slice(0, 2000)}`);
}

/** Until it publishes the last of them. */
async function settled(real: ApiServer, last: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { body } = await real.send({ method: 'GET', path: '/openapi/v3' });
    const old = await real.send({ method: 'GET', path: '/openapi/v2' });
    if (body.includes(`"apis/${last}"`) && old.body.includes(`/apis/${last}/`)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${last} is not published`);
}

/** The parts of an OpenAPI 2 document that are about a group. */
function partOf(document: Plain, group: string): Plain {
  const { paths, definitions } = document as Record<string, JsonMap>;
  const model = `${group.split('/')[0]!.split('.').reverse().join('.')}.`;
  const choose = (map: JsonMap | undefined, start: string) =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => name.startsWith(start)));
  return { paths: choose(paths, `/apis/${group}/`), definitions: choose(definitions, model) } as Plain;
}

if (!buildServer()) throw new Error('there is no API server to ask');
const real = await startServer();
const ours = await startFakeServer(newestVersion);
try {
  const theirs = { exchange: real.send };
  const served: string[] = [];
  for (const text of [...written(), ...made()]) served.push(...(await put(real, ours, text)));
  await settled(real, served.at(-1)!);
  const groups = [...new Set(served)];
  for (const one of groups) {
    const path = `/openapi/v3/apis/${one}`;
    compare(path, await json(ours, path), await json(theirs, path));
  }
  const old = [await json(ours, '/openapi/v2'), await json(theirs, '/openapi/v2')] as const;
  for (const one of groups) compare(`/openapi/v2 of ${one}`, partOf(old[0], one), partOf(old[1], one));
  const own = await json(ours, '/openapi/v3/apis/apiextensions.k8s.io/v1');
  compare('/openapi/v3 of CRDs', own, await json(theirs, '/openapi/v3/apis/apiextensions.k8s.io/v1'));
} finally {
  await Promise.all([real.stop(), ours.stop()]);
}
console.log(`${real.version}: ${counts.crds} CRDs taken by both, ${counts.refused} refused by both; \
${counts.documents} documents compared, ${counts.differed} differ`);
process.exit(counts.differed > 0 || counts.documents < 3 ? 1 : 0);
