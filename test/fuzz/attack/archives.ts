// Archives that want out of their place, or all time and memory: names, links, lying sizes, archives in archives, zeros, files
// that look like what is searched for, and bytes that are no archive at all.
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { crdsInArchive } from '../../../server/src/fetch/crds.ts';
import { gunzipped } from '../../../server/src/files/gunzip.ts';
import { FetchFailure } from '../../../server/src/workspace/fetcher.ts';
import { emptyListing, type Files } from '../../../server/src/workspace/files.ts';
import { libraryOf } from '../../../server/src/workspace/sources/library.ts';
import { type Packed, tar, tgz } from '../../support/archives.ts';
import { crdText } from '../../support/crdTexts.ts';
import { type Random, seeded } from '../../support/random.ts';
import type { Attack, Attacked } from './part.ts';

const group = 'things.example.com';
const kinds = ['Box', 'Lid', 'Axe', 'Jar', 'Cup'];
const talk = `# CustomResourceDefinition\n${kinds.map((kind) => `${kind}:\n  group: ${group}\n  kind: ${kind}\n`).join('')}`;
const schema = '{"type": "object", "properties": {"spec": {"type": "object"}}}';

const names: readonly string[] = [
  ...[
    'a.yaml',
    'crds/b.yml',
    './c.yaml',
    'd.json',
    'e.tgz',
    'f.tar.gz',
    'x/y/../z.yaml',
    '../up.yaml',
    '/etc/root.yaml',
  ],
  ...[
    'C:\\a.yaml',
    'a\\..\\b.yaml',
    '..',
    '.',
    '',
    '/',
    'a/',
    '\u0000.yaml',
    'a\nb.yaml',
    '\u001b[2J.yaml',
    '\u202e.yaml',
  ],
  ...[
    `${group}/box_v1.json`,
    'other.io/lid_v1.json',
    `${'deep/'.repeat(30)}a.yaml`,
    `${'x'.repeat(99)}.yaml`,
    '__proto__.yaml',
  ],
];

type Make = (random: Random) => Packed;

const entries: readonly Make[] = [
  (random) => ({ name: random.pick(names), content: talk }),
  (random) => ({ name: random.pick(names), content: crdText(random.pick(kinds), 'a: {type: string}') }),
  (random) => ({ name: random.pick(names), content: schema }),
  (random) => ({ name: random.pick(names), content: Buffer.alloc(random.below(20_000)) }),
  (random) => ({
    name: random.pick(names),
    type: random.pick(['1', '2', '3', '4', '5', '6', '7', 'S', 'V', 'D']),
    link: '/etc/passwd',
  }),
  (random) => ({
    name: random.pick(names),
    content: talk,
    size: random.pick([0, 1, 511, 512, 513, 1e6, 7_999_999, 8e6, 8 ** 11 - 1]),
  }),
  (random) => ({
    name: 'pax',
    type: 'x',
    content: `${random.pick(['20', '0', '-1', '99999999', 'x'])} path=${random.pick(names)}\n`,
  }),
  (random) => ({ name: 'long', type: 'L', content: random.pick(names).repeat(1 + random.below(3)) }),
  (random) => ({ name: random.pick(['in.tgz', 'in.tar.gz', '../in.tgz']), content: small(random, 2) }),
];

function small(random: Random, levels: number): Uint8Array {
  const makes = levels > 0 ? entries : entries.slice(0, -1);
  const packed = tar(Array.from({ length: 1 + random.below(8) }, () => random.pick(makes)(random)));
  const bytes = Buffer.from(packed);
  if (random.chance(0.2))
    for (let i = 1 + random.below(5); i > 0; i--) bytes[random.below(bytes.length)] = random.below(256);
  const zipped = gzipSync(random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes);
  if (random.chance(0.1)) return zipped.subarray(0, random.below(zipped.length));
  if (random.chance(0.05)) return Buffer.concat([zipped, zipped]);
  if (random.chance(0.05)) zipped[random.below(zipped.length)] = random.below(256);
  return zipped;
}

