// Builds the oracle (real Kubernetes code) for the Kubernetes versions named on the command line: npm run oracle -- 1.37 1.31
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('../test/conformance/oracle', import.meta.url));
const newest = '1.37';
const older = readdirSync(path.join(home, 'mods'))
  .filter((file) => file.endsWith('.mod'))
  .map((file) => path.basename(file, '.mod'));

function build(version) {
  const binary = path.join(home, 'bin', `oracle-${version}`);
  if (isFresh(binary)) return true;
  const modfile = version === newest ? [] : [`-modfile=mods/${version}.mod`];
  // Before Kubernetes 1.35 the CEL environment took one more argument; see env_strictcost.go.
  const tags = Number(version.split('.')[1]) < 35 ? ['-tags', 'strictcost'] : [];
  console.error(`building the oracle for Kubernetes ${version} …`);
  const result = spawnSync('go', ['build', ...modfile, ...tags, '-o', binary, '.'], {
    cwd: home,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.error) console.error(`cannot run go: ${result.error.message}`);
  return result.status === 0;
}

function isFresh(binary) {
  if (!existsSync(binary)) return false;
  const built = statSync(binary).mtimeMs;
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(go|mod)$/.test(entry.name))
    .every((entry) => statSync(path.join(entry.parentPath ?? entry.path, entry.name)).mtimeMs <= built);
}

const asked = process.argv.slice(2);
const versions = asked.length === 0 ? [newest] : asked.includes('all') ? [newest, ...older.sort().reverse()] : asked;
const unknown = versions.filter((version) => version !== newest && !older.includes(version));
if (unknown.length > 0) {
  console.error(`no module file for Kubernetes ${unknown.join(', ')}; there is ${[newest, ...older].join(', ')}`);
  process.exit(2);
}
mkdirSync(path.join(home, 'bin'), { recursive: true });
process.exit(versions.every(build) ? 0 : 1);
