// Charts that nobody would write: cut anywhere, with pieces of actions anywhere, and with one thing again and again. All
// that an editor asks of their files is asked: nothing may throw, take much longer than its text, or lead out of a file.
import type { Range } from '../../../server/src/base/text.ts';
import { featuresOf } from '../../../server/src/features/languages/languages.ts';
import { isRefusal } from '../../../server/src/features/navigate/rename/places.ts';
import { withChart } from '../../../server/src/workspace/languages/chart.ts';
import type { Snapshot } from '../../../server/src/workspace/snapshot.ts';
import { chartOf } from '../../support/charts.ts';
import type { Random } from '../../support/random.ts';
import { snapshotOf } from '../../support/workspace.ts';
import type { Attack, Attacked } from './part.ts';

const root = 'file:///chart';

type Texts = Readonly<Record<string, string>>;

const base: Texts = {
  'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies: [{name: d, version: 1.0.0, condition: d.on}]\n',
  'values.yaml': 'a: {b: [{c: 1}, {c: "2"}]}\n# text\ntext: "{{ .Values.a }}"\nd: {on: true}\nglobal: {x: y}\n',
  'README.md': '| a.b | 1 |\n',
  'values.schema.json': '{"properties": {"a": {"properties": {"b": {}}}}}',
  'charts/d/Chart.yaml': 'apiVersion: v2\nname: d\nversion: 1.0.0\n',
  'charts/d/templates/d.yaml': 'kind: {{ .Values.global.x }}{{ .Values.on }}\n',
  'templates/_h.tpl': '{{- define "c.l" -}}\napp: {{ .Release.Name }}\n{{ .Values.text }}: b\n{{- end -}}\n',
  'templates/t.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: x
  labels:
    {{- include "c.l" . | nindent 4 }}
{{- $v := .Values.a }}
{{- range $i, $e := $v.b }}
  n{{ $i }}: {{ $e.c | quote }}
{{- else if .Values.d }}
  x: {{ tpl .Values.text $ }}
{{- end }}
spec:
  {{- with .Values.a }}
  a: {{ toYaml .b | nindent 4 }}
  {{- end }}
`,
};

const pieces = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  '"',
  '`',
  '{{/*',
  '*/}}',
  '{{ end }}',
  '{{ else }}',
  '{{ define "',
  '.',
  '$',
  '(',
  ')',
  '|',
];
const more = [
  ':=',
  ' .Values.',
  '{{ if',
  '{{ range',
  '\n',
  '\r\n',
  '\u{1f600}',
  '\ue0c5',
  ': ',
  '- ',
  '\0',
  '#',
  'include "c.l"',
];

function mutated(random: Random): Texts {
  const files = { ...base };
  for (let left = 1 + random.below(4); left > 0; left--) {
    const name = random.pick(Object.keys(files));
    const text = files[name]!;
    const at = random.below(text.length + 1);
    const end = random.chance(0.5) ? at : Math.min(text.length, at + random.below(30));
    const put = random.chance(0.7) ? random.pick([...pieces, ...more]) : '';
    files[name] = text.slice(0, at) + put + text.slice(end);
  }
  return files;
}

/** One thing again and again, as a template or a file of values. */
const repeated: Readonly<Record<string, (count: number) => Texts>> = Object.fromEntries(
  Object.entries({
    opened: '{{',
    quoted: '{{"',
    raw: '{{`',
    commented: '{{/*',
    conditions: '{{if .Values.a}}',
    ended: '{{if .Values.a}}x{{else}}y{{end}}',
    variables: '{{$a := .Values.a}}{{$a}}',
    definitions: '{{define "a"}}{{include "a" .}}{{end}}',
    included: '{{include "c.l" .}}',
    chain: '{{.Values.a.a.a.a.a.a.a.a}}',
    dots: '.',
    ranges: '{{range .}}',
  }).map(([name, text]) => [name, (count: number) => ({ ...base, 'templates/t.yaml': text.repeat(count) })]),
);

