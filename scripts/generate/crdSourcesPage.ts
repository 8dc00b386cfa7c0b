import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Published } from '../../server/src/workspace/sources/published.ts';

interface Table {
  readonly date: string;
  readonly commits: Readonly<Record<string, string>>;
  readonly groups: readonly Published[];
}

/** The page on where CRDs of well-known groups are published, in Markdown. */
export function crdSourcesPage(): string {
  const table: Table = JSON.parse(gunzipSync(readFileSync('server/data/crdSources.json.gz')).toString());
  const groups = new Set(table.groups.map(({ group }) => group));
  return `# Where well-known CRDs are published

For whoever has resources without their CRDs.

Where the CRDs of ${groups.size} API groups are, as public repositories had them on ${table.date}. \`cr/unknown-kind\` and
\`kube-crd crds fetch --missing\` say so of a kind that nothing on your machine defines; nothing in this table is contacted by
itself. [crds.md](crds.md) says how CRDs are fetched.

A group is listed with the repository whose own Go types it comes from (or which is known to be its home, where that has no
Go types), the folder with its CRDs, the Go module around that, and the chart that brings them, where documents of the
repository say where the chart is. \`npm run crd-sources\` makes the table of the repositories that
\`scripts/generate/crdRepositories.txt\` names.

| group | repository | folder | Go module | chart |
|---|---|---|---|---|
${table.groups.map((row) => line(row, table)).join('\n')}
`;
}

function line(
  { group, kinds, repository, folder, module, chart, chartRepository }: Published,
  { commits }: Table,
): string {
  const named = kinds ? `${code(group)}: ${kinds.join(', ')}` : code(group);
  const at = `[${folder}](https://github.com/${repository}/tree/${commits[repository]}/${folder})`;
  const from = chart === undefined ? '' : `${code(chart)} of ${code(chartRepository ?? '')}`;
  return `| ${[named, repository, at, module === undefined ? '' : code(module), from].join(' | ')} |`;
}

const code = (text: string) => `\`${text}\``;
