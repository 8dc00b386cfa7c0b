import path from 'node:path';
import { documentationOf, preferredVersion } from '../features/kindPages.ts';
import { untrusted } from '../features/markdown.ts';
import type { KubernetesVersion } from '../kubernetes/releases/release.ts';
import type { Definition } from '../workspace/definitions.ts';
import { firstSentence, rootSchema, textOf } from '../workspace/schemaNode.ts';
import { expandAll } from './inputs.ts';
import { writeWhole } from './outputs.ts';
import { openWorkspace } from './workspace.ts';

export interface DocsOptions {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
}

/** Writes a page about each kind that the CRDs at the paths define; gives the exit code. */
export async function docs({ folder, paths, version }: DocsOptions): Promise<number> {
  const settings = { chosen: { kubernetesVersion: version.name } };
  const workspace = await openWorkspace(await expandAll(paths), { crds: [], without: [] }, settings);
  const definitions = [...workspace.snapshot.definitions.values()].flatMap((all) => all.slice(0, 1));
  if (definitions.length === 0) throw new Error(`no CRDs found at ${paths.join(', ')}`);
  const pages = definitions.map((definition) => ({ definition, file: fileOf(definition) }));
  const byName = pages.sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const { definition, file } of byName)
    await writeWhole(path.join(folder, file), documentationOf(definition, version));
  const rows = byName.map(
    ({ definition, file }) => `| [${definition.kind}](${file}) | \`${definition.group}\` | ${aboutOf(definition)} |`,
  );
  await writeWhole(
    path.join(folder, 'index.md'),
    ['# Kinds', '', '| kind | group | |', '|---|---|---|', ...rows, ''].join('\n'),
  );
  return 0;
}

/** Groups and kinds of a half-written CRD may be anything: no page leads out of the folder. */
function fileOf({ group, kind }: Definition): string {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9.-]/g, '_')
      .replace(/^\.+/, '_');
  return `${plain(group)}/${plain(kind)}.md`;
}

function aboutOf(definition: Definition): string {
  const root = rootSchema(definition, `${definition.group}/${preferredVersion(definition)}`);
  return root ? untrusted(firstSentence(textOf(root, 'description')).replaceAll('|', '\\|')) : '';
}
