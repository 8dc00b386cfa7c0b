import { pathToFileURL } from 'node:url';
import { findingsOfTemplate } from '../../server/src/features/charts/diagnoseChart.ts';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { clusterFor } from '../../server/src/workspace/charts/cluster.ts';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { emptySnapshot } from '../../server/src/workspace/snapshot.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';

const root = pathToFileURL(process.argv[2]!).href;
const read = await readChart(promptFiles, root);
let folder = new ChartFolder(read);
const cluster = clusterFor(emptySnapshot, root);
const t = performance.now();
let r = renderingsOf(folder, cluster);
console.log('names', r.names.length, performance.now() - t);
const all = r.names.map((name) => {
  const t = performance.now();
  const m = r.madeOf(name);
  return { name, n: m.made.length, ms: performance.now() - t };
});
console.log('all', performance.now() - t);
all.sort((a, b) => b.ms - a.ms);
console.log(all.slice(0, 8));
for (const want of process.argv.slice(3)) {
  const name = r.names.find((n) => n.includes(want))!;
  const file = read.files.find((f) => name.endsWith(f.path))!;
  const times: number[] = [];
  let text = file.text;
  for (let i = 0; i < 20; i++) {
    text = text + (i % 2 ? '\n' : '# x');
    const t = performance.now();
    folder = folder.withOpen(new Map([[file.id, text]]));
    r = renderingsOf(folder, cluster);
    const t1 = performance.now();
    const made = r.madeOf(name);
    const t2 = performance.now();
    findingsOfTemplate(emptySnapshot, folder, name);
    times.push(performance.now() - t);
    if (i > 17) console.log(want, made.made.length, t1 - t, t2 - t1, performance.now() - t2);
  }
}
