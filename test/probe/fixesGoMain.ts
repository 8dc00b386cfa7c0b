// npm run probe-fixes:go -- --seed 1 --packages 1000 --show 5: how good the fixes in Go are, and some that are not.
import { probeGoFixes } from './fixesGo.ts';

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};

const figures = await probeGoFixes({ seed: option('seed', 1), packages: option('packages', 300) });
const { packages, offered, failures, ...counts } = figures;
const share = ({ good, all }: { good: number; all: number }) =>
  `${String(good).padStart(6)} of ${String(all).padStart(6)}  ${all === 0 ? '-' : ((100 * good) / all).toFixed(1)} %`;

console.log(`${packages} packages`);
for (const [name, count] of Object.entries(counts)) console.log(`${name.padEnd(14)} ${share(count)}`);
console.log('\nwith a fix:');
for (const [name, count] of [...offered].sort()) console.log(`  ${name.padEnd(70)} ${share(count)}`);
for (const failure of failures.slice(0, option('show', 0))) console.log(`\n${failure}`);
