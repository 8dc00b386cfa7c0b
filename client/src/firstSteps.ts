import * as vscode from 'vscode';
import type { Status } from '../../server/src/lsp/protocol.ts';

// The first steps tick themselves once what they are about has happened, wherever that was. package.json has them, and the
// names of these contexts.

type Step = 'sawCrd' | 'brokeRule' | 'fixed';

export interface FirstSteps extends vscode.Disposable {
  /** What the server says of the open files. */
  show(status: Status): void;
}

let example: vscode.Uri | undefined;

export function firstSteps({ extensionUri }: vscode.ExtensionContext): FirstSteps {
  example = vscode.Uri.joinPath(extensionUri, 'docs/first-example.yaml');
  const done = new Set<Step>();
  const tick = (step: Step) => {
    if (done.has(step)) return;
    done.add(step);
    void vscode.commands.executeCommand('setContext', `kubeCrd.${step}`, true);
  };
  const errors = new Map<string, Errors>();
  const watch = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (done.has('brokeRule') && done.has('fixed')) watch.dispose();
    for (const uri of uris) look(uri, errors, tick);
  });
  const commands = vscode.Disposable.from(
    vscode.commands.registerCommand('kubeCrd.openExample', openExample),
    vscode.commands.registerCommand('kubeCrd.copyCheck', copyCheck),
  );
  return {
    show: ({ judged }) => {
      if (Object.values(judged).some((kinds) => kinds.includes('CustomResourceDefinition'))) tick('sawCrd');
    },
    dispose: () => vscode.Disposable.from(watch, commands).dispose(),
  };
}

/** How many errors a version of a document has. */
interface Errors {
  readonly version: number;
  readonly count: number;
}

function look(uri: vscode.Uri, known: Map<string, Errors>, tick: (step: Step) => void): void {
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (!document) return;
  const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'kube-crd');
  if (ours.some(({ code }) => (typeof code === 'object' ? code.value : code) === 'cr/rule')) tick('brokeRule');
  const count = ours.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
  const before = known.get(uri.toString());
  // Errors of the same text go away where a setting or another file has changed.
  if (before && count < before.count && document.version > before.version) tick('fixed');
  known.set(uri.toString(), { version: document.version, count });
}

/** An example in an editor of its own, beside what is open. */
async function openExample(): Promise<vscode.TextEditor> {
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(example!));
  const shown = vscode.workspace.textDocuments.find((one) => one.isUntitled && one.getText() === content);
  const document = shown ?? (await vscode.workspace.openTextDocument({ language: 'yaml', content }));
  return await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside);
}

/** The file to work on: where none has the focus, as beside the first steps, one that is on screen, or else an example. */
export async function editorAtHand(): Promise<vscode.TextEditor> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isYaml = ({ document }: vscode.TextEditor) => document.languageId === 'yaml';
  return activeTextEditor ?? visibleTextEditors.find(isYaml) ?? (await openExample());
}

const check = ['npx', 'kube-crd', 'check', '.'].join(' ');

async function copyCheck(): Promise<void> {
  await vscode.env.clipboard.writeText(check);
  const said = vscode.l10n.t('Copied {0}', check);
  vscode.window.setStatusBarMessage(said, 5000);
}
