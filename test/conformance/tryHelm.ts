import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Chart, type ChartFile, loadChart } from '../../server/src/helm/chart.ts';
import { isFailure, prepare } from '../../server/src/helm/render.ts';
import { readValues } from '../../server/src/helm/values.ts';
import { ChartError } from '../../server/src/helm/coalesce.ts';

const oracle = spawn('/tmp/h/oracle-made', { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
async function ask(q: unknown): Promise<any> {
  oracle.stdin.write(`${JSON.stringify(q)}\n`);
  return JSON.parse((await lines.next()).value);
}
function walk(dir: string, out: string[] = []): string[] {
  for (const e of readdirSync(dir, { withFileTypes: true })) {
    const p = path.join(dir, e.name);
    if (e.isDirectory()) walk(p, out);
    else out.push(p);
  }
  return out;
}
const stats = { equal: 0, equalErrors: 0, different: 0 };
let ours = 0;
for (const folder of process.argv.slice(2)) {
  for (const chartFile of walk(folder).filter((f) => path.basename(f) === 'Chart.yaml' && !existsSync(path.join(path.dirname(f), '../../Chart.yaml')))) {
    const root = path.dirname(chartFile);
    const all = walk(root).filter((f) => statSync(f).size < 4e6);
    const files = all.filter((f) => !/\.(png|tgz|gz)$/.test(f)).map((f): ChartFile => ({ path: path.relative(root, f), text: readFileSync(f, 'utf8').replace(/^\ufeff/, ''), id: f }));
    const sets = [[], ...files.filter((f) => /^ci\/.*values\.yaml$/.test(f.path)).map((f) => [f.text])];
    for (const values of sets) {
      const q = { op: 'helm', files: Object.fromEntries(files.map((f) => [f.path, f.text])), values };
      const a = await ask(q);
      const b = await ask(q);
      const t = performance.now();
      let got: any;
      try {
        const chart: Chart = loadChart(files);
        const rendering = prepare(chart, values[0] === undefined ? {} : { values: readValues(values[0], 'given').values });
        const out: Record<string, string> = {};
        let error: string | undefined;
        for (const name of rendering.names) {
          const r = rendering.render(name);
          if (isFailure(r)) error ??= r.message;
          else out[name] = r.text;
        }
        got = error === undefined ? { files: out } : { error };
      } catch (e) {
        got = { error: e instanceof ChartError ? `chart: ${e.message}` : (e as Error).stack };
      }
      ours += performance.now() - t;
      if (a.error || got.error) {
        if (a.error === got.error) stats.equalErrors++;
        else {
          stats.different++;
          console.log(`ERR ${root} ${values.length}\n  theirs: ${String(a.error).slice(0, 600)}\n  ours:   ${String(got.error).slice(0, 600)}`);
        }
        continue;
      }
      const bad = Object.keys({ ...(a.files ?? {}), ...got.files }).filter((n) => (a.files?.[n] ?? '') === (b.files?.[n] ?? '') && a.files?.[n] !== got.files[n]);
      if (bad.length === 0) stats.equal++;
      else {
        stats.different++;
        for (const n of bad.slice(0, 3)) {
          const x = a.files?.[n] ?? '<none>';
          const y = got.files[n] ?? '<none>';
          let i = 0;
          while (i < x.length && x[i] === y[i]) i++;
          console.log(`DIFF ${root} ${values.length} ${n} @${i}\n  theirs: ${JSON.stringify(x.slice(Math.max(0, i - 60), i + 80))}\n  ours:   ${JSON.stringify(y.slice(Math.max(0, i - 60), i + 80))}`);
        }
      }
    }
  }
}
console.log(stats, 'ours ms', Math.round(ours));
oracle.stdin.end();
