// npm run probe-fixes -- --seed 1 --pairs 100 --faults 12 --show 5: how good the fixes are, and some that are not.
import { probeFixes } from './fixes.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const { documents, offered, failures, ...counts } = probeFixes({
  seed: option('seed', 1),
  pairs: option('pairs', 60),
  faults: option('faults', 12),
});
const share = ({ good, all }: { good: number; all: number }) =>
  `${String(good).padStart(6)} of ${String(all).padStart(6)}  ${all === 0 ? '-' : ((100 * good) / all).toFixed(1)} %`;

console.log(`${documents} faulty documents`);
for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(14)} ${share(count)}`);
console.log('\nwith a fix other than removal:');
for (const [name, count] of [...offered].sort()) console.log(`  ${name.padEnd(34)} ${share(count)}`);
for (const failure of failures.slice(0, option('show', 0))) console.log(`\n${failure}`);
