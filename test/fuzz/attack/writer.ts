// Writes one text and another over a file until it is ended.
import path from 'node:path';
import { writeWhole } from '../../../server/src/files/write.ts';

const [, , file = ''] = process.argv;
process.stdout.write('.');
for (;;)
  for (const text of ['b'.repeat(2_000_000), 'a'.repeat(100_000)]) await writeWhole(file, text, path.dirname(file));
