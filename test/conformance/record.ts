// npm run record [-- PART OF A FILE NAME …]: asks the oracle of every version, and for the cases under http a real API
// server of the newest, and writes answers/**.

import { buildServer, startServer } from '../support/apiServer.ts';
import { fieldValidation } from './answer.ts';
import { answersChanged, compactAnswers, type Recorded, readAnswers, writeAnswers } from './answers.ts';
import { type CaseFile, loadCases, otherOracle, overHttp } from './cases.ts';
import { Exchange } from './exchange.ts';
import { normal, type Plain, stable } from './normal.ts';
import { oracleBinary, startOracle } from './oracle.ts';
import { kubernetesVersions, parseRequest } from './protocol.ts';

const asked = process.argv.slice(2);
const files = loadCases().filter((file) => asked.length === 0 || asked.some((part) => file.name.includes(part)));
await recordOverHttp(files.filter(overHttp));
for (const file of files) if (otherOracle(file)) await recordOther(file, otherOracle(file)!);
const ofOracle = files.filter((file) => !overHttp(file) && !otherOracle(file));
if (ofOracle.length === 0) process.exit(0);
const missing = kubernetesVersions.filter((version) => oracleBinary(version) === undefined);
if (missing.length > 0) {
  console.error(`recording needs every version's oracle: npm run oracle -- ${missing.join(' ')}`);
  process.exit(2);
}
const oracles = kubernetesVersions.map((version) => ({ version, oracle: startOracle(version) }));
for (const file of ofOracle) write(file, await record(file));
for (const { oracle } of oracles) oracle.close();

async function record(file: CaseFile): Promise<Map<string, Recorded>> {
  const byCase = new Map(file.cases.map((one) => [one.name, new Map<string, Plain>()]));
  for (const { version, oracle } of oracles) {
    const answers = await oracle.ask(file.cases.map((one) => one.request));
    for (const [i, answer] of answers.entries()) byCase.get(file.cases[i]!.name)!.set(version, normal(answer));
  }
  return new Map([...byCase].map(([name, byVersion]) => [name, compactAnswers(byVersion)]));
}

function write(file: CaseFile, answers: ReadonlyMap<string, Recorded>): void {
  const changed = answersChanged(readAnswers(file.name), answers);
  if (changed > 0) writeAnswers(file.name, answers);
  console.log(`${file.name}: ${answers.size} cases, ${changed} changed`);
}

async function recordOverHttp(asked: readonly CaseFile[]): Promise<void> {
  if (asked.length === 0) return;
  if (!buildServer()) process.exit(2);
  const server = await startServer();
  const exchange = new Exchange(server);
  for (const file of asked) {
    const answers = new Map<string, Recorded>();
    for (const { name, request: line } of file.cases) {
      const request = parseRequest(line);
      const exchanged = await exchange.ask(request, fieldValidation(request));
      if ('skipped' in exchanged) throw new Error(`${file.name} › ${name}: ${exchanged.skipped}`);
      answers.set(name, { newest: normal(stable(exchanged.answer)), older: {} });
    }
    write(file, answers);
  }
  await server.stop();
}

async function recordOther(file: CaseFile, name: string): Promise<void> {
  const oracle = startOracle(name);
  const found = await oracle.ask(file.cases.map((one) => one.request));
  const again = await oracle.ask(file.cases.map((one) => one.request));
  const random = file.cases.filter((_, i) => stable(normal(found[i]!)) !== stable(normal(again[i]!)));
  if (random.length > 0) throw new Error(`answered in two ways:\n${random.map((one) => one.name).join('\n')}`);
  const rows = file.cases.map(({ name }, i): [string, Recorded] => [name, { newest: normal(found[i]!), older: {} }]);
  write(file, new Map(rows));
  oracle.close();
}
