import type { CancellationToken, CodeAction, Position } from 'vscode-languageserver';
import { append } from '../base/append.ts';
import { objectSnippet } from '../features/complete/completeKind.ts';
import { featuresOf, placeFor } from '../features/languages/languages.ts';
import { kindItself } from '../features/navigate/references.ts';
import { newPlayground } from '../features/place/playground.ts';
import type { Tried as TriedHere } from '../features/trying/tried.ts';
import { mayConcern, policyAtCursor, tryPolicy } from '../features/trying/tryPolicy.ts';
import { type ResourceIn, resourceAt, ruleAtCursor, ruleOf, tryRule } from '../features/trying/tryRule.ts';
import { resourcesOf } from '../features/views/crdChanges.ts';
import { locateInFile } from '../rules/judging/locate.ts';
import { type Definition, definitionsIn } from '../workspace/definitions.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { metadataText } from '../workspace/manifest.ts';
import { textOf } from '../workspace/scan.ts';
import { fileAt, kubernetesFor } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import { nameIn } from '../workspace/uri.ts';
import { objects } from './checkWorkspace.ts';
import { type Context, targetOf } from './context.ts';
import { lensPause } from './debounce.ts';
import { cancelled } from './guard.ts';
import { filesUsing } from './handlers.ts';
import { CodeActionKind, InlayHintRefreshRequest } from './library.ts';
import { positionsOf } from './position.ts';
import {
  type ResourceOfKind,
  type Resources,
  type Scratch,
  type ShowValues,
  type Tried,
  type TriedObject,
  type Try,
  tryHere,
} from './protocol.ts';
import { filesThat } from './session.ts';
import { inSteps } from './steps.ts';
import type { Target } from './toProtocol.ts';

// Rules and expressions, tried over objects while they are typed.

export async function answerTry(
  context: Context,
  { uri, position, rule: named }: Try,
  token?: CancellationToken,
): Promise<Tried | null> {
  await context.session.loaded;
  const to = targetOf(context, uri);
  if (!to) return null;
  const offset = to.positions.toOffset(position);
  const { session } = context;
  const { snapshot } = session;
  const { tryHere } = featuresOf(snapshot, uri);
  if (tryHere) {
    const tried = tryHere(snapshot, uri, offset);
    return tried ? toTried(context, tried, [fileAt(snapshot, uri)!]) : null;
  }
  const isOld = () => token?.isCancellationRequested || session.documents.get(uri)?.version !== to.version;
  const at = placeFor('inMade', snapshot, uri, offset);
  if (!at) return null;
  const policy = policyAtCursor(at.snapshot, at.uri, at.offset);
  if (policy) {
    const concerns = mayConcern(at.snapshot, at.uri, policy);
    const files: SourceFile[] = [];
    for await (const file of filesThat(session, context.files, (text) => objects.test(text) && concerns(text))) {
      files.push(file);
    }
    if (isOld()) throw cancelled();
    return toTried(context, await inSteps(tryPolicy(session.snapshot, uri, policy, files), isOld), files);
  }
  const ref = ruleAtCursor(at.snapshot, at.uri, at.offset) ?? named;
  const found = ref && ruleOf(at.snapshot, at.uri, ref);
  if (!found) return null;
  const files = await filesOf(context, found.definition);
  if (isOld()) throw cancelled();
  const now = placeFor('inMade', session.snapshot, uri, offset)?.snapshot ?? at.snapshot;
  const tried = await inSteps(tryRule(now, found, files), isOld);
  return { ...toTried(context, tried, files), rule: ref };
}

async function filesOf(context: Context, definition: Definition): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const file of filesUsing(context, kindItself(definition))) files.push(file);
  return files;
}

