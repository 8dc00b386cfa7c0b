import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as vscode from 'vscode';

// The tools of language models: `kube-crd mcp` answers them, as it does elsewhere. It is started when the first is called.

const prefix = 'kube-crd_';

/** Gives language models the tools, as the setting has it; never in a workspace that is not trusted. */
export function languageTools(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): vscode.Disposable {
  const program = context.asAbsolutePath('dist/server/main.cjs');
  const manifest: Manifest = context.extension.packageJSON;
  const names = manifest.contributes.languageModelTools.map(({ name }) => name);
  let given: vscode.Disposable | undefined;
  const give = () => {
    given?.dispose();
    given = undefined;
    // Editors that speak for VS Code need not have models.
    if (!vscode.workspace.isTrusted || !('lm' in vscode)) return;
    const how = vscode.workspace.getConfiguration('kubeCrd').get<string>('agents');
    if (how === 'tools') given = asTools(names, program, log);
    else if (how === 'mcp') given = asServer(program, String(context.extension.packageJSON.version));
  };
  give();
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(give),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('kubeCrd.agents')) give();
    }),
    new vscode.Disposable(() => given?.dispose()),
  );
}

interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

function asTools(names: readonly string[], program: string, log: vscode.LogOutputChannel): vscode.Disposable {
  const agent = agentOf(program, log);
  const tools = names.map((name) =>
    vscode.lm.registerTool<object>(name, {
      invoke: async ({ input }, token) => {
        const text = await agent.call(name.slice(prefix.length), input, token);
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      },
    }),
  );
  return vscode.Disposable.from(...tools, agent);
}

interface Agent extends vscode.Disposable {
  call(name: string, input: object, token: vscode.CancellationToken): Promise<string>;
}

interface Waiting {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
}

/** `kube-crd mcp` over the first folder, started when it is needed. */
function agentOf(program: string, log: vscode.LogOutputChannel): Agent {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  let last = 0;
  const start = (): ChildProcess => {
    const started = spawn(process.execPath, [program, 'mcp', ...folder()], { stdio: 'pipe', env: environment() });
    createInterface({ input: started.stdout }).on('line', (line) => answered(waiting, line));
    started.stderr.on('data', (data) => log.append(String(data)));
    started.stdin.on('error', (error) => log.warn(`mcp: ${error.message}`));
    const end = (why: string) => {
      if (child === started) child = undefined;
      for (const { reject } of waiting.values()) reject(new Error(why));
      waiting.clear();
    };
    started.on('error', ({ message }) => end(message));
    started.on('close', () => end(vscode.l10n.t('kube-crd ended')));
    return started;
  };
  return {
    call: (name, input, token) => {
      child ??= start();
      const id = ++last;
      const { stdin } = child;
      const send = (message: object) => stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method: 'tools/call', params: { name, arguments: input } });
        token.onCancellationRequested(() => {
          send({ method: 'notifications/cancelled', params: { requestId: id } });
          waiting.delete(id);
          reject(new vscode.CancellationError());
        });
      });
    },
    dispose: () => child?.kill(),
  };
}

function answered(waiting: Map<number, Waiting>, line: string): void {
  const { id, result, error } = JSON.parse(line);
  const one = waiting.get(id);
  waiting.delete(id);
  if (error) one?.reject(new Error(error.message));
  else one?.resolve(result.content[0].text);
}

/** The workspace; without one nothing but texts can be asked about. */
function folder(): string[] {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return first?.uri.scheme === 'file' ? [first.uri.fsPath] : [];
}

/** The editor's own program runs it, as Node. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ASAR: '1' };
}

/** What newer editors have beside the oldest that is supported. */
interface WithServers {
  readonly registerMcpServerDefinitionProvider?: (
    id: string,
    provider: { provideMcpServerDefinitions(): object[] },
  ) => vscode.Disposable;
}

function asServer(program: string, version: string): vscode.Disposable | undefined {
  const lm: typeof vscode.lm & WithServers = vscode.lm;
  const Definition = (vscode as { McpStdioServerDefinition?: new (...args: readonly unknown[]) => object })
    .McpStdioServerDefinition;
  if (!lm.registerMcpServerDefinitionProvider || !Definition) return undefined;
  const env = { ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ASAR: '1' };
  return lm.registerMcpServerDefinitionProvider('kube-crd', {
    provideMcpServerDefinitions: () => [
      new Definition('kube-crd', process.execPath, [program, 'mcp', ...folder()], env, version),
    ],
  });
}
