import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { debouncer } from '../lsp/debounce.ts';
import { startServer } from '../lsp/server.ts';
import { anchor } from '../rules/page.ts';
import { gitHistory } from '../workspace/sources/git.ts';
import { nodeFiles } from '../workspace/sources/nodeFiles.ts';

/** Runs the language server over what the arguments name: `--stdio`, `--node-ipc`, `--socket=PORT`, `--pipe=NAME`. */
export function serve(args: readonly string[]): number | undefined {
  if (!args.some((arg) => /^--(stdio|node-ipc|socket|pipe)/.test(arg))) {
    process.stderr.write('kube-crd server: say how to talk: --stdio\n');
    return 2;
  }
  const docs = pathToFileURL(path.join(__dirname, '../../docs/rules.md')).href;
  startServer(createConnection(ProposedFeatures.all), {
    disk: nodeFiles,
    history: gitHistory,
    version: VERSION,
    docs: (code) => `${docs}#${anchor(code)}`,
    debounce: debouncer(),
  });
  return undefined;
}