const megabyte = 1_000_000;
const file = (i: number, content: string | Uint8Array): Packed => ({ name: `c/crds/${i}.yaml`, content });
const many = (count: number, make: (i: number) => Packed) => tgz(Array.from({ length: count }, (_, i) => make(i)));

/** The same of large files, each packed by itself, so that to make a bomb takes little memory. */
function heavy(count: number, make: (i: number) => Packed): Uint8Array {
  const known = new Map<unknown, Uint8Array>();
  const members = Array.from({ length: count }, (_, i) => {
    const entry = make(i);
    const packed = known.get(entry.content) ?? gzipSync(tar([entry]).subarray(0, -1024));
    known.set(entry.content, packed);
    return packed;
  });
  return Buffer.concat([...members, gzipSync(Buffer.alloc(1024))]);
}

/** Each is little to send, and much to unpack or to look through. */
const bombs: Readonly<Record<string, () => readonly Uint8Array[]>> = {
  'zeros in front of what is searched for': () => {
    const zeros = Buffer.alloc(7_900_000);
    return [heavy(51, (i) => file(i, i < 31 ? zeros : talk))];
  },
  'zeros that are passed over': () => [
    Buffer.concat([
      gzipSync(tar([{ name: 'z.yaml', size: 8 ** 11 - 1 }]).subarray(0, 512)),
      ...Array(100).fill(gzipSync(Buffer.alloc(10 * megabyte))),
    ]),
  ],
  'a hundred thousand files': () => [many(100_000, (i) => ({ name: `${i}.yaml` }))],
  'ten thousand files that look like CRDs': () => [many(10_000, (i) => file(i, talk))],
  'large files that look like CRDs': () => [
    heavy(20, (i) => file(i, `${talk}# ${i}\n${'# group: a\n'.repeat(100_000)}`)),
  ],
  'archives in archives': () => {
    const inner = heavy(10, (i) => file(i, Buffer.alloc(megabyte)));
    return [many(40, (i) => ({ name: `${i}.tgz`, content: inner }))];
  },
  'many archives': () => Array(60).fill(heavy(10, (i) => file(i, Buffer.alloc(megabyte)))),
  'many archives of one file': () => Array(200).fill(many(1, (i) => file(i, talk))),
  'empty members': () => [Buffer.concat(Array(400_000).fill(gzipSync(Buffer.alloc(0))))],
  'a table of attributes in front of each file': () => [
    many(20_000, (i) => (i % 2 === 0 ? { name: 'p', type: 'x', content: '20 path=a.yaml\n' } : { name: `${i}.yaml` })),
  ],
};

/** Files in memory, of which each may be read once. */
function inMemory(archives: readonly Uint8Array[]) {
  const home = 'mem://x/charts';
  const all = new Map(archives.map((bytes, i) => [`${home}/hostile${i}-1.0.0.tgz`, bytes]));
  const read = new Map<string, number>();
  const files: Files = {
    list: async () => emptyListing,
    expand: async () => emptyListing,
    entries: async () => [],
    startOf: (pattern) => pattern,
    isInside: async () => true,
    gunzip: gunzipped,
    read: async (uri, most) => {
      read.set(uri, (read.get(uri) ?? 0) + 1);
      const bytes = all.get(uri);
      return bytes && bytes.length > most ? 'too-large' : bytes;
    },
  };
  return { files, uris: [...all.keys()], all, read };
}

/** The library of a workspace beside the archives, as often as a run asks it. */
async function searched(archives: readonly Uint8Array[], random: Random): Promise<string[]> {
  const { files, uris, all, read } = inMemory(archives);
  const good = 'mem://x/charts/good-1.0.0.tgz';
  all.set(good, tgz([{ name: 'good/crds/a.yaml', content: crdText('Good', '').replaceAll(group, 'good.io') }]));
  const isNamed = archives.length === 1 && random.chance(0.3);
  const leads = { workspace: isNamed ? [good] : [good, ...uris], settings: isNamed ? uris : [], catalogues: [] };
  const library = libraryOf(files, leads, { caches: undefined, folders: [], off: new Set() });
  for (const kind of kinds) for (const version of ['v1', 'v2']) await library.find({ group, version, kind });
  const found = await library.find({ group: 'good.io', version: 'v1', kind: 'Good' });
  return [
    ...(found.files.length === 1 ? [] : ['the good archive beside it is not read']),
    ...[...read].flatMap(([uri, times]) => (times === 1 ? [] : [`${uri} is read ${times} times`])),
    ...library.notes().flatMap((note) => (/^[^\n]{1,300}$/.test(note) ? [] : [`a note is ${JSON.stringify(note)}`])),
  ];
}

