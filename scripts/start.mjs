// npm start: builds, and opens an editor with the extension on examples/: the VS Code of this machine if there is one,
// else code-server in the browser.
import path from 'node:path';
import { build } from './build.mjs';
import { installedExtension, localCode, startCodeServer } from './editor.mjs';
import { root, run } from './setup.mjs';

await build();
const examples = path.join(root, 'examples');
const code = localCode();
if (code) {
  run(code, ['--new-window', `--extensionDevelopmentPath=${root}`, examples]);
  console.log('VS Code is open on examples/ with the extension loaded from this folder.');
} else {
  const extensions = installedExtension(path.join(root, 'dist/extensions'));
  const editor = await startCodeServer({ extensions, port: 8080 });
  console.log(
    `An editor with the extension is open on examples/:\n\n  ${editor.address}/?folder=${encodeURI(examples)}\n\nCtrl+C ends it.`,
  );
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => editor.stop().then(() => process.exit(0)));
  await editor.ended;
}
