import { coded, type Rule } from '../model/rule.ts';

/** What is found while a chart is rendered. */
export type ChartCode =
  | 'chart/not-rendered'
  | 'chart/wants-values'
  | 'chart/values-schema'
  | 'chart/values-unresolved'
  | 'chart/schema-not-judged'
  | 'chart/schema-refused'
  | 'chart/too-much'
  | 'chart/broken'
  | 'chart/kube-version'
  | 'chart/stand-in'
  | 'chart/missing-dependency'
  | 'chart/unused-value';

type ChartRule = Omit<Rule<ChartCode, undefined>, 'code' | 'severity' | 'language'> & {
  readonly severity?: 'warning' | 'information' | 'hint';
};

/** A chart that depends on one that is not there. */
const dependent = `apiVersion: v2
name: example
version: 1.0.0
dependencies:
  - {name: common, version: 2.x.x, repository: "https://charts.example.com"}
`;

const rows: Readonly<Record<ChartCode, ChartRule>> = {
  'chart/not-rendered': {
    ofHelpers: true,
    title: 'Helm cannot render the template',
    explanation: `With these values Helm stops at this place and renders nothing of the chart. The message is Helm's own. What the other
templates come to is checked all the same.`,
    bad: `replicas: {{ index (list) 3 }}
`,
    good: `replicas: {{ index (list 1 2 3) 2 }}
`,
  },
  'chart/wants-values': {
    severity: 'hint',
    title: 'The chart wants a value that its own values leave open',
    explanation: `The chart stops on purpose here, with \`required\` or \`fail\` or by its \`values.schema.json\`, or for want of a value
that its own \`values.yaml\` has nothing like or leaves empty, or that Google's marketplace gives by its \`schema.yaml\`: it cannot be installed with the values of that file alone. What the template comes to once the value is there is checked with a made-up one.`,
    bad: `host: {{ required "a host is needed" .Values.host }}
`,
    good: `host: {{ .Values.host | default "example.com" }}
`,
  },
  'chart/unused-value': {
    severity: 'hint',
    title: 'No template reads the value',
    explanation: `Whoever sets it changes nothing: no template of the chart, or of those in it, reads the value or what is around it.
Often its name is misspelled here or in a template. It is told only where every use of the values can be seen.`,
    notShown: 'it is about the files of a chart together',
    bad: `replicaCuont: 2
`,
    good: `replicaCount: 2
`,
  },
  'chart/values-schema': {
    title: 'Helm refuses a value by `values.schema.json`',
    explanation: `Before Helm renders a chart it compares the values with the chart's \`values.schema.json\`, and those of each chart in it
with that chart's own. With this value it stops there. The message says what Helm says, if not always in the same order.`,
    notShown: 'it is about two files of a chart',
    bad: `replicas: many # where the schema says "type": "integer"
`,
    good: `replicas: 2
`,
  },
  'chart/values-unresolved': {
    severity: 'warning',
    title: 'Flux cannot put the values of a release together',
    explanation: `A HelmRelease reads values from a ConfigMap or Secret that is here, and that has no such key, is not YAML, or cannot
be put where \`targetPath\` says. Flux installs nothing then. The message is Flux's own.`,
    notShown: 'it is about the files of a chart together',
    bad: `valuesFrom:
  - {kind: ConfigMap, name: shop, valuesKey: vlaues.yaml}
`,
    good: `valuesFrom:
  - {kind: ConfigMap, name: shop, valuesKey: values.yaml}
`,
  },
  'chart/schema-not-judged': {
    severity: 'information',
    inLogs: 'warning',
    title: 'Values are not compared with this schema',
    explanation: `The schema needs another file, which is not read, or has something that is not judged here. Helm may still refuse values by
it. A schema is judged as a whole or not at all.`,
    notShown: 'it is about a file of JSON',
    bad: `{"$ref": "https://example.com/schema.json"}
`,
    good: `{"$ref": "#/$defs/image", "$defs": {"image": {"type": "object"}}}
`,
  },
  'chart/schema-refused': {
    title: 'Helm refuses a chart for its schema',
    explanation: `Helm compares \`values.schema.json\` with the schema of its draft first: with the newest if it names none, or
\`http://json-schema.org/schema#\`. With an unknown type, \`required: true\`, a pattern that Go cannot read, an \`$id\` with something
behind a \`#\` from 2019-09 on, or a reference that leads nowhere or to a file, which Helm looks for at the top of the disk, the chart
cannot be installed, whatever the values are.`,
    notShown: 'it is about a file of JSON',
    bad: `{"properties": {"image": {"type": "map", "required": true}}}
`,
    good: `{"properties": {"image": {"type": "object"}}}
`,
  },
  'chart/too-much': {
    severity: 'warning',
    title: 'The template takes too much work to be rendered here',
    explanation: `Rendering is bounded, so that no chart can bring an editor to a halt. What this template comes to is not checked.`,
    notShown: 'an example would be huge',
    bad: `{{ range until 100000000 }}{{ end }}
`,
    good: `{{ range until 10 }}{{ end }}
`,
  },
  'chart/missing-dependency': {
    severity: 'warning',
    inLogs: 'information',
    onceInFile: true,
    title: 'A chart that this one depends on is not here',
    explanation: `It is neither in \`charts/\`, nor beside this chart, nor in Helm's cache in the version that \`Chart.lock\` names.
Templates that include something of it are not judged. \`helm dependency build\` puts it into \`charts/\`; nothing is fetched
here.`,
    notShown: 'it is about the files of a chart together',
    bad: dependent,
    good: `apiVersion: v2
name: example
version: 1.0.0
`,
  },
  'chart/stand-in': {
    severity: 'hint',
    onceInFile: true,
    title: 'A library chart beside this one is taken for one that it depends on',
    explanation: `The chart is not in \`charts/\`, nor in Helm's cache. One of that name is in the folder beside this one, in a version that
this one wants but that \`Chart.lock\` does not name. \`helm dependency build\` puts the right one into \`charts/\`.`,
    notShown: 'it is about the files of two charts',
    bad: dependent,
    good: `apiVersion: v2
name: example
version: 1.0.0
`,
  },
  'chart/kube-version': {
    title: 'The chart is not for this version of Kubernetes',
    explanation: `Helm does not install the chart into a cluster whose version its \`kubeVersion\` leaves out. The version is the one
that files are judged for; templates are rendered for the nearest one that fits. The message is Helm's own.`,
    notShown: 'it is about the files of a chart together',
    bad: `apiVersion: v2
name: example
version: 1.0.0
kubeVersion: "<1.20.0"
`,
    good: `apiVersion: v2
name: example
version: 1.0.0
kubeVersion: ">=1.20.0-0"
`,
  },
  'chart/broken': {
    meantInTests: true,
    ofUnread: true,
    title: 'Helm cannot load the chart',
    explanation: `Nothing of the chart can be rendered: its \`Chart.yaml\`, its values or a chart in it cannot be read. The message is
Helm's own.`,
    notShown: 'it is about the files of a chart together',
    bad: `apiVersion: v2
name: example
`,
    good: `apiVersion: v2
name: example
version: 1.0.0
`,
  },
};

const rules = Object.entries(rows).map(([code, row]) => [code, row.notShown ? row : { ...row, language: 'helm' }]);

export const chartRules = coded(Object.fromEntries(rules)) as { readonly [Code in ChartCode]: Rule<Code, undefined> };
