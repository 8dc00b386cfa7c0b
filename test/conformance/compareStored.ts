// npm run compare:stored -- [--objects N] [--seed N] [--show N]: what `diff --cluster` says of stored objects, beside what a real API
// server does: each object is written through the API under an old CRD that takes more, the CRD is swapped, and then the object
// is written again as it is, and with another field changed, as dry runs, and read with what it has lost and got.
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../../server/src/base/value.ts';
import { plainValue, readJson } from '../../server/src/gostd/json.ts';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { type StoredFault, type StoredOutcome, storedJudge } from '../../server/src/rules/changes/stored.ts';
import { crUpdateGenerator } from '../fuzz/generators/cr.ts';
import { buildServer, startServer } from '../support/apiServer.ts';
import { seeded } from '../support/random.ts';
import { encodeExact } from './protocol.ts';
import { anything, inOwnGroup, loosened, NotAsked, SwappedCrd, withSchemas } from './swapped.ts';

const numberOf = (name: string, fallback: number) => {
  const at = process.argv.indexOf(name);
  return at === -1 ? fallback : Number(process.argv[at + 1]);
};
const [objects, seed, show] = [numberOf('--objects', 2000), numberOf('--seed', 1), numberOf('--show', 10)];

/** Says that there is more wrong than what is said. */
const notChecked = 'some validation rules were not checked';
/** A field that is in the spec and status of every CRD, and that no rule reads. */
const other = 'elsewhere';

if (!buildServer()) throw new Error('there is no API server to ask');
const server = await startServer();
const swapped = new SwappedCrd(server);
const random = seeded(seed);
const counts = { stored: 0, asked: 0, agreed: 0, refused: 0, read: 0, lost: 0, added: 0, differed: 0 };
const skipped = new Map<string, number>();
// A server waits two seconds before it takes the first object of a CRD, so that many are asked at once.
const atOnce = 120;
for (let nth = 0; counts.stored < objects; nth += atOnce)
  await Promise.all(Array.from({ length: atOnce }, (_, i) => made(nth + i)).map((one) => one && asked(...one)));
await server.stop();
console.log(`${server.version}: ${counts.stored} objects stored under an old CRD, ${counts.asked} writes of them under the new one: \
${counts.agreed} answered as foreseen (${counts.refused} of them refused), ${counts.differed} differed`);
console.log(
  `  read under the new CRD: ${counts.read}, of which ${counts.lost} lose fields and ${counts.added} get some`,
);
for (const [why, times] of skipped) console.log(`  not asked: ${why}: ${times}`);
process.exit(counts.differed > 0 || counts.refused * counts.lost * counts.added === 0 ? 1 : 0);

/** A CRD, the looser one that was there before, and an object. */
function made(nth: number): [before: ValueMap, now: ValueMap, object: ValueMap] | undefined {
  const { crd, old } = crUpdateGenerator.generate(random);
  const [definition, object] = [asValue(crd), asValue(old)];
  const loosen = random.chance(0.6) ? loosened : anything;
  const own = isMap(definition) && isMap(object) ? inOwnGroup(definition, object, nth) : undefined;
  if (!own) return undefined;
  const now = withSchemas(own[0], withOther);
  return [withSchemas(now, loosen), now, own[1]];
}

async function asked(before: ValueMap, now: ValueMap, object: ValueMap): Promise<void> {
  try {
    await swap(before, now, object);
  } catch (error) {
    if (!(error instanceof NotAsked)) throw error;
    const why = error.message.replace(/^its \S+ /, 'its … ');
    skipped.set(why, (skipped.get(why) ?? 0) + 1);
  }
  await swapped.remove(now);
}

/** Stores an object, swaps its CRD, and compares what becomes of it. */
async function swap(before: ValueMap, now: ValueMap, object: ValueMap): Promise<void> {
  const judge = storedJudge(undefined, now, newestVersion);
  if ('error' in judge) throw new NotAsked('the new CRD is refused');
  await swapped.create(before);
  const filled = (['spec', 'status'] as const).reduce((one, part) => withField(one, part, 'a') ?? one, object);
  const stored = await swapped.store(before, filled);
  await swapped.swap(now);
  counts.stored++;
  const outcome = judge(stored);
  if (outcome.notJudged !== undefined) throw new NotAsked(outcome.notJudged);
  for (const endpoint of ['object', 'status'] as const) {
    if (endpoint === 'status' && !hasStatus(now, stored)) continue;
    await write(now, stored, endpoint, outcome, ['every']);
    // What a rule says that compares with the old object depends on what is written.
    const comparesWithOld = encodeExact(now).includes('oldSelf');
    const changed = withField(stored, endpoint === 'object' ? 'spec' : 'status', 'b');
    if (changed && !comparesWithOld) await write(now, changed, endpoint, outcome, ['every', 'other']);
  }
  read(stored, await swapped.read(now, stored), outcome);
}

