import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as vscode from 'vscode';

const cases: Readonly<Record<string, () => Promise<void>>> = {
  'a missing type is reported with code and docs link': async () => {
    const diagnostics = await diagnosticsOf('crds/caches.yaml');
    const missing = diagnostics.find(({ code }) => codeOf(code) === 'crd/type-required');
    assert.ok(missing, JSON.stringify(diagnostics));
    assert.match(missing.message, /must not be empty for specified object fields/);
    assert.equal(missing.severity, vscode.DiagnosticSeverity.Error);
    assert.ok(typeof missing.code === 'object');
    const page = await vscode.workspace.openTextDocument(missing.code.target);
    assert.match(page.getText(), /^# .*\n\n`crd\/type-required`/);
  },
  'a valid CRD has no diagnostics': async () => {
    const document = await open('crds/databases.yaml');
    await diagnosticsOf('crds/caches.yaml');
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
  },
  'an unknown field offers its nearest name': async () => {
    const [first] = await diagnosticsOf('database-mistakes.yaml');
    const uri = (await open('database-mistakes.yaml')).uri;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      first!.range,
    );
    assert.ok(
      actions.some(({ title }) => title === 'Rename to `replicas`'),
      actions.map(({ title }) => title).join(),
    );
  },
  'the commands exist': async () => {
    const commands = await vscode.commands.getCommands(true);
    for (const command of ['kubeCrd.restart', 'kubeCrd.showLog']) assert.ok(commands.includes(command), command);
  },
  'a marker is copied': async () => {
    await vscode.commands.executeCommand('kubeCrd.copy', '// +listType=set');
    assert.equal(await vscode.env.clipboard.readText(), '// +listType=set');
  },
  'a language model has the tools, and its draft is checked by the CRDs of the workspace': async () => {
    const names = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('kube-crd_'));
    assert.ok(names.includes('kube-crd_check') && names.length === 8, names.join());
    const database = await open('database.yaml');
    const text = database.getText().replace(/replicas:/, 'replicaCount:');
    const input = { text };
    const said = await vscode.lm.invokeTool('kube-crd_check', { input, toolInvocationToken: undefined });
    const [part] = said.content;
    assert.ok(part instanceof vscode.LanguageModelTextPart, JSON.stringify(said));
    const { findings } = JSON.parse(part.value);
    assert.match(findings[0]?.message, /unknown field "spec\.replicaCount"/);
    assert.ok(findings[0].fixes.length > 0);
  },
  'a restart brings the diagnostics back': async () => {
    await vscode.commands.executeCommand('kubeCrd.restart');
    assert.ok((await diagnosticsOf('crds/caches.yaml')).length > 0);
  },
  'a restart ends a server that hangs, and the new one stays': async () => {
    // Windows cannot stop a process and have it go on later.
    if (process.platform === 'win32') return;
    const [hung, ...others] = servers();
    assert.ok(hung !== undefined && others.length === 0, `${others.length} more servers`);
    process.kill(hung, 'SIGSTOP');
    await vscode.commands.executeCommand('kubeCrd.restart');
    const [next] = servers();
    assert.ok(next !== undefined && next !== hung);
    const document = await open('crds/caches.yaml');
    await untilHovered(document);
    // Longer than the client's library waits before it ends what it takes for left over.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    assert.deepEqual(servers(), [next]);
    await untilHovered(document);
  },
};

/** The processes of servers, as the system lists them. */
function servers(): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.flatMap((row) => {
    const [pid, parent, ...args] = row.trim().split(/\s+/);
    return Number(parent) === process.pid && args.join(' ').includes('server/main.cjs server') ? [Number(pid)] : [];
  });
}

/** Waits until the server answers: diagnostics may be those of the one before. */
async function untilHovered(document: vscode.TextDocument): Promise<void> {
  const at = document.positionAt(document.getText().indexOf('scope:'));
  const deadline = Date.now() + 20_000;
  for (;;) {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at,
    );
    if (hovers.length > 0) return;
    if (Date.now() > deadline) throw new Error('no hover came');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Called by the editor; what it throws is the run's failure. */
export async function run(): Promise<void> {
  const failed: string[] = [];
  for (const [name, body] of Object.entries(cases)) {
    try {
      await body();
      console.log(`✓ ${name}`);
    } catch (error) {
      failed.push(name);
      console.log(`✗ ${name}: ${error instanceof Error ? error.stack : error}`);
    }
  }
  if (failed.length > 0) throw new Error(`${failed.length} failed: ${failed.join(', ')}`);
}

async function open(name: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders![0]!;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, name));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The diagnostics of a file as soon as there are any. */
async function diagnosticsOf(name: string): Promise<vscode.Diagnostic[]> {
  const { uri } = await open(name);
  for (let tries = 0; tries < 150; tries++) {
    const found = vscode.languages.getDiagnostics(uri);
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no diagnostics for ${name}`);
}

function codeOf(code: vscode.Diagnostic['code']): unknown {
  return typeof code === 'object' ? code.value : code;
}
