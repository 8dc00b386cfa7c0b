// Makes dist/kube-crd.vsix and refuses one that is too large or carries what it should not.
import { execFileSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { extensionPage } from './extensionPage.mjs';
import { root, run } from './setup.mjs';

const mostBytes = 1_500_000;
const vsix = path.join(root, 'dist/kube-crd.vsix');

await build({ minify: true });
writeFileSync(path.join(root, 'dist/README.md'), extensionPage());
run(
  'node_modules/.bin/vsce',
  [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--readme-path',
    'dist/README.md',
    '--out',
    vsix,
  ],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
const files = execFileSync(path.join(root, 'node_modules/.bin/vsce'), ['ls', '--no-dependencies'], {
  cwd: root,
  encoding: 'utf8',
});
const stray = files.split('\n').filter((file) => /\.map$|node_modules|\.ts$|^test\//.test(file));
const missing = ['dist/NOTICES.txt', 'LICENSE', 'dist/README.md', 'docs/images/icon.png'].filter(
  (file) => !files.split('\n').includes(file),
);
const { size } = statSync(vsix);
console.log(`dist/kube-crd.vsix: ${size} bytes`);
if (stray.length > 0) console.error(`the package must not carry ${stray.join(', ')}`);
if (missing.length > 0) console.error(`the package lacks ${missing.join(', ')}`);
if (size > mostBytes) console.error(`the package must not be over ${mostBytes} bytes`);
process.exit(stray.length > 0 || missing.length > 0 || size > mostBytes ? 1 : 0);
