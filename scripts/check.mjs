// The quick gate before every commit: types, lint and format, generated files up to date, tests that are not long.
import { spawn } from 'node:child_process';
import { root, run, setup } from './setup.mjs';

setup();
const checks = [
  ['node_modules/.bin/tsc', '--noEmit'],
  ['node_modules/.bin/tsc', '--noEmit', '-p', 'client'],
  ['node_modules/.bin/tsc', '--noEmit', '-p', 'playground'],
  ['node_modules/.bin/biome', 'check', '.'],
  [process.execPath, 'scripts/run.mjs', 'scripts/gen.ts', '--check'],
];
const statuses = await Promise.all(checks.map(statusOf));
if (statuses.some((status) => status !== 0)) process.exit(1);
run(process.execPath, ['scripts/unit.mjs'], { env: { ...process.env, QUICK: '1' } });

function statusOf([command, ...args]) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`cannot run ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('close', resolve);
  });
}
