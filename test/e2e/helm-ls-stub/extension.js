// Explains values, leads to them, and tells the end of Helm's own errors when a template is saved, in `helm` alone.
const vscode = require('vscode');

const helm = { scheme: 'file', language: 'helm' };

exports.activate = (context) => {
  const found = vscode.languages.createDiagnosticCollection('helm-ls');
  const lint = (document) => {
    if (document.languageId !== 'helm') return;
    const at = document.getText().indexOf('{{ fail');
    const range = document.lineAt(document.positionAt(Math.max(0, at)).line).range;
    const said = 'error calling fail: this is never rendered';
    const one = new vscode.Diagnostic(range, said, vscode.DiagnosticSeverity.Error);
    one.source = 'Helm lint';
    found.set(document.uri, at === -1 ? [] : [one]);
  };
  const valueAt = (document, position) => {
    const range = document.getWordRangeAtPosition(position);
    const before = range && document.lineAt(position.line).text.slice(0, range.start.character);
    return before?.endsWith('.Values.') ? document.getText(range) : undefined;
  };
  const values = (document) => vscode.Uri.joinPath(document.uri, '../../values.yaml');
  context.subscriptions.push(
    found,
    vscode.workspace.onDidOpenTextDocument(lint),
    vscode.workspace.onDidSaveTextDocument(lint),
    vscode.languages.registerHoverProvider(helm, {
      provideHover: (document, position) => {
        const name = valueAt(document, position);
        return name && new vscode.Hover(`helm-ls: ${name} of values.yaml`);
      },
    }),
    vscode.languages.registerDefinitionProvider(helm, {
      provideDefinition: async (document, position) => {
        const name = valueAt(document, position);
        const file = name && (await vscode.workspace.openTextDocument(values(document)));
        const at = file ? file.getText().search(new RegExp(`^${name}:`, 'm')) : -1;
        return at === -1 ? undefined : new vscode.Location(file.uri, file.positionAt(at + name.length + 2));
      },
    }),
    vscode.languages.registerDocumentSymbolProvider(helm, { provideDocumentSymbols: () => [] }, { label: 'helm-ls' }),
  );
  vscode.workspace.textDocuments.forEach(lint);
};
