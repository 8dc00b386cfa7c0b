import { readFileSync } from 'node:fs';
import { loadChart } from '../../server/src/helm/chart.ts';
import { isFailure, prepare } from '../../server/src/helm/render.ts';

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { files } = JSON.parse(line);
  const chart = loadChart(
    Object.entries(files as Record<string, string>).map(([path, text]) => ({ path, text, id: path })),
  );
  const rendering = prepare(chart);
  const out: Record<string, string> = {};
  let error: string | undefined;
  for (const name of rendering.names) {
    const result = rendering.render(name);
    if (isFailure(result)) {
      error ??= result.message;
    } else out[name] = result.text;
  }
  console.log(JSON.stringify(error ? { error } : { files: out }));
}
