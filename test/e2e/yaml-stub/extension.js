// Shows in its hover which schema it was told to use for a file: the test reads that.
const vscode = require('vscode');

exports.activate = (context) => {
  const contributors = [];
  const schemaOf = (uri) => contributors.map(({ requestSchema }) => requestSchema(uri)).find((schema) => schema !== undefined);
  context.subscriptions.push(
    vscode.languages.registerHoverProvider({ language: 'yaml' }, {
      provideHover: ({ uri }) => new vscode.Hover(`yaml extension: schema ${schemaOf(uri.toString()) ?? 'of its own'}`),
    }),
    vscode.languages.registerDocumentSymbolProvider({ language: 'yaml' }, { provideDocumentSymbols: () => [] }, { label: 'yaml' }),
  );
  return {
    registerContributor: (name, requestSchema, requestSchemaContent) => {
      contributors.push({ name, requestSchema, requestSchemaContent });
      return true;
    },
  };
};
