import path from 'node:path';
import { documentationOf, preferredVersion } from '../../features/views/kindPages.ts';
import { code, link, type Markdown, md, table, words } from '../../features/words/markdown.ts';
import { writeWhole } from '../../files/write.ts';
import type { KubernetesVersion } from '../../kubernetes/releases/release.ts';
import type { Definition } from '../../workspace/definitions.ts';
import { firstSentence, rootSchema, textOf } from '../../workspace/schemaNode.ts';
import { command } from '../table/command.ts';
import { kubernetes, oneVersion, pathsOr } from '../table/shared.ts';
import { definitionsAt } from '../workspace.ts';

interface DocsOptions {
  readonly folder: string;
  readonly paths: readonly string[];
  readonly version: KubernetesVersion;
}

/** Writes a page about each kind that the CRDs at the paths define; gives the exit code. */
async function docs({ folder, paths, version }: DocsOptions): Promise<number> {
  const known = await definitionsAt(paths, { crds: [], without: [] }, version);
  const definitions = known.flatMap((all) => all.slice(0, 1));
  if (definitions.length === 0) throw new Error(`no CRDs found at ${paths.join(', ')}`);
  const pages = definitions.map((definition) => ({ definition, file: fileOf(definition) }));
  const byName = pages.sort((a, b) => (a.file < b.file ? -1 : 1));
  for (const { definition, file } of byName)
    await writeWhole(path.join(folder, file), documentationOf(definition, version).source, folder);
  const rows = byName.map(({ definition, file }) => [
    link(definition.kind, file),
    code(definition.group),
    aboutOf(definition),
  ]);
  await writeWhole(
    path.join(folder, 'index.md'),
    md`# Kinds\n\n${table(['kind', 'group', ''], rows)}\n`.source,
    folder,
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

function aboutOf(definition: Definition): Markdown {
  const root = rootSchema(definition, `${definition.group}/${preferredVersion(definition)}`);
  return words(root ? firstSentence(textOf(root, 'description')) : '');
}

export const docsCommand = command({
  name: 'docs',
  about: 'writes a page in Markdown about each kind',
  inShort: 'writes a page in Markdown about each kind',
  takes: 'FOLDER [PATH]...',
  explains: `Writes a page in Markdown about each kind of the CRDs at the paths, the folder it runs in by default:
{group}/{kind}.md below FOLDER, and an index.md that leads to them.`,
  options: { kubernetes },
  examples: ['kube-crd docs docs/api config/crd'],
  run: async (values, [folder, ...paths]) => {
    if (folder === undefined) throw new Error('docs takes a folder to write to');
    return docs({ folder, paths: pathsOr(paths), version: await oneVersion(values.kubernetes, paths[0]) });
  },
});
