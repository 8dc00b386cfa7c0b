// npm run owner -- NAME: puts who releases into the files that name the repository.
import { readFileSync, writeFileSync } from 'node:fs';
import { files, owned } from './generate/owner.ts';

const [owner = ''] = process.argv.slice(2);
if (!/^[A-Za-z\d](?:[A-Za-z\d-]{0,37}[A-Za-z\d])?$/.test(owner)) {
  console.error('name the owner of the repository: npm run owner -- somebody');
  process.exit(2);
}
for (const file of files) writeFileSync(file, owned(readFileSync(file, 'utf8'), owner));
