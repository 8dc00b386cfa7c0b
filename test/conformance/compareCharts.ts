// npm run compare:charts -- APISERVER FOLDER … [--made-up]: what a real API server with built-in kinds says, with dry run, of
// every object that charts render with their own values or those of ci, or also with values that are made up; prints where
// only one of us refuses it.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { diagnose } from '../../server/src/features/problems/diagnose.ts';
import { judgedText } from '../../server/src/helm/judgedText.ts';
import { ruleOf } from '../../server/src/rules/model/registry.ts';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { clusterFor } from '../../server/src/workspace/charts/cluster.ts';
import { assumptionText, type MadeFile, madeFile } from '../../server/src/workspace/charts/madeFile.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { type Snapshot, withOpen } from '../../server/src/workspace/snapshot.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { startServer } from '../support/apiServer.ts';
import { DryRun, type Question } from '../support/dryRun.ts';
import { filesIn } from '../support/folders.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

const withMadeUp = process.argv.includes('--made-up');
const [binary, ...folders] = process.argv.slice(2).filter((one) => one !== '--made-up');
if (binary === undefined || folders.length === 0) {
  console.error('which API server and folders? npm run compare:charts -- APISERVER FOLDER …');
  process.exit(2);
}

const server = await startServer(binary);
const dryRun = new DryRun(server);

const newest = { ...snapshotOf([]), builtin: builtinFile() };

function questionsOf(snapshot: Snapshot, where: string, { made, source }: MadeFile): Question[] {
  const wrong = diagnose(withOpen(snapshot, source), source.uri).filter(
    ({ code, severity }) => severity === 'error' && !ruleOf(code)?.ofFiles,
  );
  const { text: all, from } = judgedText(made.rendered);
  const open = from.runs(all.length).filter(({ leaf }) => leaf.isUnknown);
  return source.stream.documents.map(({ document: { text }, start }) => {
    const isOpen = open.some((run) => run.start < start + text.length && run.end > start);
    const here = wrong.filter(({ range }) => range.start >= start && range.start <= start + text.length);
    const said = here.map(({ code, message }) => `${code}: ${message.slice(0, 200)}`);
    return { where, uri: source.uri, text, said, isOpen };
  });
}

async function judgeChart(root: string, crds: readonly { uri: string; text: string }[]): Promise<void> {
  const snapshot = { ...snapshotOf(crds, { kubernetes: '1.36' }), builtin: newest.builtin };
  const chart = new ChartFolder(await readChart(promptFiles, pathToFileURL(root).href, undefined));
  const renderings = renderingsOf(chart, clusterFor(snapshot, chart.root));
  for (const name of renderings.names) {
    if (name.endsWith('NOTES.txt')) continue;
    for (const made of renderings.madeOf(name).made) {
      const isMadeUp = made.assumptions.length > 0 || made.set.assumed.length > 0;
      if (isMadeUp && !withMadeUp) continue;
      const where = `${root} ${name} (${[made.set.name, ...made.set.assumed, ...made.assumptions.map(assumptionText)].join(', ')})`;
      for (const question of questionsOf(snapshot, where, madeFile(chart, made))) await dryRun.ask(question);
    }
  }
}

for (const folder of folders) {
  const files = filesIn(path.resolve(folder));
  const crds = files
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => ({ uri: pathToFileURL(file).href, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /^kind: CustomResourceDefinition\s*$/m.test(text) && !text.includes('{{'));
  await dryRun.install(crds);
  const roots = files.filter((file) => path.basename(file) === 'Chart.yaml').map((file) => path.dirname(file));
  for (const root of roots.sort()) if (!existsSync(path.join(root, '../../Chart.yaml'))) await judgeChart(root, crds);
}
const isRight = dryRun.end();
await server.stop();
process.exit(isRight ? 0 : 1);
