// npm run record [-- PART OF A FILE NAME …]: asks the oracle of every version and writes answers/**.
import { answersChanged, compactAnswers, type Recorded, readAnswers, writeAnswers } from './answers.ts';
import { type CaseFile, loadCases } from './cases.ts';
import { normal, type Plain } from './normal.ts';
import { oracleBinary, startOracle } from './oracle.ts';
import { kubernetesVersions } from './protocol.ts';

const asked = process.argv.slice(2);
const files = loadCases().filter((file) => asked.length === 0 || asked.some((part) => file.name.includes(part)));
const missing = kubernetesVersions.filter((version) => oracleBinary(version) === undefined);
if (missing.length > 0) {
  console.error(`recording needs every version's oracle: npm run oracle -- ${missing.join(' ')}`);
  process.exit(2);
}
const oracles = kubernetesVersions.map((version) => ({ version, oracle: startOracle(version) }));
for (const file of files) {
  const answers = await record(file);
  const changed = answersChanged(readAnswers(file.name), answers);
  if (changed > 0) writeAnswers(file.name, answers);
  console.log(`${file.name}: ${answers.size} cases, ${changed} changed`);
}
for (const { oracle } of oracles) oracle.close();

async function record(file: CaseFile): Promise<Map<string, Recorded>> {
  const byCase = new Map(file.cases.map((one) => [one.name, new Map<string, Plain>()]));
  for (const { version, oracle } of oracles) {
    const answers = await oracle.ask(file.cases.map((one) => one.request));
    for (const [i, answer] of answers.entries()) byCase.get(file.cases[i]!.name)!.set(version, normal(answer));
  }
  return new Map([...byCase].map(([name, byVersion]) => [name, compactAnswers(byVersion)]));
}
