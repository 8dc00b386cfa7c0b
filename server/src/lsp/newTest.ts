import type { CancellationToken, CodeAction, WorkspaceEdit } from 'vscode-languageserver';
import { featuresOf, placeFor } from '../features/languages/languages.ts';
import { type Written, writeNewCase } from '../features/tests/newCase.ts';
import { tell } from './asking.ts';
import { type Context, targetOf } from './context.ts';
import { testFiles } from './lenses.ts';
import { CodeActionKind, MessageType, Position } from './library.ts';
import { positionsOf } from './position.ts';
import { newTestCommand } from './protocol.ts';
import { inSteps } from './steps.ts';
import type { Target } from './toProtocol.ts';

const titles = { resource: 'New test from this resource', rule: 'New case that breaks this rule' };

/** What writes tests. An object that breaks a rule is looked for once somebody wants it. */
export function newTestActions({ session, client }: Context, to: Target, position: Position): CodeAction[] {
  const offset = to.positions.toOffset(position);
  const { newCase } = featuresOf(session.snapshot, to.uri);
  const wanted = client.appliesEdits ? newCase?.(session.snapshot, to.uri, offset) : undefined;
  if (!wanted) return [];
  const title = titles[wanted.of];
  const command = { title, command: newTestCommand, arguments: [to.uri, position] };
  return [{ title, kind: CodeActionKind.Refactor, command }];
}

/** An object that breaks a rule is looked for in steps: a newer search ends an older one, and keys are answered meanwhile. */
export async function writeTest(
  context: Context,
  uri: string,
  sent: unknown,
  token?: CancellationToken,
): Promise<null> {
  const { session } = context;
  const to = targetOf(context, uri);
  if (!to || !Position.is(sent)) return null;
  const turn = ++session.search;
  await session.loaded;
  const tests = await testFiles(context);
  const versions = new Map([...session.documents].map(([one, { version }]) => [one, version]));
  const isOld = () => token?.isCancellationRequested || turn !== session.search;
  const at = placeFor('inGenerated', session.snapshot, uri, to.positions.toOffset(sent));
  if (!at) return null;
  const steps = writeNewCase(at.snapshot, at.uri, at.offset, tests);
  const written = await inSteps(steps, isOld);
  if (typeof written === 'string') tell(context, MessageType.Info, written);
  else if (session.documents.get(written.uri)?.version !== versions.get(written.uri))
    tell(context, MessageType.Info, 'The file of tests was changed meanwhile: nothing is written.');
  else await apply(context, written, tests.find((file) => file.uri === written.uri)?.text ?? '');
  return null;
}

async function apply({ connection, client, session }: Context, written: Written, text: string): Promise<void> {
  const { toRange, toPosition } = positionsOf(text, client.encoding);
  const start = toRange({ start: 0, end: 0 });
  const edits =
    'edits' in written
      ? written.edits.map((edit) => ({ range: toRange(edit.range), newText: edit.text }))
      : [{ range: start, newText: written.text }];
  const { applied } = await connection.workspace.applyEdit({
    label: 'New test',
    edit: editOf(client, written, edits, session.documents.get(written.uri)?.version ?? null),
  });
  if (!applied || !client.showsDocuments) return;
  const last = 'edits' in written ? (written.edits.at(-1)?.range.start ?? 0) : 0;
  const selection = { start: toPosition(last), end: toPosition(last) };
  await connection.window.showDocument({ uri: written.uri, takeFocus: true, selection });
}

function editOf(
  { documentChanges, createsFiles }: Context['client'],
  { uri, ...what }: Written,
  edits: NonNullable<WorkspaceEdit['changes']>[string],
  version: number | null,
): WorkspaceEdit {
  if (!documentChanges) return { changes: { [uri]: edits } };
  const change = { textDocument: { uri, version }, edits };
  // A file that came to be in the meantime keeps what is in it.
  const create = { kind: 'create' as const, uri, options: { ignoreIfExists: true } };
  return { documentChanges: 'text' in what && createsFiles ? [create, change] : [change] };
}
