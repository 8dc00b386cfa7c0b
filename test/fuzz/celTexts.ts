// node scripts/run.mjs test/fuzz/celTexts.ts --seed 1 --texts 100000: parses, checks and prices texts of every kind;
// an exception, or a place outside the text, ends it.
import { parseArgs } from 'node:util';
import { schemaEnvironment } from '../../server/src/kubernetes/cel/environment.ts';
import { kubernetesVersions } from '../../server/src/kubernetes/releases/all.ts';
import { anyText, judgeText } from '../cel/anyText.ts';
import { sampleDecl } from '../cel/sample.ts';
import { seeded } from '../support/random.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, texts: { type: 'string', default: '100000' } },
});
const environments = kubernetesVersions.map((one) => schemaEnvironment(one, Number.POSITIVE_INFINITY, sampleDecl));
const random = seeded(Number(values.seed));
const count = Number(values.texts);
for (let i = 0; i < count; i++) {
  const text = anyText(random);
  try {
    judgeText(text, environments[i % environments.length]!);
  } catch (error) {
    console.error(JSON.stringify(text), error);
    process.exit(1);
  }
}
console.log(`${count} texts without an exception`);