async function write(
  crd: ValueMap,
  object: ValueMap,
  endpoint: StoredFault['endpoint'],
  { faults }: StoredOutcome,
  writes: readonly StoredFault['write'][],
): Promise<void> {
  const theirs = await swapped.wouldWrite(crd, object, endpoint);
  counts.asked++;
  const said = theirs.causes.filter((one) => !one.includes(notChecked)).sort();
  const predicted = faults
    .filter((one) => one.endpoint === endpoint && writes.includes(one.write))
    .map(({ inFull }) => inFull)
    .sort();
  // What a rule says of a write is not said of one that has more wrong with it.
  const isCut = theirs.causes.some((one) => one.includes(notChecked));
  if (said.every((one) => predicted.includes(one)) && predicted.every((one) => isCut || said.includes(one))) {
    counts.agreed++;
    if (said.length > 0) counts.refused++;
    return;
  }
  differs(`${endpoint}, ${writes.join(' and ')}`, said, predicted, [crd, object]);
}

/** Compares what an object loses and gets. */
function read(before: ValueMap, after: ValueMap, { lost, added }: StoredOutcome): void {
  counts.read++;
  const [theirsLost, theirsAdded] = [missingIn(before, after), missingIn(after, before)];
  if (theirsLost.length > 0) counts.lost++;
  if (theirsAdded.length > 0) counts.added++;
  const fields = lost.map(({ field }) => field);
  // A null where none is allowed, and what is empty in the metadata of an object within, are as good as nothing.
  const isNothing = (path: Path) => {
    const value = valueAt(before, path);
    return value === null || value === '' || (isMap(value) && value.size === 0);
  };
  const text = (paths: readonly Path[]) => paths.map((path) => path.join(' / '));
  if (!isSame(theirsLost, fields, isNothing)) differs('lost', text(theirsLost), fields, [before, after]);
  if (!isSame(theirsAdded, added)) differs('added', text(theirsAdded), added, [before, after]);
}

/** Whether each of our fields, which stand for any item and key, is one of theirs, and the other way round. */
function isSame(theirs: readonly Path[], ours: readonly string[], mayBeMore?: (path: Path) => boolean): boolean {
  return (
    theirs.every((path) => mayBeMore?.(path) || ours.some((field) => fits(path, field))) &&
    ours.every((field) => theirs.some((path) => fits(path, field)))
  );
}

function fits([step, ...rest]: Path, field: string, isFirst = true): boolean {
  if (step === undefined) return field === '';
  if (field.startsWith('[*]') && fits(rest, field.slice(3), false)) return true;
  const name = isFirst ? `${step}` : `.${step}`;
  return field.startsWith(name) && fits(rest, field.slice(name.length), false);
}

/** The fields of one that the other does not have; of one that is gone with all in it, itself alone. */
function missingIn(one: Value, another: Value | undefined, path: Path = []): Path[] {
  if (isList(one) && isList(another)) return one.flatMap((item, i) => missingIn(item, another[i], [...path, i]));
  if (!isMap(one) || !isMap(another)) return [];
  return [...one]
    .filter(([key]) => path.length > 0 || (key !== 'apiVersion' && key !== 'kind' && key !== 'metadata'))
    .flatMap(([key, item]) =>
      another.has(key) ? missingIn(item, another.get(key), [...path, key]) : [[...path, key]],
    );
}

function differs(what: string, theirs: readonly string[], ours: readonly string[], about: readonly ValueMap[]): void {
  counts.differed++;
  if (counts.differed > show) return;
  console.log(`${what}\n  server: ${theirs.join('\n          ')}\n  ours:   ${ours.join('\n          ')}`);
  for (const one of about) console.log(`  ${encodeExact(one).slice(0, 2500)}`);
}

function hasStatus(crd: ValueMap, object: ValueMap): boolean {
  const version = String(object.get('apiVersion')).split('/').at(-1);
  const versions = valueAt(crd, ['spec', 'versions']);
  const own = (isList(versions) ? versions : []).find((one) => valueAt(one, ['name']) === version);
  return isMap(valueAt(own, ['subresources', 'status']));
}

function asValue(member: unknown): Value | undefined {
  const read = readJson(encodeExact(member));
  return 'json' in read ? plainValue(read.json) : undefined;
}

function withField(object: ValueMap, part: 'spec' | 'status', text: string): ValueMap | undefined {
  const value = object.get(part);
  return isMap(value) ? new Map(object).set(part, new Map(value).set(other, text)) : undefined;
}

/** A schema with that field in the spec and the status, where these have fields. */
function withOther(schema: Value): Value {
  const added = new Map([['type', 'string']]);
  return ['spec', 'status'].reduce((whole, part) => {
    const at = ['properties', part, 'properties'];
    const fields = valueAt(whole, at);
    return isMap(fields) ? replaced(whole, at, new Map(fields).set(other, added)) : whole;
  }, schema);
}

function replaced(value: Value | undefined, [step, ...rest]: readonly string[], by: Value): Value {
  if (step === undefined || !isMap(value)) return by;
  return new Map(value).set(step, replaced(value.get(step), rest, by));
}
