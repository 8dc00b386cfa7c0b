// What can be told without running anything: types, lint and format, generated files up to date. All at once.
import { spawn } from 'node:child_process';
import { root } from './setup.mjs';

const checks = [
  ...['.', 'client', 'playground'].map(types),
  ['node_modules/.bin/biome', 'check', '.'],
  [process.execPath, 'scripts/run.mjs', 'scripts/gen.ts', '--check'],
];

/** What TypeScript found is kept beside the packages, so that it looks only at what may have changed. */
function types(project) {
  const kept = `node_modules/.cache/kube-crd/${project === '.' ? 'server' : project}.tsbuildinfo`;
  return ['node_modules/.bin/tsc', '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
}

/** 0 where all of them have nothing to say. */
export async function quickChecks() {
  return Math.max(...(await Promise.all(checks.map(statusOf))));
}

function statusOf([command, ...args]) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`cannot run ${command}: ${error.message}`);
      resolve(1);
    });
    child.on('close', (status) => resolve(status ?? 1));
  });
}
