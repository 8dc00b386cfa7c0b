import { append } from '../base/append.ts';
import { featuresOf } from '../features/languages/languages.ts';
import { kindItself } from '../features/navigate/references.ts';
import { changesAgainstBaseline, type Placed, resourcesOf } from '../features/views/crdChanges.ts';
import { documentationOf, tablesOf, versionsPage } from '../features/views/kindPages.ts';
import { joined, type Markdown } from '../features/words/markdown.ts';
import { type Definition, definitionsFor, definitionsIn } from '../workspace/definitions.ts';
import { fileAt, kubernetesFor } from '../workspace/snapshot.ts';
import { nameIn } from '../workspace/uri.ts';
import { lookUpBaseline } from './baselines.ts';
import type { Context } from './context.ts';
import { filesUsing } from './handlers.ts';
import type { Page } from './protocol.ts';

/** A page about the kinds of a file: those that it defines, and those of its resources. */
export async function answerPage(context: Context, { uri, page }: Page): Promise<string | null> {
  await context.session.loaded;
  return page === 'changes' ? await changesPage(context, uri) : await kindsPage(context, uri, page);
}

/** What changes in the CRDs of a file since the commit, with what becomes of the workspace's resources. */
async function changesPage(context: Context, uri: string): Promise<string | null> {
  lookUpBaseline(context, uri);
  await context.baselines?.pending.get(uri);
  const { session } = context;
  const file = fileAt(session.snapshot, uri);
  const resources: Placed[] = [];
  for (const definition of file ? definitionsIn(file) : []) append(resources, await resourcesIn(context, definition));
  return changesAgainstBaseline(session.snapshot, uri, resources, nameIn(session.folders))?.source ?? null;
}

async function kindsPage(
  context: Context,
  uri: string,
  page: Exclude<Page['page'], 'changes'>,
): Promise<string | null> {
  const own = context.session.snapshot;
  // Of a Go file the kinds are those that come of its types.
  const { snapshot, uri: at } = featuresOf(own, uri).madeFile?.(own, uri) ?? { snapshot: own, uri };
  const file = fileAt(snapshot, at);
  if (!file) return null;
  const used = file.manifests.flatMap((manifest) =>
    manifest.role === 'resource' ? definitionsFor(snapshot.definitions, manifest, at).slice(0, 1) : [],
  );
  const pages: Markdown[] = [];
  for (const definition of new Set([...definitionsIn(file), ...used])) {
    if (page === 'documentation') pages.push(documentationOf(definition, kubernetesFor(snapshot, uri)));
    else if (page === 'versions') pages.push(versionsPage(definition));
    else pages.push(tablesOf(snapshot, definition, await resourcesIn(context, definition), Date.now() / 1000));
  }
  return pages.length === 0 ? null : joined(pages, '\n').source;
}

async function resourcesIn(context: Context, definition: Definition): Promise<Placed[]> {
  const found: Placed[] = [];
  for await (const file of filesUsing(context, kindItself(definition))) append(found, resourcesOf(file, definition));
  return found;
}
