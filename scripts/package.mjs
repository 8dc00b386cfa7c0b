// Makes dist/kube-crd.vsix and refuses one that is too large or carries what it should not.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { root, run } from './setup.mjs';

const mostBytes = 2_000_000;
const vsix = path.join(root, 'dist/kube-crd.vsix');

await build({ minify: true });
run(
  'node_modules/.bin/vsce',
  [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--readme-path',
    'docs/marketplace.md',
    '--out',
    vsix,
  ],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
const { icon, contributes } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const pictures = [icon, ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.image))];
const files = execFileSync(path.join(root, 'node_modules/.bin/vsce'), ['ls', '--no-dependencies'], {
  cwd: root,
  encoding: 'utf8',
});
const stray = files.split('\n').filter((file) => /\.map$|node_modules|\.ts$|^test\//.test(file));
const missing = ['dist/NOTICES.txt', 'LICENSE', 'docs/marketplace.md', 'docs/first-example.yaml', ...pictures].filter(
  (file) => !files.split('\n').includes(file),
);
const { size } = statSync(vsix);
console.log(`dist/kube-crd.vsix: ${size} bytes`);
if (stray.length > 0) console.error(`the package must not carry ${stray.join(', ')}`);
if (missing.length > 0) console.error(`the package lacks ${missing.join(', ')}`);
if (size > mostBytes) console.error(`the package must not be over ${mostBytes} bytes`);
process.exit(stray.length > 0 || missing.length > 0 || size > mostBytes ? 1 : 0);
