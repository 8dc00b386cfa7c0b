// npm run compare:stored -- [--objects N] [--seed N] [--show N]: what `diff --cluster` says of stored objects, beside what a real API
// server answers when they are written again as they are, and with another field of the spec changed.
import { isMap, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { type StoredFault, storedJudge } from '../../server/src/rules/changes/stored.ts';
import { crUpdateGenerator } from '../fuzz/generators/cr.ts';
import { buildServer, startServer } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';
import { Exchange } from './exchange.ts';
import { encodeExact, parseRequest } from './protocol.ts';

const numberOf = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const [objects, seed, show] = [numberOf('--objects', 2000), numberOf('--seed', 1), numberOf('--show', 10)];

/** Says that there is more wrong than what is said. */
const notChecked = 'some validation rules were not checked';
/** A field that is in the spec of every CRD, and that no rule reads. */
const other = 'elsewhereInTheSpec';

if (!buildServer()) throw new Error('there is no API server to ask');
const server = await startServer();
const exchange = new Exchange(server);
const random = seeded(seed);
const counts = { asked: 0, agreed: 0, refused: 0, differed: 0 };
const skipped = new Map<string, number>();
for (let count = 0; count < objects; ) {
  const { crd, old } = crUpdateGenerator.generate(random);
  const definition = withOther(asValue(crd));
  const object = asValue(old);
  if (!definition || !isMap(object)) continue;
  const stored = withSpec(object, 'a');
  const judge = storedJudge(undefined, definition, newestVersion);
  if (!stored || 'error' in judge) continue;
  const outcome = judge(stored);
  if (outcome.notJudged !== undefined) continue;
  count++;
  for (const endpoint of ['object', 'status'] as const) {
    await compare(definition, stored, stored, endpoint, outcome.faults, ['every']);
    // What a rule says that compares with the old object depends on what is written.
    const changed = endpoint === 'object' && !comparesWithOld(definition) ? withSpec(stored, 'b') : undefined;
    if (changed) await compare(definition, stored, changed, endpoint, outcome.faults, ['every', 'other']);
  }
}
await server.stop();
console.log(`${server.version}: ${counts.asked} writes of ${objects} objects: ${counts.agreed} agreed \
(${counts.refused} of them refused), ${counts.differed} differed`);
for (const [why, times] of skipped) console.log(`  not asked: ${why}: ${times}`);
process.exit(counts.differed > 0 || counts.refused === 0 ? 1 : 0);

async function compare(
  crd: ValueMap,
  old: ValueMap,
  obj: ValueMap,
  endpoint: StoredFault['endpoint'],
  faults: readonly StoredFault[],
  writes: readonly StoredFault['write'][],
): Promise<void> {
  const status = endpoint === 'status' && { subresource: 'status' };
  const line = encodeExact({ op: 'cr.update', crd, old, obj, ...status });
  const theirs = await exchange.ask(parseRequest(line), 'Ignore');
  const why =
    'skipped' in theirs ? theirs.skipped : isOfAnother(theirs.answer) ? 'it names a uid of its own' : undefined;
  if ('skipped' in theirs || why !== undefined) {
    skipped.set(why!, (skipped.get(why!) ?? 0) + 1);
    return;
  }
  counts.asked++;
  const said = causesOf(theirs.answer);
  const predicted = faults
    .filter((one) => one.endpoint === endpoint && writes.includes(one.write))
    .map(({ inFull }) => inFull)
    .sort();
  // What a rule says of a write is not said of one that has more wrong with it.
  const isCut = JSON.stringify(theirs.answer).includes(notChecked);
  const isSame = said.every((one) => predicted.includes(one)) && predicted.every((one) => isCut || said.includes(one));
  if (isSame) {
    counts.agreed++;
    if (said.length > 0) counts.refused++;
    return;
  }
  counts.differed++;
  if (counts.differed > show) return;
  console.log(
    `${endpoint}, ${writes.join(' and ')}\n  server: ${said.join('\n          ')}\n  ours:   ${predicted.join('\n          ')}\n  ${line.slice(0, 2500)}`,
  );
}

function isOfAnother(answer: unknown): boolean {
  return JSON.stringify(answer).includes('Precondition failed: UID');
}

/** The server's errors, but for the remark that rules were not checked. */
function causesOf(answer: unknown): string[] {
  const {
    code,
    causes = [],
    message,
  } = answer as {
    readonly code: number;
    readonly causes?: readonly { readonly field: string; readonly message: string }[];
    readonly message?: string;
  };
  if (code === 200) return [];
  if (causes.length === 0) return [`${code}: ${message}`];
  return causes
    .filter((one) => !one.message.includes(notChecked))
    .map((one) => `${one.field}: ${one.message}`)
    .sort();
}

function comparesWithOld(crd: ValueMap): boolean {
  return encodeExact(crd).includes('oldSelf');
}

function asValue(member: unknown): Value | undefined {
  const read = readJson(encodeExact(member));
  return 'json' in read ? plainValue(read.json) : undefined;
}

function withSpec(object: ValueMap, text: string): ValueMap | undefined {
  const spec = object.get('spec');
  return isMap(spec) ? new Map(object).set('spec', new Map(spec).set(other, text)) : undefined;
}

/** The CRD with that field in the spec of each version; undefined where that has no fields. */
function withOther(crd: Value | undefined): ValueMap | undefined {
  const versions = valueAt(crd, ['spec', 'versions']);
  if (!isMap(crd) || !Array.isArray(versions)) return undefined;
  const more = versions.map((version) => {
    const at = ['schema', 'openAPIV3Schema', 'properties', 'spec', 'properties'];
    const fields = valueAt(version, at);
    return isMap(fields) ? replaced(version, at, new Map(fields).set(other, new Map([['type', 'string']]))) : undefined;
  });
  if (more.some((version) => version === undefined)) return undefined;
  return replaced(crd, ['spec', 'versions'], more as Value[]) as ValueMap;
}

function replaced(value: Value | undefined, [step, ...rest]: readonly string[], by: Value): Value {
  if (step === undefined || !isMap(value)) return by;
  return new Map(value).set(step, replaced(value.get(step), rest, by));
}
