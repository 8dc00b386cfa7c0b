// npm run crossplane: writes server/src/workspace/xrdCrd.ts, Crossplane's own CRD of CompositeResourceDefinitions, from the
// module of the release that the oracle asks. Go is needed for it, and nothing else but its module proxy.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { crossplaneVersion } from '../server/src/kubernetes/crossplane/fields.ts';

const module = `github.com/crossplane/crossplane/v2@${crossplaneVersion}`;
const target = 'server/src/workspace/xrdCrd.ts';

function folderOf(name: string): string {
  const result = spawnSync('go', ['mod', 'download', '-json', name], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`go mod download ${name}: ${result.error?.message ?? result.stderr}`);
  return JSON.parse(result.stdout).Dir;
}

const file = path.join(folderOf(module), 'cluster/crds/apiextensions.crossplane.io_compositeresourcedefinitions.yaml');
const json = JSON.stringify(parse(readFileSync(file, 'utf8')));
const literal = json.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
writeFileSync(
  target,
  `/** Crossplane's CRD of CompositeResourceDefinitions as JSON: written by \`npm run crossplane\`, never edited by hand. */
export const xrdCrd =
  '${literal}';
`,
);
console.error(`${target}: ${json.length} characters`);
