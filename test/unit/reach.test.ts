import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderingsOf } from '../../server/src/workspace/charts/renderings.ts';
import { chartOf } from '../support/charts.ts';

/** Templates of which no line is reached with the values of the chart alone, by what is in the way. */
const charts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'an older Kubernetes': {
    'templates/a.yaml':
      '{{ if semverCompare "<1.19-0" .Capabilities.KubeVersion.Version }}\nold: 1\n{{ else }}\nnew: 1\n{{ end }}\n',
  },
  'a minor version': {
    'templates/a.yaml': '{{ if lt (int .Capabilities.KubeVersion.Minor) 30 }}\nold: 1\n{{ else }}\nnew: 1\n{{ end }}\n',
  },
  'a version that a helper tells': {
    'templates/_a.tpl': '{{ define "kube" }}{{ default .Capabilities.KubeVersion.Version .Values.kube }}{{ end }}',
    'templates/a.yaml': '{{ if semverCompare "<1.19-0" (include "kube" .) }}\nold: 1\n{{ else }}\nnew: 1\n{{ end }}\n',
  },
  'a version among the values': {
    'values.yaml': 'tag: 2.4.1\n',
    'templates/a.yaml': '{{ if semverCompare ">=3.0.0" .Values.tag }}\nnew: 1\n{{ else }}\nold: 1\n{{ end }}\n',
  },
  'an API that is not served any more': {
    'templates/a.yaml':
      '{{ if .Capabilities.APIVersions.Has "policy/v1beta1/PodSecurityPolicy" }}\nold: 1\n{{ end }}\n',
  },
  'an API in the list of those that are served': {
    'templates/a.yaml': '{{ if has "monitoring.coreos.com/v1" .Capabilities.APIVersions }}\nwatched: 1\n{{ end }}\n',
  },
  'an API that is served': {
    'templates/a.yaml':
      '{{ if .Capabilities.APIVersions.Has "networking.k8s.io/v1" }}\nnew: 1\n{{ else }}\nold: 1\n{{ end }}\n',
  },
  'a value that is looked up by its names': {
    'values.yaml': 'shop-web: {enabled: true, debug: false}\ndev: false\n',
    'templates/a.yaml': '{{ if and (not (index .Values "shop-web" "enabled")) .Values.dev }}\nalone: 1\n{{ end }}\n',
    'templates/b.yaml': '{{ if and .Values.dev (index .Values "shop-web" "debug") }}\ndebug: 1\n{{ end }}\n',
    'templates/c.yaml': '{{ if get (index .Values "shop-web") "trace" }}\ntrace: 1\n{{ end }}\n',
    'templates/d.yaml':
      '{{ if dig "apps" "on" false (index .Values "shop-web" | default dict) }}\napps: 1\n{{ end }}\n',
  },
  'one value of many that cannot be made up so': {
    'values.yaml': 'size: ""\nenv: []\nlabels: {}\nlogs: false\n',
    'templates/a.yaml': `{{ if .Values.labels }}
labels: {{ toYaml .Values.labels | nindent 2 }}
{{ end }}
{{ if .Values.logs }}
logs: 1
{{ end }}
env: {{ concat (list "a") .Values.env | toYaml | nindent 2 }}
{{ if .Values.size }}
{{ if has .Values.size (list "small" "large") }}
size: 1
{{ else }}
{{ fail "no such size" }}
{{ end }}
{{ end }}
`,
  },
  'items that are on or off': {
    'values.yaml': 'routes: {}\n',
    'templates/_a.tpl': '{{ define "on" }}{{ if .item.enabled }}true{{ end }}{{ end }}',
    'templates/a.yaml': `{{ range $key, $item := .Values.routes }}
{{ $item := merge (dict "name" $key) $item }}
{{ if eq (include "on" (dict "item" $item)) "true" }}
kind: Route
{{ if eq $item.type "weighted" }}
weight: 1
{{ end }}
{{ end }}
{{ end }}
`,
  },
  'a key of a map that the template makes': {
    'values.yaml': 'preset: ""\n',
    'templates/a.yaml': `{{ $all := dict "small" 1 "large" 2 }}
{{ if .Values.preset }}
{{ if hasKey $all .Values.preset }}
size: {{ get $all .Values.preset }}
{{ else }}
{{ fail "no such preset" }}
{{ end }}
{{ end }}
`,
  },
  'a pattern that is a text': {
    'values.yaml': 'paths: ""\n',
    'templates/a.yaml': '{{ if .Values.paths | regexMatch "/pods/mutate" }}\non: 1\n{{ else }}\noff: 1\n{{ end }}\n',
  },
  'what is required of nothing, as a refusal': {
    'values.yaml': 'links: []\n',
    'templates/a.yaml': `{{ range .Values.links }}
{{ if .port }}
{{ if not (typeIs "float64" .port) }}
{{ required "a port is a number" nil }}
{{ end }}
port: {{ .port }}
{{ end }}
{{ end }}
`,
  },
  'a text that a function wants': {
    'values.yaml': 'on: false\nhost:\n',
    'templates/a.yaml':
      '{{ if .Values.on }}\nhost: {{ tpl .Values.host . | quote }}\nkey: {{ .Values.key | b64enc }}\n{{ end }}\n',
  },
  'a way out of a refusal that is not the first': {
    'values.yaml': 'store: {mode: "", class: "", claim: ""}\n',
    'templates/a.yaml': `{{ if and (eq .Values.store.mode "volume") (not .Values.store.class) }}
{{ fail "a volume wants a class" }}
{{ end }}
{{ if eq .Values.store.mode "volume" }}
mode: volume
{{ end }}
`,
  },
  'a variable that a helper decided long before': {
    'values.yaml': 'scaling: {enabled: false, memory: ""}\nlegacy: false\n',
    'templates/_a.tpl': '{{ define "version" }}{{ if .Values.legacy }}v1{{ else }}v2{{ end }}{{ end }}',
    'templates/a.yaml': `{{ if .Values.scaling.enabled }}
{{ $version := include "version" . }}
version: {{ $version }}
{{ if .Values.scaling.memory }}
{{ if eq $version "v1" }}
old: 1
{{ else }}
new: 1
{{ end }}
{{ end }}
{{ end }}
`,
  },
  'a helper beside a value that is enough as well': {
    'values.yaml': 'tag: ""\nhub: false\n',
    'templates/_a.tpl': '{{ define "hub" }}{{ if .Values.hub }}on{{ end }}{{ end }}',
    'templates/a.yaml': `{{ if and (eq (include "hub" .) "on") (not .Values.tag) }}\nhub: 1\n{{ end }}\n`,
  },
  'a boolean that a helper prints': {
    'values.yaml': 'token: ""\n',
    'templates/_a.tpl': '{{ define "hub" }}{{ not (empty .Values.token) }}{{ end }}',
    'templates/a.yaml': `{{ if eq (include "hub" .) "true" }}\nhub: {{ required "wants a token" .Values.token }}\n{{ end }}\n`,
  },
  'a text that has to be long': {
    'values.yaml': 'token: ""\n',
    'templates/a.yaml':
      '{{ if ge (len (.Values.token | default "")) 65 }}\nsecret: 1\n{{ else }}\nname: 1\n{{ end }}\n',
  },
  'so many of a list': {
    'values.yaml': 'hosts: []\n',
    'templates/a.yaml':
      '{{ if eq (len .Values.hosts) 3 }}\nthree: 1\n{{ else if gt (len .Values.hosts) 3 }}\nmore: 1\n{{ end }}\n',
  },
  'a pattern of digits': {
    'values.yaml': 'tag: ""\n',
    'templates/a.yaml': '{{ if regexMatch "^v[0-9]+\\\\.[0-9]+(-.*)?$" .Values.tag }}\nversion: 1\n{{ end }}\n',
  },
  'the type of what a function takes out of a map': {
    'values.yaml': '{}\n',
    'templates/a.yaml': '{{ if get .Values "low" | kindIs "bool" }}\nlow: 1\n{{ else }}\ndefault: 1\n{{ end }}\n',
  },
  'a key that the values of the chart have': {
    'values.yaml': 'logs: "false"\n',
    'templates/a.yaml': '{{ if hasKey .Values "logs" }}\nlogs: {{ .Values.logs }}\n{{ else }}\nlogs: auto\n{{ end }}\n',
  },
  'the first of several values': {
    'values.yaml': 'global: {class: ""}\nclass: ""\n',
    'templates/a.yaml':
      '{{ $class := coalesce .Values.global.class .Values.class }}\n{{ if $class }}\nclass: {{ $class }}\n{{ end }}\n',
  },
  'notes, which are no YAML': {
    'values.yaml': 'plugins: {}\n',
    'templates/NOTES.txt':
      'Hi: {{ range .Values.plugins }}: {{ .path }}{{ end }}\n{{ if .Values.plugins }}\n!DEPRECATED: a: b: {\n{{ end }}\n',
  },
  'texts in a list': {
    'values.yaml': 'secrets: []\n',
    'templates/a.yaml':
      '{{ range .Values.secrets }}\n- name: {{ toYaml . }}\n{{ if kindIs "map" . }}\n  more: 1\n{{ end }}\n{{ end }}\n',
  },
};

