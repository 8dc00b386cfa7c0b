// npm run probe:charts -- FOLDER … [--cases N] [--seed S] [--show K]: makes one mistake at a time in the charts of folders and
// in charts of our own making, and counts how often the finding is at the token that was changed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import type { Snapshot } from '../../server/src/workspace/snapshot.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { type Random, seeded } from '../support/random.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';
import { ChartProbe, type Judged, type Mistake, type MistakeKind, mistakesIn } from './charts.ts';
import { generatedCharts } from './chartsMaking.ts';

const { values, positionals } = parseArgs({
  options: {
    cases: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '0' },
  },
  allowPositionals: true,
});
const most = Number(values.cases);
const random = seeded(Number(values.seed));

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(inside) : entry.isFile() ? [inside] : [];
  });
}

async function chartsIn(files: readonly string[]): Promise<ChartFolder[]> {
  const roots = files.filter((file) => path.basename(file) === 'Chart.yaml').map((file) => path.dirname(file));
  const outer = roots.filter((root) => !existsSync(path.join(root, '../../Chart.yaml'))).sort();
  const charts: ChartFolder[] = [];
  for (const root of outer)
    charts.push(new ChartFolder(await readChart(promptFiles, pathToFileURL(root).href, undefined)));
  return charts;
}

/** The kinds that the files of a folder define. */
function knowing(files: readonly string[]): Snapshot {
  const crds = files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^kind: CustomResourceDefinition\s*$/m.test(text) && !text.includes('{{'));
  return { ...snapshotOf(crds), builtin: builtinFile() };
}

type Counts = Record<Judged['outcome'], number>;

class Tally {
  private readonly byKind = new Map<MistakeKind, Counts>();
  private readonly shown: Judged[] = [];

  take(one: Judged): void {
    const counts = this.byKind.get(one.mistake.kind) ?? {
      right: 0,
      elsewhere: 0,
      missed: 0,
      harmless: 0,
      refused: 0,
      lacking: 0,
    };
    this.byKind.set(one.mistake.kind, counts);
    counts[one.outcome]++;
    if (one.outcome === 'elsewhere' || one.outcome === 'missed') this.shown.push(one);
  }

  /** Mistakes that made a rendering wrong. */
  get wrong(): number {
    return [...this.byKind.values()].reduce((sum, { right, elsewhere, missed }) => sum + right + elsewhere + missed, 0);
  }

  get right(): number {
    return [...this.byKind.values()].reduce((sum, { right }) => sum + right, 0);
  }

  print(what: string): void {
    for (const [kind, { right, elsewhere, missed, harmless, refused, lacking }] of this.byKind) {
      const wrong = right + elsewhere + missed;
      const share = wrong === 0 ? '-' : `${((right / wrong) * 100).toFixed(1)} %`;
      console.log(
        `${what}, ${kind}: ${wrong} wrong renderings, ${share} at the token; ${elsewhere} elsewhere, ${missed} missed` +
          ` (${harmless} without consequence, ${refused} refused by Helm, ${lacking} where only the right key is missed)`,
      );
    }
    for (const {
      mistake: { file, range, kind, text },
      outcome,
      about,
    } of this.shown.slice(0, Number(values.show))) {
      const start = file.text.lastIndexOf('\n', range.start - 1) + 1;
      const row = file.text.slice(0, range.start).split('\n').length;
      const source = file.text.slice(start, file.text.indexOf('\n', range.end));
      console.log(
        `  ${outcome}: ${kind} ${file.path}:${row} ${JSON.stringify(source.trim())} -> ${text}\n      ${about}`,
      );
    }
  }
}

const total = { right: 0, wrong: 0 };

function probe(what: string, charts: readonly (readonly [Snapshot, ChartFolder])[]): void {
  const tally = new Tally();
  const ready = charts.flatMap(([snapshot, chart]) => {
    const mistakes = mistakesIn(chart, random);
    return mistakes.length === 0 ? [] : [{ probe: new ChartProbe(snapshot, chart), mistakes }];
  });
  for (let tries = 0; tries < most * 20 && tally.wrong < most; tries++) {
    const { probe, mistakes } = random.pick(ready);
    tally.take(probe.judge(pickedOf(mistakes, random)));
  }
  tally.print(what);
  total.right += tally.right;
  total.wrong += tally.wrong;
}

/** Each kind of mistake as often as the others. */
function pickedOf(mistakes: readonly Mistake[], from: Random): Mistake {
  const kinds = [...new Set(mistakes.map(({ kind }) => kind))];
  const kind = from.pick(kinds);
  return from.pick(mistakes.filter((one) => one.kind === kind));
}

probe('made', generatedCharts(seeded(Number(values.seed)), 60));
for (const folder of positionals) {
  const files = filesIn(path.resolve(folder));
  const snapshot = knowing(files);
  probe(
    path.basename(folder),
    (await chartsIn(files)).map((chart) => [snapshot, chart]),
  );
}
console.log(`${total.right} of ${total.wrong} at the token (${((total.right / total.wrong) * 100).toFixed(1)} %)`);
process.exit(total.right >= total.wrong * 0.98 ? 0 : 1);