/** The same as a chart that a server gave. */
async function fetched(bytes: Uint8Array): Promise<string[]> {
  const found = await crdsInArchive(bytes, 'a chart').catch((error: unknown) => {
    if (error instanceof FetchFailure) return [];
    throw error;
  });
  return found.flatMap(({ kind }) => (kinds.includes(kind) ? [] : [`it has a CRD of ${kind}`]));
}

/** Milliseconds of CPU, and MB, that one bomb may take. */
const longest = 1_000;
const heaviest = 400;
/** A process that takes so long, in milliseconds, hangs. */
const hanging = 120_000;

interface Survived {
  readonly milliseconds: number;
  readonly megabytes: number;
  readonly failures: readonly string[];
}

/** What is wrong with what comes of archives: an error of its own is as well. */
async function wrongWith(check: Promise<string[]>): Promise<string[]> {
  return await check.catch((error: unknown) => [
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  ]);
}

/** The same with the milliseconds of CPU that it took. */
async function timed(check: () => Promise<string[]>): Promise<{ wrong: string[]; milliseconds: number }> {
  const start = process.cpuUsage();
  const wrong = await wrongWith(check());
  const { user, system } = process.cpuUsage(start);
  return { wrong, milliseconds: Math.round((user + system) / 1_000) };
}

/** Unpacks a bomb, and writes what that took. */
export async function survive(name: string): Promise<void> {
  const archives = bombs[name]!();
  const search = await timed(() => searched(archives, seeded(1)));
  const chart = await timed(() => fetched(archives[0]!));
  const failures = [...search.wrong, ...chart.wrong];
  const milliseconds = Math.max(search.milliseconds, chart.milliseconds);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1_000);
  console.log(JSON.stringify({ milliseconds, megabytes, failures } satisfies Survived));
}

function inOwnProcess(name: string): Survived {
  // The program sets this for itself.
  const again = [...process.execArgv, '--heap-growing-percent=60', process.argv[1]!, '--attack', '--archive', name];
  const child = spawnSync(process.execPath, again, { encoding: 'utf8', timeout: hanging });
  if (child.status === 0) return JSON.parse(child.stdout);
  const ended = `the process ended with ${child.status ?? child.signal} ${child.stderr}`;
  return { milliseconds: 0, megabytes: 0, failures: [ended] };
}

export const attackArchives: Attack = async ({ cases, random, failed }) => {
  for (const name of Object.keys(bombs)) {
    const { milliseconds, megabytes, failures } = inOwnProcess(name);
    console.log(`${name}: ${milliseconds} ms, ${megabytes} MB`);
    for (const what of failures) failed(`${name}: ${what}`);
    if (milliseconds > longest) failed(`${name} takes ${milliseconds} ms`);
    if (megabytes > heaviest) failed(`${name} takes ${megabytes} MB`);
  }
  await attackWithSmall({ cases, random, failed });
  return { bombs: Object.keys(bombs).length, archives: cases };
};

/** Archives of all kinds, none of which is much to unpack. */
export async function attackWithSmall({ cases, random, failed }: Attacked): Promise<void> {
  for (let i = 0; i < cases; i++) {
    const bytes = small(random, 3);
    const wrong = [...(await wrongWith(searched([bytes], random))), ...(await wrongWith(fetched(bytes)))];
    for (const what of wrong) failed(`${what}: ${Buffer.from(bytes).toString('base64').slice(0, 2_000)}`);
  }
}
