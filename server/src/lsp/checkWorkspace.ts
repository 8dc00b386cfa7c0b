import type { CancellationToken, WorkDoneProgressReporter } from 'vscode-languageserver';
import { diagnose } from '../features/diagnose.ts';
import { withOpen } from '../workspace/snapshot.ts';
import type { Context } from './context.ts';
import { positionsOf } from './position.ts';
import type { Checked } from './protocol.ts';
import { filesThat } from './session.ts';
import { type Target, toProtocolDiagnostic } from './toProtocol.ts';

/** Whether a text can hold Kubernetes objects at all. */
const objects = /^\s*(?:- )?kind:/m;

/** Judges every file of the workspace and sends the diagnostics of those that are not open. */
export async function checkWorkspace(
  context: Context,
  token: CancellationToken,
  progress: Pick<WorkDoneProgressReporter, 'report'>,
): Promise<Checked> {
  const { session, files, connection } = context;
  let checked = 0;
  let problems = 0;
  for await (const file of filesThat(session, files, (text) => objects.test(text))) {
    if (token.isCancellationRequested) break;
    checked++;
    progress.report(`${checked} files`);
    const target = fileTarget(context, file.uri, file.text);
    const found = diagnose(withOpen(session.snapshot, file), file.uri);
    problems += found.length;
    if (session.documents.has(file.uri)) continue;
    const diagnostics = found.map((diagnostic) => toProtocolDiagnostic(diagnostic, target));
    if (diagnostics.length > 0) session.published.add(file.uri);
    void connection.sendDiagnostics({ uri: file.uri, diagnostics });
  }
  return { checked, problems };
}

function fileTarget({ client, host }: Context, uri: string, text: string): Target {
  const positions = positionsOf(text, client.encoding);
  return { uri, version: 0, positions, positionsOf: () => undefined, docs: host.docs };
}

/** A file that is opened gets its diagnostics as open files do: what was sent before is taken back. */
export function takeBack({ session, connection }: Context, uri: string): void {
  if (session.published.delete(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
}
