// npm run bench [-- NAME …]: times our engines beside their peers, in one process or one run, and prints ratios.
import { readdirSync } from 'node:fs';

const names = readdirSync('test/bench')
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts' && !file.startsWith('support'))
  .map((file) => file.slice(0, -'.ts'.length));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there is ${names.join(', ')}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : names) {
  const { bench }: { bench: () => void | Promise<void> } = await import(`./${name}.ts`);
  console.log(`\n${name}`);
  await bench();
}
