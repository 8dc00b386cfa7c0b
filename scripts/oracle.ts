// npm run oracle -- VERSION... | all: builds the oracle (real Kubernetes code) for Kubernetes versions, the newest unless told;
// `crossplane`, `kro` and `golang` are those of Crossplane's, kro's and
// controller-gen's own code, `made` that of Helm's; they are among all.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { kubernetesVersions, newestVersion } from '../server/src/kubernetes/releases/all.ts';

const home = path.resolve('test/conformance/oracle');
/** Modules of their own, in folders of their name. */
const others = ['crossplane', 'golang', 'kro', 'made'];
const known = [...kubernetesVersions.map(({ name }) => name), ...others];

/** The module file of a version; the newest one has the folder's own. */
function moduleFile(version: string): string {
  if (others.includes(version)) return `${version}/go.mod`;
  return version === newestVersion.name ? 'go.mod' : `mods/${version}.mod`;
}

function build(version: string): boolean {
  const binary = path.join(home, 'bin', `oracle-${version}`);
  if (isFresh(binary)) return true;
  const file = moduleFile(version);
  // A module file says in its first line with which tags its version is built.
  const [, tags] = /^\/\/ tags: (\S+)/.exec(readFileSync(path.join(home, file), 'utf8')) ?? [];
  console.error(`building the oracle ${version} …`);
  const [cwd, options] = others.includes(version) ? [path.join(home, version), []] : [home, [`-modfile=${file}`]];
  const args = ['build', ...options, ...(tags === undefined ? [] : ['-tags', tags]), '-o', binary, '.'];
  const result = spawnSync('go', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.error) console.error(`cannot run go: ${result.error.message}`);
  return result.status === 0;
}

function isFresh(binary: string): boolean {
  if (!existsSync(binary)) return false;
  const built = statSync(binary).mtimeMs;
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(go|mod)$/.test(entry.name))
    .every((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs <= built);
}

const asked = process.argv.slice(2);
const versions = asked.length === 0 ? [newestVersion.name] : asked.includes('all') ? known : asked;
const unknown = versions.filter(
  (version) => !known.includes(version) || !existsSync(path.join(home, moduleFile(version))),
);
if (unknown.length > 0) {
  console.error(`there is no module file for Kubernetes ${unknown.join(', ')}; known are ${known.join(', ')}`);
  process.exit(2);
}
mkdirSync(path.join(home, 'bin'), { recursive: true });
process.exit(versions.every(build) ? 0 : 1);
