import { pathToFileURL } from 'node:url';
import { findingsIn } from '../../server/src/features/charts/diagnoseChart.ts';
import { ofWholeChart } from '../../server/src/features/charts/wholeChart.ts';
import { readChart } from '../../server/src/workspace/charts/chartFiles.ts';
import { ChartFolder } from '../../server/src/workspace/charts/chartFolder.ts';
import { promptFiles } from '../../server/src/workspace/sources/nodeFiles.ts';
import { helmAnswer } from '../conformance/ops/helm.ts';
import { oracleBinary, startOracle } from '../conformance/oracle.ts';
import { chartOf } from '../support/charts.ts';
import { builtinFile, snapshotOf } from '../support/workspace.ts';

// A chart in the editor: opening it, and a key in its templates. Beside it, one rendering of the whole by us and by Helm.
// With --chart=FOLDER it is that chart, otherwise one that is made, of the size of a large public one.

type Files = Readonly<Record<string, string>>;

const templates = 150;
const keysInEach = 3;

function madeChart(): Files {
  const values = Array.from({ length: templates }, (_, i) => {
    return `# About part ${i}.\npart${i}:\n  enabled: ${i % 3 > 0}\n  replicas: ${i}\n  labels: {tier: t${i}}\n  args: [a, b, "${i}"]\n`;
  });
  const all = Array.from({ length: templates }, (_, i) => [`templates/part${i}.yaml`, template(`part${i}`)]);
  return {
    'Chart.yaml': 'apiVersion: v2\nname: large\nversion: 1.0.0\n',
    'values.yaml': values.join(''),
    'templates/_helpers.tpl': `{{- define "large.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}
`,
    ...Object.fromEntries(all),
  };
}

const template = (part: string) => `{{- $part := .Values.${part} }}
{{- if $part.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ printf "%s-${part}" .Release.Name }}
  labels:
    {{- include "large.labels" . | nindent 4 }}
    {{- with $part.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  replicas: {{ $part.replicas }}
  selector:
    matchLabels: {app: ${part}}
  template:
    metadata:
      labels: {app: ${part}}
    spec:
      containers:
      {{- range $i, $arg := $part.args }}
      - name: {{ printf "c%d" $i }}
        image: {{ $.Values.image | default "example.com/a:1" }}
        args: [{{ $arg | quote }}]
      {{- end }}
{{- end }}
`;

export async function bench(flags: readonly string[]): Promise<void> {
  const folder = flags.find((flag) => flag.startsWith('--chart='))?.slice('--chart='.length);
  const chart = folder
    ? new ChartFolder(await readChart(promptFiles, pathToFileURL(folder).href, undefined))
    : chartOf(madeChart());
  const texts = Object.fromEntries(chart.files.map(({ path, text }) => [path, text]));
  await whole(texts);
  keys(chart);
}

async function whole(files: Files): Promise<void> {
  const question = { op: 'helm', files, values: [] };
  const [first, ...ours] = Array.from({ length: 6 }, () => timed(() => helmAnswer(question)));
  console.log(`  one rendering of the whole: the first ${ms(first!)}, then ${ms(share(ours, 0.5))}`);
  if (oracleBinary('made') === undefined) {
    console.log('  not beside Helm: npm run oracle -- made');
    return;
  }
  const helm = startOracle('made');
  const theirs: number[] = [];
  for (let i = 0; i < 6; i++) {
    const began = performance.now();
    await helm.ask([JSON.stringify(question)]);
    if (i > 0) theirs.push(performance.now() - began);
  }
  helm.close();
  const [own, other] = [share(ours, 0.5), share(theirs, 0.5)];
  console.log(`  Helm, as a process that is asked: ${ms(other)}; ratio ${(own / other).toFixed(2)}`);
}

/** A comment in each template, letter by letter: what it is judged anew for, with all values that reach its lines. */
function keys(chart: ChartFolder): void {
  const snapshot = { ...snapshotOf([]), builtin: builtinFile() };
  const files = chart.files.filter(({ path }) => /^templates\/[^_].*\.yaml$/.test(path));
  const opening = files.map(({ id }) => timed(() => findingsIn(snapshot, chart, id)));
  const about = timed(() => ofWholeChart(snapshot, chart));
  const times: number[] = [];
  for (const { id, text } of files) {
    for (let i = 1; i <= keysInEach; i++) {
      const typed = `${text}\n# ${'x'.repeat(i)}`;
      times.push(timed(() => findingsIn(snapshot, chart.withOpen(new Map([[id, typed]])), id)));
    }
  }
  console.log(
    `  opening one of ${files.length} templates: p50 ${ms(share(opening, 0.5))}, at most ${ms(Math.max(...opening))}`,
  );
  console.log(`  what is said of the whole chart: ${ms(about)}`);
  console.log(
    `  key → findings: p50 ${ms(share(times, 0.5))}, p95 ${ms(share(times, 0.95))}, at most ${ms(Math.max(...times))}`,
  );
}

function timed(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}

function share(times: readonly number[], of: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(of * sorted.length))]!;
}

const ms = (time: number) => `${time.toFixed(1)} ms`;
