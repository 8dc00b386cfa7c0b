// npm run try-fixes -- FOLDER …: every safe fix on the files of folders, such as checkouts of public repositories.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { newRealFigures, probeRealFixes } from './realFixes.ts';

const figures = newRealFigures();
for (const folder of process.argv.slice(2)) await probeRealFixes(pathToFileURL(path.resolve(folder)).href, figures);
const { files, changed, before, after, tried, failures } = figures;
for (const failure of failures) console.log(failure);
for (const [code, count] of [...tried].sort()) console.log(`${String(count).padStart(6)} ${code}`);
console.log(`${files} files, ${changed} changed: ${before} errors become ${after}; ${failures.length} failures`);
process.exitCode = failures.length > 0 || after > before || files === 0 ? 1 : 0;
