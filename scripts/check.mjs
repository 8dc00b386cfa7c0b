// The quick gate before every commit: what can be told without running anything, and tests that are not long.
import { quickChecks } from './quick.mjs';
import { run, setup } from './setup.mjs';

setup();
if ((await quickChecks()) !== 0) process.exit(1);
run(process.execPath, ['scripts/unit.mjs', ...process.argv.slice(2)], { env: { ...process.env, QUICK: '1' } });
