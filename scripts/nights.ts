// node scripts/run.mjs scripts/nights.ts FOLDER: reads the printed benches of the last nights, a text file each, and prints
// a table of what the newest says beside the others. Files older than the last 30 are removed.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { nightsTable } from '../test/bench/supportNights.ts';

const most = 30;
const folder = process.argv[2];
if (folder === undefined) throw new Error('name the folder with the nights');
const files = readdirSync(folder).sort();
for (const old of files.slice(0, -most)) rmSync(path.join(folder, old));
console.log(nightsTable(files.slice(-most).map((file) => readFileSync(path.join(folder, file), 'utf8'))));
