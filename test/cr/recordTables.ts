// npm run record-tables: asks the oracle of the newest version what tables hold, and writes test/cr/tables.jsonl.
import { writeFileSync } from 'node:fs';
import { newestVersion } from '../../server/src/kubernetes/releases/all.ts';
import { startOracle } from '../conformance/oracle.ts';
import { questions } from './tableQuestions.ts';

const oracle = startOracle(newestVersion.name);
const answers = (await oracle.ask(questions.map(({ request }) => request))).map((line) => JSON.parse(line).stored);
oracle.close();
const rows = questions.map(({ path, type }, i) => JSON.stringify([path, type, answers[i]]));
writeFileSync('test/cr/tables.jsonl', `${rows.join('\n')}\n`);
console.log(`${rows.length} answers`);
