// Completes paths of values, what Helm gives beside them, names of templates and variables, in `helm` and in `yaml`.
const vscode = require('vscode');

const objects = { '': ['Values', 'Release', 'Chart', 'Files', 'Capabilities', 'Template'], Values: ['engine', 'replicas'] };

exports.activate = (context) => {
  const provide = (pattern, names) => ({
    provideCompletionItems: (document, { line, character }) => {
      const found = pattern.exec(document.lineAt(line).text.slice(0, character));
      return found && names(found[1] ?? '').map((name) => new vscode.CompletionItem(name, vscode.CompletionItemKind.Field));
    },
  });
  for (const language of ['yaml', 'helm']) {
    context.subscriptions.push(
      vscode.languages.registerCompletionItemProvider(
        language,
        provide(/\{\{[^}]*\s\$?\.(?:(\w+)\.)?\w*$/, (object) => objects[object] ?? []),
        '.',
      ),
      vscode.languages.registerCompletionItemProvider(language, provide(/include "[^"]*$/, () => ['orders.labels']), '"'),
    );
  }
};
