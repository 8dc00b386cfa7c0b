import type { CancellationToken, ExecuteCommandParams } from 'vscode-languageserver';
import { clusterCommands } from './capabilities.ts';
import { executeCluster } from './clusters.ts';
import type { Context } from './context.ts';
import { executeFetch } from './fetching.ts';
import { writeTest } from './newTest.ts';
import { coverTestsCommand, debugTestCommand, newTestCommand, runTestsCommand, showTestsCommand } from './protocol.ts';
import { answerCoverTests, answerDebugTest, answerRunTests } from './tests.ts';

/** A client sends back what it was given, but anybody may send anything. */
export async function executeCommand(
  context: Context,
  params: ExecuteCommandParams,
  token?: CancellationToken,
): Promise<unknown> {
  const { command, arguments: [uri, about, more] = [] } = params;
  if (command === showTestsCommand) return more ?? null;
  if (clusterCommands.includes(command)) return await executeCluster(context, params);
  if (command === coverTestsCommand) return await coverTests(context, params.arguments ?? [], token);
  if (command === newTestCommand) return typeof uri === 'string' ? await writeTest(context, uri, about, token) : null;
  if (command !== runTestsCommand && command !== debugTestCommand) return await executeFetch(context, params);
  if (typeof uri !== 'string') return null;
  if (command === debugTestCommand) return await answerDebugTest(context, { uri, id: String(about) });
  const ids = Array.isArray(about) ? { ids: about.map(String) } : {};
  return await answerRunTests(context, { uri, ...ids }, token);
}

async function coverTests(
  context: Context,
  uris: readonly unknown[],
  token: CancellationToken | undefined,
): Promise<unknown> {
  const asked = uris.length === 0 ? {} : { files: uris.map((uri) => ({ uri: String(uri) })) };
  return await answerCoverTests(context, asked, token);
}
