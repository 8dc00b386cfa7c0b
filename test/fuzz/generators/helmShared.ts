import type { Random } from '../../support/random.ts';
import type { Ask, Generator } from '../generator.ts';

/** Charts whose templates change what they share, and print it: each sees what those before it have left. */
export const helmSharedGenerator: Generator = {
  name: 'helm.shared',
  oracle: 'made',
  generate: (random) => ({
    op: 'helm',
    files: {
      'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.2.3\n',
      'values.yaml': 'a: x\nb: "1"\nm: {a: x, n: {a: x, c: z}}\ne: {}\nglobal: {a: g}\ninner: {m: {a: y}}\n',
      'templates/_helpers.tpl': helpers(random),
      ...Object.fromEntries(templates(random, 'templates/')),
      'charts/inner/Chart.yaml': 'apiVersion: v2\nname: inner\nversion: 1.2.3\n',
      'charts/inner/values.yaml': 'b: "2"\nm: {b: z}\ne: {}\n',
      ...Object.fromEntries(templates(random, 'charts/inner/templates/').slice(0, 2)),
    },
  }),
  smaller,
};

/** Without some lines of the templates. */
function* smaller(ask: Ask): Iterable<Ask> {
  const files = ask.files as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    if (!path.includes('/templates/') && !path.startsWith('templates/')) continue;
    const lines = text.split('\n');
    for (const [at] of lines.entries())
      yield { ...ask, files: { ...files, [path]: lines.filter((_, i) => i !== at).join('\n') } };
  }
}

function helpers(random: Random): string {
  return `{{- define "h" -}}\n${lines(random, 2).replaceAll('include "h"', 'tpl "{{ .a }}"')}{{- end -}}\n`;
}

function templates(random: Random, home: string): readonly (readonly [string, string])[] {
  return ['d', 'c', 'b', 'a', 'z/e'].map((name) => [`${home}${name}.yaml`, lines(random, 4)]);
}

function lines(random: Random, most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => line(random)).join('');
}

const maps = ['.Values', '.Values.m', '.Values.m.n', '.Values.e', '.Values.global', '$', '.Values.k'];
const keys = ['a', 'b', 'c', 'd'];
const inner = ['m', 'k', 'e'];

function line(random: Random): string {
  const map = `(${random.pick(maps)} | default dict)`;
  const key = random.pick(keys);
  const made = random.pick(['dict "a" "new"', 'dict "n" (dict "c" "new")', 'deepCopy .Values.global', 'dict']);
  const text = random.pick(['"t"', '"x"', '.Values.a', 'get .Values.m "a"', '(.Values.k | default dict | toJson)']);
  const change = random.pick([
    `set ${map} "${key}" (${text} | toString)`,
    `set ${map} "${key}" (${text} | toString)`,
    `set .Values "${random.pick(inner)}" (${made})`,
    `set .Values.m "n" (${made})`,
    `unset ${map} "${key}"`,
    `merge ${map} (${made})`,
    `mergeOverwrite ${map} (${made})`,
    `merge (dict) ${map} (${made})`,
    `mergeOverwrite (dict "n" .Values.e) .Values.m`,
    `mergeOverwrite (deepCopy .Values.m) (${made})`,
  ]);
  const printed = random.pick([
    `.Values.${key}`,
    `.Values.m | toJson`,
    `.Values | toJson`,
    `.Values.k | toJson`,
    `get ${map} "${key}" | toJson`,
    `hasKey ${map} "${key}"`,
    `len .Values.e`,
    `$.${key}`,
    'include "h" .',
    'include "h" (dict "Values" .Values)',
    'tpl "{{ .Values.a }}" .',
  ]);
  const guard = random.pick([
    `.Values.${key}`,
    '.Values.k',
    '.Values.e',
    `hasKey ${map} "${key}"`,
    `eq (get ${map} "a") "x"`,
  ]);
  const action = `{{- $_ := ${change} }}`;
  return `${random.pick([
    action,
    action,
    `p: {{ ${printed} }}`,
    `p: {{ ${printed} }}`,
    `{{- if ${guard} }}${action}{{ end }}`,
    `{{- range $k, $v := ${map} }}{{ $k }} {{ end }}`,
    `{{- if not .done }}${action}{{ $_ := set ${random.pick(['$', '.'])} "done" ${random.pick(['true', '"yes"'])} }}{{ end }}p: {{ .done }}`,
  ])}\n`;
}
