// npm run survey -- FOLDER … [--sample 30] [--seed 1]: what `check` says of checkouts of other repositories, counted by
// rule, and a random sample with the lines around it, as a page on which a person writes the verdicts.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { fileText, sampled, summaryLine, survey, surveyPage } from './survey.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
});
if (positionals.length === 0) {
  console.error('usage: npm run survey -- FOLDER … [--sample 30] [--seed 1]');
  process.exit(2);
}
const folders = new Map(positionals.map((one) => [path.basename(path.resolve(one)), path.resolve(one)]));
const all = [...folders.values()].map((folder) => {
  const one = survey(folder);
  for (const line of one.remarks.slice(-1)) console.error(`${one.name}: ${line}`);
  return one;
});
const sample = sampled(all, Number(values.sample), Number(values.seed));
console.log(surveyPage(all, sample, (name, file) => fileText(folders.get(name)!, file)));
console.error(summaryLine(all));
