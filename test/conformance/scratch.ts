import { loadCases } from './cases.ts';
import { answerLine } from './answer.ts';
import { startOracle } from './oracle.ts';
import { differences, normal } from './normal.ts';
const version = process.argv[2] ?? '1.37';
const oracle = startOracle(version);
for (const file of loadCases().filter((one) => one.name.includes('policy'))) {
  const answers = await oracle.ask(file.cases.map((one) => one.request));
  for (const [i, theirs] of answers.entries()) {
    const found = differences(normal(answerLine(file.cases[i]!.request, version)), normal(theirs));
    if (found.length > 0) console.log(`== ${file.cases[i]!.name}\n${found.join('\n')}`);
  }
  console.log(answers.length, 'cases');
}
oracle.close();
