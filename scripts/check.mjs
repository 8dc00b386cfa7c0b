// The quick gate before every commit: types, lint and format, unit tests, generated files up to date.
import { run, setup } from './setup.mjs';

setup();
run('node_modules/.bin/tsc', ['--noEmit']);
run('node_modules/.bin/tsc', ['--noEmit', '-p', 'client']);
run('node_modules/.bin/biome', ['check', '.']);
run(process.execPath, ['scripts/unit.mjs'], { env: { ...process.env, QUICK: '1' } });
run(process.execPath, ['scripts/run.mjs', 'scripts/gen.ts', '--check']);