function toTried({ client, session }: Context, tried: TriedHere, files: readonly SourceFile[]): Tried {
  const nameOf = nameIn(session.folders);
  const texts = new Map(files.map(({ uri, text }) => [uri, text]));
  const { problem, objects, ...rest } = tried;
  return {
    ...rest,
    ...(problem !== undefined && { problem }),
    objects: objects.map(({ place, values, ...object }): TriedObject => {
      const { toRange } = positionsOf(texts.get(place.uri) ?? '', client.encoding);
      const shown = values.map(({ parts: _, ...value }) => value);
      return {
        ...object,
        file: nameOf(place.uri).replace(/^untitled:/, ''),
        uri: place.uri,
        range: toRange(place.range),
        values: shown,
      };
    }),
  };
}

const tryTitles = {
  rule: 'Try this rule on the resources of its kind',
  policy: 'Try this policy on the objects of the workspace',
};

/** Leads from a rule to the view that tries it, in clients that have one. */
export function tryActions({ session, client }: Context, to: Target, position: Position): CodeAction[] {
  if (!client.options.tries) return [];
  const offset = to.positions.toOffset(position);
  const what = featuresOf(session.snapshot, to.uri).toTry?.(session.snapshot, to.uri, offset);
  if (!what) return [];
  const title = tryTitles[what];
  const command = { title, command: tryHere, arguments: [to.uri, position] };
  return [{ title, kind: CodeActionKind.Refactor, command }];
}

export function answerScratch({ session: { snapshot } }: Context, { uri, rule }: Scratch): string | null {
  const at = placeFor('inMade', snapshot, uri, 0);
  const found = at && ruleOf(at.snapshot, at.uri, rule);
  return found ? (objectSnippet(found.definition, found.version) ?? null) : null;
}

export function answerPlayground({ session: { snapshot } }: Context): string {
  return newPlayground(kubernetesFor(snapshot, ''));
}

/** How many resources a list of them is long. */
const mostListed = 500;

export async function answerResources(context: Context, { uri }: Resources): Promise<ResourceOfKind[]> {
  await context.session.loaded;
  const { client, session } = context;
  const at = placeFor('inMade', session.snapshot, uri, 0);
  const file = at && fileAt(at.snapshot, at.uri);
  const nameOf = nameIn(session.folders);
  const found: ResourceOfKind[] = [];
  for (const definition of file ? definitionsIn(file) : []) {
    for (const one of await filesOf(context, definition)) {
      const { toRange } = positionsOf(one.text, client.encoding);
      const rows = resourcesOf(one, definition).map(({ manifest }) => ({
        kind: manifest.kind,
        name: metadataText(manifest, 'name'),
        file: nameOf(one.uri),
        uri: one.uri,
        range: toRange(locateInFile(one, manifest, ['kind'], 'value').range),
      }));
      append(found, rows);
    }
  }
  return found.slice(0, mostListed);
}

// Values in rules

export function answerShowValues(context: Context, { uri, resource }: ShowValues): null {
  context.session.shownValues = resource && { ...resource, crd: uri };
  refreshHints(context);
  return null;
}

/** The resource whose values are shown in the rules of a file. */
export async function shownResource(context: Context, uri: string): Promise<ResourceIn | undefined> {
  const { session, files, client } = context;
  const { shownValues } = session;
  if (shownValues?.crd !== uri) return undefined;
  const open = session.snapshot.open.get(shownValues.uri);
  const text = open ? undefined : textOf(await files.read(shownValues.uri, defaultLimits.fileBytes));
  const file = open ?? (text === undefined ? undefined : sourceFile(shownValues.uri, text));
  if (!file) return undefined;
  return resourceAt(file, positionsOf(file.text, client.encoding).toOffset(shownValues.position));
}

/** A resource whose values are shown has changed. */
export function refreshHintsLater(context: Context, uri: string): void {
  if (context.session.shownValues?.uri !== uri) return;
  context.host.debounce('hints', lensPause, () => refreshHints(context));
}

function refreshHints({ client, connection }: Context): void {
  if (client.refreshesHints) void connection.sendRequest(InlayHintRefreshRequest.type);
}