/** What an editor asks of a place in a file of a chart. */
function requestsFor(files: Texts, path: string, offset: number) {
  const plain = snapshotOf(Object.entries(files).map(([name, text]) => ({ uri: `${root}/${name}`, text })));
  const snapshot = withChart(plain, chartOf(files, root));
  const uri = `${root}/${path}`;
  return requestsOf(snapshot, uri, offset, featuresOf(snapshot, uri));
}

function askAll(files: Texts, path: string, offset: number, failed: (what: string) => void): number {
  const asked = Object.entries(requestsFor(files, path, offset));
  for (const [name, ask] of asked) {
    try {
      for (const one of ask()) if (!isIn(files, one)) failed(`${name} leads out of ${one.uri} from ${path}:${offset}`);
    } catch (error) {
      failed(`${name} at ${path}:${offset}: ${error instanceof Error ? error.stack : error}\n${JSON.stringify(files)}`);
    }
  }
  return asked.length;
}

interface Place {
  readonly uri: string;
  readonly range: Range;
}

function isIn(files: Texts, { uri, range }: Place): boolean {
  const text = files[uri.slice(root.length + 1)];
  return text === undefined || (0 <= range.start && range.start <= range.end && range.end <= text.length);
}

function requestsOf(snapshot: Snapshot, uri: string, offset: number, of: ReturnType<typeof featuresOf>) {
  const here = (all: readonly { readonly range: Range }[] = []): Place[] => all.map(({ range }) => ({ uri, range }));
  return {
    diagnose: () => here(of.diagnose(snapshot, uri)),
    complete: () => here(of.complete?.(snapshot, uri, offset)),
    onEnter: () => here(of.onEnter?.(snapshot, uri, offset)),
    hover: () => here([of.hover?.(snapshot, uri, offset) ?? []].flat()),
    definition: () => of.definition?.(snapshot, uri, offset) ?? [],
    highlights: () => of.highlights?.(snapshot, uri, offset) ?? [],
    search: () => of.search?.(snapshot, uri, offset)?.uses ?? [],
    rename: () => {
      const target = of.rename?.(snapshot, uri, offset);
      const renamed = target && !isRefusal(target) ? target.to('other') : undefined;
      const edits = renamed && !isRefusal(renamed) ? renamed.edits : [];
      return edits.flatMap(({ file, edits }) => edits.map(({ edit }) => ({ uri: file.uri, range: edit.range })));
    },
    outline: () => here(of.outline?.(snapshot, uri)),
    folds: () => (of.folds?.(snapshot, uri) ?? []).map((range) => ({ uri, range })),
    rendered: () => {
      of.rendered?.(snapshot, uri, { offset });
      return [];
    },
    fixes: () =>
      of
        .diagnose(snapshot, uri)
        .slice(0, 2)
        .flatMap((one) => {
          const fixes = of.fixes?.(snapshot, uri, { ...one, offset: one.range.start, among: 1 }) ?? [];
          return fixes.flatMap(({ edits }) => here(edits));
        }),
  };
}

const asLong = 200_000;

export const attackTemplates: Attack = ({ cases, random, failed }: Attacked) => {
  let requests = 0;
  const charts = Math.ceil(cases / 20);
  for (let at = 0; at < charts; at++) {
    const files = mutated(random);
    const path = random.pick(['templates/t.yaml', 'templates/t.yaml', 'templates/_h.tpl', 'values.yaml']);
    requests += askAll(files, path, random.below(files[path]!.length + 1), failed);
  }
  for (const [name, make] of Object.entries(repeated)) {
    const files = make(Math.ceil(asLong / make(1)['templates/t.yaml']!.length));
    const start = process.cpuUsage();
    requests += askAll(files, 'templates/t.yaml', asLong >> 1, failed);
    const { user } = process.cpuUsage(start);
    const seconds = user / 1e6;
    if (seconds > 20) failed(`${name}: ${seconds.toFixed(0)} s`);
  }
  return { charts, requests };
};