function linesOf(files: Readonly<Record<string, string>>) {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n', ...files };
  return renderingsOf(chartOf(all), { valuesFiles: [] }).linesReached;
}

for (const [what, files] of Object.entries(charts)) {
  test(`lines are reached: ${what}`, () => {
    const { lines, reached, unreached } = linesOf(files);
    const refused = unreached.get('refused') ?? 0;
    assert.ok(lines > 0);
    assert.deepEqual([reached + refused, [...unreached.keys()].filter((why) => why !== 'refused')], [lines, []]);
  });
}

test('lines behind what only a cluster has are said to be so, also where a variable holds it', () => {
  const { unreached } = linesOf({
    'templates/a.yaml': `{{ $found := lookup "v1" "Secret" "default" "shop" }}
{{ $again := false }}
{{ if $found }}
{{ $again = true }}
{{ end }}
{{ if $again }}
a: 1
{{ end }}
`,
  });
  assert.deepEqual([...unreached], [['cluster', 2]]);
});

test('lines that want a missing chart are said to be so, also in helpers and behind conditions', () => {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'values.yaml': 'on: false\n',
    'templates/_a.tpl': '{{ define "named" }}\nname: {{ include "common.name" . }}\n{{ end }}',
    'templates/a.yaml': '{{ if .Values.on }}\nlabels:\n  {{ include "named" . }}\n{{ end }}\nkind: ConfigMap\n',
  };
  const named = { name: 'common', version: '1.0.0', repository: 'https://charts.example.com' };
  const missing = [{ ...named, condition: '', tags: [], alias: '', importValues: [] }];
  const { lines, unreached } = renderingsOf(chartOf(files, undefined, missing), { valuesFiles: [] }).linesReached;
  assert.deepEqual([lines, ...unreached], [7, ['missing', 4]]);
});
