// npm run kro: writes server/data/kro.json.gz, kro's own CRD of ResourceGraphDefinitions, from the
// module of the release that the oracle asks. Go is needed for it, and nothing else but its module proxy.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { kroVersion } from '../server/src/kro/version.ts';

const module = `github.com/kubernetes-sigs/kro@${kroVersion}`;
const target = 'server/data/kro.json.gz';

function folderOf(name: string): string {
  const result = spawnSync('go', ['mod', 'download', '-json', name], { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`go mod download ${name}: ${result.error?.message ?? result.stderr}`);
  return JSON.parse(result.stdout).Dir;
}

const file = path.join(folderOf(module), 'helm/crds/kro.run_resourcegraphdefinitions.yaml');
const json = JSON.stringify(parse(readFileSync(file, 'utf8')));
writeFileSync(target, gzipSync(json, { level: 9 }));
console.error(`${target}: ${json.length} characters`);
