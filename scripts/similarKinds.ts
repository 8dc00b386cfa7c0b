// node scripts/run.mjs scripts/similarKinds.ts FILE: the rows of server/src/rules/fixing/similarKinds.ts. FILE lists the paths
// `group/kind_version.json` of a checkout of the public catalogue datreeio/CRDs-catalog, as `git ls-files` prints them.
import { readFileSync } from 'node:fs';
import { nearestKinds } from '../server/src/rules/fixing/nearest.ts';

const [, , file = ''] = process.argv;
const byGroup = new Map<string, Set<string>>();
for (const line of readFileSync(file, 'utf8').split('\n')) {
  const { group, kind } = /^(?<group>[^/]+\.[^/]+)\/(?<kind>[a-z0-9]+)_v[a-z0-9]+\.json$/.exec(line)?.groups ?? {};
  if (group && kind) byGroup.set(group, (byGroup.get(group) ?? new Set()).add(kind));
}
for (const [group, all] of [...byGroup].sort()) {
  // The table itself must not keep a kind from being compared.
  const near = [...all].filter(
    (kind) =>
      nearestKinds(
        '',
        kind,
        [...all].filter((one) => one !== kind),
      ).length > 0,
  );
  if (near.length > 0) console.log(`  ['${group}', '${near.sort().join(' ')}'],`);
}
