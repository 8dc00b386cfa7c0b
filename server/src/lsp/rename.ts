import type {
  AnnotatedTextEdit,
  CancellationToken,
  ChangeAnnotation,
  Range,
  RenameParams,
  TextDocumentPositionParams,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { append } from '../base/append.ts';
import {
  type FileEdits,
  type Group,
  type GroupedEdit,
  isRefusal,
  type Refusal,
} from '../features/navigate/rename/places.ts';
import type { Elsewhere, Renameable } from '../features/navigate/rename/rename.ts';
import { defaultLimits } from '../workspace/limits.ts';
import { textOf } from '../workspace/scan.ts';
import { fileAt } from '../workspace/snapshot.ts';
import { type SourceFile, sourceFile } from '../workspace/sourceFile.ts';
import type { Context } from './context.ts';
import { cancelled } from './guard.ts';
import { type Asked, filesNamingKind, navigable } from './handlers.ts';
import { LSPErrorCodes, ResponseError } from './library.ts';
import { positionsOf } from './position.ts';

/** What would be renamed. A client shows the error where it cannot be. */
export function answerPrepareRename(
  context: Context,
  params: TextDocumentPositionParams,
): { range: Range; placeholder: string } | null {
  const asked = navigable(context, params);
  const target = asked && targetAt(context, asked);
  return asked && target ? { range: asked.to.positions.toRange(target.range), placeholder: target.name } : null;
}

function targetAt({ session }: Context, { features, to, offset }: Asked): Renameable | undefined {
  const target = features.rename?.(session.snapshot, to.uri, offset);
  return target && done(target);
}

/** What is not refused; a refusal is for the user to read. */
function done<T extends object>(result: T | Refusal): T {
  if (isRefusal(result)) throw new ResponseError(LSPErrorCodes.RequestFailed, result.refused);
  return result;
}

export async function answerRename(
  context: Context,
  params: RenameParams,
  token?: CancellationToken,
): Promise<WorkspaceEdit | null> {
  const asked = navigable(context, params);
  const target = asked && targetAt(context, asked);
  if (!target) return null;
  if (params.newName === target.name) return { changes: {} };
  const { edits, elsewhere } = done(target.to(params.newName));
  const all = [...edits];
  for (const one of elsewhere) append(all, await editsElsewhere(context, one, token));
  return toWorkspaceEdit(context, all);
}

async function editsElsewhere(
  context: Context,
  elsewhere: Elsewhere,
  token: CancellationToken | undefined,
): Promise<FileEdits[]> {
  const found: FileEdits[] = [];
  const further = new Set<string>();
  for await (const file of filesNamingKind(context, elsewhere.kind, elsewhere.mayUse)) {
    if (token?.isCancellationRequested) throw cancelled();
    found.push(done(elsewhere.edits(file)));
    for (const uri of elsewhere.leadsTo(file)) further.add(uri);
  }
  for (const uri of further) {
    const file = await fileOf(context, uri);
    if (file) found.push(done(elsewhere.editsThere(file)));
  }
  return found;
}

async function fileOf({ session, files }: Context, uri: string): Promise<SourceFile | undefined> {
  const known = fileAt(session.snapshot, uri);
  const text = known ? undefined : textOf(await files.read(uri, defaultLimits.fileBytes));
  return known ?? (text === undefined ? undefined : sourceFile(uri, text));
}

const annotations: Readonly<Record<Group, ChangeAnnotation>> = {
  schema: { label: 'Schema', description: 'Declarations in the CRD', needsConfirmation: false },
  paths: { label: 'Paths', description: 'Printer columns, selectable fields, scale', needsConfirmation: false },
  rules: { label: 'Rules', description: 'CEL expressions', needsConfirmation: false },
  names: { label: 'Names', description: 'Names in the CRD', needsConfirmation: false },
  resources: { label: 'Resources', description: 'Objects of the kind', needsConfirmation: true },
  tests: { label: 'Tests', description: 'Tests of the CRD', needsConfirmation: true },
  patches: { label: 'Patches', description: 'Patches in kustomizations', needsConfirmation: true },
  values: { label: 'Values', description: 'Files of values, and their schema', needsConfirmation: false },
  templates: { label: 'Templates', description: 'Templates of the chart', needsConfirmation: false },
  documents: { label: 'Documentation', description: 'The README of the chart', needsConfirmation: true },
};

function toWorkspaceEdit(context: Context, all: readonly FileEdits[]): WorkspaceEdit {
  const files = byFile(all);
  const { documentChanges, annotatesEdits, encoding } = context.client;
  const plain = ({ file, edits }: FileEdits): TextEdit[] => {
    const positions = positionsOf(file.text, encoding);
    return edits.map(({ edit }) => ({ range: positions.toRange(edit.range), newText: edit.text }));
  };
  if (!documentChanges) return { changes: Object.fromEntries(files.map((one) => [one.file.uri, plain(one)])) };
  const annotated = (one: FileEdits): AnnotatedTextEdit[] =>
    plain(one).map((edit, i) => ({ ...edit, annotationId: one.edits[i]!.group }));
  const groups = new Set(files.flatMap(({ edits }) => edits.map(({ group }) => group)));
  return {
    documentChanges: files.map((one) => {
      const version = context.session.documents.get(one.file.uri)?.version ?? null;
      return { textDocument: { uri: one.file.uri, version }, edits: annotatesEdits ? annotated(one) : plain(one) };
    }),
    ...(annotatesEdits
      ? { changeAnnotations: Object.fromEntries([...groups].map((group) => [group, annotations[group]])) }
      : {}),
  };
}

/** The edits of each file, in their order; a file may have several kinds of them. */
function byFile(all: readonly FileEdits[]): FileEdits[] {
  const found = new Map<string, { file: FileEdits['file']; edits: GroupedEdit[] }>();
  for (const { file, edits } of all) {
    const known = found.get(file.uri) ?? { file, edits: [] };
    append(known.edits, edits);
    if (edits.length > 0) found.set(file.uri, known);
  }
  const start = ({ edit }: GroupedEdit) => edit.range.start;
  return [...found.values()].map(({ file, edits }) => ({ file, edits: edits.sort((a, b) => start(a) - start(b)) }));
}
