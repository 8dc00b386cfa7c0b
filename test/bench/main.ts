// npm run bench [-- NAME …]: times our engines beside their peers, in one run, and prints ratios. With --write, the
// editor's bench writes docs/benchmarks.md.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const names = readdirSync('test/bench')
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts' && !file.startsWith('support'))
  .map((file) => file.slice(0, -'.ts'.length));
const asked = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const flags = process.argv.slice(2).filter((one) => one.startsWith('--'));
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there is ${names.join(', ')}`);
  process.exit(2);
}
const [only, ...more] = asked.length > 0 ? asked : names;
if (only !== undefined && more.length === 0) await run(only);
else for (const name of [only, ...more]) runAlone(name!);

async function run(name: string): Promise<void> {
  // What is timed is what users install.
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs', '--minify'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  const { bench }: { bench: (flags: readonly string[]) => void | Promise<void> } = await import(`./${name}.ts`);
  console.log(`\n${name}`);
  await bench(flags);
}

/** In a process of its own: what one leaves behind in the heap changes what the collector makes of the next. */
function runAlone(name: string): void {
  const { status } = spawnSync(process.execPath, [process.argv[1]!, name, ...flags], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
