// npm run gen: writes what is made from the code: docs/rules.md. With --check it only says whether it is up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rulesPage } from '../server/src/rules/model/page.ts';

const file = 'docs/rules.md';
const text = rulesPage();
const upToDate = existsSync(file) && readFileSync(file, 'utf8') === text;
if (process.argv.includes('--check')) {
  if (!upToDate) console.error(`${file} is not up to date: npm run gen`);
  process.exitCode = upToDate ? 0 : 1;
} else if (!upToDate) writeFileSync(file, text);
