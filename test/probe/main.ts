// npm run probe [-- PART …] [--misses=N]: what completion and reading are worth over many generated CRDs and resources.
import { type Random, seeded } from '../support/random.ts';
import { probeAccepting } from './accepting.ts';
import { worldSnapshot } from './asking.ts';
import { namesIn, probeHas, probeNames, probeSignatures } from './expressions.ts';
import { probeFinding } from './finding.ts';
import { type GapKind, gapsIn, probeGaps } from './keysAndValues.ts';
import { probePropertyNames } from './reading.ts';
import type { Tally } from './tally.ts';
import { makeWorld } from './world.ts';

const [parts, flags] = [process.argv.slice(2), process.argv.slice(2)].map((args, i) =>
  args.filter((arg) => arg.startsWith('--') === (i === 1)),
) as [string[], string[]];
const misses = Number(flags.find((flag) => flag.startsWith('--misses='))?.slice('--misses='.length) ?? 0);
const asked = (part: string) => parts.length === 0 || parts.includes(part);

const world = makeWorld({ kinds: 300, resourcesEach: 3, rulesEach: 7 });
const snapshot = worldSnapshot(world);
const names = world.crds.flatMap(namesIn);
const rules = new Set(names.map(({ file, before, text, after }) => `${file.uri} ${before}${text}${after}`)).size;
console.log(
  `${world.crds.length} CRDs, ${world.resources.length} resources, ${rules} rules, ${names.length} names in them`,
);

const perKind = 2000;

/** So many of a list, the same ones in every run. */
function sample<T>(all: readonly T[], most: number): T[] {
  const random: Random = seeded(all.length);
  return all.length <= most ? [...all] : Array.from({ length: most }, () => random.pick(all));
}

const share = (part: number, whole: number) => (whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`);

function row(what: string, tally: Tally, aim: string): void {
  const { asked, offered, first, five } = tally;
  const cells = [share(offered, asked), share(first, asked), share(five, asked)].map((cell) => cell.padStart(8));
  console.log(`${what.padEnd(46)} ${String(asked).padStart(6)} ${cells.join(' ')}   ${aim}`);
  for (const miss of tally.missed.slice(0, misses)) console.log(`    missed ${miss}`);
  for (const late of tally.notFirst.slice(0, misses)) console.log(`    late ${late}`);
}

console.log(`${''.padEnd(46)} ${'asked'.padStart(6)}  offered    first  in five   aim`);
for (const [kind, files, what] of [
  ['key', world.resources, 'key of a resource'],
  ['key', world.crds, 'key of a CRD'],
  ['child', world.resources, 'first key below, in the column of its parent'],
  ['child', world.crds, 'the same in a CRD'],
  ['value', world.resources, 'value of a resource'],
  ['value', world.crds, 'value of a CRD'],
] as const) {
  if (!asked(kind)) continue;
  const gaps = sample(gapsIn(files, kind satisfies GapKind), perKind);
  for (const letters of [0, 1, 2])
    row(`${what}, ${letters} letters`, probeGaps(snapshot, gaps, letters), '≥ 99.5 % offered');
}
if (asked('cel')) {
  const some = sample(names, perKind * 2);
  const aims = ['≥ 99.5 % offered, ≥ 60 % first', '≥ 99.5 % offered, ≥ 95 % first', '≥ 99.5 % offered'];
  for (const [letters, aim] of aims.entries())
    row(`name in a rule, ${letters} letters`, probeNames(snapshot, some, letters), aim);
}
if (asked('accept')) {
  row('accepted in a resource', probeAccepting(snapshot, world.resources, perKind), 'never breaks a document');
  row('accepted in a CRD', probeAccepting(snapshot, world.crds, perKind), 'never breaks a document');
}
if (asked('hover')) {
  row("hover on a property's name", probePropertyNames(snapshot, world.crds), '100 %');
  row('hover on a field in has()', probeHas(snapshot, names), '100 %');
}
if (asked('signature')) row('signature help', probeSignatures(snapshot, names), '100 %');
if (asked('find')) {
  console.log(`\n${''.padEnd(46)} ${'asked'.padStart(6)}    right   p50 ms   p95 ms   aim`);
  for (const { what, asked, right, p50, p95 } of await probeFinding(world, 306)) {
    const cells = [share(right, asked), p50.toFixed(1), p95.toFixed(1)].map((cell) => cell.padStart(8));
    console.log(`${what.padEnd(46)} ${String(asked).padStart(6)} ${cells.join(' ')}   p95 ≤ 50 ms`);
  }
}
