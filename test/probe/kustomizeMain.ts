// npm run probe:kustomize -- [--cases N] [--seed S] [--show K]: makes one mistake at a time in kustomizations of our own making,
// and counts how often the finding is at the token that was changed. It fails where that is less often than 98 of 100 times.
import { parseArgs } from 'node:util';
import { seeded } from '../support/random.ts';
import { type Judged, probedKustomization } from './kustomize.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
  },
});
const random = seeded(Number(values.seed));
const all = Array.from({ length: Number(values.cases) }, () => probedKustomization(random));
const count = (list: readonly Judged[], outcome: Judged['outcome']) =>
  list.filter((one) => one.outcome === outcome).length;

for (const kind of ['base', 'patch', 'generator'] as const) {
  const of = all.filter((one) => one.kind === kind);
  const [right, elsewhere, missed] = [count(of, 'right'), count(of, 'elsewhere'), count(of, 'missed')];
  console.log(
    `${kind}: ${right + elsewhere + missed} wrong builds, ${right} at the token; ${elsewhere} elsewhere, ${missed} missed` +
      ` (${count(of, 'harmless')} without consequence, ${count(of, 'refused')} refused by kustomize,` +
      ` ${count(of, 'lacking')} where only the right key is missed)`,
  );
}
const wrong = all.filter(({ outcome }) => outcome === 'elsewhere' || outcome === 'missed');
for (const { outcome, about } of wrong.slice(0, Number(values.show))) console.log(`  ${outcome}: ${about}`);
const right = count(all, 'right');
const sum = right + wrong.length;
console.log(`${right} of ${sum} at the token (${((right / sum) * 100).toFixed(1)} %)`);
process.exit(right > 0 && right >= sum * 0.98 ? 0 : 1);
