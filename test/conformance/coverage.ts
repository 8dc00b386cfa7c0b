// npm run coverage: which of the API server's messages the recorded cases produce, by section, over all versions.
import { answerOf, readAnswers } from './answers.ts';
import { loadCases } from './cases.ts';
import { messageCoverage } from './messages.ts';
import { kubernetesVersions } from './protocol.ts';

const coverage = messageCoverage();
const cases = new Map<string, number>();
for (const file of loadCases()) {
  const answers = readAnswers(file.name);
  for (const { name, op } of file.cases) {
    cases.set(op, (cases.get(op) ?? 0) + 1);
    const recorded = answers.get(name);
    if (!recorded) continue;
    const asked = kubernetesVersions.filter((version, i) => i === 0 || recorded.older[version] !== undefined);
    for (const version of asked) coverage.add(op, answerOf(recorded, version) as Parameters<typeof coverage.add>[1]);
  }
}
for (const [op, count] of [...cases].sort()) console.log(`${op}: ${count} cases`);
for (const message of coverage.missing()) console.log(`not seen\t${message}`);
console.log(coverage.report());
